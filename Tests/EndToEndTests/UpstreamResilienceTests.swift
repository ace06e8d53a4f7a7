import TestSupport
import Testing

/// Circuit breakers, retries, and what the log and the upstream learn about a request.
@Suite(.timeLimit(.minutes(10)))
struct UpstreamResilienceTests {
    /// A configuration with one upstream and these further settings of it.
    private static func configuration(_ upstream: ScriptedUpstream, _ settings: String, fetching: String = "") -> String
    {
        """
        {
            "listen": "127.0.0.1:0", "shards": 2, "cache": {"maximumBytes": 0}, "server": {"drainTimeoutMilliseconds": 3000},
            "fetching": {"deadlineMilliseconds": 20000\(fetching)},
            "upstreams": [
                {"name": "sky", "dialect": "darkSky", "baseURL": "\(upstream.baseURL)",
                 "key": {"environment": "WEIR_TEST_KEY"}, "deadlineMilliseconds": 20000, \(settings)}
            ],
            "weather": {"upstreams": ["sky"]}
        }
        """
    }

    private static func lines(_ weir: WeirProcess, _ message: String) throws -> [Parsed] {
        try weir.errors.split(separator: "\n").map { try Parsed(String($0)) }.filter { $0["message"].string == message }
    }

    @Test func anUpstreamThatFailsOftenIsNotAskedUntilAProbeSucceeds() throws {
        let isGood = Watched(false)
        let upstream = try ScriptedUpstream { _ in isGood.current ? .answer(smallForecast) : .answer(500, "{}") }
        defer { upstream.stop() }
        let breaker = #""retryPercent": 0, "breaker": {"minimumRequests": 4, "openMilliseconds": 2000}"#
        let weir = try WeirProcess.serve(Self.configuration(upstream, breaker))
        defer { weir.kill() }
        for _ in 1...4 { try expectProblem(weir.get(weather), 502) }
        let refused = try weir.get(weather)
        let problem = try expectProblem(refused, 503)
        #expect(problem["type"].string == "urn:weir:problem:upstream-unavailable")
        let pause = try #require(refused.header("Retry-After"))
        #expect(["1", "2"].contains(pause))
        let detail = "The upstream sky has failed too often, last with 500; it is asked again in \(pause) s."
        #expect(problem["detail"].string == detail)
        #expect(upstream.requests.count == 4)
        isGood.update { $0 = true }
        // The breaker opened for two seconds.
        while try weir.get(weather).status != 200 {}
        #expect(upstream.requests.count == 5)
        #expect(try weir.terminate() == 0)
        let states = try Self.lines(weir, "circuit breaker").map { $0["state"].string }
        #expect(states == ["open", "half-open", "closed"])
        #expect(try Self.lines(weir, "circuit breaker").allSatisfy { $0["requests"].string == "forecast" })
    }

    /// The upstream demands a pause that is shorter than the time for which the breaker opens.
    @Test func aShortPauseDoesNotHideAnOpenBreaker() throws {
        let upstream = try ScriptedUpstream { _ in .answer(503, "{}", headers: ["Retry-After: 2"]) }
        defer { upstream.stop() }
        let breaker = #""retryPercent": 0, "breaker": {"minimumRequests": 1, "openMilliseconds": 60000}"#
        let weir = try WeirProcess.serve(Self.configuration(upstream, breaker))
        defer { weir.kill() }
        for (status, name) in [(502, "upstream-failed"), (503, "upstream-unavailable")] {
            let answer = try weir.get(weather)
            #expect(try expectProblem(answer, status)["type"].string == "urn:weir:problem:\(name)")
            #expect(50...60 ~= answer.header("Retry-After").flatMap { Int($0) } ?? 0)
        }
        #expect(upstream.requests.count == 1)
    }

