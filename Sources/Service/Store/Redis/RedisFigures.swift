import EventLoop
import Synchronization
import Operations

/// A call of the shared store, as the label `command` of metrics.
enum RedisOperation: String, CaseIterable, Sendable {
    case value, keep, lease, release, change, allot, giveBack, probe

    /// Whether a script does the call.
    var isScript: Bool { self != .value && self != .change }
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
        var buckets = [Int](repeating: 0, count: RedisFigures.bounds.count + 1)
        var seconds = 0.0

        mutating func note(_ fault: SharedFault?, _ time: Double?) {
            if let fault { faults[fault.label, default: 0] += 1 } else { successes += 1 }
            guard let time else { return }
            buckets[RedisFigures.bounds.firstIndex { time <= $0 } ?? RedisFigures.bounds.count] += 1
            seconds += time
        }
    }

    private struct State {
        var calls: [RedisOperation: Calls] = [:]
        /// The seconds of the last call that Redis has answered.
        var last: Double?
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

    /// The upper bounds in seconds; the usual time-out is 20 ms.
    private static let bounds = [0.00025, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1]

    private let shards: Int
    private let log: Log
    private let state = Mutex(State())

    /// Figures of so many event loops, which tell of losses in `log`.
    init(shards: Int, _ log: Log) { (self.shards, self.log) = (shards, log) }

    /// Notes a call that began at `start`, or for which Redis was not asked.
    func note(_ operation: RedisOperation, _ fault: SharedFault?, since start: MonotonicTime? = nil) {
        // Durations are 128-bit numbers, whose conversion took a seventh of a call's processor time.
        let seconds = start.map { Double(MonotonicTime.now.nanoseconds - $0.nanoseconds) / 1e9 }
        state.withLock { state in
            if let seconds, fault == nil { state.last = seconds }
            state.calls[operation, default: Calls()].note(fault, seconds)
        }
    }

    /// Writes the calls and their durations.
    func write(to text: inout MetricsText) {
        let calls = state.withLock { state in
            RedisOperation.allCases.map { (name: $0.rawValue, calls: state.calls[$0] ?? Calls()) }
        }
        text.begin("weir_shared_commands_total", .counter, "Calls of the shared store, by result.")
        for (name, calls) in calls {
            let successes = calls.successes > 0 ? [(key: "success", value: calls.successes)] : []
            for (result, count) in successes + calls.faults.sorted(by: { $0.key < $1.key }) {
                text.sample(Double(count), ["command": name, "result": result])
            }
        }
        text.begin("weir_shared_command_duration_seconds", .histogram, "Time of calls of the shared store.")
        for (name, calls) in calls {
            text.histogram(calls.buckets, bounds: Self.bounds, sum: calls.seconds, ["command": name])
        }
        text.single(
            "weir_shared_connected", .gauge, "Event loops that have a connection to the shared store.",
            Double(state.withLock { $0.connected.count }))
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
            let milliseconds = state.last.map { ($0 * 1e6).rounded() / 1000 }
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
