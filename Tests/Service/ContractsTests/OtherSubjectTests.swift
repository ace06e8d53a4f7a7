import Contracts
import JSONText
import Testing

/// Answers that are about another place, tweet or user than the request.
@Suite("Other subjects")
struct OtherSubjectTests {
    @Test(
        "The distance of a forecast is that of its place, in degrees of latitude",
        arguments: [
            ((1, 2), (1, 2), 0), ((1, 2), (1.5, 2), 0.5), ((0, 2), (0, 2.25), 0.25), ((60, 2), (60, 3), 0.5),
            ((0, 180), (0, -180), 0), ((0, 179), (0, -179), 2), ((90, 10), (90, -170), 0), ((1, 2), (-1, 2), 2),
        ] as [((Double, Double), (Double, Double), Double)])
    func places(asked: (Double, Double), answered: (Double, Double), distance: Double) throws {
        let text = #"{"latitude":\#(answered.0),"longitude":\#(answered.1),"timezone":"GMT","utc_offset_seconds":0}"#
        let query = ForecastQuery(latitude: asked.0, longitude: asked.1)
        for dialect in [Dialect.darkSky, .pirateWeather, .openMeteo] {
            let document = try dialect.normalize(Array(text.utf8), answering: query).shaped()
            #expect(abs(document.distance - distance) < 1e-9)
            #expect(try dialect.normalize(Array(text.utf8)).shaped().distance == 0)
        }
    }

    @Test(
        "The answer to a look-up names another user if the name is another one",
        arguments: [("weir", false), ("WEIR", false), ("weir@example.com", false), ("other", true), ("wei", true)])
    func lookUps(name: String, isOther: Bool) throws {
        let mastodon = #"{"id":"9","username":"Weir","acct":"Weir@example.com"}"#
        for (dialect, text) in [
            (TweetDialect.mastodon, mastodon), (.twitterV2, #"{"data":{"id":"9","username":"Weir"}}"#),
        ] {
            if dialect.name == "twitterV2", name.contains("@") { continue }
            let query = TweetQuery.timeline(screenName: name, count: nil, maxId: nil)
            let lookup = try #require(dialect.lookup(for: query))
            let user = try lookup.user(Array(text.utf8), JSONOptions(), dialect)
            #expect(user.id == "9")
            #expect(user.isOther == isOther)
        }
    }

    private static func tweet(_ dialect: TweetDialect, _ id: String, by user: String, _ name: String) -> String {
        let date = dialect.name == "twitter" ? "Thu Jan 01 18:00:37 +0000 2026" : "2026-01-01T18:00:37Z"
        return """
            {"id":"\(id)","id_str":"\(id)","created_at":"\(date)","content":"a","text":"a",\
            "user":{"id":\(user),"screen_name":"\(name)"},"account":{"id":"\(user)","acct":"\(name)","username":"\(name)"}}
            """
    }

    @Test("A tweet with another id is another one", arguments: ["twitter", "mastodon"])
    func tweets(dialect: String) throws {
        let dialect = try #require(TweetDialect.named(dialect))
        let bytes = Array(Self.tweet(dialect, "7", by: "9", "weir").utf8)
        #expect(try dialect.normalize(bytes, answering: .tweet(id: "7")).shaped().distance == 0)
        #expect(try dialect.normalize(bytes, answering: .tweet(id: "007")).shaped().distance == 0)
        #expect(try dialect.normalize(bytes, answering: .tweet(id: "8")).shaped().distance == .infinity)
        #expect(try dialect.normalize(bytes).shaped().distance == 0)
    }

    @Test(
        "A timeline of another author is another one",
        arguments: [("weir", false), ("WEIR", false), ("9", false), ("8", true), ("other", true)])
    func timelines(name: String, isOther: Bool) throws {
        for dialect in ["twitter", "mastodon"] {
            let dialect = try #require(TweetDialect.named(dialect))
            let bytes = Array("[\(Self.tweet(dialect, "7", by: "9", "Weir"))]".utf8)
            let query = TweetQuery.timeline(screenName: name, count: nil, maxId: nil)
            #expect(try dialect.normalize(bytes, answering: query).shaped().distance == (isOther ? .infinity : 0))
            #expect(try dialect.normalize(Array("[]".utf8), answering: query).shaped().distance == 0)
        }
    }
}
