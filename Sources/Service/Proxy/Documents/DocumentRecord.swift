import HTTPCore

/// A document of the cache as a record of a snapshot; the fuzzer compiles this file alone, with HTTPCore.
///
///     0  kind: 0 for a document, 1 for a look-up
///     1  checksum of the upstream's address, 8 bytes, little-endian
///     9  name of the upstream, digest of the key, kept fields, body: each is its length in 4 bytes and its bytes
///        what decides about its use, as `CachedResponse` encodes it
struct DocumentRecord {
    /// Whether it is the answer to a look-up of an id.
    var isLookUp = false
    /// What the key of the document has.
    var address: UInt64
    var upstream: String, target: String
    /// The kept fields of the upstream's answer, a line each; a line without a name is a Link.
    var fields: String
    var body: [UInt8]

    /// Returns the record with what decides about the use of the document.
    func encoded(_ response: CachedResponse) -> [UInt8] {
        let texts = [Array(upstream.utf8), Array(target.utf8), Array(fields.utf8), body]
        var record: [UInt8] = []
        record.reserveCapacity(texts.reduce(512) { $0 + $1.count })
        record.append(isLookUp ? 1 : 0)
        record.append(address, bytes: 8)
        for text in texts {
            record.append(UInt64(text.count), bytes: 4)
            record += text
        }
        response.encode(into: &record)
        return record
    }

    /// Reads a record from the start of `input` and removes its bytes, up to those of the `CachedResponse`; nil if they are
    /// none.
    init?(_ input: inout ArraySlice<UInt8>) {
        guard let kind = input.popFirst(), kind <= 1, input.count >= 8 else { return nil }
        isLookUp = kind == 1
        address = input.prefix(8).number
        input.removeFirst(8)
        guard let upstream = input.string(), let target = input.string(), let fields = input.string(),
            let body = input.text()
        else { return nil }
        (self.upstream, self.target, self.fields, self.body) = (upstream, target, fields, Array(body))
    }

    init(address: UInt64, upstream: String, target: String, fields: String, body: [UInt8]) {
        (self.address, self.upstream, self.target) = (address, upstream, target)
        (self.fields, self.body) = (fields, body)
    }
}

extension Array<UInt8> {
    /// Appends the lowest bytes of a number, the last one first.
    mutating func append(_ number: UInt64, bytes: Int) {
        for part in 0..<bytes { append(UInt8(truncatingIfNeeded: number >> (8 * part))) }
    }
}

extension ArraySlice<UInt8> {
    /// The number whose bytes these are, the last one first.
    var number: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }

    /// Removes a text behind its length; nil if there is no such text.
    fileprivate mutating func text() -> ArraySlice<UInt8>? {
        guard count >= 4 else { return nil }
        let length = Int(prefix(4).number)
        guard count - 4 >= length else { return nil }
        removeFirst(4)
        defer { removeFirst(length) }
        return prefix(length)
    }

    /// Removes a text behind its length; nil, too, if it is no UTF-8.
    fileprivate mutating func string() -> String? { text().flatMap { String(validating: $0, as: UTF8.self) } }
}
