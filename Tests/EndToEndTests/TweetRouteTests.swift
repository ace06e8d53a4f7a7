import Foundation
import TestSupport
import Testing

/// `/tweets/{id}`, `/timelines/{screenName}` and `/search`.
@Suite(.timeLimit(.minutes(10)))
struct TweetRouteTests {
    static func configuration(_ upstreams: [(dialect: String, place: String)]) -> String {
        let entries = upstreams.enumerated().map { index, upstream in
            let place = upstream.place
            let source = place.hasPrefix("http") ? #""baseURL": "\#(place)""# : #""sample": "\#(place)""#
            let key = upstream.dialect == "mastodon" ? "" : #", "key": {"environment": "WEIR_TEST_KEY"}"#
            // Every request is made, and once, however many fail.
            let limits = #""retryPercent": 0, "breaker": {"minimumRequests": 1000000}"#
            return #"{"name": "upstream-\#(index)", "dialect": "\#(upstream.dialect)", \#(source)\#(key), \#(limits)}"#
        }
        let names = upstreams.indices.map { "\"upstream-\($0)\"" }.joined(separator: ", ")
        return """
            {"listen": "127.0.0.1:0", "shards": 1, "cache": {"maximumBytes": 0}, "upstreams": [
                {"name": "sky", "dialect": "darkSky", "sample": "\(Checkout.root)/Config/samples/darkSky"},
                \(entries.joined(separator: ", "))],
             "weather": {"upstreams": ["sky"]}, "tweets": {"upstreams": [\(names)]}}
            """
    }

