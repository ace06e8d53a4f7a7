public import EventLoop
public import HTTPCore

/// The access log, the counters and the ids of one shard; used on that shard only.
public final class ShardTelemetry {
    /// The counters.
    public private(set) var metrics: RequestMetrics
    private let log: AccessLogBuffer?
    private var identifiers: IdentifierSource
    private let labels: RouteLabels
    /// The routes that this shard has looked up; others may have been added since.
    private var known: [RouteLabel] = []

    /// Counters for the routes of `labels`, and a log if there is one.
    public init(_ labels: RouteLabels, log: AccessLogBuffer?, identifiers: IdentifierSource = IdentifierSource()) {
        (metrics, self.labels, self.log, self.identifiers) = (RequestMetrics(), labels, log, identifiers)
    }

    /// Counts a request that begins.
    public func begin() { metrics.noteStart() }

    /// Fills in the ids of a request: the client's `X-Request-Id` and `traceparent` where they are well-formed.
    public func identify(_ note: inout ExchangeNote, _ headers: HeaderFields) {
        note.trace = .begin(headers, &identifiers)
        note.requestID = RequestID.read(headers)
    }

    /// Counts and logs an exchange that has ended.
    public func finish(_ exchange: ExchangeRecord, on shard: Shard) {
        metrics.note(exchange)
        log?.add(exchange, exchange.note.route.flatMap(label), on: shard)
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
