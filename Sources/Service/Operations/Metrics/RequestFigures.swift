import HTTPCore

/// The exchanges with one route.
public struct RouteFigures: Sendable {
    /// The number of the route; nil for requests without one.
    public let route: UInt16?
    /// The number of exchanges.
    public var requests: Int { buckets.reduce(0) { $0 + Int($1) } }
    /// The exchanges whose status is 400 or more.
    public fileprivate(set) var errors = 0
    fileprivate var buckets = [UInt64](repeating: 0, count: RequestMetrics.bounds.count + 1)

    /// Returns the milliseconds that `part` of the exchanges did not exceed, rounded up to the next bound of the histogram.
    ///
    /// Returns nil if no exchange has ended, or if the time exceeds the greatest bound.
    public func percentile(_ part: Double) -> Double? {
        let rank = (Double(requests) * part).rounded(.up)
        var seen: UInt64 = 0
        for (bound, count) in zip(RequestMetrics.bounds, buckets) where count > 0 {
            seen += count
            if Double(seen) >= rank { return Double(bound) / 1e6 }
        }
        return nil
    }
}

// The counters as people read them.
extension RequestMetrics {
    /// The exchanges by route, in the order of the routes' numbers; those without a route are the last ones.
    public var byRoute: [RouteFigures] {
        var figures: [UInt16?: RouteFigures] = [:]
        for series in series {
            var route = figures[series.route] ?? RouteFigures(route: series.route)
            for (index, count) in series.buckets.enumerated() {
                route.buckets[index] += count
                if series.status >= 400 { route.errors += Int(count) }
            }
            figures[series.route] = route
        }
        return figures.values.sorted { $0.route ?? .max < $1.route ?? .max }
    }

    /// The exchanges that failed, by status or by the way in which they ended; a refused one counts under both.
    public var errors: [(cause: String, count: Int)] {
        var statuses: [Int: Int] = [:]
        for series in series where series.status >= 400 {
            statuses[series.status, default: 0] += Int(series.buckets.reduce(0, +))
        }
        let refused = zip(Refusal.allCases, refusals).map { ("refused: \($0.rawValue)", Int($1)) }
        let incomplete = [
            ("client_left", Int(clientsLeft)), ("timeout", Int(timeouts)), ("shutdown", Int(stopped)),
        ]
        return statuses.sorted { $0.key < $1.key }.map { ("status \($0.key)", $0.value) }
            + (refused + incomplete).filter { $0.1 > 0 }
    }

    /// The answers by the part that the cache took.
    public var cacheResults: [String: Int] {
        Dictionary(CacheResult.allCases.map { ($0.rawValue, Int(cached[$0.index])) }) { first, _ in first }
    }
}
