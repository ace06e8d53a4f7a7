public import Records

/// The weather at a moment, or over a minute, an hour or a day.
///
/// Which fields are present depends on the block and the upstream. The units below are those of `si`.
public struct DataPoint: Record {
    /// The start of the span; see ``schema`` for each field.
    public var time = UnixSeconds(0)
    /// The times of the sun.
    public var sunriseTime: UnixSeconds?, sunsetTime: UnixSeconds?, dawnTime: UnixSeconds?, duskTime: UnixSeconds?
    /// The times of the extremes of a day.
    ///
    /// All times are neighbours in memory, because each point is searched for wrong ones.
    public var precipIntensityMaxTime: UnixSeconds?, precipIntensityMinTime: UnixSeconds?,
        temperatureHighTime: UnixSeconds?, temperatureLowTime: UnixSeconds?, temperatureMinTime: UnixSeconds?,
        temperatureMaxTime: UnixSeconds?, apparentTemperatureHighTime: UnixSeconds?,
        apparentTemperatureLowTime: UnixSeconds?, apparentTemperatureMinTime: UnixSeconds?,
        apparentTemperatureMaxTime: UnixSeconds?, windGustTime: UnixSeconds?, uvIndexTime: UnixSeconds?,
        smokeMaxTime: UnixSeconds?, fireIndexMaxTime: UnixSeconds?, capeMaxTime: UnixSeconds?
    /// The weather in words, as an icon, and as a type of precipitation.
    public var summary: String?, icon: OpenEnum<Icon>?, precipType: OpenEnum<PrecipitationType>?
    /// The nearest storm (km, degrees), and the phase of the moon.
    public var nearestStormDistance: Double?, nearestStormBearing: Double?, moonPhase: Double?
    /// Rates of precipitation (mm/h), and its probability (0…1).
    public var precipIntensity: Double?, precipIntensityError: Double?, precipIntensityMax: Double?,
        precipIntensityMin: Double?, precipProbability: Double?
    /// Rates of one type of precipitation (mm/h).
    public var rainIntensity: Double?, snowIntensity: Double?, iceIntensity: Double?, rainIntensityMax: Double?,
        snowIntensityMax: Double?, iceIntensityMax: Double?
    /// Depths of precipitation (cm).
    public var precipAccumulation: Double?, liquidAccumulation: Double?, snowAccumulation: Double?,
        iceAccumulation: Double?, currentDayIce: Double?, currentDayLiquid: Double?, currentDaySnow: Double?
    /// The depth of rain, snow and ice together, as Pirate Weather sent it; only its own form has it.
    var wholeAccumulation: Double?
    /// Temperatures (°C).
    public var temperature: Double?, apparentTemperature: Double?, feelsLike: Double?, dewPoint: Double?
    /// Temperatures of a day (°C).
    public var temperatureHigh: Double?, temperatureLow: Double?, temperatureMin: Double?, temperatureMax: Double?,
        apparentTemperatureHigh: Double?, apparentTemperatureLow: Double?, apparentTemperatureMin: Double?,
        apparentTemperatureMax: Double?
    /// Humidity (0…1) and pressure (hPa).
    public var humidity: Double?, pressure: Double?, stationPressure: Double?
    /// Wind (m/s, degrees).
    public var windSpeed: Double?, windGust: Double?, windBearing: Double?
    /// The sky: cloud cover (0…1), visibility (km), ozone (Dobson units) and radiation (W/m²).
    public var cloudCover: Double?, uvIndex: Double?, visibility: Double?, ozone: Double?, solar: Double?,
        solarMax: Double?
    /// Smoke (µg/m³), fire weather and convective energy (J/kg).
    public var smoke: Double?, smokeMax: Double?, fireIndex: Double?, fireIndexMax: Double?, cape: Double?,
        capeMax: Double?
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
        Number(\.nearestStormDistance, .distance, in: 0...50000, "The distance to the nearest storm.")
        Number(
            \.nearestStormBearing, in: 0...360, "The direction of the nearest storm, in degrees clockwise from north.")
        Field(\.sunriseTime, .note("The sunrise; absent if the sun stays up or down all day."))
        Field(\.sunsetTime, .note("The sunset."))
        Field(\.dawnTime, .note("The start of the civil twilight in the morning (Pirate Weather, WeatherKit)."))
        Field(\.duskTime, .note("The end of the civil twilight in the evening (Pirate Weather, WeatherKit)."))
        Number(\.moonPhase, in: 0...1, "The phase of the moon: 0 new, 0.25 first quarter, 0.5 full, 0.75 last quarter.")
        Rate(\.precipIntensity, "The rate of precipitation, as liquid water; of a day, its mean.")
        Rate(\.precipIntensityError, "The standard deviation of precipIntensity.")
        Rate(\.precipIntensityMax, "The greatest rate of precipitation of the day.")
        Field(\.precipIntensityMaxTime, .note("The time of precipIntensityMax."))
        Rate(\.precipIntensityMin, "The least rate of precipitation of the day.")
        Field(\.precipIntensityMinTime, .note("The time of precipIntensityMin."))
        Number(\.precipProbability, in: 0...1, "The probability of precipitation.")
        Field(\.precipType, .note("The type of precipitation; of a day, the one with the largest amount."))
        Depth(\.precipAccumulation, "The snowfall, as depth of snow.")
        Rate(\.rainIntensity, "The rate of rain.")
        Rate(\.snowIntensity, "The rate of snowfall, as liquid water.")
        Field(
            \.iceIntensity, .or("sleetIntensity"), .dimension(.rate), .plausible(0...3000),
            .note("The rate of freezing rain and ice pellets."))
        Rate(\.rainIntensityMax, "The greatest rate of rain of the day.")
        Rate(\.snowIntensityMax, "The greatest rate of snowfall of the day, as liquid water.")
        Rate(\.iceIntensityMax, "The greatest rate of freezing rain and ice pellets of the day.")
        Depth(\.liquidAccumulation, "The rain of the span, as depth of water.")
        Depth(\.snowAccumulation, "The snowfall of the span, as depth of snow.")
        Depth(\.iceAccumulation, "The ice of the span, as depth of ice.")
        Depth(\.currentDayIce, "The ice since local midnight, as depth of ice.")
        Depth(\.currentDayLiquid, "The rain since local midnight, as depth of water.")
        Depth(\.currentDaySnow, "The snowfall since local midnight, as depth of snow.")
        Temperature(\.temperature, "The air temperature.")
        ApparentTemperature(\.apparentTemperature, "The apparent temperature, which accounts for wind and humidity.")
        ApparentTemperature(\.feelsLike, "The apparent temperature of the weather model (Pirate Weather).")
        Temperature(\.temperatureHigh, "The highest temperature of the daytime, 6:00 to 18:00 local time.")
        Field(\.temperatureHighTime, .note("The time of temperatureHigh."))
        Temperature(\.temperatureLow, "The lowest temperature of the following night, 18:00 to 6:00 local time.")
        Field(\.temperatureLowTime, .note("The time of temperatureLow."))
        Temperature(\.temperatureMin, "The lowest temperature from midnight to midnight.")
        Field(\.temperatureMinTime, .note("The time of temperatureMin."))
        Temperature(\.temperatureMax, "The highest temperature from midnight to midnight.")
        Field(\.temperatureMaxTime, .note("The time of temperatureMax."))
        ApparentTemperature(\.apparentTemperatureHigh, "The highest apparent temperature of the daytime.")
        Field(\.apparentTemperatureHighTime, .note("The time of apparentTemperatureHigh."))
        ApparentTemperature(\.apparentTemperatureLow, "The lowest apparent temperature of the following night.")
        Field(\.apparentTemperatureLowTime, .note("The time of apparentTemperatureLow."))
        ApparentTemperature(\.apparentTemperatureMin, "The lowest apparent temperature from midnight to midnight.")
        Field(\.apparentTemperatureMinTime, .note("The time of apparentTemperatureMin."))
        ApparentTemperature(\.apparentTemperatureMax, "The highest apparent temperature from midnight to midnight.")
        Field(\.apparentTemperatureMaxTime, .note("The time of apparentTemperatureMax."))
        Temperature(\.dewPoint, "The dew point.")
        Number(\.humidity, in: 0...1, "The relative humidity.")
        Number(\.pressure, in: 800...1100, "The air pressure at sea level, in hPa.")
        Number(\.stationPressure, in: 250...1100, "The air pressure at the height of the location, in hPa.")
        Number(\.windSpeed, .speed, in: 0...150, "The wind speed; of a day, its mean.")
        Number(\.windGust, .speed, in: 0...150, "The speed of gusts; of a day, its maximum.")
        Field(\.windGustTime, .note("The time of the day's strongest gust."))
        Number(\.windBearing, in: 0...360, "The direction from which the wind blows, in degrees clockwise from north.")
        Number(\.cloudCover, in: 0...1, "The part of the sky that clouds cover.")
        Number(\.uvIndex, in: 0...50, "The UV index (WHO); of a day, its maximum.")
        Field(\.uvIndexTime, .note("The time of the day's highest UV index."))
        Number(\.visibility, .distance, in: 0...1000, "The visibility.")
        Field(
            \.ozone, .plausible(0...1000), .placeholder(-999),
            .note("The column density of atmospheric ozone, in Dobson units."))
        Number(\.solar, in: 0...2000, "The downward short-wave solar radiation, in W/m².")
        Number(\.solarMax, in: 0...2000, "The greatest solar radiation of the day, in W/m².")
        Number(\.smoke, in: 0...1_000_000, "The concentration of smoke near the ground, in µg/m³ (Pirate Weather).")
        Number(\.smokeMax, in: 0...1_000_000, "The greatest concentration of smoke of the day, in µg/m³.")
        Field(\.smokeMaxTime, .note("The time of smokeMax."))
        Number(\.fireIndex, in: 0...1000, "The Fosberg fire weather index (Pirate Weather).")
        Number(\.fireIndexMax, in: 0...1000, "The greatest fire weather index of the day.")
        Field(\.fireIndexMaxTime, .note("The time of fireIndexMax."))
        Number(\.cape, in: 0...20000, "The convective available potential energy, in J/kg.")
        Number(\.capeMax, in: 0...20000, "The greatest convective available potential energy of the day, in J/kg.")
        Field(\.capeMaxTime, .note("The time of capeMax."))
        Number(\.airQualityIndex, in: 0...10000, "The air quality index, in the upstream's scale.")
        Number(\.airQualityIndexMax, in: 0...10000, "The greatest air quality index of the day.")
        Number(\.airQualityIndexMin, in: 0...10000, "The least air quality index of the day.")
        Number(\.coConcentration, in: 0...1_000_000, "The concentration of carbon monoxide, in the upstream's unit.")
        Number(\.no2Concentration, in: 0...1_000_000, "The concentration of nitrogen dioxide, in the upstream's unit.")
        Number(
            \.ozoneConcentration, in: 0...1_000_000,
            "The concentration of ozone near the ground, in the upstream's unit.")
        Number(\.so2Concentration, in: 0...1_000_000, "The concentration of sulphur dioxide, in the upstream's unit.")
        Number(\.pm10, in: 0...1_000_000, "The concentration of particles of up to 10 µm, in µg/m³.")
        Number(\.pm25, in: 0...1_000_000, "The concentration of particles of up to 2.5 µm, in µg/m³.")
        // Pirate Weather's times of these extremes (`API/daily/builder.py`) have no field.
        Ignored("solarMaxTime", "airQualityIndexMaxTime", "airQualityIndexMinTime")
    }
}

// The lines of numbers. A closure of a hundred calls of a generic function takes the compiler longer.
private typealias Line = FieldLine<DataPoint>
private typealias Property = WritableKeyPath<DataPoint, Double?>

private func Number(_ property: Property, in range: ClosedRange<Double>, _ note: String) -> Line {
    Field(property, .plausible(range), .note(note))
}

private func Number(
    _ property: Property, _ dimension: Units.Dimension, in range: ClosedRange<Double>, _ note: String
) -> Line {
    Field(property, .dimension(dimension), .plausible(range), .note(note))
}

private func Rate(_ property: Property, _ note: String) -> Line { Number(property, .rate, in: 0...3000, note) }

private func Depth(_ property: Property, _ note: String) -> Line { Number(property, .depth, in: 0...5000, note) }

private func Temperature(_ property: Property, _ note: String) -> Line {
    Number(property, .temperature, in: -100...70, note)
}

private func ApparentTemperature(_ property: Property, _ note: String) -> Line {
    Number(property, .temperature, in: -130...100, note)
}
