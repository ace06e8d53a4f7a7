public import LenientCoding

/// The weather at a moment, or over a minute, an hour or a day.
///
/// Which fields are present depends on the block and the upstream. Units are those of `si`; see `UnitSystem` for others.
public struct DataPoint: Record {
    /// The start of the span.
    public var time = UnixSeconds(0)
    /// The weather in words.
    public var summary: String?
    /// The icon for the weather.
    public var icon: OpenEnum<Icon>?
    /// The distance to the nearest storm (km), and its direction in degrees clockwise from north.
    public var nearestStormDistance: Double?, nearestStormBearing: Double?
    /// Sunrise and sunset, dawn and dusk.
    public var sunriseTime: UnixSeconds?, sunsetTime: UnixSeconds?, dawnTime: UnixSeconds?, duskTime: UnixSeconds?
    /// The phase of the moon: 0 is new, 0.5 is full, 1 is new again.
    public var moonPhase: Double?
    /// The intensity of precipitation (mm/h of water), its standard deviation and extremes, and its probability (0…1).
    public var precipIntensity: Double?, precipIntensityError: Double?, precipIntensityMax: Double?,
        precipIntensityMin: Double?, precipProbability: Double?
    public var precipIntensityMaxTime: UnixSeconds?, precipIntensityMinTime: UnixSeconds?
    /// The type of precipitation.
    public var precipType: OpenEnum<PrecipitationType>?
    /// The depth of precipitation that falls in the span (cm); Dark Sky counts snow only.
    public var precipAccumulation: Double?
    /// Precipitation by type: the intensity and its maximum (mm/h), and the depth that falls in the span (cm).
    public var rainIntensity: Double?, snowIntensity: Double?, iceIntensity: Double?, rainIntensityMax: Double?,
        snowIntensityMax: Double?, iceIntensityMax: Double?, liquidAccumulation: Double?, snowAccumulation: Double?,
        iceAccumulation: Double?
    /// The depth of precipitation since local midnight (cm).
    public var currentDayIce: Double?, currentDayLiquid: Double?, currentDaySnow: Double?
    /// The air temperature (°C), and the perceived one by Dark Sky's formula and by the source's own.
    public var temperature: Double?, apparentTemperature: Double?, feelsLike: Double?
    /// The temperatures of a day (°C): maximum and minimum from midnight to midnight, the high of daytime, the low of the
    /// following night.
    public var temperatureHigh: Double?, temperatureLow: Double?, temperatureMin: Double?, temperatureMax: Double?,
        apparentTemperatureHigh: Double?, apparentTemperatureLow: Double?, apparentTemperatureMin: Double?,
        apparentTemperatureMax: Double?
    public var temperatureHighTime: UnixSeconds?, temperatureLowTime: UnixSeconds?, temperatureMinTime: UnixSeconds?,
        temperatureMaxTime: UnixSeconds?, apparentTemperatureHighTime: UnixSeconds?,
        apparentTemperatureLowTime: UnixSeconds?, apparentTemperatureMinTime: UnixSeconds?,
        apparentTemperatureMaxTime: UnixSeconds?
    /// The dew point (°C), the relative humidity (0…1), and the pressure at sea level and at the station (hPa).
    public var dewPoint: Double?, humidity: Double?, pressure: Double?, stationPressure: Double?
    /// The speeds of wind and gusts (m/s), and the direction from which the wind blows, in degrees clockwise from north.
    public var windSpeed: Double?, windGust: Double?, windBearing: Double?
    /// When the strongest gust of a day blows.
    public var windGustTime: UnixSeconds?
    /// The cloud cover (0…1), the UV index, the visibility (km), the ozone column (Dobson units) and the solar
    /// irradiance (W/m²).
    public var cloudCover: Double?, uvIndex: Double?, visibility: Double?, ozone: Double?, solar: Double?,
        solarMax: Double?
    /// When the UV index of a day is highest.
    public var uvIndexTime: UnixSeconds?
    /// Smoke near the ground (µg/m³), the fire weather index and the convective available potential energy (J/kg).
    public var smoke: Double?, smokeMax: Double?, fireIndex: Double?, fireIndexMax: Double?, cape: Double?,
        capeMax: Double?
    public var smokeMaxTime: UnixSeconds?, fireIndexMaxTime: UnixSeconds?, capeMaxTime: UnixSeconds?
    /// The air quality index, and the concentrations of pollutants.
    public var airQualityIndex: Double?, airQualityIndexMax: Double?, airQualityIndexMin: Double?,
        coConcentration: Double?, no2Concentration: Double?, ozoneConcentration: Double?, so2Concentration: Double?,
        pm10: Double?, pm25: Double?

    /// A point without data.
    public init() {}

    /// The table of fields: what each one measures, and its plausible range in `si`.
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
