extension WeatherKit {
    /// The weather in one word: the values of `conditionCode`, the least severe first.
    ///
    /// The order is that of `WeatherCode`: temperatures and the sky, wind, dimness, light to heavy precipitation, rain
    /// before snow of the same strength, freezing precipitation, storms.
    enum Condition: String, CaseIterable, Sendable {
        case clear = "Clear"
        case mostlyClear = "MostlyClear"
        case hot = "Hot"
        case frigid = "Frigid"
        case partlyCloudy = "PartlyCloudy"
        case mostlyCloudy = "MostlyCloudy"
        case cloudy = "Cloudy"
        case breezy = "Breezy"
        case windy = "Windy"
        case haze = "Haze"
        case smoky = "Smoky"
        case blowingDust = "BlowingDust"
        case foggy = "Foggy"
        case sunShowers = "SunShowers"
        case drizzle = "Drizzle"
        case sunFlurries = "SunFlurries"
        case flurries = "Flurries"
        case rain = "Rain"
        case blowingSnow = "BlowingSnow"
        case snow = "Snow"
        case heavyRain = "HeavyRain"
        case heavySnow = "HeavySnow"
        case wintryMix = "WintryMix"
        case sleet = "Sleet"
        case freezingDrizzle = "FreezingDrizzle"
        case freezingRain = "FreezingRain"
        case blizzard = "Blizzard"
        case isolatedThunderstorms = "IsolatedThunderstorms"
        case scatteredThunderstorms = "ScatteredThunderstorms"
        case thunderstorms = "Thunderstorms"
        case hail = "Hail"
        case strongStorms = "StrongStorms"
        case tropicalStorm = "TropicalStorm"
        case hurricane = "Hurricane"

        /// The weather in words: Dark Sky's where it had one, else Apple's.
        var summary: String {
            switch self {
            case .clear: "Clear"
            case .mostlyClear: "Mostly Clear"
            case .hot: "Hot"
            case .frigid: "Frigid"
            case .partlyCloudy: "Partly Cloudy"
            case .mostlyCloudy: "Mostly Cloudy"
            case .cloudy: "Overcast"
            case .breezy: "Breezy"
            case .windy: "Windy"
            case .haze: "Haze"
            case .smoky: "Smoky"
            case .blowingDust: "Blowing Dust"
            case .foggy: "Foggy"
            case .sunShowers: "Sun Showers"
            case .drizzle: "Drizzle"
            case .sunFlurries: "Sun Flurries"
            case .flurries: "Flurries"
            case .rain: "Rain"
            case .blowingSnow: "Blowing Snow"
            case .snow: "Snow"
            case .heavyRain: "Heavy Rain"
            case .heavySnow: "Heavy Snow"
            case .wintryMix: "Wintry Mix"
            case .sleet: "Sleet"
            case .freezingDrizzle: "Freezing Drizzle"
            case .freezingRain: "Freezing Rain"
            case .blizzard: "Blizzard"
            case .isolatedThunderstorms: "Isolated Thunderstorms"
            case .scatteredThunderstorms: "Scattered Thunderstorms"
            case .thunderstorms: "Thunderstorm"
            case .hail: "Hail"
            case .strongStorms: "Strong Storms"
            case .tropicalStorm: "Tropical Storm"
            case .hurricane: "Hurricane"
            }
        }

        /// The icon by day.
        var icon: Icon {
            switch self {
            case .clear, .mostlyClear, .hot, .frigid: .clearDay
            case .partlyCloudy, .mostlyCloudy: .partlyCloudyDay
            case .cloudy: .cloudy
            case .breezy, .windy, .blowingDust: .wind
            case .haze, .smoky, .foggy: .fog
            case .sunShowers, .drizzle, .rain, .heavyRain, .tropicalStorm, .hurricane: .rain
            case .sunFlurries, .flurries, .snow, .blowingSnow, .heavySnow, .blizzard: .snow
            case .sleet, .freezingDrizzle, .freezingRain: .sleet
            case .wintryMix: .mixed
            case .isolatedThunderstorms, .scatteredThunderstorms, .thunderstorms, .strongStorms: .thunderstorm
            case .hail: .hail
            }
        }

        /// The type of precipitation, if any; freezing rain and freezing drizzle are Dark Sky's `sleet`.
        var precipitation: PrecipitationType? {
            switch icon {
            case .rain, .thunderstorm: .rain
            case .snow: .snow
            case .sleet: .sleet
            case .hail: .hail
            case .mixed: .mixed
            default: nil
            }
        }

        /// Returns the place of the condition with `summary` in the order of severity; that of clear weather if none has it.
        static func severity(ofSummary summary: String?) -> Int { summary.flatMap { severities[$0] } ?? 0 }

        private static let severities = Dictionary(
            uniqueKeysWithValues: allCases.enumerated().map { ($1.summary, $0) })
    }
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
}
