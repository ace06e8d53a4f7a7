import API
import ContractsSupport
import JSONText
import Records
import Testing
import Contracts

@Suite("Targets of tweet upstreams")
struct TweetTargetTests {
    @Test(
        "Each query has its target",
        arguments: [
            (
                TweetDialect.twitter.name, TweetQuery.tweet(id: "1/2?"),
                "/1.1/statuses/show.json?id=1%2F2%3F&tweet_mode=extended&include_ext_alt_text=true"
            ),
            (
                "twitter", .timeline(screenName: "a&b", count: 5, maxId: "9"),
                "/1.1/statuses/user_timeline.json?screen_name=a%26b&tweet_mode=extended&include_ext_alt_text=true"
                    + "&count=5&max_id=9"
            ),
            (
                "twitter", .search(text: "#rain now", count: nil, maxId: nil),
                "/1.1/search/tweets.json?q=%23rain%20now&tweet_mode=extended&include_ext_alt_text=true"
            ),
            (
                "twitter", .search(text: "rain", count: 200, maxId: "9"),
                "/1.1/search/tweets.json?q=rain&tweet_mode=extended&include_ext_alt_text=true&count=100&max_id=9"
            ),
            ("mastodon", .tweet(id: "../x"), "/api/v1/statuses/..%2Fx"),
            (
                "mastodon", .timeline(screenName: "7", count: 200, maxId: "9"),
                "/api/v1/accounts/7/statuses?limit=40&max_id=9"
            ),
            (
                "mastodon", .search(text: "a b", count: 5, maxId: nil),
                "/api/v2/search?type=statuses&q=a%20b&limit=5"
            ),
            (
                "mastodon", .search(text: "#Hochwasser_Ö", count: 5, maxId: "9"),
                "/api/v1/timelines/tag/Hochwasser_%C3%96?limit=5&max_id=9"
            ),
            (
                "mastodon", .search(text: "#a #b", count: 5, maxId: nil),
                "/api/v2/search?type=statuses&q=%23a%20%23b&limit=5"
            ),
            ("mastodon", .search(text: "#..", count: 5, maxId: nil), "/api/v2/search?type=statuses&q=%23..&limit=5"),
        ])
    func target(dialect name: String, query: TweetQuery, target: String) throws {
        #expect(try #require(TweetDialect.named(name)).target(for: query) == target)
    }

    @Test("v2 is asked for at least its minimum and at most 100 tweets, before the identifier after the last")
    func bounds() {
        func parts(_ query: TweetQuery) -> [Substring] {
            let fields = "poll.fields=duration_minutes,end_datetime,options"
            return TweetDialect.twitterV2.target(for: query).split(separator: fields, omittingEmptySubsequences: false)
        }
        func end(_ count: Int?, _ maxId: String?) -> Substring? {
            parts(.search(text: "x", count: count, maxId: maxId)).last
        }
        #expect(end(1, nil) == "&max_results=10")
        #expect(end(200, "99") == "&max_results=100&until_id=100")
        #expect(end(20, "1099999999999999999") == "&max_results=20&until_id=1100000000000000000")
        // There is no id of 20 digits.
        #expect(end(20, "9999999999999999999") == "&max_results=20")
        #expect(end(20, "none") == "&max_results=20")
        let timeline = parts(.timeline(screenName: "3/1", count: 1, maxId: "99"))
        #expect(timeline.first?.hasPrefix("/2/users/3%2F1/tweets?expansions=") == true)
        #expect(timeline.last == "&max_results=5&until_id=100")
    }

    @Test(
        "Upstreams that need a user's identifier look it up by the name",
        arguments: [
            ("twitterV2", "/2/users/by/username/a%26b", #"{"data":{"id":"31","username":"a"}}"#),
            ("mastodon", "/api/v1/accounts/lookup?acct=a%26b", #"{"id":"31","acct":"a"}"#),
        ])
    func lookup(dialect name: String, target: String, answer: String) throws {
        let dialect = try #require(TweetDialect.named(name))
        let lookup = try #require(dialect.lookup(for: .timeline(screenName: "a&b", count: 3, maxId: "9")))
        #expect(lookup.target == target)
        let id = try lookup.user(Array(answer.utf8), JSONOptions(), dialect)
        #expect(lookup.resolved(by: id) == .timeline(screenName: "31", count: 3, maxId: "9"))
        #expect(throws: ContractError.self) { try lookup.user(Array("{}".utf8), JSONOptions(), dialect) }
        #expect(dialect.lookup(for: .search(text: "x", count: nil, maxId: nil))?.target == nil)
        #expect(TweetDialect.twitter.lookup(for: .timeline(screenName: "a", count: nil, maxId: nil))?.target == nil)
    }

    @Test("A search for a name of Mastodon finds the account of exactly that name")
    func accountSearch() throws {
        let query = TweetQuery.timeline(screenName: "Ada", count: 3, maxId: nil)
        let search = try #require(TweetDialect.mastodon.lookup(for: query, endpoint: 1))
        #expect(search.target == "/api/v1/accounts/search?limit=40&q=Ada")
        func id(_ accounts: String) throws -> String {
            try search.user(Array(accounts.utf8), JSONOptions(), .mastodon)
        }
        #expect(try id(#"[{"id":"8","acct":"ada@b.example"},{"id":9,"acct":"ada"}]"#) == "9")
        for none in ["[]", #"[{"id":"8","acct":"ada@b.example"}]"#] {
            #expect(throws: TweetDialect.Refusal.self) { try id(none) }
        }
        for wrong in ["{}", #"[{"id":"-1","acct":"ada"}]"#, #"[{"id":"../x","acct":"ada"}]"#] {
            #expect(throws: ContractError.self) { try id(wrong) }
        }
    }

    @Test("v2's answer is shortened to the requested number of tweets")
    func count() throws {
        let tweets = (1...3).map { #"{"id":"12120926280296980\#(50 - $0)","text":"x"}"# }.joined(separator: ",")
        let answer = #"{"data":[\#(tweets)],"meta":{"result_count":3,"oldest_id":"1212092628029698047"}}"#
        let query = TweetQuery.search(text: "x", count: 2, maxId: nil)
        let normalized = try TweetDialect.twitterV2.normalize(Array(answer.utf8), answering: query).shaped()
        let body = try #require(JSONValue(parsing: normalized.body))
        #expect(body["statuses"]?.elements?.count == 2)
        #expect(body["metadata"] == ["query": "x", "count": 2, "nextMaxId": "1212092628029698047"])
    }
}
