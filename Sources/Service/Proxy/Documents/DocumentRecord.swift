import HTTPCore

/// A document of the cache as a record of a snapshot; the fuzzer compiles this file alone, with HTTPCore.
///
///     0  kind: 1 for a look-up, and 2 more for a record with the client's request
///     1  checksum of the upstream's address, 8 bytes, little-endian
///     9  name of the upstream, digest of the key, kept fields, body, and, with a client's request, the template of its
///        route and its target: each is its length in 4 bytes and its bytes
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
    /// The request for which the document was fetched; nil if it is not kept.
    var origin: DocumentOrigin?

    /// Returns the record with what decides about the use of the document.
    func encoded(_ response: CachedResponse) -> [UInt8] {
        let request = origin.map { [Array($0.route.utf8), Array($0.target.utf8)] } ?? []
        let texts = [Array(upstream.utf8), Array(target.utf8), Array(fields.utf8), body] + request
        var record: [UInt8] = []
        record.reserveCapacity(texts.reduce(512) { $0 + $1.count })
        record.append((isLookUp ? 1 : 0) | (origin == nil ? 0 : 2))
        record.append(littleEndian: address)
        for text in texts { record.append(counted: text) }
        response.encode(into: &record)
        return record
    }

    /// Reads a record from the start of `input` and removes its bytes, up to those of the `CachedResponse`; nil if they are
    /// none.
    init?(_ input: inout ArraySlice<UInt8>) {
        guard let kind = input.popFirst(), kind <= 3, let address = input.takeNumber(UInt64.self),
            let upstream = input.takeString(), let target = input.takeString(), let fields = input.takeString(),
            let body = input.takeCounted()
        else { return nil }
        if kind & 2 != 0 {
            guard let route = input.takeString(), let target = input.takeString(),
                max(route.utf8.count, target.utf8.count) <= DocumentOrigin.maximumBytes
            else { return nil }
            origin = DocumentOrigin(route: route, target: target)
        }
        (isLookUp, self.address) = (kind & 1 != 0, address)
        (self.upstream, self.target, self.fields, self.body) = (upstream, target, fields, Array(body))
    }

    init(address: UInt64, upstream: String, target: String, fields: String, body: [UInt8]) {
        (self.address, self.upstream, self.target) = (address, upstream, target)
        (self.fields, self.body) = (fields, body)
    }
}

/// The request of a client for which a document was fetched, without credentials.
struct DocumentOrigin: Sendable, Equatable {
    /// The longest template and the longest target that are kept.
    static let maximumBytes = 2048

    /// The template of the route, and the path and the query.
    let route: String, target: String
}

extension ArraySlice<UInt8> {
    /// Removes a text behind its length; nil, too, if it is no UTF-8.
    fileprivate mutating func takeString() -> String? {
        takeCounted().flatMap { String(validating: $0, as: UTF8.self) }
    }
}
