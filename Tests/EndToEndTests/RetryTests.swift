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
                "server": {"drainGraceMilliseconds": 50}, "fetching": {"deadlineMilliseconds": 20000},
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
            Self.configuration(upstream, #""maximumConcurrent": 1, "maximumWaiting": 0"#))
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
}
