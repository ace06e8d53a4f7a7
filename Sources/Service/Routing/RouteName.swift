package import HTTPCore

/// The routes, numbered for the counters; a configuration can lack some.
package enum RouteName: UInt8, CaseIterable, Sendable {
    case weather, forecast, tweet, timeline, search, livez, readyz, metrics

    /// The template that logs and metrics name.
    package var template: String { "\(label.template)" }

    /// The number and the template.
    package var label: RouteLabel { RouteLabel(index: rawValue, template: literal) }

    private var literal: StaticString {
        switch self {
        case .weather: "/weather"
        case .forecast: "/forecast/{anything}/{latitude},{longitude}"
        case .tweet: "/tweets/{id}"
        case .timeline: "/timelines/{screenName}"
        case .search: "/search"
        case .livez: "/livez"
        case .readyz: "/readyz"
        case .metrics: "/metrics"
        }
    }

    /// The paths that the route answers.
    package var pattern: RoutePattern { Self.patterns[Int(rawValue)] }

    private static let patterns = allCases.map(\.newPattern)

    private var newPattern: RoutePattern {
        switch self {
        case .tweet: RoutePattern("/tweets", .value)
        case .timeline: RoutePattern("/timelines", .value)
        case .forecast: RoutePattern("/forecast", .rest)
        case .weather, .search, .livez, .readyz, .metrics: RoutePattern(template, .nothing)
        }
    }

    /// Whether the route serves monitoring: its requests are not logged and get no id.
    package var isProbe: Bool { self == .livez || self == .readyz || self == .metrics }

    /// Whether a path can contain a client's key, which no log may have.
    package var hidesPath: Bool { self == .forecast }
}
