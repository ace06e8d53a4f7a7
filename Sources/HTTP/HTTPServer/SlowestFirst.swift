import EventLoop
import Synchronization

/// Closes connections of all shards, the slowest first, until the answers that clients have not taken are small enough.
///
/// The last connection stays, however large its answer is.
final class SlowestFirst: Sendable {
    typealias Slow = (rate: Double, id: ObjectIdentifier, part: ShardBound<ServerShard>)

    private let untaken: UntakenOutput
    private let maximum: Int
    /// The connections that were found, and the number of shards that have yet to name theirs.
    private let state: Mutex<(found: [Slow], missing: Int)>

    init(_ shards: Int, _ untaken: UntakenOutput, until maximum: Int) {
        (self.untaken, self.maximum) = (untaken, maximum)
        state = Mutex(([], shards))
    }

    deinit { untaken.madeRoom() }

    /// Adds the connections of one shard; the last shard's begin the closing.
    func add(_ found: [Slow]) {
        let isComplete = state.withLock { state in
            state.found += found
            state.missing -= 1
            if state.missing == 0 { state.found.sort { $0.rate > $1.rate } }
            return state.missing == 0
        }
        if isComplete { closeNext() }
    }

    private func closeNext() {
        guard untaken.exceeds(maximum), let slowest = state.withLock({ $0.found.popLast() }) else { return }
        slowest.part.post {
            $0.closeSlow(slowest.id)
            self.closeNext()
        }
    }
}
