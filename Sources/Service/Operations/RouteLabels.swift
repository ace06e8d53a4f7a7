import Synchronization

/// A route as counters and logs name it.
public final class RouteLabel: Sendable {
    /// The number, from 0 in the order of registration.
    public let number: UInt16
    /// The name, such as `tweet`.
    public let name: String
    /// The template, such as `/tweets/{id}`.
    public let template: String
    /// Whether the route serves monitoring: its requests are not logged, unless the settings ask for them.
    public let isProbe: Bool

    fileprivate init(_ number: UInt16, name: String, template: String, isProbe: Bool) {
        (self.number, self.name, self.template, self.isProbe) = (number, name, template, isProbe)
    }
}

/// The routes that a process has had, with their numbers.
///
/// A reload adds routes and removes none: requests that have begun are counted under the route that they found. Routes beyond
/// the maximum share the series of requests without a route.
public final class RouteLabels: Sendable {
    /// The maximum number of routes over the life of a process.
    public static let maximum = 4096

    private let labels = Mutex<[RouteLabel]>([])

    /// No routes.
    public init() {}

    /// All routes, in the order of their numbers.
    public var all: [RouteLabel] { labels.withLock { $0 } }

    /// Returns the label of a route, which is new or has the same template.
    public func label(_ name: String, _ template: String, isProbe: Bool = false) -> RouteLabel? {
        labels.withLock { labels in
            if let known = labels.first(where: { $0.name == name && $0.template == template }) { return known }
            guard labels.count < Self.maximum else { return nil }
            let label = RouteLabel(UInt16(labels.count), name: name, template: template, isProbe: isProbe)
            labels.append(label)
            return label
        }
    }
}
