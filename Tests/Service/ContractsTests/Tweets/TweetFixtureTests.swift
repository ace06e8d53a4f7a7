import Contracts
import JSONText
import LenientCoding
import Testing

@Suite("Tweet fixtures")
struct TweetFixtureTests {
    @Test("Each case gives the expected body and drift, byte for byte", arguments: TweetDialect.all.map(\.name))
    func cases(dialect name: String) throws {
        let dialect = try #require(TweetDialect.named(name))
        try Fixture.check(all: name) { Answer(of: $0, in: dialect) }
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
}
