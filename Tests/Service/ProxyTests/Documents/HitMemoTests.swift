import Testing

@testable import Proxy

/// What a shard remembers of requests.
@Suite("What requests have led to")
struct TargetCacheTests {
    @Test("It takes up no more than its memory, however long the targets are")
    func memo() {
        let memo = TargetCache(maximumBytes: 64 << 10)
        func remember(_ target: String) {
            memo.remember(
                TargetCache.Entry(
                    target: Array(target.utf8), edition: 1, key: DocumentKey(upstream: "a", address: 1, target: target),
                    form: FormOf("si"), countsClient: false))
        }
        for number in 0..<5000 {
            remember("/\(number)?fields=" + String(repeating: "a", count: number % 480))
            #expect(memo.bytes <= 64 << 10)
        }
        remember("/weather")
        let key = DocumentKey(upstream: "a", address: 1, target: "/weather")
        #expect(memo.entry(Array("/weather".utf8)[...], 1)?.key == key)
        #expect(memo.entry(Array("/weather".utf8)[...], 2) == nil)
    }
}
