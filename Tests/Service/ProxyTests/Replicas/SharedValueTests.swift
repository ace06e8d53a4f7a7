import HTTPClient
import HTTPCore
import TestSupport
import Testing

@testable import Proxy

@Suite("Values of documents in the store")
struct SharedValueTests {
    private static let policy = CachePolicy(defaultLifetime: 60)

    private static func document(_ body: String, failure: FetchFailure? = nil) -> CachedDocument {
        let headers = HeaderFields([("Cache-Control", "max-age=60"), ("ETag", "\"a\"")])
        let freshness = CachedResponse(
            status: failure == nil ? .ok : .notFound, headers: headers, requestTime: 1000, responseTime: 1001,
            policy: policy)
        let response = IncomingResponse(headers: HeaderFields([("Link", "<a>")]), body: Array(body.utf8))
        let key = DocumentKey(upstream: "sample", address: 1, target: "/1")
        return CachedDocument(key, DocumentContent(response), freshness, policy, failure: failure)
    }

    private static func read(_ bytes: [UInt8], key: String = "1:key") -> SharedValue? {
        SharedValue(bytes, key, policy: policy, maximumBytes: 1 << 20)
    }

    @Test("A document is read as it was written, compressed if that is shorter", arguments: [0, 10, 100_000])
    func roundTrip(size: Int) throws {
        let body = String(repeating: "0123456789", count: size / 10)
        let bytes = try #require(SharedValue.bytes(of: Self.document(body), "1:key"))
        #expect(bytes.count < 2000)
        guard case .answer(let record, let freshness, absence: nil)? = Self.read(bytes) else {
            Issue.record("not read")
            return
        }
        #expect(record.body == Array(body.utf8) && record.fields == "<a>")
        #expect(freshness.lifetime == 60 && freshness.validators != nil && freshness.responseTime == 1001)
    }

    @Test("The value of another key, or one that is larger than the limit, is not read")
    func otherKey() throws {
        let bytes = try #require(SharedValue.bytes(of: Self.document("a"), "1:key"))
        #expect(Self.read(bytes, key: "1:kez") == nil)
        #expect(SharedValue(bytes, "1:key", policy: Self.policy, maximumBytes: 10) == nil)
    }

    @Test("Requests to other upstreams, addresses, accounts or targets have other keys")
    func keys() {
        let keys = [("a", 1, "/1"), ("b", 1, "/1"), ("a", 2, "/1"), ("a", 1, "/2"), ("a", 1, "/1\nx: y")].map {
            SharedValue.key(DocumentKey(upstream: $0.0, address: UInt64($0.1), target: $0.2))
        }
        #expect(Set(keys).count == keys.count)
        #expect(keys.allSatisfy { $0.utf8.count == 66 && $0.hasPrefix("1:") })
    }

    @Test("Bytes that were changed, cut or invented are never read as another document", arguments: 0..<20)
    func mutations(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let sizes = [20, 3000]
        for _ in 0..<300 {
            let body = String(repeating: "some text ", count: sizes.randomElement(using: &random)! / 10)
            let whole = try #require(SharedValue.bytes(of: Self.document(body), "1:key"))
            var bytes = whole
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
            case 1:
                bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            case 2: bytes.append(0)
            default:
                // All but the bytes that say which answer it is.
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[.random(in: 4..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
            }
            // gzip has a time and the name of a system in its head, which mean nothing.
            if case .answer(let record, _, nil)? = Self.read(bytes) {
                #expect(bytes.count == whole.count && record.body == Array(body.utf8))
            }
        }
        // Any head at all leads to no crash.
        for _ in 0..<300 {
            let head: [UInt8] = [1] + (0..<15).map { _ in .random(in: 0...255, using: &random) }
            _ = Self.read(head + [UInt8](repeating: 7, count: Int.random(in: 0..<50, using: &random)))
        }
    }
}
