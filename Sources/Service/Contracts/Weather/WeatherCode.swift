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

/// A kind of weather: a code of WMO code table 4677, of the subset that forecasts use, or a condition in words.
struct WeatherCode: Sendable {
    /// The code of a thunderstorm with slight hail, which is 96 in the answers of a model that can tell hail.
    static let slightHail = 100

    /// The icon by day.
    let icon: Icon
    /// The place in the order of `bySeverity`, from 0 on.
    let severity: Int
    /// The weather in English words: Dark Sky's where it had some; nil for a code of WMO, which has words in all languages.
    let words: String?

    /// The type of precipitation, if any; freezing rain and freezing drizzle are Dark Sky's `sleet`.
    var precipitation: PrecipitationType? { icon == .hail && words == nil ? .rain : icon.precipitation }

    /// Returns the entry for `code`, or nil if the table has none.
    static func find(_ code: Int) -> WeatherCode? { table.indices.contains(code) ? table[code] : nil }

    /// Returns the code to keep for the number of an answer; nil if it is unknown.
    ///
    /// `tellsHail`: the answer is that of a model whose 96 means hail.
    static func code(_ number: Int64, tellsHail: Bool) -> Int? {
        guard 0..<Int64(slightHail) ~= number, table[Int(number)] != nil else { return nil }
        return number == 96 && tellsHail ? slightHail : Int(number)
    }

    /// Returns the code of a condition by its name, whose letters may have any case.
    static func code(ofCondition name: String) -> Int? { conditionCodes[name.lowercased().filter(\.isLetter)] }

