import Synchronization

/// The targets that an upstream fails to answer, while it answers a simpler one about the same place.
///
/// Without them, each request would fail once before the cache is asked for the simpler answer.
final class FailingTargets: Sendable {
    private static let seconds: Int64 = 3600
    private static let maximumCount = 1024

    /// When each target is tried again, in unix seconds.
    private let ends = Mutex<[String: Int64]>([:])

    /// Whether the target is not to be asked for at `now`, in unix seconds.
    func contains(_ target: String, now: Int64) -> Bool { ends.withLock { $0[target].map { now < $0 } ?? false } }

    /// Notes that the upstream has failed to answer a target.
    func insert(_ target: String, now: Int64) {
        ends.withLock { ends in
            if ends.count >= Self.maximumCount { ends.removeAll() }
            ends[target] = now + Self.seconds
        }
    }
}
