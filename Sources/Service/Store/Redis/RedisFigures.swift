import EventLoop
import Synchronization
import Operations

/// A call of the shared store, as the label `command` of metrics.
enum RedisOperation: String, CaseIterable, Sendable {
    case value, keep, lease, release, change, allot, spend, probe

    /// Whether the call writes.
    var isWrite: Bool { self != .value && self != .change }
}

extension SharedFault {
    /// The label `result` of metrics.
    package var label: String {
        switch self {
        case .unreachable: "unreachable"
        case .timeout: "timeout"
        case .refused: "refused"
        case .breakerOpen: "breaker_open"
        case .queueFull: "queue_full"
        case .superseded: "superseded"
        case .cancelled: "cancelled"
        }
    }
}

/// The calls of Redis by all event loops, and which event loops reach Redis, for other threads.
final class RedisFigures: Sendable {
    /// The calls of one kind.
    private struct Calls: Sendable {
        var successes = 0
        /// By the label of the result.
        var faults: [String: Int] = [:]
        var durations = Histogram(RedisFigures.bounds)

        mutating func note(_ fault: SharedFault?, _ nanoseconds: UInt64?) {
            if let fault { faults[fault.label, default: 0] += 1 } else { successes += 1 }
            if let nanoseconds { durations.add(nanoseconds: nanoseconds) }
        }
    }

    private struct State {
        var calls: [RedisOperation: Calls] = [:]
        /// The nanoseconds of the last call that Redis has answered.
        var last: UInt64?
        /// The event loops that have a connection.
        var connected: Set<Int> = []
        /// The event loops whose breakers are open.
        var lost: Set<Int> = []
        var lastLoss: String?
        var knowsCluster = false
        /// The losses since the last line of one.
        var losses = 0
        var lastLine: MonotonicTime?
        /// Whether the loss under way has a line.
        var isLogged = false
    }

    private static let linePause = Duration.seconds(60)

    /// The upper bounds in nanoseconds; the usual time-out is 20 ms.
    private static let bounds: [UInt64] = [
        250_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000, 50_000_000, 100_000_000, 250_000_000,
        1_000_000_000,
    ]

    private let shards: Int
    private let log: Log
    private let state = Mutex(State())

    /// Figures of so many event loops, which tell of losses in `log`.
    init(shards: Int, _ log: Log) { (self.shards, self.log) = (shards, log) }

    /// Notes a call that began at `start`, or for which Redis was not asked.
    func note(_ operation: RedisOperation, _ fault: SharedFault?, since start: MonotonicTime? = nil) {
        // Durations are 128-bit numbers, whose conversion took a seventh of a call's processor time.
        let nanoseconds = start.map { MonotonicTime.now.nanoseconds - $0.nanoseconds }
        state.withLock { state in
            if let nanoseconds, fault == nil { state.last = nanoseconds }
            state.calls[operation, default: Calls()].note(fault, nanoseconds)
        }
    }
}

// The metrics.
extension RedisFigures {
    static let table: [Figure<RedisFigures>] = [
        Figure(
            "weir_shared_commands_total", .counter, ["command", "result"], "Calls of the shared store, by result.",
            note: """
                The [store](configuration.md#shared) has the commands `value`, `keep`, `lease`, `release`, `change` (a look \
                at the lease of another replica), `allot`, `spend` (of limits of clients) and `probe` (while calls fail at once). The results are \
                `success`, also without a value, `timeout`, `unreachable`, `refused` (Redis answers with an error), \
                `breaker_open` and `queue_full` (Redis was not asked). Absent without `shared`.
                """
        ) { figures in
            figures.calls.flatMap { name, calls in
                let successes = calls.successes > 0 ? [(key: "success", value: calls.successes)] : []
                return (successes + calls.faults.sorted { $0.key < $1.key }).map { FigureSample($1, name, $0) }
            }
        },
        Figure(
            "weir_shared_command_duration_seconds", .histogram, ["command"], "Time of calls of the shared store.",
            note: "Calls for which Redis was not asked have none."
        ) { figures in figures.calls.map { FigureSample($1.durations, $0) } },
        Figure(
            "weir_shared_connected", .gauge, "Event loops that have a connection to the shared store.",
            value: { $0.state.withLock { $0.connected.count } }),
    ]

    private var calls: [(name: String, calls: Calls)] {
        state.withLock { state in RedisOperation.allCases.map { ($0.rawValue, state.calls[$0] ?? Calls()) } }
    }
}

// Connections and losses.
//
// The log has a line for the first event loop that loses Redis, and one for the last that finds Redis again. A loss within a
// minute after the line of another loss has a line only if the loss still lasts after that minute.
extension RedisFigures {
    /// Whether every event loop has a connection and a closed breaker, the milliseconds of the last call that Redis has
    /// answered, and why Redis was lost last.
    var summary: (isReachable: Bool, lastMilliseconds: Double?, detail: String?) {
        state.withLock { state in
            let milliseconds = state.last.map { (Double($0) / 1000).rounded() / 1000 }
            return (state.lost.isEmpty && state.connected.count == shards, milliseconds, state.lastLoss)
        }
    }

    func isLost(at shard: Int) -> Bool { state.withLock { $0.lost.contains(shard) } }

    func connected(_ shard: Int) { state.withLock { _ = $0.connected.insert(shard) } }

    func disconnected(_ shard: Int) { state.withLock { _ = $0.connected.remove(shard) } }

    func suspended(_ shard: Int, _ detail: String) {
        state.withLock { state in
            state.lastLoss = detail
            if state.lost.insert(shard).inserted && state.lost.count == 1 { state.losses += 1 }
        }
        logLoss()
    }

    func resumed(_ shard: Int) {
        let isLogged = state.withLock { state in
            guard state.lost.remove(shard) != nil, state.lost.isEmpty else { return false }
            defer { state.isLogged = false }
            return state.isLogged
        }
        if isLogged { log.write(.info, "shared store found") }
    }

    /// Logs the loss under way, unless there is a line of that loss, or one of another loss within the last minute.
    func logLoss() {
        let line = state.withLock { state -> (detail: String?, losses: Int)? in
            let now = MonotonicTime.now
            guard !state.lost.isEmpty, !state.isLogged else { return nil }
            if let last = state.lastLine, now < last + Self.linePause { return nil }
            defer { (state.losses, state.lastLine, state.isLogged) = (0, now, true) }
            return (state.lastLoss, state.losses)
        }
        if let line { log.write(.warning, "shared store lost", ["detail": line.detail, "losses": line.losses]) }
    }

    /// Notes an answer that only a node of a cluster gives.
    func foundCluster() {
        let isKnown = state.withLock { state in
            defer { state.knowsCluster = true }
            return state.knowsCluster
        }
        if isKnown { return }
        log.write(
            .error, "shared store is a cluster",
            ["detail": "Redis Cluster keeps keys on several nodes, and Weir asks one. Use one Redis, or sentinels."])
    }
}
