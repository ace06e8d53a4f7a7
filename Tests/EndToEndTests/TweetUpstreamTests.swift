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

    @Test("An upstream that wants to be paid is a 503 with its reason", arguments: ["twitter", "twitterV2", "mastodon"])
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
