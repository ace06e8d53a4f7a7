import Records

extension WeatherKit {
    /// The weather in one word: the values of `conditionCode`, the least severe first.
    ///
    /// The order is that of `WeatherCode`: temperatures and the sky, wind, dimness, light to heavy precipitation, rain
    /// before snow of the same strength, freezing precipitation, storms.
    enum Condition: String, CaseIterable, Sendable {
        case clear = "Clear", mostlyClear = "MostlyClear", hot = "Hot", frigid = "Frigid",
            partlyCloudy = "PartlyCloudy", mostlyCloudy = "MostlyCloudy", cloudy = "Cloudy", breezy = "Breezy",
            windy = "Windy", haze = "Haze", smoke = "Smoke", smoky = "Smoky", dust = "Dust",
            blowingDust = "BlowingDust", fog = "Fog", foggy = "Foggy", sunShowers = "SunShowers",
            drizzle = "Drizzle", scatteredShowers = "ScatteredShowers", showers = "Showers",
            sunFlurries = "SunFlurries", flurries = "Flurries", scatteredSnowShowers = "ScatteredSnowShowers",
            snowShowers = "SnowShowers", rain = "Rain", mixedRainfall = "MixedRainfall", blowingSnow = "BlowingSnow",
            snow = "Snow", heavyRain = "HeavyRain", heavySnow = "HeavySnow", wintryMix = "WintryMix",
            mixedRainAndSnow = "MixedRainAndSnow", mixedRainAndSleet = "MixedRainAndSleet",
            mixedSnowAndSleet = "MixedSnowAndSleet", sleet = "Sleet", freezingDrizzle = "FreezingDrizzle",
            freezingRain = "FreezingRain", blizzard = "Blizzard", isolatedThunderstorms = "IsolatedThunderstorms",
            scatteredThunderstorms = "ScatteredThunderstorms", thunderstorm = "Thunderstorm",
            thunderstorms = "Thunderstorms", severeThunderstorm = "SevereThunderstorm", hail = "Hail",
            strongStorms = "StrongStorms", tropicalStorm = "TropicalStorm", hurricane = "Hurricane",
            tornado = "Tornado"

        /// Returns the condition with a name, whose letters may have any case, as Swift's names do.
        init?(rawValue: String) {
            guard let condition = Self.folded[Self.fold(rawValue)] else { return nil }
            self = condition
        }

        private static let folded = Dictionary(uniqueKeysWithValues: allCases.map { (fold($0.rawValue), $0) })

        private static func fold(_ name: String) -> String { name.lowercased().filter(\.isLetter) }

        /// The weather in words: Dark Sky's where it had one, else Apple's.
        var summary: String { Self.summaries[self] ?? rawValue }

        private static let summaries = Dictionary(
            uniqueKeysWithValues: allCases.map { condition in
                switch condition {
                case .cloudy: (condition, "Overcast")
                case .thunderstorms: (condition, "Thunderstorm")
                default: (condition, words(of: condition.rawValue))
                }
            })

        /// Returns the words of a name: "Scattered Showers" for `ScatteredShowers`.
        static func words(of name: String) -> String {
            let words = name.replacing("_", with: " ").replacing(/[a-z](?=[A-Z])/) { $0.output + " " }
            return words.prefix(1).uppercased() + words.dropFirst()
        }

        /// The icon by day.
        var icon: Icon {
            switch self {
            case .clear, .mostlyClear, .hot, .frigid: .clearDay
            case .partlyCloudy, .mostlyCloudy: .partlyCloudyDay
            case .cloudy: .cloudy
            case .breezy, .windy, .dust, .blowingDust: .wind
            case .haze, .smoke, .smoky, .fog, .foggy: .fog
            case .sunShowers, .drizzle, .scatteredShowers, .showers, .rain, .mixedRainfall, .heavyRain, .tropicalStorm,
                .hurricane:
                .rain
            case .sunFlurries, .flurries, .scatteredSnowShowers, .snowShowers, .snow, .blowingSnow, .heavySnow,
                .blizzard:
                .snow
            case .sleet, .mixedRainAndSleet, .mixedSnowAndSleet, .freezingDrizzle, .freezingRain: .sleet
            case .wintryMix, .mixedRainAndSnow: .mixed
            case .isolatedThunderstorms, .scatteredThunderstorms, .thunderstorm, .thunderstorms, .severeThunderstorm,
                .strongStorms:
                .thunderstorm
            case .hail: .hail
            case .tornado: .tornado
            }
        }

