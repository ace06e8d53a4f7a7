import Synchronization

/// What is known about an upstream of tweets, for all shards and over reloads: the parameter names that it understands.
final class TweetMemory: Sendable {
    /// The set of parameter names that worked last.
    private let lastVocabulary = Atomic(0)

    var vocabulary: Int {
        get { lastVocabulary.load(ordering: .relaxed) }
        set { lastVocabulary.store(newValue, ordering: .relaxed) }
    }
}
