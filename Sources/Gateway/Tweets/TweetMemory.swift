import EventLoop
import Synchronization

/// What is known about an upstream of tweets, for all shards and over reloads: the ids of users whom it was asked for, and the
/// parameter names that it understands.
final class TweetMemory: Sendable {
    private struct User {
        let id: String
        /// When the name may belong to another user.
        let end: MonotonicTime
    }

    /// A day's look-ups of one user cost as much as one (X), but a name can change its owner at any time.
    private static let lifetime = Duration.seconds(3600)
    private static let maximumUsers = 1000

    private let users = Mutex<[String: User]>([:])
    /// The set of parameter names that worked last.
    private let lastVocabulary = Atomic(0)

    var vocabulary: Int {
        get { lastVocabulary.load(ordering: .relaxed) }
        set { lastVocabulary.store(newValue, ordering: .relaxed) }
    }

    /// Returns the id of the user with this key; nil if it is unknown, or has been known for too long.
    func userID(of key: String, now: MonotonicTime) -> String? {
        users.withLock { $0[key].flatMap { now < $0.end ? $0.id : nil } }
    }

    /// Keeps the id of a user, or removes it if it is nil; of too many, the oldest is removed.
    func setUserID(_ id: String?, of key: String, now: MonotonicTime) {
        users.withLock { users in
            users[key] = id.map { User(id: $0, end: now + Self.lifetime) }
            guard users.count > Self.maximumUsers else { return }
            if let oldest = users.min(by: { $0.value.end < $1.value.end }) { users[oldest.key] = nil }
        }
    }
}