        /// Returns the place in the order of severity of the condition with a summary, or else of the first one with an icon;
        /// that of clear weather if none has them.
        static func severity(ofSummary summary: String?, _ icon: OpenEnum<Icon>?) -> Int {
            summary.flatMap { severities[$0] } ?? allCases.firstIndex { .known($0.icon) == icon } ?? 0
        }

        private static let severities = Dictionary(
            allCases.enumerated().map { ($1.summary, $0) }, uniquingKeysWith: max)
    }

    /// Apple's types of precipitation.
    enum Kind: String, CaseIterable, Sendable {
        /// None.
        case clear
        /// Precipitation of an unknown type.
        case precipitation
        /// Rain or freezing rain.
        case rain
        case snow
        /// Sleet or ice pellets.
        case sleet
        case hail
        /// Rain with snow.
        case mixed
    }

    /// Precipitation at a moment or in a span: its type, its water and its snow.
    struct Precipitation {
        /// The contract's type; nil if it is not known, or if nothing falls.
        private(set) var type: OpenEnum<PrecipitationType>?
        /// The depth of all water in millimetres, or millimetres per hour.
        let water: Double?
        /// The depth of snow in millimetres.
        let snow: Double?

        init(_ kind: OpenEnum<Kind>?, _ condition: OpenEnum<Condition>?, water: Double?, snow: Double?) {
            (self.water, self.snow) = (water, snow)
            if water == 0, snow ?? 0 == 0 { return }
            var named: PrecipitationType?
            if case .known(let condition)? = condition { named = condition.icon.precipitation }
            switch kind {
            case .known(.clear)?: type = nil
            case .known(.precipitation)?, nil: type = named.map { .known($0) }
            // Only the condition tells freezing rain from rain.
            case .known(.rain)?: type = .known(named == .sleet ? .sleet : .rain)
            case let kind?: type = OpenEnum(kind.rawValue)
            }
        }

        /// The water in rain, in snow and in ice; nil if the water is not known.
        ///
        /// Apple does not divide it. Snow that falls with something else counts as a tenth of its depth.
        var parts: (rain: Double, snow: Double, ice: Double)? {
            guard let water else { return nil }
            if type == .known(.snow) { return (0, water, 0) }
            let frozen = min(water, (snow ?? 0) / 10)
            return type == .known(.sleet) ? (0, frozen, water - frozen) : (water - frozen, frozen, 0)
        }

        /// Sets the rates of a point.
        func setRates(of point: inout DataPoint) {
            point.precipType = type
            point.precipIntensity = water
            guard let parts else { return }
            point.rainIntensity = rounded(parts.rain)
            point.snowIntensity = rounded(parts.snow)
            point.iceIntensity = rounded(parts.ice)
        }

        /// Sets the depths of a span.
        func setDepths(of point: inout DataPoint) {
            point.liquidAccumulation = parts.map { rounded($0.rain, scale: 0.1) }
            point.snowAccumulation = snow.map { rounded($0, scale: 0.1) }
            // Dark Sky's precipAccumulation counts snow only, and is absent without any.
            point.precipAccumulation = point.snowAccumulation.flatMap { $0 > 0 ? $0 : nil }
        }

        /// Returns the product with four decimals; most are 0.
        private func rounded(_ value: Double, scale: Double = 1) -> Double {
            value == 0 ? 0 : Conversion.Step(scale: scale, places: 4)(value)
        }
    }
}
