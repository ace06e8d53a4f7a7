/// What a number measures, so that it can be converted from one system of units to another.
///
///     Field(\.windSpeed, .dimension(.speed))
public enum Dimension: String, Sendable, CaseIterable {
    /// How warm: °C or °F.
    case temperature
    /// How fast: m/s, km/h or mph.
    case speed
    /// How far: km or miles.
    case distance
    /// How much falls in an hour: mm/h or in/h.
    case rate
    /// How much lies: cm or in.
    case depth
    /// How hard the air presses: hPa.
    case pressure

    /// The place in `allCases`.
    var index: Int {
        switch self {
        case .temperature: 0
        case .speed: 1
        case .distance: 2
        case .rate: 3
        case .depth: 4
        case .pressure: 5
        }
    }
}
