import Foundation
import TestSupport
import Testing

/// Upstreams that limit the rate of requests.
@Suite(.timeLimit(.minutes(10)))
struct RateLimitTests {
    private static let status = #"{"id":"7","created_at":"2026-01-01T18:00:37Z","content":"<p>Hi</p>"}"#
    private static let date = "Date: Thu, 01 Jan 2026 00:00:00 GMT"
    private static let clock = 1_767_225_600

    private static func serve(_ dialect: String, _ upstreams: [ScriptedUpstream]) throws -> WeirProcess {
        let places = upstreams.map(\.baseURL)
        if dialect == "pirateWeather" || dialect == "darkSky" {
            return try WeirProcess.serve(configuration(places, dialect: dialect))
        }
        return try WeirProcess.serve(TweetRouteTests.configuration(places.map { (dialect, $0) }))
    }

    /// Checks that an answer reports a pause, and returns its Retry-After in seconds.
    private static func expectPause(_ answer: RawAnswer) throws -> Int {
        try expectRefusal(answer, "demands a pause after too many requests")
    }

    /// Checks that an answer reports a spent quota, and returns its Retry-After in seconds.
    private static func expectSpent(_ answer: RawAnswer, _ requests: String) throws -> Int {
        try expectRefusal(answer, "has used up its \(requests)")
    }

    private static func expectRefusal(_ answer: RawAnswer, _ reason: String) throws -> Int {
        let problem = try expectProblem(answer, 503)
        #expect(problem["type"].string == "urn:weir:problem:upstream-rate-limit")
        #expect(problem["upstream"]["name"].string == "upstream-0")
        let seconds = try #require(answer.header("Retry-After").flatMap { Int($0) })
        let detail = "The upstream upstream-0 \(reason); it may be asked again in \(seconds) s."
        #expect(problem["detail"].string == detail)
        return seconds
    }

