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
        var seconds = 0.0
    }

    /// The upper bounds in seconds; the usual time-out is 20 ms.
    private static let bounds = [0.00025, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1]

    /// Whether commands are sent: the breaker is closed.
    let isReachable = Atomic(true)
    /// Whether there is a connection.
    let isConnected = Atomic(false)
    private let state = Mutex<(calls: [Calls], last: Duration?)>(
        (Array(repeating: Calls(), count: RedisOperation.allCases.count), nil))

    /// The time of the last call that Redis has answered.
    var lastDuration: Duration? { state.withLock { $0.last } }

    func note(_ operation: RedisOperation, _ fault: SharedFault?, _ duration: Duration) {
        let index = RedisOperation.allCases.firstIndex(of: operation) ?? 0
        let seconds = Double(duration.attoseconds) / 1e18
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.calls[index].results[fault.map { $0.number + 1 } ?? 0] += 1
            switch fault {
            // A call that Redis was not asked for takes no time.
            case .breakerOpen, .queueFull: return
            case nil: state.last = duration
            default: break
            }
            state.calls[index].buckets[bucket] += 1
            state.calls[index].seconds += seconds
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
            for (index, bound) in (bounds.map { "\($0)" } + ["+Inf"]).enumerated() {
                count += calls.reduce(0) { $0 + $1.buckets[index] }
                text.sample(Double(count), ["command": name, "le": bound], suffix: "_bucket")
            }
            text.sample(calls.reduce(0) { $0 + $1.seconds }, ["command": name], suffix: "_sum")
            text.sample(Double(count), ["command": name], suffix: "_count")
        }
        text.single(
            "weir_shared_connected", .gauge, "Event loops that have a connection to the shared store.",
            Double(links.count { $0.isConnected.load(ordering: .relaxed) }))
    }
}
