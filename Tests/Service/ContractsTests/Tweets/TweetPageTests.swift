import API
import ContractsSupport
import Records
import Testing
import Contracts

/// The length of a list and the identifier at which the next page starts.
@Suite("Pages of tweets")
struct TweetPageTests {
    private static let lists = [
        "twitter": """
        [{"id":30,"text":"x","created_at":"Thu Jan 01 18:00:37 +0000 2026"},
         {"id":20,"text":"y","created_at":"Thu Jan 01 18:00:37 +0000 2026"}]
        """,
        "twitterV2": """
        {"data":[{"id":"30","text":"x","created_at":"2026-01-01"},{"id":"20","text":"y","created_at":"2026-01-01"}],
         "meta":{"oldest_id":"15","next_token":"t"}}
        """,
        "mastodon": """
        [{"id":"30","content":"x","created_at":"2026-01-01"},{"id":"20","content":"y","created_at":"2026-01-01"}]
        """,
    ]

    @Test(
        "A page has at most the requested number of tweets, and the next page starts after its last tweet",
        arguments: [
            ("twitter", nil, 2, "19"), ("twitter", 2, 2, "19"), ("twitter", 1, 1, "29"),
            ("twitterV2", nil, 2, "14"), ("twitterV2", 1, 1, "29"),
            ("mastodon", 200, 2, "20"), ("mastodon", 1, 1, "30"),
        ] as [(String, Int?, Int, String)])
    func count(dialect name: String, count: Int?, kept: Int, next: String) throws {
        let dialect = try #require(TweetDialect.named(name)), list = try #require(Self.lists[name])
        let query = TweetQuery.timeline(screenName: "a", count: count, maxId: nil)
        let page = try dialect.normalize(Array(list.utf8), answering: query).shaped()
        #expect(try #require(JSONValue(parsing: page.body)).elements?.count == kept)
        #expect(page.nextMaxId == next)
    }

    @Test(
        "A Link field gives the next page or the end of the list; an invalid one is ignored",
        arguments: [
            (
                #"<https://a.example/x?limit=2&max_id=17>; rel="next", <https://a.example/x?min_id=30>; rel="prev""#,
                "17"
            ),
            (
                #"<https://a.example/x?min_id=30>; rel="prev", <https://a.example/x?max_id=AmQ1-b_c>; rel="next""#,
                "AmQ1-b_c"
            ),
            ("<https://a.example/x?max_id=17>; rel=next", "17"),
            (#"<https://a.example/x?min_id=30>; rel="prev""#, nil),
            (#"<https://a.example/x?page=2>; rel="next""#, "20"),
            (#"<https://a.example/x?max_id=a%20b>; rel="next""#, "20"),
            (#"<https://a.example/x?max_id=>; rel="next""#, "20"), ("", "20"), ("<<<,>;;\",", "20"),
            (#"<?max_id=\#(String(repeating: "1", count: 65))>; rel="next""#, "20"),
        ])
    func link(link: String, next: String?) throws {
        let list = try #require(Self.lists["mastodon"])
        let page = try TweetDialect.mastodon.normalize(Array(list.utf8), link: link).shaped()
        #expect(page.nextMaxId == next)
    }

    @Test("A shortened list continues after its last tweet, whatever the Link field says")
    func shortenedList() throws {
        let list = try #require(Self.lists["mastodon"])
        let page = try TweetDialect.mastodon.normalize(
            Array(list.utf8), answering: .timeline(screenName: "a", count: 1, maxId: nil),
            link: #"<https://a.example/x?max_id=17>; rel="next""#
        ).shaped()
        #expect(page.nextMaxId == "30")
    }
}
