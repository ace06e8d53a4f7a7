import HTTPCore
import Testing

@testable import Proxy

struct KnownKeysTests {
    @Test func theLatestFormerKeysAreKnown() {
        let known = KnownKeys()
        let count = KnownKeys.maximumCount
        for number in 0..<count { #expect(known.add([Secret("\(number)")]).count == number + 1) }
        let keys = known.add([Secret("a"), Secret("b")])
        #expect(keys == (2..<count).map { Secret("\($0)") } + [Secret("a"), Secret("b")])
        // A key that is used again is as new as the others.
        #expect(known.add([Secret("2")]) == keys.dropFirst() + [Secret("2")])
    }

    @Test func theLatestTokensAreKnownBesideTheKeys() {
        let known = KnownKeys()
        for number in 1...9 { _ = known.add([Secret("a")], token: Secret("token-\(number)")) }
        let tokens = (6...9).map { Secret("token-\($0)") }
        // With other credentials too.
        #expect(known.add([Secret("b")]) == [Secret("a"), Secret("b")] + tokens)
        let count = KnownKeys.maximumCount
        #expect(known.add((0..<count).map { Secret("\($0)") }).suffix(tokens.count) == tokens)
    }

    @Test func currentKeysAreNeverForgotten() {
        let known = KnownKeys()
        let many = (0..<2 * KnownKeys.maximumCount).map { Secret("\($0)") }
        #expect(known.add(many) == many)
        #expect(known.add([Secret("a")]).count == KnownKeys.maximumCount)
    }
}
