import Testing
import Contracts

/// Tweets as plain text.
@Suite("The text of tweets")
struct TweetTextTests {
    private static let date = #""created_at":"Wed Aug 27 13:08:45 +0000 2008""#

    private static func text(_ members: String) throws -> String {
        try TweetDialect.twitter.text(of: Array("{\(date),\"id\":1,\(members)}".utf8))
    }

    private static func user(_ name: String) -> String {
        #""user":{"id":7,"name":"\#(name)","screen_name":"\#(name.lowercased())"}"#
    }

    @Test("A tweet is written as its author, its date and its lines")
    func plain() throws {
        #expect(
            try Self.text(#""text":"One &amp;\n\ntwo",\#(Self.user("Ada"))"#) == """
                Ada @ada  2008-08-27T13:08:45Z
                One &

                two
                """)
        #expect(try Self.text(#""text":"x""#) == "somebody  2008-08-27T13:08:45Z\nx")
    }

    @Test("Every line of a quote is indented by >, and a quote in a retweet by two")
    func quote() throws {
        let quote = #""quoted_status":{\#(Self.date),"id":2,"text":"Two\nlines",\#(Self.user("Bob"))}"#
        #expect(
            try Self.text(#""text":"See:",\#(Self.user("Ada")),\#(quote)"#) == """
                Ada @ada  2008-08-27T13:08:45Z
                See:
                > Bob @bob  2008-08-27T13:08:45Z
                > Two
                > lines
                """)
        #expect(
            try Self.text(
                #""text":"RT",\#(Self.user("Eve")),"retweeted_status":{\#(Self.date),"id":3,"text":"See:",\#(quote),\#(Self.user("Ada"))}"#
            ) == """
                Eve @eve retweeted:
                > Ada @ada  2008-08-27T13:08:45Z
                > See:
                > > Bob @bob  2008-08-27T13:08:45Z
                > > Two
                > > lines
                """)
    }

    @Test("Polls, pictures and content warnings are written")
    func parts() throws {
        let status = """
            {"id":"1","created_at":"2019-12-08","content":"<p>Well?</p>","spoiler_text":"Politics",
             "account":{"id":"1","acct":"ada@a.example","display_name":""},
             "poll":{"id":"1","options":[{"title":"Yes","votes_count":3},{"title":"No"}]},
             "media_attachments":[{"id":"5","type":"image","url":"https://a.example/p.png","description":"A cat"},
              {"id":"6","type":"audio","url":"https://a.example/p.mp3"}]}
            """
        #expect(
            try TweetDialect.mastodon.text(of: Array(status.utf8)) == """
                @ada@a.example  2019-12-08T00:00:00Z
                [Politics]
                Well?
                ( ) Yes  3
                ( ) No
                [photo] A cat
                [audio] https://a.example/p.mp3
                """)
    }

    @Test(
        "No character breaks the indentation of a quote or controls the terminal",
        arguments: ["\\r\\n", "\\r", "\\u0085", "\\u2028", "\\u2029", "\\u000b", "\\u000c"])
    func hostile(lineBreak: String) throws {
        let user = #"{"id":1,"name":"a\#(lineBreak)b\u001b[2J"}"#
        let quote = #""quoted_status":{\#(Self.date),"id":2,"text":"a\#(lineBreak)b","user":\#(user)}"#
        let text = try Self.text(#""text":"x",\#(quote)"#)
        #expect(text.split(separator: "\n").count == 5)
        #expect(text.hasSuffix("\n> a\n> b"))
        #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .lineSeparator })
    }

    @Test("Tweets of a list are separated by an empty line, and a level indents all lines")
    func list() throws {
        let tweet = "{\(Self.date),\"id\":1,\"text\":\"x\"}"
        let one = "somebody  2008-08-27T13:08:45Z\nx"
        #expect(try TweetDialect.twitter.text(of: Array("[\(tweet),\(tweet)]".utf8)) == one + "\n\n" + one)
        var quoted = QuotedTweet()
        quoted.content.fullText = "x"
        #expect(quoted.rendered(level: 2) == "> > somebody  1970-01-01T00:00:00Z\n> > x")
    }
}