    /// Returns the words of a name: "Scattered Showers" for `ScatteredShowers`.
    static func words(of name: String) -> String {
        var words = "", endsLower = false
        // By hand: a regular expression took 30 us for each hour.
        for scalar in name.unicodeScalars {
            if endsLower, "A"..."Z" ~= scalar { words.unicodeScalars.append(" ") }
            words.unicodeScalars.append(scalar == "_" ? " " : scalar)
            endsLower = "a"..."z" ~= scalar
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// Returns the code of the hour between two codes: of `next` if it names precipitation, else of the sky at the start.
    ///
    /// A code of precipitation, from 51 on, describes the hour before; the others describe the moment. After
    /// precipitation, and after an unknown code, the sky is that of the clouds.
    static func code(from code: Int?, to next: Int?, cloudCover: Double?) -> Int? {
        if let next, next >= 51 { return next }
        if let code, code < 51 { return code }
        return next.map { next in cloudCover.map { sky(cloudCover: $0) } ?? next }
    }

    /// Returns the code of a sky without precipitation, by the limits of Open-Meteo (open-meteo/open-meteo,
    /// `Sources/App/Helper/WeatherCode.swift`).
    static func sky(cloudCover: Double) -> Int {
        cloudCover < 0.2 ? 0 : cloudCover < 0.5 ? 1 : cloudCover < 0.8 ? 2 : 3
    }

    /// Returns the code of the weather that the precipitation and the clouds tell; nil if neither is known.
    ///
    /// Rates are in mm/h of water; unknown numbers are NaN. Precipitation of an unknown type is snow if most of it is, or if it
    /// freezes and nothing else is known.
    static func measured(
        _ type: PrecipitationType?, rate: Double, snowRate: Double, temperature: Double, cloudCover: Double?
    ) -> Int? {
        var type = type
        if type == nil, rate > 0 { type = snowRate > rate / 2 || snowRate.isNaN && temperature <= 0 ? .snow : .rain }
        return type.map { code(of: $0, rate: rate) } ?? cloudCover.map { sky(cloudCover: $0) }
    }

    /// Returns the code of weather with an icon, which has the words of Dark Sky for it.
    static func code(of icon: Icon, rate: Double) -> Int {
        if icon != .thunderstorm, let type = icon.precipitation { return code(of: type, rate: rate) }
        return switch icon {
        case .clearDay, .clearNight: 0
        case .cloudy: 3
        case .fog: 45
        case .thunderstorm: 95
        case .wind: code(ofCondition: "Windy") ?? 2
        case .tornado: code(ofCondition: "Tornado") ?? 95
        default: 2
        }
    }

    /// Returns the code of precipitation of a type and a rate (mm/h of water); an unknown rate is a light one.
    static func code(of type: PrecipitationType, rate: Double) -> Int {
        switch type {
        case .rain: rate >= 7.6 ? 65 : rate >= 2.5 ? 63 : 61
        case .snow: rate >= 2.5 ? 75 : rate >= 1 ? 73 : 71
        case .sleet, .ice: rate >= 2.5 ? 67 : 66
        case .hail: code(ofCondition: "Hail") ?? slightHail
        case .mixed: code(ofCondition: "WintryMix") ?? 66
        }
    }

    /// The weather, the least severe first: the sky, wind, dimness, drizzle, light, moderate and heavy precipitation, rain
    /// before snow of the same strength, freezing precipitation, storms.
    ///
    /// The conditions are the values of WeatherKit's `conditionCode`.
    private static let bySeverity: [(icon: Icon, codes: [Int], conditions: String)] = [
        (.clearDay, [0, 1], "Clear MostlyClear Hot Frigid"),
        (.partlyCloudyDay, [2], "PartlyCloudy MostlyCloudy"),
        (.cloudy, [3], "Cloudy"),
        (.wind, [], "Breezy Windy"),
        (.fog, [], "Haze Smoke Smoky"),
        (.wind, [], "Dust BlowingDust"),
        (.fog, [45, 48], "Fog Foggy"),
        (.rain, [51, 53, 55, 80, 61], "SunShowers Drizzle ScatteredShowers Showers"),
        (.snow, [77, 85, 71], "SunFlurries Flurries ScatteredSnowShowers SnowShowers"),
        (.rain, [81, 63], "Rain MixedRainfall"),
        (.snow, [73], "BlowingSnow Snow"),
        (.rain, [82, 65], "HeavyRain"),
        (.snow, [86, 75], "HeavySnow"),
        (.mixed, [], "WintryMix MixedRainAndSnow"),
        (.sleet, [56, 57, 66, 67], "MixedRainAndSleet MixedSnowAndSleet Sleet FreezingDrizzle FreezingRain"),
        (.snow, [], "Blizzard"),
        (.thunderstorm, [95, 96], "IsolatedThunderstorms ScatteredThunderstorms Thunderstorm Thunderstorms"),
        (.thunderstorm, [], "SevereThunderstorm"),
        (.hail, [slightHail, 99], "Hail"),
        (.thunderstorm, [], "StrongStorms"),
        (.rain, [], "TropicalStorm Hurricane"),
        (.tornado, [], "Tornado"),
    ]

    /// The codes of WMO that the table has, the least severe first.
    static var allCodes: [Int] { bySeverity.flatMap(\.codes) }

    /// The names of the conditions, whose codes follow ``slightHail`` in this order.
    static let conditions = bySeverity.flatMap { $0.conditions.split(separator: " ").map(String.init) }

    private static let conditionCodes = Dictionary(
        uniqueKeysWithValues: conditions.enumerated().map { ($1.lowercased(), slightHail + 1 + $0) })

    /// The entries by code.
    private static let table: [WeatherCode?] = {
        var table = [WeatherCode?](repeating: nil, count: slightHail + 1 + conditions.count)
        var severity = 0
        for (icon, codes, names) in bySeverity {
            let entries: [(code: Int?, words: String?)] =
                codes.map { ($0, nil) }
                + names.split(separator: " ").map { (code(ofCondition: String($0)), summary(of: $0)) }
            for (code, words) in entries {
                if let code { table[code] = WeatherCode(icon: icon, severity: severity, words: words) }
                severity += 1
            }
        }
        return table
    }()

    private static func summary(of name: Substring) -> String? {
        switch name {
        case "Cloudy": "Overcast"
        case "Thunderstorms": "Thunderstorm"
        default: words(of: String(name))
        }
    }
}
