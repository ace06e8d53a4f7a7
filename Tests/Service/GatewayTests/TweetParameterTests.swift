@testable import API
import Contracts
import HTTPCore
import Records
import Testing

@testable import Gateway

@Suite("Parameters of the tweet routes")
struct TweetParameterTests {
    /// A dialect of a mapping whose ids are addresses.
    private static let ours: TweetDialect = {
        var rules = MappedTweetRules()
        rules.idPattern = "^at://[^/]+/[^/]+$"
        rules.matchesID = { $0.wholeMatch(of: /at:\/\/[^\/]+\/[^\/]+/) != nil }
        return TweetDialect(
            mapped: "ours", keyLocation: .none, needsKey: false, kinds: Set(MappedTweets.Kind.allCases), rules: rules
        ) { _, _ in throw RecordReader().failure(expected: "nothing") }
    }()

    private static func value(
        of name: String, _ text: String, _ dialects: [TweetDialect]
    ) throws -> String? {
        let known = TweetParameters(dialects, showsUpstream: false)
        let parameter = name == "id" ? known.id : known.maxId
        let query = try #require(Query(""))
        var parameters = Parameters(query, values: [(name, text)], names: [], takesOthers: false)
        return parameters.read(parameter)
    }

    @Test(
        "An id is that of any upstream",
        arguments: [
            ("at://did:plc:a/3k", [ours], true), ("at://did:plc:a/3k", [.twitter, ours], true),
            ("at://did:plc:a/3k", [.mastodon], false), ("at://did:plc:a/3k", [.twitter], false),
            ("7", [ours], false), ("7", [ours, .twitter], true), ("a-b_c", [.mastodon, ours], true),
            ("at://a/\(String(repeating: "b", count: 504))", [ours], true),
            ("at://a/\(String(repeating: "b", count: 506))", [ours], false), ("at://a/\u{7}", [ours], false),
        ] as [(String, [TweetDialect], Bool)])
    func ids(text: String, dialects: [TweetDialect], isID: Bool) throws {
        #expect(try Self.value(of: "id", text, dialects) == (isID ? text : nil))
    }

    @Test(
        "A page starts at an id, or at any cursor of a mapping",
        arguments: [
            ("2026-03-14T07:00:00.5Z::b/c=", [ours], true), ("雨 +", [.twitter, ours], true), ("7", [.twitter], true),
            ("2026-03-14T07:00:00.5Z::b/c=", [.twitter], false), ("a\u{1B}[2J", [ours], false),
            (String(repeating: "x", count: 513), [ours], false),
        ] as [(String, [TweetDialect], Bool)])
    func cursors(text: String, dialects: [TweetDialect], isStart: Bool) throws {
        #expect(try Self.value(of: "maxId", text, dialects) == (isStart ? text : nil))
    }

    @Test(
        "The description of ids has the patterns of all upstreams",
        arguments: [
            ([.twitter], "^[0-9]{1,19}$"), ([.twitter, .mastodon], "^[A-Za-z0-9_-]{1,64}$"),
            ([ours], "^at://[^/]+/[^/]+$"), ([.twitter, ours], "(?:^[0-9]{1,19}$)|(?:^at://[^/]+/[^/]+$)"),
        ] as [([TweetDialect], String)])
    func patterns(dialects: [TweetDialect], pattern: String) {
        let spec = TweetParameters(dialects, showsUpstream: false).id.spec
        #expect(spec.schema["pattern"]?.stringValue == pattern)
    }
}
