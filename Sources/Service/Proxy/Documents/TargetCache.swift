// Unsafe: targets are passed to C with their lengths, inside `withUnsafeBufferPointer`.
import EventLoop
import Operations
import CScan
package import HTTPCore

/// What requests of clients have led to on one shard, so that the next one with the same target needs no reading.
///
/// It holds keys of documents and no documents. A target takes the place of another one with the same remainder of its hash.
/// Its memory is a part of the cache's: full ones of two shards took 2 MB that nobody counted.
package final class TargetCache {
    package final class Entry: Sendable {
        package let target: [UInt8]
        /// The router that the request was for: with another configuration, the target can mean something else.
        package let edition: Int
        package let key: DocumentKey
        /// The form of the answer.
        package let form: FormKey
        /// Whether the client's own directives about caches count.
        let countsClient: Bool
        /// The account at the upstream, and what its checksum was.
        private let account: AccountChecksum?
        private let accountValue: UInt64?

        package init(
            target: [UInt8], edition: Int, key: DocumentKey, form: FormKey, countsClient: Bool,
            account: AccountChecksum? = nil
        ) {
            (self.target, self.edition, self.key, self.form) = (target, edition, key, form)
            (self.countsClient, self.account, accountValue) = (countsClient, account, account?.value)
        }

        /// Whether the upstream still has the account that the document was fetched with.
        var isOfAccount: Bool { account?.value == accountValue }

        package func has(_ other: ArraySlice<UInt8>) -> Bool {
            guard target.count == other.count else { return false }
            return other.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { weir_equal(target, $0, bytes.count) } ?? true
            }
        }

        /// The bytes of the object and of its texts, each with the header of its memory.
        package var bytes: Int { 128 + target.count + key.digest.utf8.count + form.bytes + 3 * 40 }
    }

    /// The part of the cache's memory that the memos of all shards may take up: one of so many.
    package static let share = 16
    private static let mostSlots = 4096
    /// The memory of a slot with an entry as most are.
    private static let usualBytes = 512
    /// Longer targets are read each time.
    private static let longestTarget = 256
    private static let codings = 8

    private let maximumBytes: Int
    /// A power of two.
    private let slots: Int
    private var entries: [Entry?] = []
    private var entryBytes = 0
    /// What values of Accept-Encoding mean.
    private var codings: [(value: [UInt8], coding: ContentCoding?)] = []

    /// A memo that takes up at most `maximumBytes`.
    package init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
        var slots = 1
        while slots < Self.mostSlots, 2 * slots * Self.usualBytes <= maximumBytes { slots *= 2 }
        self.slots = slots
    }

    /// The bytes that it takes up.
    package var bytes: Int { entries.count * MemoryLayout<Entry?>.stride + entryBytes }

    /// Returns what the target led to before, with the router of this edition.
    package func entry(_ target: ArraySlice<UInt8>, _ edition: Int) -> Entry? {
        if entries.isEmpty { return nil }
        guard let entry = entries[slot(target)], entry.edition == edition, entry.isOfAccount, entry.has(target)
        else { return nil }
        return entry
    }

    /// Keeps what a request has led to, unless its target is long.
    package func remember(_ entry: Entry) {
        guard entry.target.count <= Self.longestTarget else { return }
        if entries.isEmpty { entries = [Entry?](repeating: nil, count: slots) }
        let slot = slot(entry.target[...])
        entryBytes += entry.bytes - (entries[slot]?.bytes ?? 0)
        entries[slot] = entry
        // Only many long targets need so much.
        if bytes > maximumBytes { (entries, entryBytes) = ([], 0) }
    }

    /// Returns the coding that a client prefers; most clients send one of a few values.
    package func coding(_ headers: HeaderFields) -> ContentCoding? {
        guard let value = headers.bytes("Accept-Encoding") else { return nil }
        if let known = codings.first(where: { $0.value.elementsEqual(value) }) { return known.coding }
        let coding = AcceptEncoding(headers).preferred
        // A value over several lines is not in the first line alone.
        if headers.values("Accept-Encoding").count == 1 {
            if codings.count == Self.codings { codings.removeFirst() }
            codings.append((Array(value), coding))
        }
        return coding
    }

    private func slot(_ target: ArraySlice<UInt8>) -> Int {
        let checksum = target.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { weir_checksum($0, bytes.count) } ?? 0
        }
        return Int(truncatingIfNeeded: checksum) & (slots - 1)
    }
}

/// An answer that was made before.
package struct Hit {
    package let answer: CachedDocument.Stored
    /// Whether the client has it already.
    package let isKnown: Bool
    /// Its age in seconds.
    package let age: Int
}

extension ShardContext {
    /// Returns the answer if the same request was answered before and its document is fresh; nil otherwise.
    ///
    /// `edition` is the number of the router.
    package func hit(_ request: Request, in cache: DocumentCache, _ edition: Int) -> Hit? {
        let memo = memo.open
        guard let known = memo.entry(request.target.rawBytes, edition), let document = cache.document(known.key),
            let freshness = document.freshness, document.failure == nil
        else { return nil }
        if known.countsClient, request.headers.bytes("Cache-Control") != nil || request.headers.bytes("Pragma") != nil {
            return nil
        }
        guard case .fresh(let age) = freshness.decision(at: clock.seconds),
            let stored = document.stored(known.form, memo.coding(request.headers))
        else { return nil }
        let isKnown = stored.representation.isKnown(to: request.headers)
        return Hit(answer: stored, isKnown: isKnown, age: age)
    }
}
