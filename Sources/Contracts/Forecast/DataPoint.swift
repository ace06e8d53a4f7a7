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

    /// One line a field: what it measures, and what it can be under any sky, in `si`.
    public static let schema = Schema<DataPoint>(.absent(-999), .absent("", "none")) {
        Field(\.time)
        Field(\.summary)
        Field(\.icon)
        Field(\.nearestStormDistance, .dimension(.distance), .plausible(0...50000))
        Field(\.nearestStormBearing, .plausible(0...360))
        Field(\.sunriseTime)
        Field(\.sunsetTime)
        Field(\.dawnTime)
        Field(\.duskTime)
        Field(\.moonPhase, .plausible(0...1))
        Field(\.precipIntensity, .dimension(.rate), .plausible(0...3000))
        Field(\.precipIntensityError, .dimension(.rate), .plausible(0...3000))
        Field(\.precipIntensityMax, .dimension(.rate), .plausible(0...3000))
        Field(\.precipIntensityMaxTime)
        Field(\.precipIntensityMin, .dimension(.rate), .plausible(0...3000))
        Field(\.precipIntensityMinTime)
        Field(\.precipProbability, .plausible(0...1))
        Field(\.precipType)
        Field(\.precipAccumulation, .dimension(.depth), .plausible(0...5000))
        Field(\.rainIntensity, .dimension(.rate), .plausible(0...3000))
        Field(\.snowIntensity, .dimension(.rate), .plausible(0...3000))
        Field(\.iceIntensity, .dimension(.rate), .plausible(0...3000))
        Field(\.rainIntensityMax, .dimension(.rate), .plausible(0...3000))
        Field(\.snowIntensityMax, .dimension(.rate), .plausible(0...3000))
        Field(\.iceIntensityMax, .dimension(.rate), .plausible(0...3000))
        Field(\.liquidAccumulation, .dimension(.depth), .plausible(0...5000))
        Field(\.snowAccumulation, .dimension(.depth), .plausible(0...5000))
        Field(\.iceAccumulation, .dimension(.depth), .plausible(0...5000))
        Field(\.currentDayIce, .dimension(.depth), .plausible(0...5000))
        Field(\.currentDayLiquid, .dimension(.depth), .plausible(0...5000))
        Field(\.currentDaySnow, .dimension(.depth), .plausible(0...5000))
        Field(\.temperature, .dimension(.temperature), .plausible(-100...70))
        Field(\.apparentTemperature, .dimension(.temperature), .plausible(-130...100))
        Field(\.feelsLike, .dimension(.temperature), .plausible(-130...100))
        Field(\.temperatureHigh, .dimension(.temperature), .plausible(-100...70))
        Field(\.temperatureHighTime)
        Field(\.temperatureLow, .dimension(.temperature), .plausible(-100...70))
        Field(\.temperatureLowTime)
        Field(\.temperatureMin, .dimension(.temperature), .plausible(-100...70))
        Field(\.temperatureMinTime)
        Field(\.temperatureMax, .dimension(.temperature), .plausible(-100...70))
        Field(\.temperatureMaxTime)
        Field(\.apparentTemperatureHigh, .dimension(.temperature), .plausible(-130...100))
        Field(\.apparentTemperatureHighTime)
        Field(\.apparentTemperatureLow, .dimension(.temperature), .plausible(-130...100))
        Field(\.apparentTemperatureLowTime)
        Field(\.apparentTemperatureMin, .dimension(.temperature), .plausible(-130...100))
        Field(\.apparentTemperatureMinTime)
        Field(\.apparentTemperatureMax, .dimension(.temperature), .plausible(-130...100))
        Field(\.apparentTemperatureMaxTime)
        Field(\.dewPoint, .dimension(.temperature), .plausible(-100...70))
        Field(\.humidity, .plausible(0...1))
        Field(\.pressure, .plausible(800...1100))
        Field(\.stationPressure, .plausible(250...1100))
        Field(\.windSpeed, .dimension(.speed), .plausible(0...150))
        Field(\.windGust, .dimension(.speed), .plausible(0...150))
        Field(\.windGustTime)
        Field(\.windBearing, .plausible(0...360))
        Field(\.cloudCover, .plausible(0...1))
        Field(\.uvIndex, .plausible(0...50))
        Field(\.uvIndexTime)
        Field(\.visibility, .dimension(.distance), .plausible(0...1000))
        Field(\.ozone, .plausible(0...1000))
        Field(\.solar, .plausible(0...2000))
        Field(\.solarMax, .plausible(0...2000))
        Field(\.smoke, .plausible(0...1_000_000))
        Field(\.smokeMax, .plausible(0...1_000_000))
        Field(\.smokeMaxTime)
        Field(\.fireIndex, .plausible(0...1000))
        Field(\.fireIndexMax, .plausible(0...1000))
        Field(\.fireIndexMaxTime)
        Field(\.cape, .plausible(0...20000))
        Field(\.capeMax, .plausible(0...20000))
        Field(\.capeMaxTime)
        Field(\.airQualityIndex, .plausible(0...10000))
        Field(\.airQualityIndexMax, .plausible(0...10000))
        Field(\.airQualityIndexMin, .plausible(0...10000))
        Field(\.coConcentration, .plausible(0...1_000_000))
        Field(\.no2Concentration, .plausible(0...1_000_000))
        Field(\.ozoneConcentration, .plausible(0...1_000_000))
        Field(\.so2Concentration, .plausible(0...1_000_000))
        Field(\.pm10, .plausible(0...1_000_000))
        Field(\.pm25, .plausible(0...1_000_000))
    }
}