    private static func answer(_ body: String, status: String = "200 OK", headers: String = "") -> [UInt8] {
        Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)".utf8)
    }

    /// The upstream's answer if the request looks up a user id; nil for other requests.
    private static func account(_ head: String) -> String? {
        if head.contains("/accounts/lookup?") { return #"{"id":"9","acct":"weir"}"# }
        return head.contains("/by/username/") ? #"{"data":{"id":"9","username":"weir"}}"# : nil
    }

    static let tweet = """
        {"id":1,"id_str":"2006790000000000001","created_at":"Thu Jan 01 18:00:37 +0000 2026","full_text":"a &amp; b"}
        """

    @Test func theTwitterSampleAnswersEveryRoute() throws {
        let weir = try WeirProcess.serve(Self.configuration([("twitter", "\(Checkout.root)/Config/samples/twitter")]))
        defer { weir.kill() }
        let tweet = try weir.get("/tweets/1")
        #expect(tweet.status == 200)
        #expect(
            tweet.text.hasPrefix(
                #"{"id":"2006790000000000001","createdAt":"2026-01-01T18:00:37Z","fullText":"Rain & wind"#))
        #expect(tweet.text.contains(##""profileBackgroundColor":"#C0DEED""##))
        let timeline = try weir.get("/timelines/weir?count=5&fields=id,fullText")
        #expect(timeline.text.hasPrefix(#"[{"id":"2006790000000000001","fullText":"Gate two opens at noon."},{"id""#))
        #expect(timeline.header("Weir-Drift")?.contains("dropped=1") == true)
        #expect(timeline.header("Link")?.contains("maxId=2006740000000000004>; rel=\"next\"") == true)
        let search = try weir.get("/search?q=rain&explain=1&dates=unix")
        #expect(search.text.hasPrefix(#"{"data":{"statuses":[{"id":"2006780000000000003","createdAt":1767289200"#))
        #expect(search.text.contains(#""nextMaxId":"2006780000000000002""#))
        #expect(search.text.contains(#""source":{"upstream":"upstream-0","dialect":"twitter","fetchedAt":""#))
    }

    /// Paths that the demo answers, the dialect of the upstream that does, and a part of the answer.
    @Test(arguments: [
        ("/tweets/1", "twitter", ##""quotedStatus":{"id":"2006700000000000009""##),
        ("/tweets/2006790000000000001", "twitter", ##""profileBackgroundColor":"#C0DEED""##),
        ("/tweets/2", "twitter", ##""fullText":"Fog < 200 m at the ferry; \"no crossing\" until nine 🌫️ #fog""##),
        ("/tweets/3", "twitter", #""fullText":"@weir The level at the old mill is 1.82 m & falling"#),
        ("/tweets/3", "twitter", #""altText":"A heron below the gate""#),
        ("/tweets/4", "twitter", #""retweetedStatus":{"id":"2006744000000000008""#),
        ("/tweets/4", "twitter", #""fullText":"Gate two opens at noon & closes at dusk.""#),
        ("/tweets/5", "twitter", #""type":"animatedGif""#), ("/tweets/5", "twitter", #""durationMillis":60000"#),
        ("/tweets/6", "twitter", #""coordinates":{"latitude":51.8958,"longitude":4.5244},"place":{"id":"00f"#),
        ("/tweets/6", "twitter", #""withheldInCountries":["XX","XY"],"withheldScope":"status""#),
        ("/tweets/21", "twitterV2", #""place":{"id":"00f0f0f0f0f0f0f0","name":"Mill Town""#),
        ("/tweets/21", "twitterV2", #""type":"video","url":"https://example.com/tide.jpg""#),
        ("/tweets/22", "twitterV2", #""quotedStatus":{"id":"2006700000000000009""#),
        ("/tweets/22", "twitterV2", #""reason":"refused""#),
        ("/tweets/23", "twitterV2", #"the ferry runs as on Sundays. #river""#),
        ("/tweets/24", "twitterV2", #""poll":{"options":[{"position":1,"text":"At seven","votes":12}"#),
        ("/tweets/41", "mastodon", #""spoilerText":"Weather""#),
        ("/tweets/41", "mastodon", #""userMentions":[{"id":"10","screenName":"gauge@other.example","indices":[0,6]}]"#),
        ("/tweets/42", "mastodon", #""fullText":"1.82 m and falling & clear.\n\ngate two: open\ngate three: shut""#),
        ("/tweets/43", "mastodon", #""quotedStatus":{"id":"113752900000000008""#),
        ("/tweets/44", "mastodon", #""poll":{"options":[{"position":1,"text":"At seven","votes":12}"#),
        ("/tweets/AmQ1WeirReplyOfJan", "mastodon", #""quotedStatus":{"id":"AmQ0b3dGate2Opens9""#),
        ("/tweets/45", "mastodon", #""inReplyToScreenName":"gauge@other.example""#),
        ("/tweets/46", "mastodon", #""quotedStatus":{"id":"AmQ0b3dGate2Opens9""#),
        ("/tweets/47", "mastodon", #""place":{"id":"4711","name":"Mill Town","country":"Lowlands"}"#),
        ("/timelines/weir", "twitter", #""retweetedStatus""#), ("/search?q=rain", "twitter", #"{"statuses":[{"id""#),
        ("/timelines/harbour", "twitterV2", #""createdAt":"2026-01-01T12:12:17Z""#),
        ("/timelines/ferry@social.example", "mastodon", #""fullText":"All crossings as usual.""#),
    ])
    func theDemoAnswersEveryFormOfTweet(_ path: String, _ dialect: String, _ part: String) throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let answer = try weir.get(path + (path.contains("?") ? "&" : "?") + "explain=1")
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""dialect":"\#(dialect)""#))
        #expect(answer.text.contains(part), "\(answer.text)")
    }

    @Test(arguments: [
        "/tweets/7", "/tweets/2006790000000000002", "/timelines/nobody", "/timelines/nobody@social.example",
    ])
    func anUnknownTweetIsNotFoundInTheDemo(_ path: String) throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        #expect(try weir.get(path).status == 404)
    }

    /// Each dialect's sample as the only upstream: its search, its errors and the pages of its timeline.
    @Test(arguments: [
        ("twitter", "weir", 8, 9, [2, 2, 0]), ("twitterV2", "harbour", 28, 29, [2, 0]),
        ("mastodon", "ferry", nil, 49, [2, 1, 0]),
    ])
    func everyTweetSampleWorksAlone(
        _ dialect: String, _ name: String, _ forbidden: Int?, _ limited: Int, _ pages: [Int]
    ) throws {
        let weir = try WeirProcess.serve(
            Self.configuration([(dialect, "\(Checkout.root)/Config/samples/\(dialect)")]))
        defer { weir.kill() }
        let search = try weir.get("/search?q=rain&count=1")
        #expect(search.status == 200)
        #expect(try search.json()["statuses"].count == 1)
        #expect(try weir.get("/tweets/7").status == 404)
        if let forbidden { #expect(try weir.get("/tweets/\(forbidden)").status == 403) }
        let refused = try weir.get("/tweets/\(limited)")
        #expect(refused.status == 429)
        // At once, so that the demo stays usable.
        #expect(refused.header("Retry-After") == "0")
        #expect(try weir.get("/tweets/\(limited)").status == 429)
        var path = "/timelines/\(name)", counts: [Int] = []
        for _ in 0...pages.count {
            let answer = try weir.get(path)
            counts.append(try answer.json().count)
            guard let link = answer.header("Link") else { break }
            path = String(try #require(link.split { "<>".contains($0) }.first))
        }
        #expect(counts == pages)
    }

    /// Lists of one tweet and three other elements.
    @Test(arguments: [
        ("twitter", "[5,\(tweet),{\"id\":2},null]", "dropped=3", ["[0]", "[2]"]),
        (
            "twitterV2",
            #"{"data":[{"id":"2"},{"id":"1212092628029698048","text":"a & b","created_at":"2026-01-01"},null,7]}"#,
            "dropped=3", ["data[0]", "data[2]"]
        ),
        (
            "mastodon", #"["x",{"id":"7","created_at":"2026-01-01","content":"a &amp; b"},{"content":"y"},[]]"#,
            "dropped=3", ["[0]", "[2]"]
        ),
    ])
    func elementsThatAreNotTweetsAreDroppedAndCounted(
        _ dialect: String, _ list: String, _ count: String, _ examples: [String]
    ) throws {
        let upstream = try ScriptedUpstream { head in
            .bytes(Self.answer(Self.account(head) ?? list))
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration([(dialect, upstream.baseURL)]))
        defer { weir.kill() }
        let answer = try weir.get("/timelines/weir")
        #expect(try answer.json().elements.map { $0["fullText"].string } == ["a & b"])
        #expect(answer.header("Weir-Drift")?.contains(count) == true, "\(answer.header("Weir-Drift") ?? "")")
        let explained = try weir.get("/timelines/weir?explain=1").json()
        #expect(explained["data"].count == 1)
        let dropped = explained["drift"].elements.filter { $0["kind"].string == "dropped" }
        #expect(dropped.compactMap { $0["count"].integer }.reduce(0, +) == 3)
        #expect(dropped.compactMap { $0["example"].string }.sorted() == examples)
    }

    @Test(arguments: [
        (
            "/search?q=&count=0&maxId=a%20b&fields=x&dates=y&explain=z&cuont=1",
            ["cuont", "q", "count", "maxId", "dates", "fields", "explain"], "did you mean \\\"count\\\"?"
        ),
        (
            "/timelines/a%20b?count=201&maxid=1&explian=1",
            ["explian", "maxid", "screenName", "count"], "did you mean \\\"maxId\\\"?"
        ),
        ("/tweets/%3Cx%3E?field=id&dates=today", ["field", "id", "dates"], "did you mean \\\"fields\\\"?"),
    ])
    func allWrongParametersAreReportedAtOnce(_ path: String, _ parameters: [String], _ hint: String) throws {
        let upstream = try ScriptedUpstream { _ in .bytes(Self.answer(Self.tweet)) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration([("twitter", upstream.baseURL)]))
        defer { weir.kill() }
        let answer = try weir.get(path)
        #expect(answer.status == 400)
        #expect(try answer.json()["errors"].elements.compactMap { $0["parameter"].string } == parameters)
        #expect(answer.text.contains(hint), "\(answer.text)")
        #expect(upstream.requests.isEmpty)
    }

    /// Requests for a page, the request to the upstream, its answer, and the link to the next page.
    @Test(arguments: [
        (
            "twitter", "/search?q=a&count=2&maxId=90", "q=a&", "&count=2&max_id=90",
            #"{"statuses":[\#(tweet)],"search_metadata":{"next_results":"?max_id=77&q=a"}}"#, "", "77"
        ),
        ("twitter", "/timelines/b?maxId=90", "screen_name=b&", "&max_id=90", "[\(tweet)]", "", "2006790000000000000"),
        (
            "twitterV2", "/search?q=a&count=20&maxId=90", "query=a&", "&max_results=20&until_id=91",
            #"{"data":[{"id":"80","text":"x","created_at":"2026-01-01"}],"meta":{"oldest_id":"80","next_token":"t"}}"#,
            "",
            "79"
        ),
        (
            "twitterV2", "/timelines/b", "/2/users/9/tweets?", "options",
            #"{"data":[{"id":"80","text":"x","created_at":"2026-01-01"}]}"#,
            "", nil
        ),
        (
            "mastodon", "/search?q=a&count=2&maxId=90", "q=a&", "&limit=2&max_id=90",
            #"{"statuses":[{"id":"80","content":"x","created_at":"2026-01-01"}]}"#, "", "80"
        ),
        (
            "mastodon", "/timelines/b", "limit=20", "", #"[{"id":"80","content":"x","created_at":"2026-01-01"}]"#,
            "Link: <https://a.example/x?limit=20&max_id=33>; rel=\"next\", <https://a.example/x?min_id=80>; rel=\"prev\"\r\n",
            "33"
        ),
        (
            "mastodon", "/timelines/b", "limit=20", "", #"[{"id":"80","content":"x","created_at":"2026-01-01"}]"#,
            "Link: <https://a.example/x?min_id=80>; rel=\"prev\"\r\n", nil
        ),
    ])
    func pagingIsForwardedInBothDirections(
        _ dialect: String, _ path: String, _ start: String, _ end: String, _ body: String, _ headers: String,
        _ next: String?
    ) throws {
        let upstream = try ScriptedUpstream { head in
            let account = Self.account(head)
            return .bytes(Self.answer(account ?? body, headers: account == nil ? headers : ""))
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration([(dialect, upstream.baseURL)]))
        defer { weir.kill() }
        let answer = try weir.get(path)
        #expect(answer.status == 200, "\(answer.text)")
        let target = try #require(upstream.requests.last).split(separator: " ")[1]
        #expect(target.contains(start) && target.hasSuffix(end), "\(target)")
        let link = answer.header("Link")
        #expect(link?.hasSuffix("maxId=\(next ?? "-")>; rel=\"next\"") == (next == nil ? nil : true), "\(link ?? "")")
        if path.hasPrefix("/search") { #expect(try answer.json()["metadata"]["nextMaxId"].string == next) }
    }

    @Test func theLinkToTheNextPageEscapesTheQuery() throws {
        let list = #"{"statuses":[{"id":"80","content":"x","created_at":"2026-01-01"}]}"#
        let upstream = try ScriptedUpstream { _ in .bytes(Self.answer(list)) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration([("mastodon", upstream.baseURL)]))
        defer { weir.kill() }
        let answer = try weir.get("/search?q=a%26b%3Dc%2B+d&count=2")
        #expect(answer.header("Link") == "</search?q=a%26b%3Dc%2B%20d&count=2&maxId=80>; rel=\"next\"")
    }

    @Test(arguments: [
        ("/tweets/1?fields=txt", "fields"), ("/tweets/1?dates=today", "dates"), ("/tweets/1?count=3", "count"),
        ("/tweets/a%20b", "id"), ("/tweets/%3Cx%3E", "id"), ("/timelines/weir?count=0", "count"),
        ("/timelines/weir?count=201", "count"), ("/timelines/weir?maxId=1%202", "maxId"),
        ("/timelines/a%20OR%20b", "screenName"), ("/search", "q"), ("/search?q=", "q"), ("/search?q=a&lat=1", "lat"),
        ("/search?q=a&q=b", "q"), ("/search?q=a&explain=yes", "explain"),
    ])
    func aWrongParameterIsReportedAndNoUpstreamIsAsked(_ path: String, _ parameter: String) throws {
        let upstream = try ScriptedUpstream { _ in .bytes(Self.answer(Self.tweet)) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration([("twitter", upstream.baseURL)]))
        defer { weir.kill() }
        let answer = try weir.get(path)
        #expect(answer.status == 400, "\(path)")
        #expect(answer.text.contains(#"{"parameter":"\#(parameter)""#), "\(answer.text)")
        #expect(upstream.requests.isEmpty)
    }

    @Test(
        "An id that is no number is asked of no Twitter", arguments: ["twitter", "twitterV2"],
        [
            "/tweets/AmQ1WeirReply", "/tweets/-5", "/tweets/20067900000000000012", "/timelines/weir?maxId=1a",
            "/search?q=a&maxId=123456789012345678901",
        ])
    func idsOfTwitterAreNumbers(_ dialect: String, _ path: String) throws {
        let twitter = try ScriptedUpstream { _ in .answer(Self.tweet) }
        defer { twitter.stop() }
        let status = #"{"id":"7","created_at":"2026-01-01","content":"a"}"#
        let mastodon = try ScriptedUpstream { head in
            .answer(
                head.contains("/api/v2/search")
                    ? #"{"statuses":[\#(status)]}"#
                    : Self.account(head) ?? (head.contains("/api/v1/statuses/") ? status : "[\(status)]"))
        }
        defer { mastodon.stop() }
        let alone = try WeirProcess.serve(Self.configuration([(dialect, twitter.baseURL)]))
        defer { alone.kill() }
        let answer = try alone.get(path)
        try expectProblem(answer, 400)
        let name = path.hasPrefix("/tweets/") ? "id" : "maxId"
        let fault = #"{"parameter":"\#(name)","detail":"must be an id: at most 19 digits"#
        #expect(answer.text.contains(fault), "\(answer.text)")
        // Another upstream may have it.
        let both = try WeirProcess.serve(
            Self.configuration([(dialect, twitter.baseURL), ("mastodon", mastodon.baseURL)]))
        defer { both.kill() }
        let other = try both.get(path)
        #expect(other.status == 200, "\(other.text)")
        #expect(twitter.requests.isEmpty)
        #expect(!mastodon.requests.isEmpty)
    }

    @Test func theTokenIsSentOnlyInTheHeader() throws {
        let upstream = try ScriptedUpstream { _ in .bytes(Self.answer(Self.tweet)) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration([("twitter", upstream.baseURL)]))
        defer { weir.kill() }
        #expect(try weir.get("/tweets/2006790000000000001").status == 200)
        let head = try #require(upstream.requests.first)
        #expect(head.hasPrefix("GET /1.1/statuses/show.json?id=2006790000000000001&"))
        #expect(head.contains("Authorization: Bearer test-key\r\n"))
        #expect(head.split(separator: "\r\n")[0].contains("test-key") == false)
    }

    @Test(arguments: [
        ("404 Not Found", #"{"errors":[{"code":144,"message":"No status found"}]}"#, 404),
        ("403 Forbidden", #"{"errors":[{"code":179,"message":"Sorry"}]}"#, 403),
        ("403 Forbidden", #"{"errors":[{"code":63,"message":"User has been suspended."}]}"#, 403),
        // The operator's account, and the syntax of a search.
        ("403 Forbidden", #"{"errors":[{"code":64,"message":"Your account is suspended"}]}"#, 502),
        ("403 Forbidden", #"{"errors":[{"code":326,"message":"To protect our users"}]}"#, 502),
        ("403 Forbidden", #"{"errors":[{"code":195,"message":"Missing or invalid url parameter."}]}"#, 422),
        ("401 Unauthorized", #"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#, 401),
        ("401 Unauthorized", #"{"errors":[{"code":32,"message":"Could not authenticate you."}]}"#, 401),
        ("400 Bad Request", #"{"errors":[{"code":88,"message":"Rate limit exceeded"}]}"#, 429),
        ("200 OK", #"{"errors":[{"code":34,"message":"Sorry, that page does not exist."}]}"#, 404),
        ("500 Oops", #"{"error":"Internal"}"#, 502), ("200 OK", "<html>", 502), ("200 OK", "", 502),
    ])
    func anUpstreamsErrorKeepsItsMeaning(_ status: String, _ body: String, _ expected: Int) throws {
        let reset = Int(Date().timeIntervalSince1970) + 600
        let upstream = try ScriptedUpstream { _ in
            .bytes(Self.answer(body, status: status, headers: "x-rate-limit-reset: \(reset)\r\n"))
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration([("twitter", upstream.baseURL)]))
        defer { weir.kill() }
        let answer = try weir.get("/tweets/1")
        #expect(answer.status == expected, "\(answer.text)")
        let retryAfter = answer.header("Retry-After").flatMap { Int($0) }
        #expect(expected == 429 ? 590...600 ~= retryAfter ?? 0 : retryAfter == nil)
    }

    /// Errors without a code: Mastodon is asked without a key, so they concern the client's request; Twitter's concern the
    /// token.
    @Test(arguments: [
        ("mastodon", "401 Unauthorized", #"{"error":"This method requires an authenticated user"}"#, 403),
        ("mastodon", "401 Unauthorized", #"{"error":"x","error_description":"The access token is invalid"}"#, 403),
        ("mastodon", "403 Forbidden", #"{"error":"This action is not allowed"}"#, 403),
        ("mastodon", "404 Not Found", #"{"error":"Record not found"}"#, 404),
        ("mastodon", "404 Not Found", "<html>", 404), ("mastodon", "410 Gone", #"{"error":"Gone"}"#, 404),
        ("mastodon", "410 Gone", "", 404),
        ("mastodon", "422 Unprocessable Content", #"{"error":"Unprocessable Content"}"#, 422),
        ("mastodon", "422 No", #"{"error":"This method requires an authenticated user"}"#, 403),
        ("mastodon", "429 Too Many Requests", #"{"error":"Too many requests"}"#, 429),
        // A proxy in front of Mastodon, and failures of Mastodon itself.
        ("mastodon", "403 Forbidden", "<html>Who are you?</html>", 502), ("mastodon", "401 Unauthorized", "", 502),
        ("mastodon", "400 Bad Request", #"{"error":"param is missing"}"#, 502),
        ("mastodon", "503 Service Unavailable", #"{"error":"Remote data could not be fetched"}"#, 502),
        ("mastodon", "200 OK", #"{"error":"yes, it's an error."}"#, 502),
        ("twitter", "401 Unauthorized", #"{"error":"Not authorized.","request":"/1.1/statuses/show.json"}"#, 403),
        // A protected user.
        ("twitter", "401 No", #"{"request":"/1.1/statuses/user_timeline.json","error":"Not authorized."}"#, 403),
        ("twitter", "403 Forbidden", #"{"errors":"Forbidden"}"#, 502),
        ("twitter", "410 Gone", #"{"error":"Gone"}"#, 502), ("twitter", "410 Gone", "", 502),
        ("twitterV2", "401 Unauthorized", #"{"error":"Unauthorized"}"#, 502),
        ("twitterV2", "403 Forbidden", #"{"errors":[{"message":"Forbidden"}]}"#, 502),
    ])
    func anErrorWithoutACodeIsTheClientsIfNoKeyIsSent(
        _ dialect: String, _ status: String, _ body: String, _ expected: Int
    ) throws {
        let upstream = try ScriptedUpstream { _ in .bytes(Self.answer(body, status: status)) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration([(dialect, upstream.baseURL)]))
        defer { weir.kill() }
        let problem = try expectProblem(weir.get("/tweets/1"), expected)
        if [403, 422].contains(expected) { #expect(problem["type"].string == "urn:weir:problem:upstream-refused") }
        if let error = try? Parsed(body) {
            let message = [error["error_description"], error["error"]].lazy.compactMap(\.string).first
            if let message { #expect(problem["upstream"]["error"].string == message) }
        }
        #expect(problem["upstream"]["status"].integer == Int(status.prefix(3)))
    }

    @Test(arguments: [
        ("/tweets/1", #"{"id":1,"screen_name":"a"}"#), ("/tweets/1", "[]"), ("/tweets/1", #"{"statuses":[]}"#),
        ("/timelines/a", tweet), ("/timelines/a", #"[{"id":1,"screen_name":"a"}]"#), ("/search?q=a", "[]"),
    ])
    func anAnswerOfAnotherKindIsA502(_ path: String, _ body: String) throws {
        let upstream = try ScriptedUpstream { _ in .bytes(Self.answer(body)) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration([("twitter", upstream.baseURL)]))
        defer { weir.kill() }
        #expect(try weir.get(path).status == 502)
    }

    @Test(arguments: ["twitter", "twitterV2"])
    func aTokenRepeatedInAnErrorIsNotForwarded(_ dialect: String) throws {
        let upstream = try ScriptedUpstream { _ in
            .bytes(Self.answer(#"{"errors":[{"code":89,"message":"No such token: test-key."}]}"#, status: "401 No"))
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration([(dialect, upstream.baseURL)]))
        defer { weir.kill() }
        let answer = try weir.get("/tweets/1")
        #expect(answer.status == 401)
        #expect(answer.text.contains("No such token: ***."))
        #expect(try weir.terminate() == 0)
        #expect(!(weir.errors + weir.output).contains("test-key"))
    }

    @Test(arguments: [
        (
            "mastodon", #"[{"id":"7","created_at":"2026-01-01T18:00:37.250Z","content":"<p>Hi</p>"}]"#,
            "/api/v1/accounts/lookup?acct=weir", "/api/v1/accounts/9/statuses?limit=5&max_id=8"
        ),
        (
            "twitterV2", #"{"data":[{"id":"7","created_at":"2026-01-01T18:00:37.250Z","text":"Hi"}]}"#,
            "/2/users/by/username/weir", "/2/users/9/tweets?"
        ),
    ])
    func theUserIdIsLookedUpFirst(_ dialect: String, _ list: String, _ lookup: String, _ target: String) throws {
        let upstream = try ScriptedUpstream { head in .bytes(Self.answer(Self.account(head) ?? list)) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration([(dialect, upstream.baseURL)]))
        defer { weir.kill() }
        let answer = try weir.get("/timelines/weir?count=5&maxId=8&fields=id,fullText,createdAt")
        #expect(answer.text == #"[{"id":"7","createdAt":"2026-01-01T18:00:37.250Z","fullText":"Hi"}]"#)
        let targets = upstream.requests.map { $0.split(separator: " ")[1] }
        #expect(targets.count == 2 && targets[0] == lookup && targets[1].hasPrefix(target), "\(targets)")
    }

    @Test func theNextTweetUpstreamIsAskedIfOneFails() throws {
        let failing = try ScriptedUpstream { _ in .close }
        defer { failing.stop() }
        let weir = try WeirProcess.serve(
            Self.configuration([("twitter", failing.baseURL), ("twitter", "\(Checkout.root)/Config/samples/twitter")]))
        defer { weir.kill() }
        let answer = try weir.get("/tweets/1?explain=1")
        #expect(answer.text.contains(#""failed":["upstream-0"]"#))
    }

    @Test func normalizeWritesTweetsAndTheirText() throws {
        let file = "\(Checkout.root)/Config/samples/twitter/tweet.json"
        let text = try WeirProcess.run(["normalize", "--as", "twitter", "--text", file])
        #expect(text.status == 0)
        #expect(text.output.contains("Weir @weir  2026-01-01T18:00:37Z\nRain & wind ahead"))
        #expect(text.output.contains("\n> Harbour Master @harbour  2026-01-01T06:00:00Z\n> Gate two opens at noon."))
        let document = try WeirProcess.run([
            "normalize", "--as", "twitter", "--fields", "id,quotedStatus.fullText", file,
        ])
        #expect(
            document.output == #"{"id":"2006790000000000001","quotedStatus":{"fullText":"Gate two opens at noon."}}"#)
        #expect(try WeirProcess.run(["normalize", "--as", "twitter", "--units", "si", file]).status == 64)
        let refused = try WeirProcess.run(["normalize", "--as", "twitter"], input: Array(#"{"errors":"Nope"}"#.utf8))
        #expect(refused.status == 65 && refused.errors.contains("Nope"))
    }
}
