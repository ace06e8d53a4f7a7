/// A weather code of WMO code table 4677, of the subset that forecasts use.
struct WeatherCode: Sendable {
    let code: Int
    /// The weather in Dark Sky's words.
    let summary: String
    /// The icon by day and by night.
    let icon: Icon, nightIcon: Icon
    /// The type of precipitation, if any; freezing rain and freezing drizzle are Dark Sky's `sleet`.
    let precipitation: PrecipitationType?
    /// The place in the order of `table`.
    private(set) var severity = 0

    private init(_ code: Int, _ summary: String, _ icon: Icon, night: Icon? = nil, _ type: PrecipitationType? = nil) {
        self.code = code
        self.summary = summary
        self.icon = icon
        nightIcon = night ?? icon
        precipitation = type
    }

    /// Returns the entry for `code`, or nil if the table has none.
    static func find(_ code: Int) -> WeatherCode? { table[code] }

    /// Returns the code of the hour between two codes: of `next` if it names precipitation, else of the sky at the start.
    ///
    /// A code of precipitation, from 51 on, describes the hour before; the others describe the moment. After
    /// precipitation the sky is that of the clouds, by the upstream's own limits (open-meteo/open-meteo,
    /// `Sources/App/Helper/WeatherCode.swift`).
    static func code(from code: Int?, to next: Int?, cloudCover: Double?) -> Int? {
        if let next, next >= 51 { return next }
        guard let code, code >= 51 else { return code }
        guard next != nil, let cloudCover else { return next }
        return cloudCover < 0.2 ? 0 : cloudCover < 0.5 ? 1 : cloudCover < 0.8 ? 2 : 3
    }

    /// The codes in the order of severity: the sky, fog, drizzle, light, moderate and heavy precipitation, rain before
    /// snow of the same strength, freezing precipitation, thunderstorms.
    private static let table: [Int: WeatherCode] = {
        let entries = [
            WeatherCode(0, "Clear", .clearDay, night: .clearNight),
            WeatherCode(1, "Mostly Clear", .clearDay, night: .clearNight),
            WeatherCode(2, "Partly Cloudy", .partlyCloudyDay, night: .partlyCloudyNight),
            WeatherCode(3, "Overcast", .cloudy),
            WeatherCode(45, "Foggy", .fog),
            WeatherCode(48, "Freezing Fog", .fog),
            WeatherCode(51, "Light Drizzle", .rain, .rain),
            WeatherCode(53, "Drizzle", .rain, .rain),
            WeatherCode(55, "Heavy Drizzle", .rain, .rain),
            WeatherCode(80, "Light Rain Showers", .rain, .rain),
            WeatherCode(61, "Light Rain", .rain, .rain),
            WeatherCode(77, "Snow Grains", .snow, .snow),
            WeatherCode(85, "Light Snow Showers", .snow, .snow),
            WeatherCode(71, "Light Snow", .snow, .snow),
            WeatherCode(81, "Rain Showers", .rain, .rain),
            WeatherCode(63, "Rain", .rain, .rain),
            WeatherCode(73, "Snow", .snow, .snow),
            WeatherCode(82, "Heavy Rain Showers", .rain, .rain),
            WeatherCode(65, "Heavy Rain", .rain, .rain),
            WeatherCode(86, "Heavy Snow Showers", .snow, .snow),
            WeatherCode(75, "Heavy Snow", .snow, .snow),
            WeatherCode(56, "Light Freezing Drizzle", .sleet, .sleet),
            WeatherCode(57, "Freezing Drizzle", .sleet, .sleet),
            WeatherCode(66, "Light Freezing Rain", .sleet, .sleet),
            WeatherCode(67, "Freezing Rain", .sleet, .sleet),
            WeatherCode(95, "Thunderstorm", .thunderstorm, .rain),
            WeatherCode(96, "Thunderstorm", .thunderstorm, .rain),
            WeatherCode(99, "Thunderstorm with Heavy Hail", .hail, .rain),
        ]
        return Dictionary(
            uniqueKeysWithValues: entries.enumerated().map { place, entry in
                var entry = entry
                entry.severity = place
                return (entry.code, entry)
            })
    }()
}
