import API
import Contracts
import JSONText
import Records
import Testing

/// Posts in the words of a mapping, which a shape has made of an upstream's document.
@Suite("Posts of mappings")
struct MappedTweetsTests {
    private static let date = #""createdAt":"2026-03-14T09:26:53.500Z""#

    private static func dialect(
        _ kind: MappedTweets.Kind, _ unit: TextUnit = .codePoints, cursor: String? = nil
    ) -> TweetDialect {
        var rules = MappedTweetRules()
        rules.indices = unit
        return TweetDialect(
            mapped: "ours", keyLocation: .bearer, needsKey: false, kinds: [kind], rules: rules,
            upstreamError: { $0["error"]?.string }
        ) { [rules] root, query in
            var answer: TweetAnswer?
            let drift = try MappedTweets.read(root, as: kind, answering: query, cursor: cursor, rules, into: &answer)
            return (try #require(answer), drift)
        }
    }

    /// The answer to a document, and the repairs as `kind path reason`.
    private static func answer(
        _ document: String, _ kind: MappedTweets.Kind = .status, _ unit: TextUnit = .codePoints
    ) throws -> (body: String, drift: [String]) {
        let shaped = try dialect(kind, unit).normalize(Array(document.utf8)).shaped()
        let drift = shaped.drift.entries.map { "\($0.kind.rawValue) \($0.path) \($0.reason.rawValue)" }
        return (String(decoding: shaped.body, as: UTF8.self), drift)
    }

    private static func post(_ members: String, id: String = #""1""#) -> String { "{\"id\":\(id),\(date),\(members)}" }

    // MARK: Fields

    @Test("A post has the contract's fields in the contract's order, with ids as texts and pictures over https")
    func fields() throws {
        let (body, drift) = try Self.answer(
            """
            {"retweetCount":null,"favoriteCount":-1,"replyCount":3,"fullText":"a &amp; b","createdAt":1773480413,
             "id":12345678901234567890,"inReplyToStatusId":7,"inReplyToUserId":"8","url":"",
             "user":{"screenName":"ada","id":42,"createdAt":"2020-01-01","followersCount":-1,
              "profileImageUrl":"http://a.example/a.png"},
             "media":[{"id":5,"type":"image","url":"http://a.example/p.png","aspectRatio":[1280,720]},{"type":"photo"}],
             "poll":{"options":[{"text":"Yes","votes":2},{"text":"No","votes":0}],"endTime":1773480413}}
            """)
        #expect(
            body == #"{"id":"12345678901234567890","createdAt":"2026-03-14T09:26:53Z","fullText":"a &amp; b","#
                + #""inReplyToStatusId":"7","inReplyToUserId":"8","user":{"id":"42","screenName":"ada","#
                + #""createdAt":"2020-01-01T00:00:00Z","profileImageUrl":"https://a.example/a.png"},"replyCount":3,"#
                + #""media":[{"id":"5","type":"photo","url":"https://a.example/p.png","aspectRatio":[16,9]}],"#
                + #""poll":{"options":[{"position":1,"text":"Yes","votes":2},{"position":2,"text":"No","votes":0}],"#
                + #""endTime":"2026-03-14T09:26:53Z"}}"#)
        #expect(drift.contains("dropped media[] invalid"))
        #expect(!drift.contains { $0.hasPrefix("coerced") })
    }

    @Test(
        "A post without an id, a date or a text is an error that names the fields",
        arguments: [
            (#"{"createdAt":"2026-03-14T09:26:53Z","fullText":"x"}"#, "id: missing"),
            (#"{"id":null,"createdAt":"2026-03-14T09:26:53Z","fullText":"x"}"#, "id: missing"),
            (#"{"id":"","createdAt":"2026-03-14T09:26:53Z","fullText":"x"}"#, "id: "),
            (#"{"id":1,"createdAt":"yesterday","fullText":"x"}"#, "createdAt: "),
            (#"{"id":1,"createdAt":"2026-03-14T09:26:53Z","fullText":null}"#, "fullText: "),
        ])
    func required(document: String, failure: String) {
        let error = #expect(throws: ContractError.self) { try Self.answer(document) }
        #expect(error.map { "\($0)" }?.contains(failure) == true)
    }

    // MARK: Entities

    @Test(
        "Indices in any unit select the entity by code points",
        arguments: [
            // A flag has two code points, four units of UTF-16 and eight bytes; the accent is a code point of its own.
            (TextUnit.codePoints, [7, 11]), (.utf16, [9, 13]), (.bytes, [14, 18]),
        ])
    func units(unit: TextUnit, indices: [Int]) throws {
        let (body, drift) = try Self.answer(
            Self.post(
                #""fullText":"🇫🇷 e\#u{301}! #sun #sunny","#
                    + #""entities":{"hashtags":[{"text":"sun","indices":\#(indices)}]}"#), .status, unit)
        #expect(body.contains(#""hashtags":[{"text":"sun","indices":[7,11]}]"#))
        #expect(drift.isEmpty)
    }

    @Test(
        "Indices inside of a character, outside of the text or at another word are found again, or left out",
        arguments: [
            // In the middle of the flag, after the text, in the wrong order, negative, half of a pair, another word.
            (TextUnit.bytes, "[3,18]", true), (.bytes, "[14,99]", true), (.bytes, "[18,14]", true),
            (.utf16, "[1,13]", true), (.utf16, "[-1,13]", true), (.codePoints, "[0,2]", true),
            (.codePoints, "[]", true), (.codePoints, #"["x",1]"#, true),
        ])
    func misplaced(unit: TextUnit, indices: String, isFound: Bool) throws {
        let text = #""fullText":"🇫🇷 e\#u{301}! #sun #sunny""#
        let (once, drift) = try Self.answer(
            Self.post(text + #","entities":{"hashtags":[{"text":"sun","indices":\#(indices)}]}"#), .status, unit)
        #expect(once.contains(#""hashtags":[{"text":"sun","indices":[7,11]}]"#))
        #expect(drift.contains("coerced entities.hashtags[].indices misplaced"))
        let (never, lost) = try Self.answer(
            Self.post(text + #","entities":{"hashtags":[{"text":"rain","indices":\#(indices)}]}"#), .status, unit)
        #expect(never.contains(#""hashtags":[{"text":"rain"}]"#))
        #expect(lost.contains("dropped entities.hashtags[].indices misplaced"))
    }

    @Test("Entities take from the text what they do not say, and have their only place if they have no indices")
    func completed() throws {
        let text = "Hi @ada.example, see a.example/x... and $ACME #Sun!"
        let (body, drift) = try Self.answer(
            Self.post(
                #"""
                "fullText":"\#(text)","inReplyToUserId":"did:ada","entities":{
                 "hashtags":[{"indices":[46,50]},{"text":"sun"},{"indices":[0,2]}],
                 "symbols":[{"text":"acme"}],
                 "urls":[{"expandedUrl":"https://a.example/xyz","indices":[21,35]},{"expandedUrl":"https://b.example"}],
                 "userMentions":[{"id":"did:ada","indices":[3,15]},{"id":null,"screenName":"bob"},{"id":null}]}
                """#))
        #expect(body.contains(#""inReplyToScreenName":"ada.example""#))
        #expect(body.contains(#""hashtags":[{"text":"Sun","indices":[46,50]},{"text":"sun","indices":[46,50]}]"#))
        #expect(body.contains(#""symbols":[{"text":"acme","indices":[40,45]}]"#))
        #expect(
            body.contains(
                #""urls":[{"url":"a.example/x...","expandedUrl":"https://a.example/xyz","displayUrl":"a.example/x...","#
                    + #""indices":[21,35]},{"expandedUrl":"https://b.example"}]"#))
        #expect(
            body.contains(
                #""userMentions":[{"id":"did:ada","screenName":"ada.example","indices":[3,15]},{"screenName":"bob"}]"#))
        #expect(
            drift == [
                "dropped entities.hashtags[] invalid", "dropped entities.userMentions[] invalid",
            ])
    }

    @Test("A word that stands twice is not guessed at, whatever its case")
    func twoSpellings() throws {
        let (body, drift) = try Self.answer(
            Self.post(
                ##""fullText":"#Rain and #rain","entities":{"hashtags":[{"text":"rain"},"##
                    + #"{"text":"rain","indices":[1,4]}]}"#))
        #expect(body.contains(#""hashtags":[{"text":"rain"},{"text":"rain"}]"#))
        #expect(drift == ["dropped entities.hashtags[].indices misplaced"])
    }

    @Test("The range to show and the links of media are converted like entities")
    func ranges() throws {
        let members =
            #""fullText":"👋 hi http://t.example","displayTextRange":[5,7],"media":[{"id":"1","indices":[8,24]}]"#
        #expect(
            try Self.answer(Self.post(members), .status, .bytes).body
                == #"{"id":"1","createdAt":"2026-03-14T09:26:53.500Z","fullText":"👋 hi http://t.example","#
                + #""displayTextRange":[2,4],"media":[{"id":"1","indices":[5,21]}]}"#)
    }

    // MARK: HTML

    @Test("HTML becomes text, and its links become entities")
    func html() throws {
        let html = """
            <p>Hi <a href='https://s.example/@ada'>@<span>ada</span></a> &amp; all 🌧</p>\
            <p><a href='https://s.example/tags/rain'>#<span>Rain</span></a> \
            <a href='https://a.example/x'>a.example/x</a> :umbrella:</p>
            """
        let (body, drift) = try Self.answer(Self.post(#""fullText":null,"html":"\#(html)""#))
        #expect(body.contains(#""fullText":"Hi @ada & all 🌧\n\n#Rain a.example/x :umbrella:""#))
        #expect(body.contains(#""hashtags":[{"text":"Rain","indices":[17,22]}]"#))
        #expect(body.contains(#""userMentions":[{"screenName":"ada","indices":[3,7]}]"#))
        #expect(
            body.contains(
                #""urls":[{"url":"a.example/x","expandedUrl":"https://a.example/x","displayUrl":"a.example/x","#
                    + #""indices":[23,34]}]"#))
        #expect(drift.isEmpty)
    }

    @Test("The mentions that a mapping lists have the links of HTML, with or without a server")
    func mentionsOfHTML() throws {
        let (body, _) = try Self.answer(
            Self.post(
                #""html":"<a href='https://s.example/u/1'>@ada</a> <a href='/t/sun'>#sun</a>","inReplyToUserId":9,"#
                    + #""entities":{"userMentions":[{"id":9,"screenName":"ada@s.example"}],"hashtags":[{"text":"sun"}]}"#
            ))
        #expect(body.contains(#""inReplyToScreenName":"ada@s.example""#))
        #expect(body.contains(#""userMentions":[{"id":"9","screenName":"ada@s.example","indices":[0,4]}]"#))
        #expect(body.contains(#""hashtags":[{"text":"sun","indices":[5,9]}]"#))
        #expect(!body.contains("urls"))
    }

    // MARK: Posts in posts

    @Test("A repost has the text of its original, whose quote is there, and the id of what that quotes")
    func nested() throws {
        let deepest = Self.post(#""fullText":"4""#, id: "4")
        let quoted = Self.post(#""fullText":"3","quotedStatus":\#(deepest)"#, id: "3")
        let original = Self.post(#""fullText":"two","quotedStatus":\#(quoted)"#, id: "2")
        let (body, drift) = try Self.answer(Self.post(#""retweetedStatus":\#(original)"#))
        let date = #""createdAt":"2026-03-14T09:26:53.500Z""#
        #expect(
            body == #"{"id":"1",\#(date),"fullText":"two","retweetedStatus":{"id":"2",\#(date),"fullText":"two","#
                + #""isQuoteStatus":true,"quotedStatusId":"3","quotedStatus":{"id":"3",\#(date),"fullText":"3","#
                + #""isQuoteStatus":true,"quotedStatusId":"4"}}}"#)
        #expect(drift.isEmpty)
    }

    @Test("A quote that lacks a field is left out and reported, but for its id; so is a repost of such a post")
    func brokenInside() throws {
        let (quote, drift) = try Self.answer(Self.post(#""fullText":"x","quotedStatus":{"id":"2"}"#))
        #expect(quote.hasSuffix(#""isQuoteStatus":true,"quotedStatusId":"2"}"#))
        #expect(drift == ["dropped quotedStatus invalid"])
        let repost = Self.post(#""retweetedStatus":{"id":"2"}"#)
        #expect(throws: ContractError.self) { try Self.answer(repost) }
        let (list, reposts) = try Self.answer("[\(repost),\(Self.post(#""fullText":"x""#))]", .timeline)
        #expect(list.hasPrefix(#"[{"id":"1","#) && list.hasSuffix(#""fullText":"x"}]"#))
        #expect(reposts == ["dropped [] invalid"])
    }

    // MARK: Lists

    @Test("Null elements and posts without an id leave a list, and are counted")
    func dropped() throws {
        let posts = "[null,\(Self.post(#""fullText":"a""#)),\(Self.post(#""fullText":"b""#, id: "null"))]"
        let kept = Self.post(#""fullText":"a""#)
        for (document, kind, body) in [
            (posts, MappedTweets.Kind.timeline, "[\(kept)]"),
            ("{\"statuses\":\(posts)}", .timeline, "[\(kept)]"),
            (posts, .search, "{\"statuses\":[\(kept)],\"metadata\":{}}"),
        ] {
            let answer = try Self.answer(document, kind)
            #expect(answer.body == body)
            let list = kind == .search ? "statuses[]" : "[]"
            #expect(answer.drift.sorted() == ["dropped \(list) invalid", "dropped \(list) mistyped"])
        }
        #expect(try Self.answer("[]", .timeline).body == "[]")
        #expect(throws: ContractError.self) { try Self.answer(#"[{"id":1}]"#, .timeline) }
        #expect(throws: ContractError.self) { try Self.answer(#"{"posts":[]}"#, .search) }
        #expect(throws: ContractError.self) { try Self.answer("7", .timeline) }
    }

    @Test(
        "The next page starts at the cursor, or behind the last kept post if the cursor is an id",
        arguments: [
            (#""next":"a b/c=""#, nil, "a b/c="), (#""next":7"#, nil, "7"), (#""next":null"#, nil, nil),
            (#""next":"2""#, 1, "1"), (#""next":"zz""#, 1, nil), (#""next":"zz""#, 2, "zz"),
            (#""next":"a\nb""#, nil, nil), (#""next":"\#(String(repeating: "x", count: 513))""#, nil, nil),
            (#""x":1"#, nil, "given"),
        ] as [(String, Int?, String?)])
    func pages(next: String, count: Int?, maxId: String?) throws {
        let posts = ["1", "2"].map { Self.post(#""fullText":"a""#, id: $0) }.joined(separator: ",")
        let dialect = Self.dialect(.timeline, cursor: "given")
        let query = TweetQuery.timeline(screenName: "ada", count: count, maxId: nil)
        let document = try dialect.normalize(Array("{\"statuses\":[\(posts)],\(next)}".utf8), answering: query)
        #expect(document.shaped().nextMaxId == maxId)
    }

    // MARK: The dialect

    @Test("A dialect answers the kinds of requests that its mapping has, with its ids, names and cursors")
    func requests() {
        let timeline = Self.dialect(.timeline), status = Self.dialect(.status)
        #expect(status.canAnswer(.tweet(id: "abc_1-2")))
        #expect(!status.canAnswer(.tweet(id: "at://x")))
        #expect(!status.canAnswer(.search(text: "rain", count: nil, maxId: nil)))
        #expect(!timeline.canAnswer(.tweet(id: "1")))
        let cursor = "2026-03-14T09:26:53Z::a/b="
        #expect(timeline.canAnswer(.timeline(screenName: "alice.bsky.social", count: 5, maxId: cursor)))
        #expect(!timeline.canAnswer(.timeline(screenName: "a b", count: 5, maxId: nil)))
        #expect(!timeline.canAnswer(.timeline(screenName: "ada", count: 5, maxId: "a\u{7}")))
        #expect(status.refusal(in: Array(#"{"error":"gone"}"#.utf8), status: 404)?.message == "gone")
        #expect(status.refusal(in: Array(#"{"error":"gone"}"#.utf8), status: 404)?.status == 404)
    }

    @Test("An archive of one document in each line is one list, with the place of each repair")
    func archive() throws {
        let lines = [Self.post(#""fullText":"a","media":[{}]"#), "null", Self.post(#""fullText":"b""#, id: "2")]
        let bytes = Array(lines.joined(separator: "\n").utf8)
        let shaped = try Self.dialect(.status).normalize(archive: bytes, in: TweetShaping())
        let text = String(decoding: shaped.body, as: UTF8.self)
        #expect(text.contains(#""id":"1""#) && text.contains(#""id":"2""#))
        let drift = shaped.drift.entries.map { "\($0.kind.rawValue) \($0.path) \($0.example)" }
        #expect(Set(drift) == ["dropped [].media[] [0].media[0]", "dropped [] [1]"])
    }
}
