public import HTTPCore

/// The counters of a shard's exchanges; those of several shards are added when they are read.
///
/// The series are bounded: a route, a method and a status that are not known share one series each.
public struct RequestMetrics: Sendable {
    /// A histogram of the exchanges with one route, method and status.
    struct Series: Sendable {
        /// The number of the route; nil without one.
        let route: UInt16?
        let method: KnownMethod
        /// The status; 0 for others, -1 without a response.
        let status: Int
        var durations = Histogram(RequestMetrics.bounds)
    }

    /// The upper bounds in nanoseconds: shorter ones than for transfers, too, because answers from memory take less than 5 ms.
    static let bounds: [UInt64] = [100_000, 250_000, 500_000, 1_000_000, 2_500_000] + Histogram.transferBounds
    /// The statuses that have series of their own.
    private static let statuses = [
        200, 204, 304, 400, 401, 402, 403, 404, 405, 408, 413, 414, 417, 422, 429, 431, 500, 501, 502, 503, 504, 505,
    ]
    /// The place of each status among those with series of their own; 0 for others.
    private static let places: [UInt8] = (0..<600).map { code in
        UInt8((statuses.firstIndex(of: code) ?? -1) + 1)
    }

    /// The status as a label, if it has series of its own, else `_OTHER`: the sender of a status may choose any.
    public static func label(ofStatus code: Int) -> String {
        0..<600 ~= code && places[code] > 0 ? "\(code)" : "_OTHER"
    }

    private(set) var series: [Series] = []
    /// The index of each possible series plus 1; 0 for those that have not occurred.
    ///
    /// Requests without a route come first.
    private var slots: [UInt32] = []
    private(set) var received: UInt64 = 0
    private(set) var sent: UInt64 = 0
    private(set) var clientsLeft: UInt64 = 0
    private(set) var timeouts: UInt64 = 0
    private(set) var stopped: UInt64 = 0
    private(set) var refusals = [UInt64](repeating: 0, count: Refusal.allCases.count)
    /// The answers by the part that a cache took.
    private(set) var cached = [UInt64](repeating: 0, count: CacheResult.allCases.count)
    /// The requests whose responses have not been sent.
    private(set) var active = 0
    /// The open connections of clients.
    private(set) var connections = 0
    private(set) var accepted: UInt64 = 0

    /// Counters of which each is 0.
    public init() {}

    /// Counts a request that is passed to the handler.
    public mutating func noteStart() { active += 1 }

    /// Counts connections that were opened or closed.
    public mutating func noteConnections(_ change: Int) {
        connections += change
        if change > 0 { accepted += UInt64(change) }
    }

    /// Counts an exchange that has ended, and keeps its exemplar if there is one.
    public mutating func note(_ exchange: ExchangeRecord, _ exemplar: Exemplar? = nil) {
        received += UInt64(max(0, exchange.bytesReceived))
        sent += UInt64(max(0, exchange.bytesSent))
        if let result = exchange.note.cache { cached[result.index] += 1 }
        switch exchange.outcome {
        case .completed: break
        case .clientLeft: clientsLeft += 1
        case .timedOut: timeouts += 1
        case .stopped: stopped += 1
        case .refused(let reason): if let index = Refusal.allCases.firstIndex(of: reason) { refusals[index] += 1 }
        }
        // A refused one was never passed to the handler.
        if case .refused = exchange.outcome {} else { active -= 1 }
        let index = index(of: exchange)
        series[index].durations.add(nanoseconds: exchange.duration)
        if let exemplar { series[index].durations.add(exemplar) }
    }

    /// Adds the counters of another shard, which has the same labels of routes.
    public mutating func add(_ other: RequestMetrics) {
        received += other.received
        sent += other.sent
        clientsLeft += other.clientsLeft
        timeouts += other.timeouts
        stopped += other.stopped
        active += other.active
        connections += other.connections
        accepted += other.accepted
        for index in cached.indices { cached[index] += other.cached[index] }
        for index in refusals.indices { refusals[index] += other.refusals[index] }
        for theirs in other.series {
            series[index(theirs.route, theirs.method, theirs.status)].durations.add(theirs.durations)
        }
    }

    private mutating func index(of exchange: ExchangeRecord) -> Int {
        let method = exchange.method.map(KnownMethod.init) ?? .other
        return index(exchange.note.route, method, exchange.status?.code ?? -1)
    }

    /// Returns the index of a series, which is made if it does not exist.
    private mutating func index(_ route: UInt16?, _ method: KnownMethod, _ status: Int) -> Int {
        let perMethod = Self.statuses.count + 2, perRoute = KnownMethod.allCases.count * perMethod
        let place = status < 0 ? perMethod - 1 : Int(Self.places[min(status, 599)])
        let first = (route.map { Int($0) + 1 } ?? 0) * perRoute
        if slots.count < first + perRoute {
            slots += [UInt32](repeating: 0, count: first + perRoute - slots.count)
        }
        let slot = first + method.rawValue * perMethod + place
        if slots[slot] == 0 {
            let known = place == perMethod - 1 ? -1 : place == 0 ? 0 : Self.statuses[place - 1]
            series.append(Series(route: route, method: method, status: known))
            slots[slot] = UInt32(series.count)
        }
        return Int(slots[slot]) - 1
    }
}

/// A method as logs and metrics name it: one of RFC 9110 or RFC 5789, or `_OTHER`, because a client can send any token.
enum KnownMethod: Int, CaseIterable {
    case get, head, post, put, delete, connect, options, trace, patch, other

    init(_ method: Method) {
        switch method {
        case .get: self = .get
        case .head: self = .head
        case .post: self = .post
        case .put: self = .put
        case .delete: self = .delete
        case .connect: self = .connect
        case .options: self = .options
        case .trace: self = .trace
        case .patch: self = .patch
        default: self = .other
        }
    }

    var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .connect: "CONNECT"
        case .options: "OPTIONS"
        case .trace: "TRACE"
        case .patch: "PATCH"
        case .other: "_OTHER"
        }
    }
}
