import Synchronization
import Telemetry

/// Which event loops reach Redis, for other threads and for the log: it has a line for the first event loop that loses
/// Redis, and one for the last that finds it again.
final class RedisPresence: Sendable {
    private struct State {
        var connected: Set<Int> = []
        /// The event loops whose breakers are open.
        var lost: Set<Int> = []
        var lastLoss: String?
        var knowsCluster = false
    }

    private let log: Log
    private let state = Mutex(State())

    init(_ log: Log) { self.log = log }

    /// The number of event loops that have a connection.
    var connected: Int { state.withLock { $0.connected.count } }

    /// Whether no breaker is open.
    var isComplete: Bool { state.withLock { $0.lost.isEmpty } }

    /// Why Redis was lost last.
    var lastLoss: String? { state.withLock { $0.lastLoss } }

    func isLost(at shard: Int) -> Bool { state.withLock { $0.lost.contains(shard) } }

    func connected(_ shard: Int) { state.withLock { _ = $0.connected.insert(shard) } }

    func disconnected(_ shard: Int) { state.withLock { _ = $0.connected.remove(shard) } }

    func suspended(_ shard: Int, _ detail: String) {
        let isFirst = state.withLock { state in
            state.lastLoss = detail
            return state.lost.insert(shard).inserted && state.lost.count == 1
        }
        if isFirst { log.write(.warning, "shared store lost", ["detail": detail]) }
    }

    func resumed(_ shard: Int) {
        let isLast = state.withLock { $0.lost.remove(shard) != nil && $0.lost.isEmpty }
        if isLast { log.write(.info, "shared store found") }
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
