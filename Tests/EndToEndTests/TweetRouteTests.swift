import Foundation
import TestSupport
import Testing

/// `/tweets/{id}`, `/timelines/{screenName}` and `/search`.
@Suite(.timeLimit(.minutes(10)))
struct TweetRouteTests {
    private static func configuration(_ upstreams: [(dialect: String, place: String)]) -> String {
        let entries = upstreams.enumerated().map { index, upstream in
            let place = upstream.place
            let source = place.hasPrefix("http") ? #""baseURL": "\#(place)""# : #""sample": "\#(place)""#
            let key = upstream.dialect == "mastodon" ? "" : #", "key": {"environment": "WEIR_TEST_KEY"}"#
            return #"{"name": "upstream-\#(index)", "dialect": "\#(upstream.dialect)", \#(source)\#(key)}"#
        }
        let names = upstreams.indices.map { "\"upstream-\($0)\"" }.joined(separator: ", ")
        return """
            {"listen": "127.0.0.1:0", "shards": 1, "upstreams": [
                {"name": "sky", "dialect": "darkSky", "sample": "\(Checkout.root)/Config/samples/darkSky"},
                \(entries.joined(separator: ", "))],
             "weather": {"upstreams": ["sky"]}, "tweets": {"upstreams": [\(names)]}}
            """
    }

    private static func answer(_ body: String, status: String = "200 OK", headers: String = "") -> [UInt8] {
        Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)".utf8)
    }

    private static let tweet = """
        {"id":1,"id_str":"2006790000000000001","created_at":"Thu Jan 01 18:00:37 +0000 2026","full_text":"a &amp; b"}
        """

    @Test func theSampleAnswersEveryRoute() throws {
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
        #expect(search.text.contains(#""source":{"upstream":"upstream-0","dialect":"twitter"}"#))
    }

    @Test(arguments: [
        ("/tweets/1?fields=txt", "fields"), ("/tweets/1?dates=today", "dates"), ("/tweets/1?count=3", "count"),
        ("/tweets/a%20b", "id"), ("/tweets/%3Cx%3E", "id"), ("/timelines/weir?count=0", "count"),
        ("/timelines/weir?count=201", "count"), ("/timelines/weir?maxId=1%202", "maxId"),
        ("/timelines/a%20OR%20b", "screenName"), ("/search", "q"), ("/search?q=", "q"), ("/search?q=a&lat=1", "lat"),
        ("/search?q=a&q=b", "q"), ("/search?q=a&explain=yes", "explain"),
    ])
    func aWrongParameterIsNamedAndNobodyIsAsked(_ path: String, _ parameter: String) throws {
        let upstream = try ScriptedUpstream { _ in .bytes(Self.answer(Self.tweet)) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration([("twitter", upstream.baseURL)]))
        defer { weir.kill() }
        let answer = try weir.get(path)
        #expect(answer.status == 400, "\(path)")
        #expect(answer.text.contains(#"{"parameter":"\#(parameter)""#), "\(answer.text)")
        #expect(upstream.requests.isEmpty)
    }

    @Test func theTokenGoesInTheHeaderOnly() throws {
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
        ("401 Unauthorized", #"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#, 401),
        ("401 Unauthorized", #"{"errors":[{"code":32,"message":"Could not authenticate you."}]}"#, 401),
        ("400 Bad Request", #"{"errors":[{"code":88,"message":"Rate limit exceeded"}]}"#, 429),
        ("200 OK", #"{"errors":[{"code":34,"message":"Sorry, that page does not exist."}]}"#, 404),
        ("500 Oops", #"{"error":"Internal"}"#, 502), ("200 OK", "<html>", 502), ("200 OK", "", 502),
    ])
    func anUpstreamsErrorKeepsItsMeaning(_ status: String, _ body: String, _ expected: Int) throws {
        let upstream = try ScriptedUpstream { _ in
            .bytes(Self.answer(body, status: status, headers: "x-rate-limit-reset: 4102444800\r\n"))
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration([("twitter", upstream.baseURL)]))
        defer { weir.kill() }
        let answer = try weir.get("/tweets/1")
        #expect(answer.status == expected, "\(answer.text)")
        if expected == 429 { #expect((answer.header("Retry-After").flatMap { Int($0) } ?? 0) > 1_000_000) }
    }

    @Test func mastodonsAccountIsLookedUpFirst() throws {
        let status =
            #"{"id":"7","created_at":"2026-01-01T18:00:37.250Z","content":"<p>Hi</p>","account":{"id":"9","acct":"weir"}}"#
        let upstream = try ScriptedUpstream { head in
            .bytes(Self.answer(head.contains("/lookup?") ? #"{"id":"9","acct":"weir"}"# : "[\(status)]"))
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration([("mastodon", upstream.baseURL)]))
        defer { weir.kill() }
        let answer = try weir.get("/timelines/weir?count=5&maxId=8&fields=id,fullText,createdAt")
        #expect(answer.text == #"[{"id":"7","createdAt":"2026-01-01T18:00:37.250Z","fullText":"Hi"}]"#)
        let targets = upstream.requests.map { $0.split(separator: " ")[1] }
        #expect(targets == ["/api/v1/accounts/lookup?acct=weir", "/api/v1/accounts/9/statuses?limit=5&max_id=8"])
    }

    @Test func whenOneFailsTheNextIsAsked() throws {
        let failing = try ScriptedUpstream { _ in .close }
        defer { failing.stop() }
        let weir = try WeirProcess.serve(
            Self.configuration([("twitter", failing.baseURL), ("twitter", "\(Checkout.root)/Config/samples/twitter")]))
        defer { weir.kill() }
        let answer = try weir.get("/tweets/1?explain=1")
        #expect(answer.text.contains(#""failed":["upstream-0"]"#))
    }

    @Test func theCommandWritesTweetsAndTheirText() throws {
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
