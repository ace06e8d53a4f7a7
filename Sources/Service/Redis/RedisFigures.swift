package import Cache
import EventLoop
import Synchronization
import Telemetry

/// A call of the shared store, as the label `command` of metrics.
enum RedisOperation: String, CaseIterable, Sendable {
    case value, keep, lease, release, change, allot, giveBack
}

extension SharedFault {
    /// The label `result` of metrics.
    package var label: String { Self.labels[number] }

    fileprivate static let labels = [
        "unreachable", "timeout", "refused", "breaker_open", "queue_full", "superseded", "cancelled",
    ]

    fileprivate var number: Int {
        switch self {
        case .unreachable: 0
        case .timeout: 1
        case .refused: 2
        case .breakerOpen: 3
        case .queueFull: 4
        case .superseded: 5
        case .cancelled: 6
        }
    }
}

/// What one link has done, for other threads.
final class RedisFigures: Sendable {
    /// The calls of one kind.
    struct Calls: Sendable {
        /// By the result: success, then the faults.
        var results = [Int](repeating: 0, count: SharedFault.labels.count + 1)
        var buckets = [Int](repeating: 0, count: RedisFigures.bounds.count + 1)
        var nanoseconds: UInt64 = 0
    }

    /// The upper bounds in microseconds; the usual time-out is 20 ms.
    private static let bounds: [UInt64] = [
        250, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 250_000, 1_000_000,
    ]

    /// Whether commands are sent: the breaker is closed.
    let isReachable = Atomic(true)
    /// Whether there is a connection.
    let isConnected = Atomic(false)
    private let state = Mutex<(calls: [Calls], last: UInt64?)>(
        (Array(repeating: Calls(), count: RedisOperation.allCases.count), nil))

    /// The milliseconds of the last call that Redis has answered.
    var lastMilliseconds: Double? { state.withLock { $0.last.map { Double($0 / 1000) / 1000 } } }

    /// Notes a call that began at `start`, or for which Redis was not asked.
    func note(_ operation: RedisOperation, _ fault: SharedFault?, since start: MonotonicTime? = nil) {
        let index = RedisOperation.allCases.firstIndex(of: operation) ?? 0
        // Durations are 128-bit numbers, whose conversion took a seventh of a call's processor time.
        let nanoseconds = start.map { MonotonicTime.now.nanoseconds - $0.nanoseconds } ?? 0
        let bucket = Self.bounds.firstIndex { nanoseconds <= 1000 * $0 } ?? Self.bounds.count
        state.withLock { state in
            state.calls[index].results[fault.map { $0.number + 1 } ?? 0] += 1
            if start == nil { return }
            if fault == nil { state.last = nanoseconds }
            state.calls[index].buckets[bucket] += 1
            state.calls[index].nanoseconds += nanoseconds
        }
    }

    /// Writes the figures of all links together.
    static func write(_ links: [RedisFigures], to text: inout MetricsText) {
        let all = links.map { $0.state.withLock { $0.calls } }
        let operations = RedisOperation.allCases.enumerated().map { index, operation in
            (operation.rawValue, all.map { $0[index] })
        }
        text.begin("weir_shared_commands_total", .counter, "Calls of the shared store, by result.")
        for (name, calls) in operations {
            for (number, result) in (["success"] + SharedFault.labels).enumerated() {
                let count = calls.reduce(0) { $0 + $1.results[number] }
                if count > 0 { text.sample(Double(count), ["command": name, "result": result]) }
            }
        }
        text.begin("weir_shared_command_duration_seconds", .histogram, "Time of calls of the shared store.")
        for (name, calls) in operations {
            var count = 0
            for (index, bound) in (bounds.map { "\(Double($0) / 1e6)" } + ["+Inf"]).enumerated() {
                count += calls.reduce(0) { $0 + $1.buckets[index] }
                text.sample(Double(count), ["command": name, "le": bound], suffix: "_bucket")
            }
            text.sample(calls.reduce(0) { $0 + Double($1.nanoseconds) / 1e9 }, ["command": name], suffix: "_sum")
            text.sample(Double(count), ["command": name], suffix: "_count")
        }
        text.single(
            "weir_shared_connected", .gauge, "Event loops that have a connection to the shared store.",
            Double(links.count { $0.isConnected.load(ordering: .relaxed) }))
    }
}
