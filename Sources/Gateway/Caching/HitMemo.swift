// Unsafe: targets are passed to C with their lengths, inside `withUnsafeBufferPointer`.
import CScan
import HTTPCore

/// What requests of clients have led to on one shard, so that the next one with the same target needs no reading.
///
/// It holds keys of documents and no documents. A target takes the place of another one with the same remainder of its hash.
final class HitMemo {
    final class Entry: Sendable {
        let target: [UInt8]
        /// The router that the request was for: with another configuration, the target can mean something else.
        let edition: Int
        let key: DocumentKey
        /// The name of the form of the answer.
        let form: String
        /// Whether the client's own directives about caches count.
        let countsClient: Bool

        init(target: [UInt8], edition: Int, key: DocumentKey, form: String, countsClient: Bool) {
            (self.target, self.edition, self.key, self.form) = (target, edition, key, form)
            self.countsClient = countsClient
        }

        func has(_ other: ArraySlice<UInt8>) -> Bool {
            guard target.count == other.count else { return false }
            return other.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { weir_equal(target, $0, bytes.count) } ?? true
            }
        }
    }

    /// The bytes that an entry takes up, about: most have half as many, the longest twice as many.
    private static let entryBytes = 512
    /// Longer targets are read each time.
    private static let longestTarget = 256
    private static let codings = 8

    /// A power of two.
    private let slots: Int
    private var entries: [Entry?] = []
    /// What values of Accept-Encoding mean.
    private var codings: [(value: [UInt8], coding: ContentCoding?)] = []

    /// A memo that takes up about `maximumBytes`.
    init(maximumBytes: Int) {
        let count = UInt32(min(max(16, maximumBytes / Self.entryBytes), 4096))
        slots = 1 << (31 - count.leadingZeroBitCount)
    }

    /// Returns what the target led to before, with the router of this edition.
    func find(_ target: ArraySlice<UInt8>, _ edition: Int) -> Entry? {
        if entries.isEmpty { return nil }
        guard let entry = entries[slot(target)], entry.edition == edition, entry.has(target) else { return nil }
        return entry
    }

    /// Keeps what a request has led to, unless its target is long.
    func remember(_ entry: Entry) {
        guard entry.target.count <= Self.longestTarget else { return }
        if entries.isEmpty { entries = [Entry?](repeating: nil, count: slots) }
        entries[slot(entry.target[...])] = entry
    }

    /// Returns the coding that a client prefers; most clients send one of a few values.
    func coding(_ headers: HeaderFields) -> ContentCoding? {
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
