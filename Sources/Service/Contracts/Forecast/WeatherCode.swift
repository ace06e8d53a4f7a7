/// A weather code of WMO code table 4677, of the subset that forecasts use.
struct WeatherCode: Sendable {
    /// The code of a thunderstorm with slight hail, which is 96 in the answers of a model that can tell hail.
    static let slightHail = 100

    /// The icon by day and by night.
    let icon: Icon, nightIcon: Icon
    /// The type of precipitation, if any; freezing rain and freezing drizzle are Dark Sky's `sleet`.
    let precipitation: PrecipitationType?
    /// The place in the order of `bySeverity`, from 0 on.
    private(set) var severity = 0

    private init(_ icon: Icon, night: Icon? = nil, _ type: PrecipitationType? = nil) {
        self.icon = icon
        nightIcon = night ?? icon
        precipitation = type
    }

    /// Returns the entry for `code`, or nil if the table has none.
    static func find(_ code: Int) -> WeatherCode? { table.indices.contains(code) ? table[code] : nil }

    /// Whether the table has the number as the code of an answer.
    static func isListed(_ number: Int64) -> Bool { 0..<Int64(slightHail) ~= number && table[Int(number)] != nil }

    /// Returns the code to keep for the code of an answer, and whether it is known.
    ///
    /// `tellsHail`: the answer is that of a model whose 96 means hail. Unknown codes become 50 and 98, which nothing uses
    /// and which keep the difference between the sky and precipitation.
    static func kept(_ code: Int, tellsHail: Bool) -> (code: Int, isKnown: Bool) {
        if code == 96, tellsHail { return (slightHail, true) }
        if code < slightHail, find(code) != nil { return (code, true) }
        return (code < 51 ? 50 : 98, false)
    }

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
    private static let bySeverity: [(code: Int, entry: WeatherCode)] = [
        (0, WeatherCode(.clearDay, night: .clearNight)), (1, WeatherCode(.clearDay, night: .clearNight)),
        (2, WeatherCode(.partlyCloudyDay, night: .partlyCloudyNight)), (3, WeatherCode(.cloudy)),
        (45, WeatherCode(.fog)), (48, WeatherCode(.fog)),
        (51, WeatherCode(.rain, .rain)), (53, WeatherCode(.rain, .rain)), (55, WeatherCode(.rain, .rain)),
        (80, WeatherCode(.rain, .rain)), (61, WeatherCode(.rain, .rain)), (77, WeatherCode(.snow, .snow)),
        (85, WeatherCode(.snow, .snow)), (71, WeatherCode(.snow, .snow)),
        (81, WeatherCode(.rain, .rain)), (63, WeatherCode(.rain, .rain)), (73, WeatherCode(.snow, .snow)),
        (82, WeatherCode(.rain, .rain)), (65, WeatherCode(.rain, .rain)), (86, WeatherCode(.snow, .snow)),
        (75, WeatherCode(.snow, .snow)),
        (56, WeatherCode(.sleet, .sleet)), (57, WeatherCode(.sleet, .sleet)), (66, WeatherCode(.sleet, .sleet)),
        (67, WeatherCode(.sleet, .sleet)),
        (95, WeatherCode(.thunderstorm, .rain)), (96, WeatherCode(.thunderstorm, .rain)),
        (slightHail, WeatherCode(.hail, .rain)), (99, WeatherCode(.hail, .rain)),
    ]

    /// The codes that the table has, the least severe first.
    static var allCodes: [Int] { bySeverity.map(\.code) }

    /// The entries by code.
    private static let table: [WeatherCode?] = {
        var table = [WeatherCode?](repeating: nil, count: slightHail + 1)
        for (place, row) in bySeverity.enumerated() {
            table[row.code] = row.entry
            table[row.code]?.severity = place
        }
        return table
    }()
}
