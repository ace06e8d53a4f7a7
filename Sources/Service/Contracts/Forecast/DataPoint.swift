public import LenientCoding

/// The weather at a moment, or over a minute, an hour or a day.
///
/// Which fields are present depends on the block and the upstream. The units below are those of `si`.
public struct DataPoint: Record {
    /// The start of the span; see ``schema`` for each field.
    public var time = UnixSeconds(0)
    /// The weather in words, as an icon, and as a type of precipitation.
    public var summary: String?, icon: OpenEnum<Icon>?, precipType: OpenEnum<PrecipitationType>?
    /// The nearest storm (km, degrees).
    public var nearestStormDistance: Double?, nearestStormBearing: Double?
    /// The times of the sun, and the phase of the moon.
    public var sunriseTime: UnixSeconds?, sunsetTime: UnixSeconds?, dawnTime: UnixSeconds?, duskTime: UnixSeconds?,
        moonPhase: Double?
    /// Rates of precipitation (mm/h), and its probability (0…1).
    public var precipIntensity: Double?, precipIntensityError: Double?, precipIntensityMax: Double?,
        precipIntensityMin: Double?, precipProbability: Double?
    public var precipIntensityMaxTime: UnixSeconds?, precipIntensityMinTime: UnixSeconds?
    /// Rates of one type of precipitation (mm/h).
    public var rainIntensity: Double?, snowIntensity: Double?, iceIntensity: Double?, rainIntensityMax: Double?,
        snowIntensityMax: Double?, iceIntensityMax: Double?
    /// Depths of precipitation (cm).
    public var precipAccumulation: Double?, liquidAccumulation: Double?, snowAccumulation: Double?,
        iceAccumulation: Double?, currentDayIce: Double?, currentDayLiquid: Double?, currentDaySnow: Double?
    /// Temperatures (°C).
    public var temperature: Double?, apparentTemperature: Double?, feelsLike: Double?, dewPoint: Double?
    /// Temperatures of a day (°C), and their times.
    public var temperatureHigh: Double?, temperatureLow: Double?, temperatureMin: Double?, temperatureMax: Double?,
        apparentTemperatureHigh: Double?, apparentTemperatureLow: Double?, apparentTemperatureMin: Double?,
        apparentTemperatureMax: Double?
    public var temperatureHighTime: UnixSeconds?, temperatureLowTime: UnixSeconds?, temperatureMinTime: UnixSeconds?,
        temperatureMaxTime: UnixSeconds?, apparentTemperatureHighTime: UnixSeconds?,
        apparentTemperatureLowTime: UnixSeconds?, apparentTemperatureMinTime: UnixSeconds?,
        apparentTemperatureMaxTime: UnixSeconds?
    /// Humidity (0…1) and pressure (hPa).
    public var humidity: Double?, pressure: Double?, stationPressure: Double?
    /// Wind (m/s, degrees).
    public var windSpeed: Double?, windGust: Double?, windBearing: Double?, windGustTime: UnixSeconds?
    /// The sky: cloud cover (0…1), visibility (km), ozone (Dobson units) and radiation (W/m²).
    public var cloudCover: Double?, uvIndex: Double?, visibility: Double?, ozone: Double?, solar: Double?,
        solarMax: Double?, uvIndexTime: UnixSeconds?
    /// Smoke (µg/m³), fire weather and convective energy (J/kg).
    public var smoke: Double?, smokeMax: Double?, fireIndex: Double?, fireIndexMax: Double?, cape: Double?,
        capeMax: Double?
    public var smokeMaxTime: UnixSeconds?, fireIndexMaxTime: UnixSeconds?, capeMaxTime: UnixSeconds?
    /// The quality of the air.
    public var airQualityIndex: Double?, airQualityIndexMax: Double?, airQualityIndexMin: Double?,
        coConcentration: Double?, no2Concentration: Double?, ozoneConcentration: Double?, so2Concentration: Double?,
        pm10: Double?, pm25: Double?

    /// A point without data.
    public init() {}

