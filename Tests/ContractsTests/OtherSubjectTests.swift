import Contracts
import Testing

/// Answers that are about another place, tweet or user than the request.
@Suite("Other subjects")
struct OtherSubjectTests {
    @Test(
        "A forecast further away than its upstream rounds to is for another place",
        arguments: [
            ("darkSky", (1, 2), (1, 2), false), ("darkSky", (1, 2), (1.0001, 2.0001), false),
            ("darkSky", (1, 2), (1, 2.0003), true),
            ("darkSky", (1, 2), (-1, 2), true), ("darkSky", (0, 180), (0, -180), false),
            ("darkSky", (0, 179.9999), (0, -180), false), ("darkSky", (0, 179), (0, -179), true),
            ("darkSky", (90, 10), (90, -170), false), ("pirateWeather", (1, 2), (1, 2.0003), true),
            ("openMeteo", (52.5, 13.4), (53.4, 13.4), false), ("openMeteo", (52.5, 13.4), (53.6, 13.4), true),
            ("openMeteo", (52.5, 13.4), (52.5, 15), false), ("openMeteo", (0, 13.4), (0, 15), true),
        ] as [(String, (Double, Double), (Double, Double), Bool)])
    func places(dialect: String, asked: (Double, Double), answered: (Double, Double), isOther: Bool) throws {
        let text = #"{"latitude":\#(answered.0),"longitude":\#(answered.1),"timezone":"GMT","utc_offset_seconds":0}"#
        let dialect = try #require(Dialect.named(dialect))
        let query = ForecastQuery(latitude: asked.0, longitude: asked.1)
        let document = try dialect.normalize(Array(text.utf8), answering: query).shaped()
        #expect((document.distance > 0) == isOther)
        #expect(try dialect.normalize(Array(text.utf8)).shaped().distance == 0)
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
