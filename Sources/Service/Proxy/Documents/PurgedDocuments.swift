import Operations
import Synchronization

/// Whether an operator takes the document with a key out of the cache; of a document from a snapshot, no kind of requests is
/// known.
package typealias PurgeRule = @Sendable (_ key: DocumentKey, _ kind: String?) -> Bool

/// The keys of the documents that a client's request leads to, for a request that asks no upstream.
package final class FollowedKeys: Sendable {
    private let keys = Mutex<Set<DocumentKey>>([])

    package init() {}

    package var all: Set<DocumentKey> { keys.withLock(\.self) }

    /// Notes the key of a fetch, and returns its document of any age, which can lead to further ones.
    func follow(_ fetch: Fetch) throws(FetchFailure) -> Answer {
        keys.withLock { _ = $0.insert(fetch.request.key) }
        guard let cache = fetch.cache, let document = cache.document(fetch.request.key) else { throw .notInCache }
        return try fetch.found(document.outcome, .hit, in: cache)
    }
}

// Documents that replicas share: this replica uses none of those that were received before they were purged.
extension SharedReplicas {
    /// The purges that are known one by one; older ones count as one of all documents.
    private static let mostPurges = 64

    /// Notes a purge at a time in unix seconds.
    func note(_ rule: @escaping PurgeRule, at seconds: Int) {
        let all: PurgeRule = { _, _ in true }
        purges.withLock { $0 = $0.count == Self.mostPurges ? [(all, seconds)] : $0 + [(rule, seconds)] }
    }

    /// Whether the document of a fetch, received at a time in unix seconds, was purged.
    func hasPurged(_ fetch: Fetch, receivedAt seconds: Int) -> Bool {
        purges.withLock { $0.contains { seconds <= $0.seconds && $0.rule(fetch.request.key, fetch.kind.name) } }
    }
}