    /// The table of fields; ranges are in the units of `si`.
    public static let schema = Schema<DataPoint>(.absent(-999), .absent("", "none")) {
        Field(\.time, .note("The start of the span that the point describes; of the current weather, its time."))
        Field(\.summary, .note("The weather in words."))
        Field(\.icon, .note("The weather as the name of an icon."))
        Field(
            \.nearestStormDistance, .dimension(.distance), .plausible(0...50000),
            .note("The distance to the nearest storm."))
        Field(
            \.nearestStormBearing, .plausible(0...360),
            .note("The direction of the nearest storm, in degrees clockwise from north."))
        Field(\.sunriseTime, .note("The sunrise; absent if the sun stays up or down all day."))
        Field(\.sunsetTime, .note("The sunset."))
        Field(\.dawnTime, .note("The start of the civil twilight in the morning (Pirate Weather, WeatherKit)."))
        Field(\.duskTime, .note("The end of the civil twilight in the evening (Pirate Weather, WeatherKit)."))
        Field(
            \.moonPhase, .plausible(0...1),
            .note("The phase of the moon: 0 new, 0.25 first quarter, 0.5 full, 0.75 last quarter."))
        Field(
            \.precipIntensity, .dimension(.rate), .plausible(0...3000),
            .note("The rate of precipitation, as liquid water; of a day, its mean."))
        Field(
            \.precipIntensityError, .dimension(.rate), .plausible(0...3000),
            .note("The standard deviation of precipIntensity."))
        Field(
            \.precipIntensityMax, .dimension(.rate), .plausible(0...3000),
            .note("The greatest rate of precipitation of the day."))
        Field(\.precipIntensityMaxTime, .note("The time of precipIntensityMax."))
        Field(
            \.precipIntensityMin, .dimension(.rate), .plausible(0...3000),
            .note("The least rate of precipitation of the day."))
        Field(\.precipIntensityMinTime, .note("The time of precipIntensityMin."))
        Field(\.precipProbability, .plausible(0...1), .note("The probability of precipitation."))
        Field(\.precipType, .note("The type of precipitation; of a day, the one with the largest amount."))
        Field(
            \.precipAccumulation, .dimension(.depth), .plausible(0...5000),
            .note("The snowfall, as depth of snow."))
        Field(\.rainIntensity, .dimension(.rate), .plausible(0...3000), .note("The rate of rain."))
        Field(\.snowIntensity, .dimension(.rate), .plausible(0...3000), .note("The rate of snowfall, as liquid water."))
        Field(
            \.iceIntensity, .or("sleetIntensity"), .dimension(.rate), .plausible(0...3000),
            .note("The rate of freezing rain and ice pellets."))
        Field(
            \.rainIntensityMax, .dimension(.rate), .plausible(0...3000), .note("The greatest rate of rain of the day."))
        Field(
            \.snowIntensityMax, .dimension(.rate), .plausible(0...3000),
            .note("The greatest rate of snowfall of the day, as liquid water."))
        Field(
            \.iceIntensityMax, .dimension(.rate), .plausible(0...3000),
            .note("The greatest rate of freezing rain and ice pellets of the day."))
        Field(
            \.liquidAccumulation, .dimension(.depth), .plausible(0...5000),
            .note("The rain of the span, as depth of water."))
        Field(
            \.snowAccumulation, .dimension(.depth), .plausible(0...5000),
            .note("The snowfall of the span, as depth of snow."))
        Field(
            \.iceAccumulation, .dimension(.depth), .plausible(0...5000), .note("The ice of the span, as depth of ice."))
        Field(
            \.currentDayIce, .dimension(.depth), .plausible(0...5000),
            .note("The ice since local midnight, as depth of ice."))
        Field(
            \.currentDayLiquid, .dimension(.depth), .plausible(0...5000),
            .note("The rain since local midnight, as depth of water."))
        Field(
            \.currentDaySnow, .dimension(.depth), .plausible(0...5000),
            .note("The snowfall since local midnight, as depth of snow."))
        Field(\.temperature, .dimension(.temperature), .plausible(-100...70), .note("The air temperature."))
        Field(
            \.apparentTemperature, .dimension(.temperature), .plausible(-130...100),
            .note("The apparent temperature, which accounts for wind and humidity."))
        Field(
            \.feelsLike, .dimension(.temperature), .plausible(-130...100),
            .note("The apparent temperature of the weather model (Pirate Weather)."))
        Field(
            \.temperatureHigh, .dimension(.temperature), .plausible(-100...70),
            .note("The highest temperature of the daytime, 6:00 to 18:00 local time."))
        Field(\.temperatureHighTime, .note("The time of temperatureHigh."))
        Field(
            \.temperatureLow, .dimension(.temperature), .plausible(-100...70),
            .note("The lowest temperature of the following night, 18:00 to 6:00 local time."))
        Field(\.temperatureLowTime, .note("The time of temperatureLow."))
        Field(
            \.temperatureMin, .dimension(.temperature), .plausible(-100...70),
            .note("The lowest temperature from midnight to midnight."))
        Field(\.temperatureMinTime, .note("The time of temperatureMin."))
        Field(
            \.temperatureMax, .dimension(.temperature), .plausible(-100...70),
            .note("The highest temperature from midnight to midnight."))
        Field(\.temperatureMaxTime, .note("The time of temperatureMax."))
        Field(
            \.apparentTemperatureHigh, .dimension(.temperature), .plausible(-130...100),
            .note("The highest apparent temperature of the daytime."))
        Field(\.apparentTemperatureHighTime, .note("The time of apparentTemperatureHigh."))
        Field(
            \.apparentTemperatureLow, .dimension(.temperature), .plausible(-130...100),
            .note("The lowest apparent temperature of the following night."))
        Field(\.apparentTemperatureLowTime, .note("The time of apparentTemperatureLow."))
        Field(
            \.apparentTemperatureMin, .dimension(.temperature), .plausible(-130...100),
            .note("The lowest apparent temperature from midnight to midnight."))
        Field(\.apparentTemperatureMinTime, .note("The time of apparentTemperatureMin."))
        Field(
            \.apparentTemperatureMax, .dimension(.temperature), .plausible(-130...100),
            .note("The highest apparent temperature from midnight to midnight."))
        Field(\.apparentTemperatureMaxTime, .note("The time of apparentTemperatureMax."))
        Field(\.dewPoint, .dimension(.temperature), .plausible(-100...70), .note("The dew point."))
        Field(\.humidity, .plausible(0...1), .note("The relative humidity."))
        Field(\.pressure, .plausible(800...1100), .note("The air pressure at sea level, in hPa."))
        Field(
            \.stationPressure, .plausible(250...1100), .note("The air pressure at the height of the location, in hPa."))
        Field(\.windSpeed, .dimension(.speed), .plausible(0...150), .note("The wind speed; of a day, its mean."))
        Field(\.windGust, .dimension(.speed), .plausible(0...150), .note("The speed of gusts; of a day, its maximum."))
        Field(\.windGustTime, .note("The time of the day's strongest gust."))
        Field(
            \.windBearing, .plausible(0...360),
            .note("The direction from which the wind blows, in degrees clockwise from north."))
        Field(\.cloudCover, .plausible(0...1), .note("The part of the sky that clouds cover."))
        Field(\.uvIndex, .plausible(0...50), .note("The UV index (WHO); of a day, its maximum."))
        Field(\.uvIndexTime, .note("The time of the day's highest UV index."))
        Field(\.visibility, .dimension(.distance), .plausible(0...1000), .note("The visibility."))
        Field(\.ozone, .plausible(0...1000), .note("The column density of atmospheric ozone, in Dobson units."))
        Field(\.solar, .plausible(0...2000), .note("The downward short-wave solar radiation, in W/m²."))
        Field(\.solarMax, .plausible(0...2000), .note("The greatest solar radiation of the day, in W/m²."))
        Field(
            \.smoke, .plausible(0...1_000_000),
            .note("The concentration of smoke near the ground, in µg/m³ (Pirate Weather)."))
        Field(\.smokeMax, .plausible(0...1_000_000), .note("The greatest concentration of smoke of the day, in µg/m³."))
        Field(\.smokeMaxTime, .note("The time of smokeMax."))
        Field(\.fireIndex, .plausible(0...1000), .note("The Fosberg fire weather index (Pirate Weather)."))
        Field(\.fireIndexMax, .plausible(0...1000), .note("The greatest fire weather index of the day."))
        Field(\.fireIndexMaxTime, .note("The time of fireIndexMax."))
        Field(\.cape, .plausible(0...20000), .note("The convective available potential energy, in J/kg."))
        Field(
            \.capeMax, .plausible(0...20000),
            .note("The greatest convective available potential energy of the day, in J/kg."))
        Field(\.capeMaxTime, .note("The time of capeMax."))
        Field(\.airQualityIndex, .plausible(0...10000), .note("The air quality index, in the upstream's scale."))
        Field(\.airQualityIndexMax, .plausible(0...10000), .note("The greatest air quality index of the day."))
        Field(\.airQualityIndexMin, .plausible(0...10000), .note("The least air quality index of the day."))
        Field(
            \.coConcentration, .plausible(0...1_000_000),
            .note("The concentration of carbon monoxide, in the upstream's unit."))
        Field(
            \.no2Concentration, .plausible(0...1_000_000),
            .note("The concentration of nitrogen dioxide, in the upstream's unit."))
        Field(
            \.ozoneConcentration, .plausible(0...1_000_000),
            .note("The concentration of ozone near the ground, in the upstream's unit."))
        Field(
            \.so2Concentration, .plausible(0...1_000_000),
            .note("The concentration of sulphur dioxide, in the upstream's unit."))
        Field(\.pm10, .plausible(0...1_000_000), .note("The concentration of particles of up to 10 µm, in µg/m³."))
        Field(\.pm25, .plausible(0...1_000_000), .note("The concentration of particles of up to 2.5 µm, in µg/m³."))
        // Pirate Weather's times of these extremes (`API/daily/builder.py`) have no field.
        Ignored("solarMaxTime", "airQualityIndexMaxTime", "airQualityIndexMinTime")
    }
}