    /// The last response within the quota, as each upstream sends it.
    @Test(arguments: [
        ("twitter", "/tweets/1", TweetRouteTests.tweet, "x-rate-limit-", "\(clock + 300)"),
        (
            "twitterV2", "/tweets/1", #"{"data":{"id":"7","text":"Hi","created_at":"2026-01-01"}}"#, "x-rate-limit-",
            "\(clock + 300)"
        ),
        ("mastodon", "/tweets/1", status, "X-RateLimit-", "2026-01-01T00:05:00.000000Z"),
        ("pirateWeather", weather, smallForecast, "Ratelimit-", "300"),
        ("darkSky", weather, smallForecast, "RateLimit-", "\(clock + 300)"),
    ])
    func anUpstreamWithASpentQuotaIsNotAskedBeforeItsReset(
        _ dialect: String, _ path: String, _ body: String, _ name: String, _ reset: String
    ) throws {
        // The upstream's clock may be far from ours: its Date counts.
        let fields = [Self.date, "\(name)Limit: 900", "\(name)Remaining: 0", "\(name)Reset: \(reset)"]
        let upstream = try ScriptedUpstream { _ in .answer(body, headers: fields) }
        defer { upstream.stop() }
        let weir = try Self.serve(dialect, [upstream])
        defer { weir.kill() }
        #expect(try weir.get(path).status == 200)
        // Each on its own connection, so on any shard.
        for _ in 1...4 { #expect(try 290...300 ~= Self.expectSpent(weir.get(path), "900 requests")) }
        #expect(upstream.requests.count == 1)
        #expect(try weir.terminate() == 0)
        let lines = weir.errors.split(separator: "\n").filter { $0.contains("upstream quota used up") }
        #expect(lines.count == 1)
        let line = try Parsed(String(lines.first ?? "{}"))
        #expect(line["level"].string == "warning")
        #expect(line["upstream"].string == "upstream-0")
        #expect(line["requests"].string == (path == weather ? "forecast" : "tweet"))
        #expect(line["detail"].string?.contains("its 900 requests; it may be asked again in 300 s.") == true)
        #expect(!weir.errors.contains("upstream failed"))
    }

    /// Answers the first request at once and further ones when the gate opens, with what `remaining` returns for each.
    private static func counting(
        _ gate: Gate, _ remaining: @escaping @Sendable (_ request: Int) -> Int
    ) throws -> ScriptedUpstream {
        let count = Watched(0)
        return try ScriptedUpstream { _ in
            let request = count.increase()
            if request > 1 { gate.pass() }
            let fields = ["X-RateLimit-Remaining: \(remaining(request))", "X-RateLimit-Reset: 300"]
            return .answer(status, headers: [date] + fields)
        }
    }

    /// Serves `upstream`, for which requests wait for so many milliseconds, and has the first request answered.
    private static func serve(_ upstream: ScriptedUpstream, waiting milliseconds: Int) throws -> WeirProcess {
        let text = TweetRouteTests.configuration([("mastodon", upstream.baseURL)])
        let settings = "\"maximumWaitMilliseconds\": \(milliseconds), \"dialect\""
        let weir = try WeirProcess.serve(text.replacing("\"dialect\"", with: settings))
        #expect(try weir.get("/tweets/1").status == 200)
        return weir
    }

    /// The first of twenty-one requests has the answer that three are left.
    @Test(arguments: [false, true])
    func anUpstreamGetsNoMoreRequestsThanItHasLeft(_ hasMore: Bool) throws {
        let gate = Gate()
        let upstream = try Self.counting(gate) { hasMore && $0 > 1 ? 100 : max(0, 4 - $0) }
        defer {
            gate.open()
            upstream.stop()
        }
        let weir = try Self.serve(upstream, waiting: 60000)
        defer { weir.kill() }
        let clients = try (2...21).map { number in
            let client = try weir.client()
            client.send("GET /tweets/\(number) HTTP/1.1\r\nHost: weir\r\n\r\n")
            return client
        }
        #expect(upstream.waitForRequests(4))
        while try !weir.get("/metrics").text.contains(try Regex("weir_upstream_waiting_requests.* 17\n")) {}
        #expect(upstream.requests.count == 4)
        gate.open()
        let answers = try clients.map { try $0.read() }
        let refused = answers.filter { $0.status != 200 }
        #expect(refused.count == (hasMore ? 0 : 17))
        for answer in refused { #expect(try 290...300 ~= Self.expectSpent(answer, "requests")) }
        #expect(upstream.requests.count == (hasMore ? 21 : 4))
    }

    @Test func whoeverWaitsTooLongForTheLastRequestsGets503() throws {
        let gate = Gate()
        let upstream = try Self.counting(gate) { _ in 1 }
        defer {
            gate.open()
            upstream.stop()
        }
        let weir = try Self.serve(upstream, waiting: 20)
        defer { weir.kill() }
        let client = try weir.client()
        client.send("GET /tweets/2 HTTP/1.1\r\nHost: weir\r\n\r\n")
        #expect(upstream.waitForRequests(2))
        let problem = try expectProblem(weir.get("/tweets/3"), 503)
        #expect(problem["type"].string == "urn:weir:problem:upstream-unavailable")
        gate.open()
        #expect(try client.read().status == 200)
        #expect(try weir.get("/tweets/3").status == 200)
        #expect(upstream.requests.count == 3)
    }

    /// Fields that do not block an upstream.
    @Test(arguments: [
        ["X-RateLimit-Limit: 300", "X-RateLimit-Reset: 300"], ["X-RateLimit-Remaining: 0"],
        ["X-RateLimit-Remaining: 1", "X-RateLimit-Reset: 300"], ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 0"],
        ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: \(clock - 1)"],
        ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: \(clock + 31 * 86_400 + 1)"],
        ["X-RateLimit-Remaining: -1", "X-RateLimit-Reset: 300"],
        ["X-RateLimit-Limit: 1", "X-RateLimit-Remaining: 2", "X-RateLimit-Reset: 300"],
        ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: never"], ["Retry-After: 300"],
    ])
    func otherRateLimitFieldsDoNotBlockAnUpstream(_ fields: [String]) throws {
        let upstream = try ScriptedUpstream { _ in .answer(Self.status, headers: [Self.date] + fields) }
        defer { upstream.stop() }
        let weir = try Self.serve("mastodon", [upstream])
        defer { weir.kill() }
        for _ in 1...2 { #expect(try weir.get("/tweets/1").status == 200) }
        #expect(upstream.requests.count == 2)
    }

    @Test func aRefusalWithRetryAfterIsForwardedAndBlocksTheUpstream() throws {
        let upstream = try ScriptedUpstream { _ in .answer(429, "slow down", headers: ["Retry-After: 170"]) }
        defer { upstream.stop() }
        let weir = try Self.serve("darkSky", [upstream])
        defer { weir.kill() }
        let refused = try weir.get(weather)
        let problem = try expectProblem(refused, 429)
        #expect(problem["detail"].string?.contains("status 429") == true)
        #expect(problem["upstream"]["error"].string == "slow down")
        #expect(refused.header("Retry-After") == "170")
        #expect(try 160...170 ~= Self.expectPause(weir.get(weather)))
        #expect(upstream.requests.count == 1)
        #expect(try weir.logLine("upstream failed")["status"].integer == 429)
    }

    /// Open-Meteo sends some errors after the status.
    @Test(arguments: [200, 400, 429])
    func theReasonOfOpenMeteoIsNamedWhateverTheStatus(_ status: Int) throws {
        let upstream = try ScriptedUpstream { head in
            let isOff = head.contains("latitude=80")
            let reason = isOff ? "Cannot initialize the model." : "Hourly API request limit exceeded."
            return .answer(isOff && status == 429 ? 400 : status, #"{"error":true,"reason":"\#(reason)"}"#)
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL], dialect: "openMeteo"))
        defer { weir.kill() }
        let failed = try expectProblem(weir.get("/weather?lat=80&lon=2"), 502)
        #expect(failed["type"].string == "urn:weir:problem:upstream-failed")
        #expect(failed["upstream"]["error"].string == "Cannot initialize the model.")
        if status == 400 { return }
        let limited = try weir.get(weather)
        #expect(try expectProblem(limited, 429)["upstream"]["error"].string == "Hourly API request limit exceeded.")
        #expect(60...3660 ~= limited.header("Retry-After").flatMap { Int($0) } ?? 0)
        _ = try Self.expectSpent(weir.get(weather), "requests")
        #expect(upstream.requests.count == 2)
    }

    @Test func anOutageWithRetryAfterBlocksTheUpstreamOverARestart() throws {
        let upstream = try ScriptedUpstream { _ in .answer(503, "closed", headers: ["Retry-After: 86400"]) }
        defer { upstream.stop() }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write("{}", to: "quotas.json")
        let text = configuration([upstream.baseURL])
            .replacing("\"fetching\": {", with: "\"fetching\": {\"quotaFile\": \"\(file)\", ")
        for expected in [502, 503] {
            let weir = try WeirProcess.serve(text)
            defer { weir.kill() }
            if expected == 502 { #expect(try weir.get(weather).header("Retry-After") == "86400") }
            let refused = try weir.get(weather)
            let problem = try expectProblem(refused, 503)
            let seconds = try #require(refused.header("Retry-After").flatMap { Int($0) })
            #expect(840...900 ~= seconds)
            #expect(problem["type"].string == "urn:weir:problem:upstream-unavailable")
            let detail = "The upstream upstream-0 is unavailable, as it says; it may be asked again in \(seconds) s."
            #expect(problem["detail"].string == detail)
            #expect(try weir.terminate() == 0)
            #expect(weir.errors.contains("\"upstream pauses\"") == (expected == 502))
        }
        #expect(upstream.requests.count == 1)
    }

    @Test func anUpstreamIsNotBlockedForMoreThan15Minutes() throws {
        let upstream = try ScriptedUpstream { _ in .answer(429, "", headers: ["Retry-After: 86400"]) }
        defer { upstream.stop() }
        let weir = try Self.serve("darkSky", [upstream])
        defer { weir.kill() }
        #expect(try weir.get(weather).header("Retry-After") == "86400")
        #expect(try 890...900 ~= Self.expectPause(weir.get(weather)))
    }

    /// Pirate Weather's limit is one of the month, and its reset the seconds until the month ends.
    @Test(arguments: [200, 429])
    func aMonthlyQuotaBlocksTheUpstreamUntilTheMonthEnds(_ status: Int) throws {
        let fields = ["Ratelimit-Limit: 20000", "Ratelimit-Remaining: 0", "Ratelimit-Reset: 1217931"]
        let upstream = try ScriptedUpstream { _ in .answer(status, smallForecast, headers: fields) }
        defer { upstream.stop() }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write("{}", to: "quotas.json")
        let text = configuration([upstream.baseURL], dialect: "pirateWeather")
            .replacing("\"fetching\": {", with: "\"fetching\": {\"quotaFile\": \"\(file)\", ")
        for expected in [status, 503] {
            let weir = try WeirProcess.serve(text)
            defer { weir.kill() }
            #expect(try weir.get(weather).status == expected)
            #expect(try 1_217_000...1_217_931 ~= Self.expectSpent(weir.get(weather), "20000 requests"))
            #expect(try weir.terminate() == 0)
        }
        #expect(upstream.requests.count == 1)
    }

    /// Twitter counts the requests to each endpoint separately.
    @Test func otherEndpointsAreStillAsked() throws {
        let upstream = try ScriptedUpstream { head in
            if head.contains("/search/") { return .answer(429, "", headers: ["Retry-After: 300"]) }
            return .answer(head.contains("user_timeline") ? "[\(TweetRouteTests.tweet)]" : TweetRouteTests.tweet)
        }
        defer { upstream.stop() }
        let weir = try Self.serve("twitter", [upstream])
        defer { weir.kill() }
        for (path, status) in [
            ("/search?q=a", 429), ("/search?q=b", 503), ("/tweets/1", 200), ("/timelines/weir", 200),
        ] {
            #expect(try weir.get(path).status == status, "\(path)")
        }
        #expect(upstream.requests.count == 3)
    }

    @Test func aSpentLookupQuotaBlocksTimelines() throws {
        let upstream = try ScriptedUpstream { head in
            let fields = ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 300"]
            if head.contains("/accounts/lookup?") { return .answer(#"{"id":"9","acct":"weir"}"#, headers: fields) }
            return .answer("[\(Self.status)]")
        }
        defer { upstream.stop() }
        let weir = try Self.serve("mastodon", [upstream])
        defer { weir.kill() }
        #expect(try weir.get("/timelines/weir").status == 200)
        _ = try Self.expectSpent(weir.get("/timelines/gauge"), "requests")
        #expect(upstream.requests.count == 2)
        // The id of this name is known.
        #expect(try weir.get("/timelines/weir").status == 200)
        #expect(try weir.logLine("upstream quota used up")["requests"].string == "lookup")
    }

    @Test func theNextUpstreamIsAskedInsteadOfABlockedOne() throws {
        let fields = ["Ratelimit-Remaining: 0", "Ratelimit-Reset: 300"]
        let first = try ScriptedUpstream { _ in .answer(smallForecast, headers: fields) }
        defer { first.stop() }
        let second = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { second.stop() }
        let weir = try Self.serve("darkSky", [first, second])
        defer { weir.kill() }
        let sources = try (1...2).map { _ in try weir.get("\(weather)&explain=1").json()["source"] }
        #expect(sources.map { $0["upstream"].string } == ["upstream-0", "upstream-1"])
        #expect(sources[1]["failed"].strings == ["upstream-0"])
        #expect(first.requests.count == 1)
    }
}
