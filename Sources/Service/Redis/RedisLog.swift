import Synchronization
import Telemetry

/// The lines that the log has about the shared store: one for the first event loop that loses it, and one for the last
/// that finds it again.
final class RedisLog: Sendable {
    private let log: Log
    private let lost = Mutex(0)
    private let knowsCluster = Atomic(false)

    init(_ log: Log) { self.log = log }

    func suspended(_ detail: String) {
        let isFirst = lost.withLock { lost in
            lost += 1
            return lost == 1
        }
        if isFirst { log.write(.warning, "shared store lost", ["detail": detail]) }
    }

    func resumed() {
        let isLast = lost.withLock { lost in
            lost -= 1
            return lost == 0
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
