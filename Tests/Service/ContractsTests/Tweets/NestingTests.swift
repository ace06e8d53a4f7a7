import API
import Foundation
import JSONText
import Records
import TestSupport
import Testing
import Contracts

/// Tweets in tweets, which are read by recursion.
@Suite("Deeply nested tweets")
struct NestingTests {
    private static let status = #"{"id":"1","created_at":"2019-12-08","content":"x","#
    private static let tweet = #"{"created_at":"Wed Aug 27 13:08:45 +0000 2008","id":1,"text":"x","#

    private static let shapes: [(dialect: String, open: String, close: String, depth: Int)] = [
        ("twitter", tweet + #""quoted_status":"#, "}", 1), ("twitter", tweet + #""retweeted_status":"#, "}", 1),
        ("mastodon", status + #""reblog":"#, "}", 1), ("mastodon", status + #""quote":"#, "}", 1),
        ("mastodon", status + #""quote":{"state":"accepted","quoted_status":"#, "}}", 2),
        ("mastodon", status + #""pleroma":{"quote":"#, "}}", 2),
    ]

    /// Runs `body` on a thread with a stack of `kilobytes`.
    private static func run<Result: Sendable>(
        stack kilobytes: Int, _ body: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.stackSize = kilobytes << 10
            thread.start()
        }
    }

    /// Dispatch's threads have 512 KB on some platforms; without optimization, a level takes five times as much.
    @Test("64 levels take less stack than a thread has", arguments: shapes.indices)
    func stack(_ index: Int) async throws {
        let shape = Self.shapes[index]
        let levels = 64 / shape.depth
        let text = String(repeating: shape.open, count: levels) + "null" + String(repeating: shape.close, count: levels)
        #if DEBUG
            let kilobytes = 1024
        #else
            let kilobytes = 256
        #endif
        let count = await Self.run(stack: kilobytes) {
            try? TweetDialect.named(shape.dialect)?.normalize(
                Array(text.utf8), options: JSONOptions(maximumDepth: 64)
            ).shaped().explained(source: DocumentSource(dialect: "x")).count
        }
        #expect(count != nil)
    }

    @Test("Below 500 quotes, 100,000 unknown members are counted in 100 ms")
    func drift() async throws {
        let members = (0..<100_000).map { "\"k\($0)\":0" }.joined(separator: ",")
        let open = Self.tweet + #""quoted_status":"#
        let text = String(repeating: open, count: 500) + Self.tweet + members + "}" + String(repeating: "}", count: 500)
        let bytes = Array(text.utf8)
        let clock = ContinuousClock()
        let (normalized, best) = await Self.run(stack: 32 << 10) {
            var normalized: ShapedDocument?
            let times = (0..<3).map { _ in
                clock.measure { normalized = try? TweetDialect.twitter.normalize(bytes).shaped() }
            }
            return (normalized, times.min())
        }
        let drift = try #require(normalized?.drift)
        #expect(drift.entries.reduce(0) { $0 + $1.count } + drift.unlisted == 100_000)
        #if DEBUG
            // 0.03 s with optimization; the quadratic way took ten times as long.
            let limit = Duration.seconds(3)
        #else
            let limit = Duration.milliseconds(100)
        #endif
        #expect(try #require(best) < limit)
    }
}
