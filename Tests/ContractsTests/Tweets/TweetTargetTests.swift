import Contracts
import LenientCoding
import Testing

@Suite("What upstreams of tweets are asked")
struct TweetTargetTests {
    @Test(
        "Each way of asking has its target",
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
            ("mastodon", .tweet(id: "../x"), "/api/v1/statuses/..%2Fx"),
            (
                "mastodon", .timeline(screenName: "7", count: 200, maxId: "9"),
                "/api/v1/accounts/7/statuses?limit=40&max_id=9"
            ),
            (
                "mastodon", .search(text: "a b", count: 5, maxId: nil),
                "/api/v2/search?type=statuses&q=a%20b&limit=5"
            ),
        ])
    func target(dialect name: String, query: TweetQuery, target: String) throws {
        #expect(try #require(TweetDialect.named(name)).target(for: query) == target)
    }

    @Test("v2 is asked for no fewer than 10 and no more than 100, before the id behind the last")
    func bounds() {
        func end(_ count: Int?, _ maxId: String?) -> Substring? {
            TweetDialect.twitterV2.target(for: .search(text: "x", count: count, maxId: maxId))
                .split(separator: "poll.fields=duration_minutes,end_datetime,options").last
        }
        #expect(end(1, nil) == "&max_results=10")
        #expect(end(200, "99") == "&max_results=100&until_id=100")
        #expect(end(20, "10999999999999999999") == "&max_results=20&until_id=11000000000000000000")
        #expect(end(20, "none") == "&max_results=20")
    }

    @Test("Of v2's answer no more tweets are kept than were asked for")
    func count() throws {
        let tweets = (1...3).map { #"{"id":"12120926280296980\#(50 - $0)","text":"x"}"# }.joined(separator: ",")
        let answer = #"{"data":[\#(tweets)],"meta":{"result_count":3,"oldest_id":"1212092628029698047"}}"#
        let query = TweetQuery.search(text: "x", count: 2, maxId: nil)
        let normalized = try TweetDialect.twitterV2.normalize(Array(answer.utf8), askedFor: query)
        let body = try #require(JSONValue(parsing: normalized.body))
        #expect(body["statuses"]?.elements?.count == 2)
        #expect(body["metadata"] == ["query": "x", "count": 2, "nextMaxId": "1212092628029698047"])
    }
}
