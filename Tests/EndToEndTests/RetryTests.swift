import TestSupport
import Testing

/// Requests that are made again: how many, and what the client gets if one of them cannot be made.
@Suite(.timeLimit(.minutes(10)))
struct RetryTests {
    /// A configuration with one upstream of `dialect` and these further settings of it.
    private static func configuration(
        _ upstream: ScriptedUpstream, _ settings: String, dialect: String = "darkSky"
    ) -> String {
        let routes = dialect == "darkSky" ? ("sky", "") : ("sample", #", "tweets": {"upstreams": ["sky"]}"#)
        return """
            {
                "listen": "127.0.0.1:0", "shards": 2, "cache": {"maximumBytes": 0},
                "server": {"drainTimeoutMilliseconds": 3000}, "fetching": {"deadlineMilliseconds": 20000},
                "upstreams": [
                    {"name": "sky", "dialect": "\(dialect)", "baseURL": "\(upstream.baseURL)",
                     "key": {"environment": "WEIR_TEST_KEY"}, "deadlineMilliseconds": 20000,
                     "breaker": {"minimumRequests": 1000000}, \(settings)},
                    {"name": "sample", "dialect": "darkSky", "sample": "\(Checkout.sample)"}
                ],
                "weather": {"upstreams": ["\(routes.0)"]}\(routes.1)
            }
            """
    }

    /// Five requests that are sent earn one retry; ten that the full queue refuses earn none.
    @Test func aRequestThatIsNotSentEarnsNoRetry() throws {
        let (gate, fails) = (Gate(), Watched(false))
        let upstream = try ScriptedUpstream { _ in
            gate.pass()
            return fails.current ? .answer(500, "{}") : .answer(smallForecast)
        }
        defer {
            gate.open()
            upstream.stop()
        }
        let weir = try WeirProcess.serve(
            Self.configuration(upstream, #""maximumConcurrent": 1, "maximumWaitMilliseconds": 0"#))
        defer { weir.kill() }
        let client = try weir.client()
        client.send("GET \(weather) HTTP/1.1\r\nHost: weir\r\n\r\n")
        #expect(upstream.waitForRequests(1))
        for _ in 1...10 { try expectProblem(weir.get(weather), 503) }
        gate.open()
        #expect(try client.read().status == 200)
        fails.update { $0 = true }
        try expectProblem(weir.get(weather), 502)
        #expect(upstream.requests.count == 2)
    }

    /// The first try takes the last request of the quota.
    @Test func aRetryWithoutQuotaLeavesTheUpstreamsAnswer() throws {
        let fails = Watched(false)
        let upstream = try ScriptedUpstream { _ in
            fails.current ? .answer(500, #"{"error":"out of order"}"#) : .answer(smallForecast)
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration(upstream, #""quota": {"perMonth": 6}"#))
        defer { weir.kill() }
        for _ in 1...5 { #expect(try weir.get(weather).status == 200) }
        fails.update { $0 = true }
        let problem = try expectProblem(weir.get(weather), 502)
        #expect(problem["upstream"]["error"].string == "out of order")
        #expect(upstream.requests.count == 6)
    }

    /// While the search waits for its retry, a tweet takes the only place.
    @Test func aRetryWithoutAPlaceLeavesTheUpstreamsAnswerAndIsNotSpent() throws {
        let (gate, isHeld, pauses) = (Gate(), Watched(false), Watched([3, 1]))
        let upstream = try ScriptedUpstream { head in
            guard head.contains("/search/") else {
                if isHeld.current { gate.pass() }
                return .answer(TweetRouteTests.tweet)
            }
            guard let pause = pauses.update({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                return .answer(#"{"statuses":[\#(TweetRouteTests.tweet)]}"#)
            }
            return .answer(503, "closed", headers: ["Retry-After: \(pause)"])
        }
        defer {
            gate.open()
            upstream.stop()
        }
        let weir = try WeirProcess.serve(
            Self.configuration(upstream, #""maximumConcurrent": 1, "maximumWaitMilliseconds": 0"#, dialect: "twitter"))
        defer { weir.kill() }
        for _ in 1...5 { #expect(try weir.get("/tweets/1").status == 200) }
        let (search, tweet) = (try weir.client(), try weir.client())
        search.send("GET /search?q=a HTTP/1.1\r\nHost: weir\r\n\r\n")
        #expect(upstream.waitForRequests(6))
        // Until the search has left the place.
        while try weir.get("/tweets/1").status != 200 {}
        isHeld.update { $0 = true }
        tweet.send("GET /tweets/1 HTTP/1.1\r\nHost: weir\r\n\r\n")
        #expect(upstream.waitForRequests(8))
        let problem = try expectProblem(search.read(), 502)
        #expect(problem["upstream"]["status"].integer == 503)
        gate.open()
        #expect(try tweet.read().status == 200)
        // The eight requests have earned one retry, which was given back.
        #expect(try weir.get("/search?q=b").status == 200)
        #expect(upstream.requests.count == 10)
    }

    /// The second answer makes the upstream pause for longer than the first request waits.
    @Test func aRetryDuringALongerPauseLeavesTheUpstreamsAnswer() throws {
        let (refuses, count) = (Watched(false), Watched(0))
        let upstream = try ScriptedUpstream { _ in
            guard refuses.current else { return .answer(smallForecast) }
            let number = count.increase()
            // Both are under way before one is answered.
            _ = count.wait { $0 == 2 ? true : nil }
            return .answer(429, "{}", headers: ["Retry-After: \(number == 1 ? 1 : 60)"])
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration(upstream, #""retryPercent": 20"#))
        defer { weir.kill() }
        for _ in 1...5 { #expect(try weir.get(weather).status == 200) }
        refuses.update { $0 = true }
        let clients = try (0..<2).map { _ in try weir.client() }
        for client in clients { client.send("GET \(weather) HTTP/1.1\r\nHost: weir\r\n\r\n") }
        for client in clients {
            let answer = try client.read()
            try expectProblem(answer, 429)
            #expect(50...60 ~= answer.header("Retry-After").flatMap { Int($0) } ?? 0)
        }
        #expect(upstream.requests.count == 7)
    }
}
