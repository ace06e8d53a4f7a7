/// The icons of Dark Sky and Pirate Weather.
public enum Icon: String, Sendable, CaseIterable {
    case clearDay = "clear-day"
    case clearNight = "clear-night"
    case rain, snow, sleet, wind, fog
    /// An overcast sky.
    case cloudy
    case partlyCloudyDay = "partly-cloudy-day"
    case partlyCloudyNight = "partly-cloudy-night"
    case hail, thunderstorm, tornado
    /// Precipitation of several types.
    case mixed
}

/// The types of precipitation of Dark Sky and Pirate Weather.
public enum PrecipitationType: String, Sendable, CaseIterable {
    case rain, snow
    /// Freezing rain, ice pellets or rain with snow, as Dark Sky defined it.
    case sleet
    case hail
    /// Freezing rain, as Pirate Weather calls it.
    case ice
    /// Several types at once.
    case mixed
}

extension Icon {
    /// The icon of the same weather by night.
    var atNight: Icon {
        switch self {
        case .clearDay: .clearNight
        case .partlyCloudyDay: .partlyCloudyNight
        default: self
        }
    }

    /// The type of precipitation, if any; freezing rain and freezing drizzle are Dark Sky's `sleet`.
    var precipitation: PrecipitationType? {
        switch self {
        case .rain, .thunderstorm: .rain
        case .snow: .snow
        case .sleet: .sleet
        case .hail: .hail
        case .mixed: .mixed
        default: nil
        }
    }
}

extension PrecipitationType {
    /// The icon of the precipitation.
    var icon: Icon {
        switch self {
        case .rain: .rain
        case .snow: .snow
        case .sleet, .ice: .sleet
        case .hail: .hail
        case .mixed: .mixed
        }
    }
}

/// A weather code of WMO code table 4677, of the subset that forecasts use.
struct WeatherCode: Sendable {
    /// The code of a thunderstorm with slight hail, which is 96 in the answers of a model that can tell hail.
    static let slightHail = 100

    /// The icon by day.
    let icon: Icon
    /// The place in the order of `bySeverity`, from 0 on.
    let severity: Int

    /// The type of precipitation, if any; freezing rain and freezing drizzle are Dark Sky's `sleet`.
    var precipitation: PrecipitationType? { icon == .hail ? .rain : icon.precipitation }

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
        return sky(cloudCover: cloudCover)
    }

    /// Returns the code of a sky without precipitation.
    static func sky(cloudCover: Double) -> Int {
        cloudCover < 0.2 ? 0 : cloudCover < 0.5 ? 1 : cloudCover < 0.8 ? 2 : 3
    }

    /// The codes in the order of severity: the sky, fog, drizzle, light, moderate and heavy precipitation, rain before
    /// snow of the same strength, freezing precipitation, thunderstorms.
    private static let bySeverity: [(code: Int, icon: Icon)] = [
        (0, .clearDay), (1, .clearDay), (2, .partlyCloudyDay), (3, .cloudy), (45, .fog), (48, .fog),
        (51, .rain), (53, .rain), (55, .rain), (80, .rain), (61, .rain), (77, .snow), (85, .snow), (71, .snow),
        (81, .rain), (63, .rain), (73, .snow), (82, .rain), (65, .rain), (86, .snow), (75, .snow),
        (56, .sleet), (57, .sleet), (66, .sleet), (67, .sleet),
        (95, .thunderstorm), (96, .thunderstorm), (slightHail, .hail), (99, .hail),
    ]

    /// The codes that the table has, the least severe first.
    static var allCodes: [Int] { bySeverity.map(\.code) }

    /// The entries by code.
    private static let table: [WeatherCode?] = {
        var table = [WeatherCode?](repeating: nil, count: slightHail + 1)
        for (place, row) in bySeverity.enumerated() { table[row.code] = WeatherCode(icon: row.icon, severity: place) }
        return table
    }()
}
