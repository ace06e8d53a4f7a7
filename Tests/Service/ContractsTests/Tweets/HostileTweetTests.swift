import API
import ContractsSupport
import JSONText
import Records
import TestSupport
import Testing
import Contracts

/// Documents made to be slow, large or invalid.
@Suite("Hostile tweets")
struct HostileTweetTests {
    private static func twitter(_ text: String, _ members: String) -> String {
        #"{"created_at":"Wed Aug 27 13:08:45 +0000 2008","id":1,"full_text":"\#(text)",\#(members)}"#
    }

    private static func repeated(_ text: String, _ count: Int) -> String {
        Array(repeating: text, count: count).joined(separator: ",")
    }

    /// Documents of about `size` bytes; quadratic work would take hours at two megabytes.
    private static let documents: [(name: String, dialect: String, make: @Sendable (Int) -> String)] = [
        (
            "misplaced entities in a long text", "twitter",
            { size in
                twitter(
                    String(repeating: "😀#a ", count: size / 8),
                    #""entities":{"hashtags":[\#(repeated(#"{"text":"b","indices":[9,99]}"#, size / 30))]}"#)
            }
        ),
        (
            "entities far into a long text", "twitter",
            { size in
                twitter(
                    String(repeating: "é&amp;", count: size / 7) + "#a",
                    #""entities":{"hashtags":[\#(repeated(#"{"text":"a","indices":[\#(size / 7 * 6),\#(size / 7 * 6 + 2)]}"#, size / 40))]}"#
                )
            }
        ),
        (
            "long links that are almost in a long text", "twitter",
            { size in
                let text = String(repeating: "a", count: min(size, 200_000))
                return twitter(
                    text,
                    #""entities":{"urls":[\#(repeated(#"{"url":"\#(text.dropFirst(text.count / 2))b","indices":[0,3]}"#, 9))]}"#
                )
            }
        ),
        (
            "signs that almost start a word", "twitter",
            { size in
                let sign = String(repeating: "#", count: 20)
                return twitter(
                    String(repeating: "#", count: size / 4),
                    #""entities":{"hashtags":[\#(repeated(#"{"text":"\#(sign)b","indices":[9,99]}"#, size / 60))]}"#)
            }
        ),
        ("unterminated tags", "mastodon", { size in status(String(repeating: "<a", count: size / 2)) }),
        ("unterminated comments", "mastodon", { size in status(String(repeating: "<!-- ", count: size / 5)) }),
        (
            "unterminated spans", "mastodon",
            { size in status(String(repeating: "<span class='ellipsis'>", count: size / 23)) }
        ),
        (
            "many links and mentions", "mastodon",
            { size in
                status(
                    String(repeating: "<a href='https://a.example/@b'>é</a>", count: size / 40),
                    #""mentions":[\#(repeated(#"{"id":"1","username":"b","acct":"b","url":"https://a.example/@b"}"#, 500))],"tags":[\#(repeated(#"{"name":"c"}"#, 500))]"#
                )
            }
        ),
        (
            "a long author of many tweets", "twitterV2",
            { size in
                #"{"data":[\#(repeated(#"{"id":"1212092628029698048","text":"x","author_id":"7"}"#, min(9_000, size / 60)))],"includes":{"users":[{"id":"7","username":"a","description":"\#(String(repeating: "x", count: size))"}]}}"#
            }
        ),
        (
            "a long tweet that many tweets quote", "twitterV2",
            { size in
                #"{"data":[\#(repeated(#"{"id":"1212092628029698048","text":"x","referenced_tweets":[{"type":"quoted","id":"9"}]}"#, min(9_000, size / 100)))],"includes":{"tweets":[{"id":"9","created_at":"2020-01-01","text":"\#(String(repeating: "x", count: size))"}]}}"#
            }
        ),
    ]

    private static func status(_ content: String, _ members: String = #""language":"en""#) -> String {
        #"{"id":"1","created_at":"2019-12-08","content":"\#(content)",\#(members)}"#
    }

    @Test("Each document is normalized, and no answer is much larger than its document", arguments: documents.indices)
    func normalized(index: Int) async throws {
        let (name, dialectName, make) = Self.documents[index]
        let dialect = try #require(TweetDialect.named(dialectName))
        for size in [1_000, 2_000_000] {
            let bytes = Array(make(size).utf8)
            let length = await RecordedTweets.queue.run { try? dialect.normalize(bytes).shaped().body.count }
            let answered = try #require(length, "\(name)")
            #expect(answered < 8 * bytes.count + (48 << 20), "\(name)")
        }
    }

    @Test("Of a hundred thousand entities 500 are kept, and the others are dropped and counted")
    func entities() async throws {
        let document = Self.twitter(
            "#a", #""entities":{"hashtags":[\#(Self.repeated(#"{"text":"a","indices":[0,2]}"#, 100_000))]}"#)
        let answer = try await #require(
            RecordedTweets.queue.run { try? TweetDialect.twitter.normalize(Array(document.utf8)).shaped() })
        let body = try #require(JSONValue(parsing: answer.body))
        #expect(body["entities"]?["hashtags"]?.elements?.count == 500)
        #expect(answer.drift.entries.map(\.count) == [99_500])
        #expect(answer.drift.entries.map(\.reason) == [.tooMany])
    }

    @Test("Nested tweets are cut below the first level, and too many levels are an error")
    func nesting() throws {
        func nested(_ levels: Int) -> [UInt8] {
            let open = #"{"created_at":"Wed Aug 27 13:08:45 +0000 2008","id":1,"text":"x","quoted_status":"#
            return Array((String(repeating: open, count: levels) + "null" + String(repeating: "}", count: levels)).utf8)
        }
        let body = try TweetDialect.twitter.normalize(nested(200)).shaped().body
        #expect(try TweetInventory.tweets(in: #require(JSONValue(parsing: body))).count == 2)
        #expect(throws: JSONSyntaxError.self) { try TweetDialect.twitter.normalize(nested(100_000)) }
    }

    @Test(
        "Nested statuses are cut below the first level, and too many levels are an error",
        arguments: [(#""reblog":"#, ""), (#""quote":"#, ""), (#""pleroma":{"quote":"#, "}")])
    func nestedStatuses(start: String, end: String) throws {
        func nested(_ levels: Int) -> [UInt8] {
            let open = #"{"id":"1","created_at":"2019-12-08","content":"x","# + start
            let close = end + "}"
            return Array(
                (String(repeating: open, count: levels) + "null" + String(repeating: close, count: levels)).utf8)
        }
        let body = try TweetDialect.mastodon.normalize(nested(200)).shaped().body
        #expect(try TweetInventory.tweets(in: #require(JSONValue(parsing: body))).count == 2)
        #expect(throws: JSONSyntaxError.self) { try TweetDialect.mastodon.normalize(nested(100_000)) }
    }

    @Test("A lone surrogate is a replacement character and one code point")
    func surrogates() throws {
        let document = Self.twitter(
            #"\ud83d #a \ude00"#, #""entities":{"hashtags":[{"text":"a","indices":[2,4]}]}"#)
        let normalized = try TweetDialect.twitter.normalize(Array(document.utf8)).shaped()
        let body = try #require(JSONValue(parsing: normalized.body))
        #expect(body["fullText"] == "\u{FFFD} #a \u{FFFD}")
        #expect(body["entities"]?["hashtags"]?[0]?["indices"] == [2, 4])
    }

    @Test("Damaged documents are errors or give answers with correct indices", arguments: 0..<4)
    func damaged(part: Int) async throws {
        let fixtures = try TweetDialect.all.flatMap { dialect in
            try Fixture.all(in: dialect.name).map { (dialect, $0.input) }
        }
        let faults = await RecordedTweets.queue.run {
            (0..<400).flatMap { number -> [String] in
                var random = SplitMix64(seed: UInt64(part * 400 + number + 1))
                func next(_ bound: Int) -> Int { Int.random(in: 0..<max(bound, 1), using: &random) }
                var (dialect, bytes) = fixtures[next(fixtures.count)]
                for _ in 0...next(4) {
                    let start = next(bytes.count)
                    let end = min(bytes.count, start + next(12))
                    let other = fixtures[next(fixtures.count)].1
                    let from = next(other.count)
                    bytes.replaceSubrange(start..<end, with: other[from..<min(other.count, from + next(24))])
                }
                guard let body = try? dialect.normalize(bytes).shaped().body else { return [] }
                guard let answer = JSONValue(parsing: body) else { return ["\(number): no JSON"] }
                return TweetInventory.misplaced(in: answer).map { "\(number): \($0)" }
            }
        }
        #expect(faults == [])
    }
}
