import Synchronization
import Telemetry

/// The lines that the log has about the shared store: one for the first event loop that loses it, and one for the last
/// that finds it again.
final class RedisLog: Sendable {
    private let log: Log
    private let state = Mutex<(lost: Int, detail: String?)>((0, nil))
    private let knowsCluster = Atomic(false)

    init(_ log: Log) { self.log = log }

    /// Why Redis was lost last.
    var lastLoss: String? { state.withLock { $0.detail } }

    func suspended(_ detail: String) {
        let isFirst = state.withLock { state in
            state = (state.lost + 1, detail)
            return state.lost == 1
        }
        if isFirst { log.write(.warning, "shared store lost", ["detail": detail]) }
    }

    func resumed() {
        let isLast = state.withLock { state in
            state.lost -= 1
            return state.lost == 0
        }
        if isLast { log.write(.info, "shared store found") }
    }

    /// Notes an answer that only a node of a cluster gives.
    func foundCluster() {
        guard !knowsCluster.exchange(true, ordering: .relaxed) else { return }
        log.write(
            .error, "shared store is a cluster",
            ["detail": "Redis Cluster keeps keys on several nodes, and Weir asks one. Use one Redis, or sentinels."])
    }
}
