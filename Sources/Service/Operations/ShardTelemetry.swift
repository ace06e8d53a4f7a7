public import EventLoop
public import HTTPCore
package import Synchronization

/// The access log, the counters and the ids of one shard; used on that shard only.
public final class ShardTelemetry {
    /// The counters.
    public private(set) var metrics: RequestMetrics
    /// The last exchanges, but for those of monitoring and of operators.
    package private(set) var recent = RecentExchanges()
    private let log: AccessLogBuffer?
    private var identifiers: IdentifierSource
    private let labels: RouteLabels
    /// Exports the spans of exchanges; nil without traces.
    public let tracer: Tracer?
    /// The routes that this shard has looked up; others may have been added since.
    private var known: [RouteLabel] = []

    /// Counters for the routes of `labels`, and a log and an exporter of spans if there are such.
    public init(
        _ labels: RouteLabels, log: AccessLogBuffer?, tracer: Tracer? = nil,
        identifiers: IdentifierSource = IdentifierSource()
    ) {
        (metrics, self.labels, self.log, self.identifiers) = (RequestMetrics(), labels, log, identifiers)
        self.tracer = tracer
    }

    /// Counts a request that begins.
    public func begin() { metrics.noteStart() }

    /// Fills in the ids of a request: the client's `X-Request-Id` and `traceparent` where they are well-formed.
    public func identify(_ note: inout ExchangeNote, _ headers: HeaderFields) {
        let trace = TraceContext.begin(headers, &identifiers, ratio: tracer?.ratio ?? TraceRatio(0))
        note.trace = trace
        note.requestID = RequestID.read(headers)
        if tracer != nil, trace.isSampled, trace.parentID != 0, let state = TraceState.read(headers) {
            note.tries = UpstreamTries(isTraced: true, traceState: state)
        }
    }

    /// Counts and logs an exchange that has ended.
    public func finish(_ exchange: ExchangeRecord, on shard: Shard) {
        let route = exchange.note.route.flatMap(label)
        metrics.note(exchange, tracer?.add(exchange, route))
        if route?.isForOperators != true { recent.add(exchange, route) }
        log?.add(exchange, route, on: shard)
    }

    private func label(_ number: UInt16) -> RouteLabel? {
        if number >= known.count { known = labels.all }
        return number < known.count ? known[Int(number)] : nil
    }

    /// Counts connections that were opened or closed.
    public func connectionsChanged(by change: Int) { metrics.noteConnections(change) }

    /// Passes the lines of the log to its writer.
    public func flush() { log?.handOver() }
}

/// The clocks of a service: a test supplies its own.
///
/// Timers of event loops run on the system's clock, so that waits last as long as ever.
public struct Clock: Sendable {
    /// Returns the current moment of the monotonic clock, for deadlines and durations.
    public let now: @Sendable () -> MonotonicTime
    /// Returns the time of day, in milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: @Sendable () -> Int

    /// The clocks of the system.
    public static let system = Clock(now: { .now }, milliseconds: { WallClock.milliseconds })

    /// Clocks that the functions read.
    public init(now: @escaping @Sendable () -> MonotonicTime, milliseconds: @escaping @Sendable () -> Int) {
        (self.now, self.milliseconds) = (now, milliseconds)
    }

    /// The time of day, in seconds since 1970-01-01T00:00:00Z.
    public var seconds: Int { milliseconds() / 1000 }
}

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
    /// Whether the route serves monitoring or operators: its requests are not remembered.
    let isForOperators: Bool
    /// Until when an operator sheds the route, on the monotonic clock in nanoseconds; 0 if nobody does.
    package let shedEnd = Atomic<UInt64>(0)

    fileprivate init(_ number: UInt16, name: String, template: String, isProbe: Bool) {
        (self.number, self.name, self.template, self.isProbe) = (number, name, template, isProbe)
        isForOperators = isProbe || template.hasPrefix("/-/")
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
