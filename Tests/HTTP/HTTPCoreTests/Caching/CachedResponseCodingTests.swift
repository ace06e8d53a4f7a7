import HTTPCore
import TestSupport
import Testing

struct CachedResponseCodingTests {
    private static let policy = CachePolicy(staleIfError: 60)

    private static func bytes() throws -> [UInt8] {
        let response = try #require(
            CachedResponseTests.response(
                "Cache-Control: max-age=60", "ETag: \"a\"", "Vary: Foo, Bar", "Age: 7", "Server: x", status: 203,
                request: ["Foo: 1"], policy: policy))
        var bytes: [UInt8] = []
        response.encode(into: &bytes)
        return bytes
    }

    @Test func aSnapshotKeepsEverythingThatDecides() throws {
        var input = try (Self.bytes() + [1, 2])[...]
        let read = try #require(CachedResponse(decoding: &input, policy: Self.policy))
        #expect(Array(input) == [1, 2])
        #expect([read.status.code, read.lifetime, read.staleIfError] == [203, 60, 60])
        #expect(read.age(at: CachedResponseTests.now + 3) == 10)
        #expect(read.validators?.entityTag == "\"a\"")
        #expect(read.matches(HeaderFields(lines: ["Foo: 1"])) && !read.matches(HeaderFields(lines: ["Bar: 2"])))
        var again: [UInt8] = []
        read.encode(into: &again)
        #expect(try again == Self.bytes())
        #expect(!String(decoding: again, as: UTF8.self).contains("Server"))
    }

    @Test func thePolicyOfTheReaderCounts() throws {
        var input = try Self.bytes()[...]
        #expect(CachedResponse(decoding: &input, policy: CachePolicy(ceiling: 9))?.lifetime == 9)
        input = try Self.bytes()[...]
        let read = CachedResponse(
            decoding: &input, policy: CachePolicy(defaultLifetime: 5, obeysUpstream: false))
        #expect(read?.lifetime == 5 && read?.matches(HeaderFields(lines: ["Foo: 2"])) == true)
    }

    @Test func damagedBytesAreRefusedOrReadAsAnotherResponse() throws {
        let bytes = try Self.bytes()
        for length in bytes.indices {
            var input = bytes[..<length]
            #expect(CachedResponse(decoding: &input, policy: Self.policy) == nil, "\(length)")
        }
        var random = SplitMix64(seed: 9211)
        for _ in 0..<20_000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: damaged.indices, using: &random)
                damaged[index] = [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)].randomElement(
                    using: &random)!
            }
            var input = damaged[...]
            let read = CachedResponse(decoding: &input, policy: Self.policy)
            #expect(read.map { (0...CacheControl.longest).contains($0.age(at: .max)) } ?? true)
        }
    }
}
