public import LenientCoding

/// The weather over one moment, minute, hour or day.
///
/// Which fields come depends on which of them it is.
public struct DataPoint: Record {
    /// The start of the span that the point stands for.
    public var time = UnixSeconds(0)
    /// The weather in words.
    public var summary: String?
    /// The weather as a picture.
    public var icon: OpenEnum<Icon>?
    /// Where the nearest storm is: its distance, and its direction in degrees from north.
    public var nearestStormDistance: Double?, nearestStormBearing: Double?
    /// When the sun rises and sets, and when the night ends and begins.
    public var sunriseTime: UnixSeconds?, sunsetTime: UnixSeconds?, dawnTime: UnixSeconds?, duskTime: UnixSeconds?
    /// The moon's phase, from 0 (new) through 0.5 (full) to 1.
    public var moonPhase: Double?
    /// Precipitation: how much an hour, the error of that, how probable (0…1), and of what kind.
    public var precipIntensity: Double?, precipIntensityError: Double?, precipIntensityMax: Double?,
        precipIntensityMin: Double?, precipProbability: Double?
    public var precipIntensityMaxTime: UnixSeconds?, precipIntensityMinTime: UnixSeconds?
    /// What falls.
    public var precipType: OpenEnum<PrecipitationType>?
    /// How much lies after the span.
    public var precipAccumulation: Double?
    /// Precipitation by kind: how much an hour, its greatest, and how much after the span.
    public var rainIntensity: Double?, snowIntensity: Double?, iceIntensity: Double?, rainIntensityMax: Double?,
        snowIntensityMax: Double?, iceIntensityMax: Double?, liquidAccumulation: Double?, snowAccumulation: Double?,
        iceAccumulation: Double?
    /// What fell since local midnight.
    public var currentDayIce: Double?, currentDayLiquid: Double?, currentDaySnow: Double?
    /// The air's temperature, and what it feels like by Dark Sky's formula and by the source's own.
    public var temperature: Double?, apparentTemperature: Double?, feelsLike: Double?
    /// The day's temperatures.
    ///
    /// High and low are those of the day and of the night after it; max and min of midnight to midnight.
    public var temperatureHigh: Double?, temperatureLow: Double?, temperatureMin: Double?, temperatureMax: Double?,
        apparentTemperatureHigh: Double?, apparentTemperatureLow: Double?, apparentTemperatureMin: Double?,
        apparentTemperatureMax: Double?
    public var temperatureHighTime: UnixSeconds?, temperatureLowTime: UnixSeconds?, temperatureMinTime: UnixSeconds?,
        temperatureMaxTime: UnixSeconds?, apparentTemperatureHighTime: UnixSeconds?,
        apparentTemperatureLowTime: UnixSeconds?, apparentTemperatureMinTime: UnixSeconds?,
        apparentTemperatureMaxTime: UnixSeconds?
    /// Humidity (0…1), dew point, and pressure at sea level and at the station (hPa).
    public var dewPoint: Double?, humidity: Double?, pressure: Double?, stationPressure: Double?
    /// Wind, with its direction in degrees from north.
    public var windSpeed: Double?, windGust: Double?, windBearing: Double?
    /// When the strongest gust blows.
    public var windGustTime: UnixSeconds?
    /// Clouds (0…1), how far one sees, ozone (Dobson), and the sun's strength (W/m²).
    public var cloudCover: Double?, uvIndex: Double?, visibility: Double?, ozone: Double?, solar: Double?,
        solarMax: Double?
    /// When the sun burns most.
    public var uvIndexTime: UnixSeconds?
    /// Smoke (µg/m³), fire weather and storm energy (J/kg).
    public var smoke: Double?, smokeMax: Double?, fireIndex: Double?, fireIndexMax: Double?, cape: Double?,
        capeMax: Double?
    public var smokeMaxTime: UnixSeconds?, fireIndexMaxTime: UnixSeconds?, capeMaxTime: UnixSeconds?
    /// Air quality, as an index and by substance.
    public var airQualityIndex: Double?, airQualityIndexMax: Double?, airQualityIndexMin: Double?,
        coConcentration: Double?, no2Concentration: Double?, ozoneConcentration: Double?, so2Concentration: Double?,
        pm10: Double?, pm25: Double?

    /// A point of the epoch that says nothing.
    public init() {}

    /// One line a field.
    public static let schema = Schema<DataPoint>(.absent(-999), .absent("", "none")) {
        Field(\.time)
        Field(\.summary)
        Field(\.icon)
        Field(\.nearestStormDistance)
        Field(\.nearestStormBearing)
        Field(\.sunriseTime)
        Field(\.sunsetTime)
        Field(\.dawnTime)
        Field(\.duskTime)
        Field(\.moonPhase)
        Field(\.precipIntensity)
        Field(\.precipIntensityError)
        Field(\.precipIntensityMax)
        Field(\.precipIntensityMaxTime)
        Field(\.precipIntensityMin)
        Field(\.precipIntensityMinTime)
        Field(\.precipProbability)
        Field(\.precipType)
        Field(\.precipAccumulation)
        Field(\.rainIntensity)
        Field(\.snowIntensity)
        Field(\.iceIntensity)
        Field(\.rainIntensityMax)
        Field(\.snowIntensityMax)
        Field(\.iceIntensityMax)
        Field(\.liquidAccumulation)
        Field(\.snowAccumulation)
        Field(\.iceAccumulation)
        Field(\.currentDayIce)
        Field(\.currentDayLiquid)
        Field(\.currentDaySnow)
        Field(\.temperature)
        Field(\.apparentTemperature)
        Field(\.feelsLike)
        Field(\.temperatureHigh)
        Field(\.temperatureHighTime)
        Field(\.temperatureLow)
        Field(\.temperatureLowTime)
        Field(\.temperatureMin)
        Field(\.temperatureMinTime)
        Field(\.temperatureMax)
        Field(\.temperatureMaxTime)
        Field(\.apparentTemperatureHigh)
        Field(\.apparentTemperatureHighTime)
        Field(\.apparentTemperatureLow)
        Field(\.apparentTemperatureLowTime)
        Field(\.apparentTemperatureMin)
        Field(\.apparentTemperatureMinTime)
        Field(\.apparentTemperatureMax)
        Field(\.apparentTemperatureMaxTime)
        Field(\.dewPoint)
        Field(\.humidity)
        Field(\.pressure)
        Field(\.stationPressure)
        Field(\.windSpeed)
        Field(\.windGust)
        Field(\.windGustTime)
        Field(\.windBearing)
        Field(\.cloudCover)
        Field(\.uvIndex)
        Field(\.uvIndexTime)
        Field(\.visibility)
        Field(\.ozone)
        Field(\.solar)
        Field(\.solarMax)
        Field(\.smoke)
        Field(\.smokeMax)
        Field(\.smokeMaxTime)
        Field(\.fireIndex)
        Field(\.fireIndexMax)
        Field(\.fireIndexMaxTime)
        Field(\.cape)
        Field(\.capeMax)
        Field(\.capeMaxTime)
        Field(\.airQualityIndex)
        Field(\.airQualityIndexMax)
        Field(\.airQualityIndexMin)
        Field(\.coConcentration)
        Field(\.no2Concentration)
        Field(\.ozoneConcentration)
        Field(\.so2Concentration)
        Field(\.pm10)
        Field(\.pm25)
    }
}
