package import Store
import EventLoop
import HTTPClient
import HTTPCore
import Synchronization
import Operations

/// The documents of all upstreams, for all shards and over reloads, and the requests for them that are under way.
package final class DocumentCache: Sendable {
    private let store: ByteBoundedCache<DocumentKey, CachedDocument>
    private let maximumBytes: Int
    /// The bytes that the documents may take up now: less than the maximum after `release`.
    private let allowedBytes: Atomic<Int>
    /// The requests for documents that are under way.
    package let coalesced = CoalescedFetches()

    /// A cache for `maximumBytes` of documents, their variants, the memos of the shards and its own bookkeeping.
    package init(maximumBytes: Int) {
        let maximumBytes = maximumBytes - maximumBytes / TargetCache.share
        self.maximumBytes = maximumBytes
        allowedBytes = Atomic(maximumBytes)
        // A stripe must have room for a large document.
        store = ByteBoundedCache(maximumBytes: maximumBytes, stripes: min(16, max(1, maximumBytes >> 22)))
    }

    /// The documents and the bytes that they take up.
    package var statistics: CacheStatistics { store.statistics }

    /// Returns the document with this key, whatever its age.
    func document(_ key: DocumentKey) -> CachedDocument? { store.value(for: key) }

    /// Keeps a document, unless it is too large.
    func insert(_ document: CachedDocument) {
        document.isKept = store.insert(document, for: document.key, cost: document.size)
    }

    /// Keeps a form of a document, in place of the oldest one if there are many, and counts its bytes.
    func keep(_ variant: DocumentVariant, _ form: FormKey, of document: CachedDocument) {
        let (bytes, isReplacing) = document.content.keep(variant, form)
        grow(document, by: bytes, dropsAnswers: isReplacing)
    }

    /// Keeps the compressed body of a form of a document, and counts its bytes if the form is kept.
    func keep(
        _ codedBody: [UInt8]?, in coding: ContentCoding, of variant: DocumentVariant, _ document: CachedDocument
    ) {
        grow(document, by: document.content.keep(codedBody, in: coding, of: variant))
    }

    private func grow(_ document: CachedDocument, by bytes: Int, dropsAnswers: Bool = false) {
        guard bytes != 0 || dropsAnswers else { return }
        store.grow(document.key, by: bytes) { current in
            guard current.content === document.content else { return nil }
            return dropsAnswers ? current.withoutAnswers : current
        }
    }

    /// Lets documents leave that take up `bytes`, and no others take their place; an eighth of the maximum stays allowed.
    package func release(_ bytes: Int) {
        resize(to: max(maximumBytes / 8, min(allowedBytes.load(ordering: .relaxed), statistics.bytes) - bytes))
    }

    /// Allows a 64th of the maximum more, after `release`.
    package func regrow() {
        let allowed = allowedBytes.load(ordering: .relaxed)
        if allowed < maximumBytes { resize(to: min(maximumBytes, allowed + maximumBytes / 64)) }
    }

    private func resize(to bytes: Int) {
        allowedBytes.store(bytes, ordering: .relaxed)
        store.resize(to: bytes)
    }

    package func remove(_ key: DocumentKey) { store.remove(key) }

    /// Removes documents, and returns their number.
    func remove(_ rule: PurgeRule) -> Int {
        var keys: [DocumentKey] = []
        store.forEach { if rule($0, $1.kind) { keys.append($0) } }
        return keys.count { store.remove($0) != nil }
    }

    /// Calls `body` with all documents, without counting that as their use.
    func forEach(_ body: (CachedDocument) throws -> Void) throws { try store.forEach { try body($1) } }
}
