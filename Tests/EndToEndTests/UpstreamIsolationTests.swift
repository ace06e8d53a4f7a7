import Foundation
import TestSupport
import Testing

/// Upstreams that do not affect each other.
@Suite(.timeLimit(.minutes(10)))
struct UpstreamIsolationTests {
    private static let status = #"{"id":"7","created_at":"2026-01-01T18:00:37Z","content":"<p>Hi</p>"}"#

    /// A configuration with one upstream for `/weather` and another one for `/tweets`.
    static func configuration(weather: String, tweets: String, limits: String = "") -> String {
        """
        {
            "listen": "127.0.0.1:0", "shards": 1, "cache": {"maximumBytes": 0}, "fetching": {"deadlineMilliseconds": 60000},
            "server": {"drainTimeoutMilliseconds": 0},
            "upstreams": [
                {"name": "forecasts", "dialect": "darkSky", "baseURL": "\(weather)",
                 "key": {"environment": "WEIR_TEST_KEY"}, "deadlineMilliseconds": 60000,
                 "maximumWaitMilliseconds": 60000\(limits)},
                {"name": "statuses", "dialect": "mastodon", "baseURL": "\(tweets)"}
            ],
            "weather": {"upstreams": ["forecasts"]},
            "tweets": {"upstreams": ["statuses"]}
        }
        """
    }

    /// At one port, as behind a proxy for all upstreams, and at two.
    @Test(arguments: [false, true])
    func twoHundredRequestsForASilentUpstreamDoNotDelayAnotherUpstream(atOnePort: Bool) throws {
        let react: @Sendable (String) -> ScriptedUpstream.Reaction = { head in
            head.hasPrefix("GET /api/") ? .answer(Self.status) : .stall
        }
        let silent = try ScriptedUpstream(react)
        defer { silent.stop() }
        let good = try atOnePort ? silent : ScriptedUpstream(react)
        defer { good.stop() }
        let weir = try WeirProcess.serve(Self.configuration(weather: silent.baseURL, tweets: good.baseURL))
        defer { weir.kill() }
        let other = try weir.client()
        let usual = try BadUpstreamTests.tail(of: other)
        let clients = try (0..<200).map { _ in try weir.client() }
        for client in clients { client.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n") }
        #expect(silent.waitForRequests(64))
        // None of the 200 has ended: they wait for a minute, this client for 20 seconds.
        try BadUpstreamTests.expectTail(of: other, nearly: usual)
        #expect(silent.requests.count { $0.hasPrefix("GET /forecast/") } == 64)
        #expect(good.requests.count { $0.hasPrefix("GET /api/") } >= 200)
        for client in clients { client.close() }
    }

    /// Of sixteen documents of 800 KB, eight arrive at the same time, with 1 MiB for all of them.
    @Test func answersThatDoNotFitIntoMemoryAreRefusedAndTheirMemoryIsReleased() throws {
        let gate = Gate()
        let filler = String(repeating: " ", count: 800_000)
        let upstream = try ScriptedUpstream { _ in
            gate.pass()
            return .answer(smallForecast + filler)
        }
        defer { upstream.stop() }
        defer { gate.open() }
        let text = Self.configuration(weather: upstream.baseURL, tweets: upstream.baseURL).replacing(
            #""fetching": {"#, with: #""fetching": {"maximumBodyBytes": 1048576, "#)
        let weir = try WeirProcess.serve(text)
        defer { weir.kill() }
        let clients = try (0..<16).map { _ in try weir.client() }
        for client in clients { client.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n") }
        #expect(upstream.waitForRequests(8))
        gate.open()
        let answers = try clients.map { try $0.read() }
        #expect(Set(answers.map(\.status)).isSubset(of: [200, 503]))
        for answer in answers where answer.status == 503 {
            let problem = try expectProblem(answer, 503)
            #expect(
                problem["detail"].string == "The upstream forecasts cannot be used: too many answers are in memory.")
            #expect(answer.header("Retry-After") == "1")
        }
        for _ in 1...4 { #expect(try weir.get(weather).status == 200) }
    }

    @Test(.enabled(if: !Sanitizer.isPresent, "a sanitizer has memory of its own"))
    func threeHundredAnswersOf7900KilobytesTakeUpTheBudgetAnd100MegabytesAtMost() throws {
        let gate = Gate()
        let filler = String(repeating: "x", count: 7_900_000 - smallForecast.utf8.count)
        let answer = ScriptedUpstream.Reaction.answer(String(smallForecast.dropLast()) + #","filler":"\#(filler)"}"#)
        let upstream = try ScriptedUpstream { _ in
            gate.pass()
            return answer
        }
        defer { upstream.stop() }
        defer { gate.open() }
        let limits = #", "maximumConcurrent": 300, "connectTimeoutMilliseconds": 30000, "retryPercent": 0"#
        let weir = try WeirProcess.serve(
            Self.configuration(weather: upstream.baseURL, tweets: upstream.baseURL, limits: limits))
        defer { weir.kill() }
        let clients = try (0..<300).map { _ in try weir.client() }
        for client in clients { client.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n") }
        #expect(upstream.waitForRequests(300))
        gate.open()
        let statuses = try clients.map { try $0.read().status }
        #expect(Set(statuses).isSubset(of: [200, 503]))
        #expect(statuses.contains(200))
        let most = try #require(weir.memoryFigures["VmHWM"])
        #expect(most <= (128 << 20) + 100_000_000, "\(most) bytes, \(statuses.count { $0 == 200 }) answers")
        for _ in 1...4 { #expect(try weir.get(weather).status == 200) }
    }
}
