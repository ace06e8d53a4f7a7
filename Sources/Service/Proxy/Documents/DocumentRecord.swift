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
        record.append(littleEndian: address)
        for text in texts { record.append(counted: text) }
        response.encode(into: &record)
        return record
    }

    /// Reads a record from the start of `input` and removes its bytes, up to those of the `CachedResponse`; nil if they are
    /// none.
    init?(_ input: inout ArraySlice<UInt8>) {
        guard let kind = input.popFirst(), kind <= 1, let address = input.takeNumber(UInt64.self),
            let upstream = input.takeString(), let target = input.takeString(), let fields = input.takeString(),
            let body = input.takeCounted()
        else { return nil }
        (isLookUp, self.address) = (kind == 1, address)
        (self.upstream, self.target, self.fields, self.body) = (upstream, target, fields, Array(body))
    }

    init(address: UInt64, upstream: String, target: String, fields: String, body: [UInt8]) {
        (self.address, self.upstream, self.target) = (address, upstream, target)
        (self.fields, self.body) = (fields, body)
    }
}

extension ArraySlice<UInt8> {
    /// Removes a text behind its length; nil, too, if it is no UTF-8.
    fileprivate mutating func takeString() -> String? {
        takeCounted().flatMap { String(validating: $0, as: UTF8.self) }
    }
}
