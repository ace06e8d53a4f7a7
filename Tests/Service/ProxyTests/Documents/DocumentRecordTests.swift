import HTTPCore
import Testing

@testable import Proxy

/// Records of documents in a snapshot; `Tests/Fuzz/Targets/snapshot.swift` looks for others.
@Suite("Records of documents")
struct DocumentRecordTests {
    private static let policy = CachePolicy(defaultLifetime: 60)

    private static func record(isLookUp: Bool = false, _ origin: DocumentOrigin? = nil) throws -> [UInt8] {
        var record = DocumentRecord(
            address: 0x0123_4567_89AB_CDEF, upstream: "ský", target: "/forecast/{key}/1,2", fields: "<a>",
            body: [0, 255])
        (record.isLookUp, record.origin) = (isLookUp, origin)
        let headers = HeaderFields([("Cache-Control", "max-age=60"), ("ETag", "\"a\"")])
        return record.encoded(
            try #require(
                CachedResponse(
                    status: .ok, headers: headers, requestTime: 1000, responseTime: 1001, policy: policy)))
    }

    /// Returns what a record is written to after it was read; nil if it is refused.
    private static func again(_ bytes: [UInt8]) -> [UInt8]? {
        var rest = bytes[...]
        guard let record = DocumentRecord(&rest),
            let response = CachedResponse(decoding: &rest, policy: policy), rest.isEmpty
        else { return nil }
        return record.encoded(response)
    }

    @Test("A record that was written is read again", arguments: [false, true])
    func roundTrip(_ isLookUp: Bool) throws {
        let bytes = try Self.record(isLookUp: isLookUp)
        #expect(Self.again(bytes) == bytes)
        var rest = bytes[...]
        let record = try #require(DocumentRecord(&rest))
        #expect(record.isLookUp == isLookUp && record.address == 0x0123_4567_89AB_CDEF)
        #expect(record.upstream == "ský" && record.target == "/forecast/{key}/1,2" && record.fields == "<a>")
        #expect(record.body == [0, 255])
    }

    @Test("A record has the client's request, if it is no longer than 2 KiB")
    func origins() throws {
        for count in [1, 2048] {
            let origin = DocumentOrigin(route: "/é", target: String(repeating: "/", count: count))
            let bytes = try Self.record(isLookUp: true, origin)
            #expect(Self.again(bytes) == bytes)
            var rest = bytes[...]
            let record = try #require(DocumentRecord(&rest))
            #expect(record.origin == origin && record.isLookUp)
            for count in bytes.indices { #expect(Self.again(Array(bytes[..<count])) == nil, "\(count) bytes") }
        }
        let long = DocumentOrigin(route: "/", target: String(repeating: "/", count: 2049))
        #expect(Self.again(try Self.record(long)) == nil)
    }

    @Test("A record that ends early, goes on, or has another kind or a length that lies is refused")
    func damage() throws {
        let bytes = try Self.record()
        for count in bytes.indices { #expect(Self.again(Array(bytes[..<count])) == nil, "\(count) bytes") }
        #expect(Self.again(bytes + [0]) == nil)
        #expect(Self.again([2] + bytes.dropFirst()) == nil)
        #expect(Self.again([4] + bytes.dropFirst()) == nil)
        // The length of the upstream's name, one of its bytes that is no UTF-8 then, and the length of the body.
        let body = 9 + 4 + 4 + 4 + 19 + 4 + 3
        for (place, value) in [(9, UInt8(5)), (12, 0xFF), (15, 0x41), (body, 3), (body + 3, 0x7F)] {
            var changed = bytes
            changed[place] = value
            #expect(Self.again(changed) == nil, "\(value) at \(place)")
        }
    }
}
