import Foundation
import TestSupport
import Testing

/// What the upstreams of tweets are asked, and what their errors mean.
@Suite("Tweet upstreams", .timeLimit(.minutes(10)))
struct TweetUpstreamTests {
    private static func serve(_ dialect: String, _ upstream: ScriptedUpstream) throws -> WeirProcess {
        try WeirProcess.serve(TweetRouteTests.configuration([(dialect, upstream.baseURL)]))
    }

    @Test(
        "A list of which nothing is usable is a 502 with the reasons",
        arguments: [
            ("twitter", "/timelines/a", #"[{"id":1,"text":"x"}]"#, "[0].created_at: missing"),
            ("twitter", "/search?q=a", #"{"statuses":[{"id":1,"text":"x"}]}"#, "statuses[0].created_at: missing"),
            ("twitterV2", "/search?q=a", #"{"data":[{"id":"1","text":"x"}]}"#, "data[0].created_at: missing"),
            ("mastodon", "/search?q=a", #"{"statuses":[{"id":"1","content":"x"}]}"#, "statuses[0].created_at: missing"),
        ])
    func nothingUsable(_ dialect: String, _ path: String, _ body: String, _ reason: String) throws {
        let upstream = try ScriptedUpstream { _ in .answer(body) }
        defer { upstream.stop() }
        let weir = try Self.serve(dialect, upstream)
        defer { weir.kill() }
        let problem = try expectProblem(weir.get(path), 502)
        #expect(problem["detail"].string?.contains(reason) == true, "\(problem)")
        let result = try WeirProcess.run(["normalize", "--as", dialect], input: Array(body.utf8))
        #expect(result.status == 65)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(reason), "\(result.errors)")
    }

    @Test("A status that is not public any more is a 403, and is not answered from memory")
    func hidden() throws {
        let count = Watched(0)
        let upstream = try ScriptedUpstream { _ in
            count.increase() == 1
                ? .answer(#"{"id":"80","content":"x","created_at":"2026-01-01"}"#)
                : .answer(403, #"{"error":"This action is not allowed"}"#)
        }
        defer { upstream.stop() }
        let old = #""tweets": {"defaultSeconds": 0, "staleWhileRevalidateSeconds": 0, "staleIfErrorSeconds": 3600}"#
        let weir = try WeirProcess.serve(
            TweetRouteTests.configuration([("mastodon", upstream.baseURL)])
                .replacing(#""cache": {"maximumBytes": 0}"#, with: #""cache": {\#(old)}"#))
        defer { weir.kill() }
        #expect(try weir.get("/tweets/80").status == 200)
        try expectProblem(weir.get("/tweets/80"), 403)
    }

    @Test("A name that does not exist is remembered for as long as the configuration says")
    func unknownName() throws {
        let count = Watched(0)
        let upstream = try ScriptedUpstream { head in
            if !head.contains("/accounts/lookup?") { return .answer("[]") }
            return count.increase() == 1
                ? .answer(404, #"{"error":"Record not found"}"#) : .answer(#"{"id":"9","acct":"a"}"#)
        }
        defer { upstream.stop() }
        let weir = try Self.serve("mastodon", upstream)
        defer { weir.kill() }
        try expectProblem(weir.get("/timelines/a"), 404)
        #expect(try weir.get("/timelines/a").status == 200)
    }

    @Test("Bytes that are not UTF-8 cost neither a page nor a forecast, and are counted in the header")
    func badBytes() throws {
        let date = "Thu Jan 01 18:00:37 +0000 2026"
        let page = #"[{"id":1,"text":"a!","created_at":"\#(date)"},{"id":2,"text":"b","created_at":"\#(date)"}]"#
        let forecast = #"{"latitude":1,"longitude":2,"timezone":"UTC","currently":{"time":1,"summary":"a!"}}"#
        let upstream = try ScriptedUpstream { head in
            let text = head.contains("user_timeline") ? page : forecast
            let body = Array("\u{FEFF}".utf8) + text.utf8.map { $0 == UInt8(ascii: "!") ? 0xE9 : $0 }
            return .answer(200, body)
        }
        defer { upstream.stop() }
        let source = #""baseURL": "\#(upstream.baseURL)", "key": {"environment": "WEIR_TEST_KEY"}"#
        let sample = #""sample": "\#(Checkout.root)/Config/samples/darkSky""#
        let weir = try WeirProcess.serve(
            TweetRouteTests.configuration([("twitter", upstream.baseURL)]).replacing(sample, with: source))
        defer { weir.kill() }
        let tweets = try weir.get("/timelines/a?fields=fullText")
        #expect(tweets.text == "[{\"fullText\":\"a\u{FFFD}\"},{\"fullText\":\"b\"}]")
        #expect(tweets.header("Weir-Drift") == "coerced=2, missing=1")
        let weather = try weir.get("/weather?lat=1&lon=2&fields=currently.summary")
        #expect(weather.text == "{\"currently\":{\"summary\":\"a\u{FFFD}\"}}", "\(weather.text)")
    }

    @Test("A server without look-ups is asked by its search, and from then on by nothing else", arguments: [404, 501])
    func searchForAccounts(_ status: Int) throws {
        let upstream = try ScriptedUpstream { head in
            if head.contains("/accounts/lookup?") { return .answer(status, "<html>") }
            if head.contains("/accounts/search?") {
                return .answer(head.contains("q=ghost ") ? "[]" : #"[{"id":"8","acct":"a@b.c"},{"id":"9","acct":"A"}]"#)
            }
            return .answer(head.contains("/accounts/9/statuses?") ? "[]" : "")
        }
        defer { upstream.stop() }
        let weir = try Self.serve("mastodon", upstream)
        defer { weir.kill() }
        func paths() -> [String] {
            upstream.requests.map { $0.split(separator: "?")[0].split(separator: "/accounts/")[1] }.map(String.init)
        }
        #expect(try weir.get("/timelines/a").status == 200)
        #expect(paths() == ["lookup", "search", "9/statuses"])
        try expectProblem(weir.get("/timelines/ghost"), 404)
        #expect(try weir.get("/timelines/A").status == 200)
        #expect(paths().dropFirst(3) == ["search", "search", "9/statuses"])
    }

    @Test("A server whose look-ups work is not searched for a name that it does not know")
    func unknownNameAtAServerWithLookups() throws {
        let upstream = try ScriptedUpstream { head in
            if head.contains("acct=ghost") { return .answer(404, #"{"error":"Record not found"}"#) }
            return .answer(head.contains("/accounts/lookup?") ? #"{"id":"9","acct":"a"}"# : "[]")
        }
        defer { upstream.stop() }
        let weir = try Self.serve("mastodon", upstream)
        defer { weir.kill() }
        #expect(try weir.get("/timelines/a").status == 200)
        try expectProblem(weir.get("/timelines/ghost"), 404)
        #expect(upstream.requests.count == 3)
    }

    @Test(
        "A refusal that is about the post is a 403, and one about the key is answered from memory",
        arguments: [
            (451, "", 403), (451, #"{"errors":[{"message":"Withheld."}]}"#, 403),
            (401, #"{"error":"Not authorized."}"#, 403), (401, #"{"errors":[{"code":179,"message":"No."}]}"#, 403),
            (401, #"{"errors":[{"code":32,"message":"No."}]}"#, 200),
            (401, #"{"errors":[{"code":89,"message":"No."}]}"#, 200),
            (400, #"{"errors":[{"code":215,"message":"No."}]}"#, 200),
        ])
    func refused(_ theirs: Int, _ body: String, _ ours: Int) throws {
        let count = Watched(0)
        let upstream = try ScriptedUpstream { _ in
            count.increase() == 1 ? .answer(TweetRouteTests.tweet) : .answer(theirs, body)
        }
        defer { upstream.stop() }
        let old = #""tweets": {"defaultSeconds": 0, "staleWhileRevalidateSeconds": 0, "staleIfErrorSeconds": 3600}"#
        let weir = try WeirProcess.serve(
            TweetRouteTests.configuration([("twitter", upstream.baseURL)])
                .replacing(#""cache": {"maximumBytes": 0}"#, with: #""cache": {\#(old)}"#))
        defer { weir.kill() }
        #expect(try weir.get("/tweets/80").status == 200)
        #expect(try weir.get("/tweets/80").status == ours)
    }

    @Test(
        "An upstream that wants to be paid is a 503 with its reason", arguments: ["twitter", "twitterV2", "mastodon"])
    func payment(_ dialect: String) throws {
        let body = #"{"errors":[{"message":"No credits."}],"error":"No credits.","title":"CreditsDepleted"}"#
        let upstream = try ScriptedUpstream { _ in .answer(402, body) }
        defer { upstream.stop() }
        let weir = try Self.serve(dialect, upstream)
        defer { weir.kill() }
        let problem = try expectProblem(weir.get("/tweets/1"), 503)
        #expect(problem["type"].string == "urn:weir:problem:upstream-rate-limit")
        #expect(problem["upstream"]["error"].string?.isEmpty == false)
        #expect(problem["upstream"]["status"].integer == 402)
        #expect(upstream.requests.count == 1)
    }

    @Test("A search of Mastodon without a token that finds nothing is refused with the reason")
    func searchWithoutToken() throws {
        let found = #"{"accounts":[],"statuses":[{"id":"80","content":"x","created_at":"2026-01-01"}],"hashtags":[]}"#
        let upstream = try ScriptedUpstream { head in
            .answer(head.contains("q=rain&") ? found : #"{"accounts":[],"statuses":[],"hashtags":[]}"#)
        }
        defer { upstream.stop() }
        let weir = try Self.serve("mastodon", upstream)
        defer { weir.kill() }
        let problem = try expectProblem(weir.get("/search?q=fog"), 403)
        #expect(problem["type"].string == "urn:weir:problem:upstream-refused")
        #expect(problem["upstream"]["error"].string?.contains("without a user's token") == true)
        // Some servers search without a token, and a list has an end.
        #expect(try weir.get("/search?q=rain").status == 200)
        #expect(try weir.get("/search?q=fog&maxId=9").text == #"{"statuses":[],"metadata":{"query":"fog"}}"#)
        let authorized = try WeirProcess.serve(Self.withToken(upstream))
        defer { authorized.kill() }
        #expect(try authorized.get("/search?q=fog").text == #"{"statuses":[],"metadata":{"query":"fog"}}"#)
    }

    @Test(
        "A search comes back as it was sent, in the link to the next page and at the upstream",
        arguments: ["twitter", "twitterV2", "mastodon"],
        ["a%26b", "C%2B%2B", "a%3Db%23c%25d", "%22a%20b%22%20OR%20%C3%A9"])
    func query(_ dialect: String, _ text: String) throws {
        let upstream = try ScriptedUpstream { _ in
            let next = #""search_metadata":{"query":"\#(text)","next_results":"?max_id=79&q=\#(text)"}"#
            let meta = #""meta":{"oldest_id":"80","next_token":"t"}"#
            let date = dialect == "twitter" ? "Thu Jan 01 18:00:37 +0000 2026" : "2026-01-01"
            let list = #"[{"id":"80","text":"x","content":"x","created_at":"\#(date)"}]"#
            return .answer(
                dialect == "twitterV2" ? #"{"data":\#(list),\#(meta)}"# : #"{"statuses":\#(list),\#(next)}"#)
        }
        defer { upstream.stop() }
        let weir = try Self.serve(dialect, upstream)
        defer { weir.kill() }
        var path = "/search?q=\(text)"
        for _ in 0..<2 {
            let answer = try weir.get(path)
            let metadata = try answer.json()["metadata"]
            #expect(metadata["query"].string == text.removingPercentEncoding)
            let next = try #require(metadata["nextMaxId"].string)
            path = "/search?q=\(text)&maxId=\(next)"
            #expect(answer.header("Link") == "<\(path)>; rel=\"next\"")
        }
        let names = ["q", "query"].map { "\($0)=\(text)&" }
        for request in upstream.requests { #expect(names.contains { request.contains($0) }, "\(request)") }
        #expect(upstream.requests.count == 2)
    }

    @Test("A search of Mastodon for one hashtag needs no token")
    func hashtag() throws {
        let upstream = try ScriptedUpstream { head in
            guard head.hasPrefix("GET /api/v1/timelines/tag/rain?") else { return .answer(404, "") }
            let next = #"Link: <https://a.example/api/v1/timelines/tag/rain?max_id=80>; rel="next""#
            let isFirst = !head.contains("max_id=")
            return .answer(
                isFirst ? #"[{"id":"80","content":"x","created_at":"2026-01-01"}]"# : "[]",
                headers: isFirst ? [next] : [])
        }
        defer { upstream.stop() }
        let weir = try Self.serve("mastodon", upstream)
        defer { weir.kill() }
        let answer = try weir.get("/search?q=%23rain&fields=statuses.fullText,metadata")
        #expect(
            answer.text == ##"{"statuses":[{"fullText":"x"}],"metadata":{"query":"#rain","nextMaxId":"80"}}"##)
        #expect(answer.header("Link")?.contains("q=%23rain&") == true)
        #expect(try weir.get("/search?q=%23rain&maxId=80").text == ##"{"statuses":[],"metadata":{"query":"#rain"}}"##)
    }

    /// Returns a configuration with a server of Mastodon that is asked with a token.
    private static func withToken(_ upstream: ScriptedUpstream) -> String {
        TweetRouteTests.configuration([("mastodon", upstream.baseURL)]).replacing(
            #""dialect": "mastodon","#,
            with: #""dialect": "mastodon", "key": {"environment": "WEIR_TEST_KEY"}, "authorization": "bearer","#)
    }

    @Test("An error of Mastodon about the token is not the client's", arguments: [(401, 502), (403, 403)])
    func wrongToken(_ theirs: Int, _ ours: Int) throws {
        let upstream = try ScriptedUpstream { _ in .answer(theirs, #"{"error":"The access token is invalid"}"#) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.withToken(upstream))
        defer { weir.kill() }
        let problem = try expectProblem(weir.get("/tweets/1"), ours)
        #expect(problem["upstream"]["error"].string == "The access token is invalid")
    }

    /// Returns an upstream that knows posts only, or tweets only.
    private static func server(of kind: Watched<String>) throws -> ScriptedUpstream {
        try ScriptedUpstream { head in
            if isLookup(head) { return .answer(#"{"data":{"id":"9","username":"weir"}}"#) }
            let known = kind.current
            guard head.contains("&\(known).fields=") else {
                let error = #"{"parameters":{"x.fields":["y"]},"message":"The query parameter [x.fields] is unknown."}"#
                let type = #""type":"https://api.x.com/2/problems/invalid-request","title":"Invalid Request""#
                return .answer(400, #"{"errors":[\#(error)],\#(type)}"#)
            }
            let reference = #""referenced_\#(known)s":[{"type":"retweeted","id":"8"}]"#
            let posts = #"[{"id":"8","text":"whole","created_at":"2026-01-01"}]"#
            let post = #"{"id":"80","text":"cut","created_at":"2026-01-01",\#(reference)}"#
            return .answer(
                #"{"data":\#(head.contains("/2/tweets/80?") ? post : "[\(post)]"),"includes":{"\#(known)s":\#(posts)}}"#
            )
        }
    }

    @Test("The parameter names that X understands are found and remembered", arguments: ["/tweets/80", "/search?q=a"])
    func vocabulary(_ path: String) throws {
        let kind = Watched("post")
        let upstream = try Self.server(of: kind)
        defer { upstream.stop() }
        let weir = try Self.serve("twitterV2", upstream)
        defer { weir.kill() }
        func understood() -> [Bool] { upstream.requests.map { $0.contains("&\(kind.current).fields=") } }
        for _ in 0..<2 {
            let answer = try weir.get(path)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.text.contains(#""fullText":"whole""#), "\(answer.text)")
        }
        #expect(understood() == [false, true, true])
        #expect(upstream.requests[1].contains("referenced_posts"))
        #expect(!upstream.requests[1].contains("tweet.fields"))
        #expect(try weir.get("/timelines/weir").status == 200)
        #expect(upstream.requests.count == 5)
        kind.update { $0 = "tweet" }
        for _ in 0..<2 { #expect(try weir.get(path).status == 200) }
        #expect(Array(understood().suffix(3)) == [false, true, true])
    }

    @Test(
        "A request that X understands in no vocabulary is made twice, and one whose search is invalid once",
        arguments: [
            ("tweet.fields", 502, 2), ("expansions", 502, 2), ("query", 422, 1), ("max_results", 422, 1), ("", 502, 2),
        ])
    func invalid(_ parameter: String, _ status: Int, _ requests: Int) throws {
        let named = parameter.isEmpty ? "" : #""parameters":{"\#(parameter)":["x"]},"#
        let upstream = try ScriptedUpstream { _ in
            .answer(
                400, #"{"errors":[{\#(named)"message":"No."}],"type":"https://api.x.com/2/problems/invalid-request"}"#)
        }
        defer { upstream.stop() }
        let weir = try Self.serve("twitterV2", upstream)
        defer { weir.kill() }
        for _ in 0..<2 {
            let problem = try expectProblem(weir.get("/search?q=a"), status)
            #expect(problem["upstream"]["error"].string == "No.")
        }
        #expect(upstream.requests.count == 2 * requests)
        #expect(upstream.requests.last?.contains("&tweet.fields=") == (requests == 1))
    }

    private static func isLookup(_ head: String) -> Bool {
        head.contains("/accounts/lookup?") || head.contains("/by/username/")
    }

    private static func lookups(_ upstream: ScriptedUpstream) -> Int {
        upstream.requests.count(where: isLookup)
    }

    @Test("A name is looked up once for all pages of its timeline", arguments: ["twitterV2", "mastodon"])
    func pages(_ dialect: String) throws {
        let upstream = try ScriptedUpstream { head in
            if Self.isLookup(head) { return .answer(#"{"id":"9","acct":"a","data":{"id":"9","username":"a"}}"#) }
            return .answer(dialect == "mastodon" ? "[]" : #"{"meta":{"result_count":0}}"#)
        }
        defer { upstream.stop() }
        let weir = try Self.serve(dialect, upstream)
        defer { weir.kill() }
        for path in ["/timelines/weir", "/timelines/weir?maxId=79", "/timelines/weir?maxId=3&count=5"] {
            #expect(try weir.get(path).status == 200)
        }
        #expect(Self.lookups(upstream) == 1)
        #expect(upstream.requests.count == 4)
        #expect(try weir.get("/timelines/gauge").status == 200)
        #expect(Self.lookups(upstream) == 2)
    }

    @Test("A name is looked up once more if its user has gone", arguments: ["twitterV2", "mastodon"])
    func renamed(_ dialect: String) throws {
        let isRenamed = Watched(false)
        let upstream = try ScriptedUpstream { head in
            let id = isRenamed.current ? "10" : "9"
            if Self.isLookup(head) {
                return .answer(#"{"id":"\#(id)","acct":"weir","data":{"id":"\#(id)","username":"weir"}}"#)
            }
            guard head.contains("/\(id)/") else {
                return .answer(404, #"{"error":"Record not found","title":"Not Found","status":404}"#)
            }
            return .answer(dialect == "mastodon" ? "[]" : #"{"meta":{"result_count":0}}"#)
        }
        defer { upstream.stop() }
        let weir = try Self.serve(dialect, upstream)
        defer { weir.kill() }
        #expect(try weir.get("/timelines/weir").status == 200)
        isRenamed.update { $0 = true }
        #expect(try weir.get("/timelines/weir").status == 200)
        #expect(try weir.get("/timelines/weir").status == 200)
        #expect(Self.lookups(upstream) == 2)
        #expect(upstream.requests.count == 6)
    }

    @Test(
        "A name that Twitter cannot have is asked of no Twitter", arguments: ["twitter", "twitterV2"],
        ["a@b", "a.b", "a-b", "abcdefghijklmnop"])
    func names(_ dialect: String, _ name: String) throws {
        let twitter = try ScriptedUpstream { _ in .answer("[]") }
        defer { twitter.stop() }
        let mastodon = try ScriptedUpstream { head in
            .answer(head.contains("/accounts/lookup?") ? #"{"id":"9","acct":"a"}"# : "[]")
        }
        defer { mastodon.stop() }
        let alone = try Self.serve(dialect, twitter)
        defer { alone.kill() }
        let problem = try expectProblem(alone.get("/timelines/\(name)"), 400)
        #expect(problem["errors"].elements.compactMap { $0["parameter"].string } == ["screenName"])
        #expect(problem["detail"].string?.contains("letters, digits and _, at most 15") == true)
        // Another upstream may know the user.
        let both = try WeirProcess.serve(
            TweetRouteTests.configuration([(dialect, twitter.baseURL), ("mastodon", mastodon.baseURL)]))
        defer { both.kill() }
        #expect(try both.get("/timelines/\(name)").status == 200)
        #expect(twitter.requests.isEmpty)
    }
}
