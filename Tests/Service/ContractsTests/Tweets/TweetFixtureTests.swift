import API
import ContractsSupport
import JSONText
import Records
import TestSupport
import Testing
import Contracts

@Suite("Tweet fixtures")
struct TweetFixtureTests {
    @Test("Each case gives the expected body and drift, byte for byte", arguments: TweetDialect.all.map(\.name))
    func cases(dialect name: String) throws {
        let dialect = try #require(TweetDialect.named(name))
        #expect(try Fixture.faults(in: name) { Answer(of: $0, in: dialect) } == [])
    }

    @Test("No answer contains null, and each entity's indices select its text", arguments: TweetDialect.all.map(\.name))
    func nullsAndIndices(dialect name: String) throws {
        for fixture in try Fixture.all(in: name) where fixture.expected.error == nil {
            let body = Array(fixture.expected.body.utf8)
            #expect(try Inventory(of: body).nulls == 0, "\(fixture.name)")
            let answer = try #require(JSONValue(parsing: body))
            #expect(TweetInventory.misplaced(in: answer) == [], "\(fixture.name)")
        }
    }

    @Test("A normalized tweet reads back as the same tweet", arguments: TweetDialect.all.map(\.name))
    func roundTrip(dialect name: String) throws {
        for fixture in try Fixture.all(in: name) where fixture.expected.body.contains("\"fullText\"") {
            let body = Array(fixture.expected.body.utf8)
            var style = WritingStyle()
            style.dates = .iso8601
            var parser = JSONParser(), writer = JSONWriter()
            try parser.withDocument(body) { root in
                if root["statuses"] != nil {
                    try SearchAnswer.read(root).record.write(to: &writer, style: style)
                } else if root.kind == .object {
                    try Tweet.read(root).record.write(to: &writer, style: style)
                } else {
                    try root.elements.map { try Tweet.read($0).record }.write(to: &writer, style: style)
                }
            }
            #expect(String(decoding: writer.bytes, as: UTF8.self) == fixture.expected.body, "\(fixture.name)")
        }
    }

    @Test(
        "A document that is cut off at any byte is an error",
        arguments: [
            ("twitter", "retweet-best-text"), ("twitter", "search"), ("twitterV2", "media-joined"),
            ("mastodon", "boost"), ("mastodon", "timeline"),
        ])
    func truncated(dialect name: String, case caseName: String) throws {
        let dialect = try #require(TweetDialect.named(name))
        let fixture = try #require(try Fixture.all(in: name).first { $0.name == caseName })
        let read = (0..<fixture.input.count).filter { length in
            Answer(of: Array(fixture.input[..<length]), in: dialect).error == nil
        }
        #expect(read == [])
    }

    @Test("Tweets give in each form the bytes of those that are normalized for it alone", arguments: TweetDialect.all)
    func forms(dialect: TweetDialect) async throws {
        let fixtures = try Fixture.all(in: dialect.name).map { ($0.name, $0.input) }
        #expect(!fixtures.isEmpty)
        var unix = TweetShaping(), texts = TweetShaping()
        unix.dates = .unix
        texts.fields = try FieldSelection(of: Tweet.self, paths: ["id", "fullText"])
        let forms = [TweetShaping(), unix, texts, TweetShaping()]
        let faults = await RecordedTweets.queue.run {
            (fixtures + RecordedTweets.all.map { ($0.name, $0.bytes) }).filter { _, bytes in
                guard let document = try? dialect.normalize(bytes) else { return false }
                return forms.contains { form in
                    let (shaped, alone) = (document.shaped(form), try? dialect.normalize(bytes).shaped(form))
                    return shaped.body != alone?.body || shaped.nextMaxId != alone?.nextMaxId
                }
            }.map(\.0)
        }
        #expect(faults == [])
    }

    @Test("Dates are written as Unix seconds if the client asks for it")
    func unixDates() throws {
        let document = #"{"id":1,"created_at":"Wed Aug 27 13:08:45 +0000 2008","text":"x"}"#
        var shaping = TweetShaping()
        shaping.dates = .unix
        let body = try TweetDialect.twitter.normalize(Array(document.utf8)).shaped(shaping).body
        #expect(String(decoding: body, as: UTF8.self) == #"{"id":"1","createdAt":1219842525,"fullText":"x"}"#)
    }

    @Test("Milliseconds of a date have no other decimals as Unix seconds", arguments: ["twitterV2", "mastodon"])
    func unixMilliseconds(dialect name: String) throws {
        let dialect = try #require(TweetDialect.named(name))
        var shaping = TweetShaping()
        shaping.dates = .unix
        var wrong: [String] = []
        for milliseconds in 1001..<2000 where !milliseconds.isMultiple(of: 10) {
            let decimals = String(milliseconds).dropFirst()
            let status = #"{"id":"1","created_at":"2024-06-11T20:23:53.\#(decimals)Z","content":"x","text":"x"}"#
            let document = name == "mastodon" ? status : #"{"data":\#(status)}"#
            let body = try dialect.normalize(Array(document.utf8)).shaped(shaping).body
            let text = String(decoding: body, as: UTF8.self)
            if !text.contains(#""createdAt":1718137433.\#(decimals),"#) { wrong.append(text) }
        }
        #expect(wrong == [])
    }

    private static func repeated(_ text: String) -> String {
        Array(repeating: text, count: 20_000).joined(separator: ",")
    }

    private static let long: [(dialect: String, text: String)] = [
        ("twitter", "[\(repeated("{}"))]"), ("mastodon", "[\(repeated("{}"))]"),
        ("twitter", #"{"id":1,"created_at":"Wed Aug 27 13:08:45 +0000 2008","text":"x",\#(repeated(#""a":1"#))}"#),
        ("twitterV2", #"{"data":[\#(repeated(#"{"id":"1"}"#))]}"#),
    ]

    @Test("A document is normalized completely or not at all, whenever the time passes", arguments: long.indices)
    func expired(_ index: Int) throws {
        let (name, text) = Self.long[index]
        let dialect = try #require(TweetDialect.named(name))
        let bytes = Array(text.utf8)
        #expect(Expiry.faults { try dialect.normalize(bytes, options: $0).shaped() } == [])
    }
}

extension Answer {
    /// Normalizes `document` as tweets.
    init(of document: [UInt8], in dialect: TweetDialect) { self.init { try dialect.normalize(document).shaped() } }
}