    /// Each endpoint has a breaker of its own.
    @Test func refusalsOfAClientsRequestsDoNotOpenTheBreaker() throws {
        let upstream = try ScriptedUpstream { _ in .answer(404, "{}") }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration(upstream, #""breaker": {"minimumRequests": 1}"#))
        defer { weir.kill() }
        for _ in 1...4 { try expectProblem(weir.get(weather), 404) }
        #expect(upstream.requests.count == 4)
    }

    /// Five requests earn one retry; the log names both tries, and that their connections were new.
    @Test func aTemporaryFailureIsTriedAgainWithinTheBudget() throws {
        let fails = Watched(false)
        let upstream = try ScriptedUpstream { _ in
            fails.update { fails in
                defer { fails = false }
                return fails ? .answer(503, "{}") : .answer(smallForecast)
            }
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration(upstream, #""maximumConcurrent": 1"#))
        defer { weir.kill() }
        for _ in 1...4 { #expect(try weir.get(weather).status == 200) }
        fails.update { $0 = true }
        #expect(try weir.get(weather).status == 200)
        #expect(upstream.requests.count == 6)
        fails.update { $0 = true }
        try expectProblem(weir.get(weather), 502)
        #expect(upstream.requests.count == 7)
        #expect(try weir.terminate() == 0)
        let lines = try Self.lines(weir, "fetched")
        #expect(lines.map { $0["tries"].count } == [2, 1])
        let first = lines[0]["tries"][0], second = lines[0]["tries"][1]
        #expect(lines[0]["route"].string == "/weather")
        #expect([first["upstream"].string, first["requests"].string] == ["sky", "forecast"])
        #expect([first["result"].string, second["result"].string] == ["503", "200"])
        #expect([first["bytes"].integer, second["bytes"].integer] == [2, smallForecast.utf8.count])
        #expect([first["connection"].string, second["connection"].string] == ["new", "new"])
        #expect(first["milliseconds"].integer != nil)
        #expect(try Self.lines(weir, "upstream figures").map { $0["transfers"].integer } == [7])
    }

    /// The hundred transfers before it are fast; the one that stalls is made again beside it.
    @Test func aRequestThatTakesLongerThanMostIsMadeASecondTime() throws {
        let stalls = Watched(false)
        let upstream = try ScriptedUpstream { _ in
            stalls.update { stalls in
                defer { stalls = false }
                return stalls ? .stall : .answer(smallForecast)
            }
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration(upstream, #""hedges": true"#))
        defer { weir.kill() }
        for _ in 1...100 { #expect(try weir.get(weather).status == 200) }
        let before = upstream.requests.count
        stalls.update { $0 = true }
        #expect(try weir.get(weather).status == 200)
        #expect(upstream.requests.count == before + 2)
    }

    /// An upstream that reacts with `first` to a request once a second one is made beside it, `seconds` later if that is given,
    /// and with `second` to the second one.
    ///
    /// It begins when `number`, the number of these requests, becomes 0; all others get a forecast at once.
    private static func late(
        _ first: ScriptedUpstream.Reaction, _ second: ScriptedUpstream.Reaction, wait seconds: Double? = nil
    ) throws -> (upstream: ScriptedUpstream, number: Watched<Int?>) {
        let (number, isAsked) = (Watched<Int?>(nil), Gate())
        let upstream = try ScriptedUpstream { head in
            if head.contains("/1,1") {
                Gate().pass(seconds: 0.5)
                return .answer(smallForecast)
            }
            switch number.update({ number -> Int? in
                number = number.map { $0 + 1 }
                return number
            }) {
            case 1:
                // Not before the second one is made.
                isAsked.pass()
                if let seconds { Gate().pass(seconds: seconds) }
                return first
            case 2:
                isAsked.open()
                return second
            default: return .answer(smallForecast)
            }
        }
        return (upstream, number)
    }

    /// Makes enough requests for second ones, a tenth of them slow: a second one follows half a second after the first, so
    /// that they arrive in this order.
    private static func prepare(_ weir: WeirProcess) throws {
        let clients = try (1...10).map { _ in try weir.client() }
        for client in clients { client.send("GET /weather?lat=1&lon=1 HTTP/1.1\r\nHost: weir\r\n\r\n") }
        for client in clients { #expect(try client.read().status == 200) }
        for _ in 1...95 { #expect(try weir.get(weather).status == 200) }
    }

    /// Failures, the status and the Retry-After of the answer without a second request, and whether another try may mend it.
    private static let failures: [(ScriptedUpstream.Reaction, Int, String?, isMended: Bool)] = [
        (.answer(404, "{}"), 404, nil, false), (.answer(429, "", headers: ["Retry-After: 100"]), 429, "100", false),
        (.answer(503, "", headers: ["Retry-After: 100"]), 502, "100", false),
        (.answer("<html>", type: "text/html"), 502, nil, false), (.answer(503, "{}"), 200, nil, true),
        (.close, 200, nil, true),
    ]

    @Test("A failure counts though a second request beside it is under way", arguments: failures.indices)
    func failureBesideHedge(_ index: Int) throws {
        let (reaction, status, retryAfter, isMended) = Self.failures[index]
        let (upstream, number) = try Self.late(reaction, .stall)
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration(upstream, #""hedges": true"#))
        defer { weir.kill() }
        try Self.prepare(weir)
        number.update { $0 = 0 }
        let answer = try weir.get(weather)
        #expect(answer.status == status)
        #expect(answer.header("Retry-After") == retryAfter)
        // The third one may be late, too.
        #expect(isMended ? number.current ?? 0 >= 3 : number.current == 2)
    }

    @Test(
        "A failure of a second request does not end the first one, unless there is no such document",
        arguments: failures.indices)
    func failureOfHedge(_ index: Int) throws {
        let (reaction, status, _, _) = Self.failures[index]
        // The time is the behaviour here: it is longer than nearly all requests take.
        let (upstream, number) = try Self.late(status == 404 ? .stall : .answer(smallForecast), reaction, wait: 1.5)
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration(upstream, #""hedges": true"#))
        defer { weir.kill() }
        try Self.prepare(weir)
        number.update { $0 = 0 }
        #expect(try weir.get(weather).status == (status == 404 ? 404 : 200))
        // A request on a used connection that ends is repeated.
        let isRepeated = if case .close = reaction { number.current == 3 } else { false }
        #expect(isRepeated || number.current == 2)
    }

    @Test("The next upstream is asked if one fails, though a second request to that is under way")
    func failoverBesideHedge() throws {
        let (first, number) = try Self.late(.answer(503, "{}"), .stall)
        defer { first.stop() }
        let second = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { second.stop() }
        let weir = try WeirProcess.serve(
            EndToEndTests.configuration([first.baseURL, second.baseURL], deadline: 60_000).replacing(
                #""retryPercent": 0"#, with: #""hedges": true"#))
        defer { weir.kill() }
        try Self.prepare(weir)
        number.update { $0 = 0 }
        let (took, answer) = try seconds { try weir.get(weather) }
        #expect(answer.status == 200)
        #expect(second.requests.count == 1)
        // It was the whole deadline of the first upstream.
        #expect(took < 30)
    }

    /// The look-up of the user's id is one of the two requests for a timeline.
    @Test func theDeadlineCoversTheLookupOfAUser() throws {
        let upstream = try ScriptedUpstream { head in
            head.contains("/accounts/lookup?") ? .answer(#"{"id":"9","acct":"weir"}"#) : .stall
        }
        defer { upstream.stop() }
        let text = UpstreamIsolationTests.configuration(weather: upstream.baseURL, tweets: upstream.baseURL).replacing(
            #"{"deadlineMilliseconds": 60000}"#, with: #"{"deadlineMilliseconds": 1000}"#)
        let weir = try WeirProcess.serve(
            text.replacing("\"mastodon\",", with: "\"mastodon\", \"deadlineMilliseconds\": 600000,"))
        defer { weir.kill() }
        let problem = try expectProblem(weir.get("/timelines/weir"), 504)
        #expect(problem["upstream"]["name"].string == "statuses")
        #expect(upstream.requests.count == 2)
    }

    @Test func theLogNamesTheTriesOfARequestWithOneThatFailed() throws {
        let upstream = try ScriptedUpstream { _ in .answer(500, "{}") }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            Self.configuration(upstream, #""retryPercent": 0"#))
        defer { weir.kill() }
        let answer = try weir.get(weather)
        #expect(answer.status == 502)
        let line = try weir.logLine("fetched")
        #expect(line["tries"][0]["result"].string == "500")
        // The access log has the same ids.
        #expect(line["trace_id"].string == answer.header("X-Request-Id"))
        #expect(try weir.terminate() == 0)
        let access = try #require(weir.output.split(separator: "\n").first { $0.contains("trace_id") })
        for name in ["trace_id", "span_id"] { #expect(try line[name].string == Parsed(String(access))[name].string) }
        #expect(line["span_id"].string?.count == 16)
    }

    @Test(
        arguments: [
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "true", true),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "false", false),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01; x", "true", nil), ("", "true", nil),
        ] as [(String, String, Bool?)])
    func aTraceIsContinuedWhereConfigured(_ value: String, _ setting: String, _ isContinued: Bool?) throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration(upstream, #""forwardsTraceparent": \#(setting)"#))
        defer { weir.kill() }
        #expect(try weir.get(weather, headers: ["traceparent: \(value)"]).status == 200)
        let head = try #require(upstream.requests.first)
        // The upstream gets Weir's span, not the client's; without a valid trace of the client, a new one.
        #expect(head.contains("\r\ntraceparent: 00-") == (isContinued != false))
        #expect(head.contains("00-0af7651916cd43dd8448eb211c80319c-") == (isContinued == true))
        #expect(!head.contains("b7ad6b7169203331"))
    }
}
