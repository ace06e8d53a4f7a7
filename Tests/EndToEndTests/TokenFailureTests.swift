import TestSupport
import Testing

/// What a failure of the token endpoint means for further requests.
@Suite("Failures of the token endpoint", .timeLimit(.minutes(5)))
struct TokenFailureTests {
    /// A service whose token endpoint answers with `react`, which gets the number of the request.
    private struct Gateway {
        let upstream: ScriptedUpstream
        let endpoint: ScriptedUpstream
        let weir: WeirProcess

        init(
            id: String = "client-id-0123", deadline: Int = 15_000, _ change: (String) -> String = { $0 },
            _ react: @escaping @Sendable (Int) -> ScriptedUpstream.Reaction
        ) throws {
            upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
            let count = Watched(0)
            endpoint = try ScriptedUpstream { _ in react(count.increase()) }
            let text = TokenTests.configuration(upstream.baseURL, tokens: endpoint.baseURL, deadline: deadline)
            weir = try WeirProcess.serve(
                change(text),
                environment: ["WEIR_TEST_ID": id, "WEIR_TEST_SECRET": "client-secret-0123"])
        }

        func end() {
            weir.kill()
            upstream.stop()
            endpoint.stop()
        }
    }

    @Test("One failure after the end of the last token fails one request")
    func failureAfterTheEnd() throws {
        // The token is used for a second, after which a request needs another one.
        let gateway = try Gateway { $0 == 2 ? .answer(500, "") : TokenTests.grant("token-0123456789", lifetime: 0) }
        defer { gateway.end() }
        var statuses: [Int] = []
        while gateway.endpoint.requests.count < 3 { statuses.append(try gateway.weir.get(weather).status) }
        #expect(statuses.count { $0 == 502 } == 1)
        #expect(statuses.suffix(2) == [502, 200])
        #expect(Set(statuses) == [200, 502])
    }

    private static func withBreaker(_ text: String) -> String {
        text.replacing(#""minimumRequests": 1000000"#, with: #""minimumRequests": 5, "openMilliseconds": 600000"#)
    }

    @Test("A failure for which many clients wait counts once in the upstream's breaker")
    func sharedFailure() throws {
        let gate = Gate()
        let gateway = try Gateway(Self.withBreaker) { number in
            guard number == 1 else { return TokenTests.grant("token-0123456789") }
            gate.pass()
            return .answer(500, "")
        }
        defer { gateway.end() }
        let clients = try (0..<40).map { _ in try gateway.weir.client() }
        for client in clients { client.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n") }
        #expect(gateway.endpoint.waitForRequests(1))
        gate.open()
        let statuses = try clients.map { try $0.read().status }
        // Those that come later have a token.
        #expect(statuses.contains(502))
        #expect(statuses.allSatisfy { [200, 502].contains($0) }, "\(statuses)")
        #expect(try gateway.weir.get(weather).status == 200)
        #expect(!gateway.weir.errors.contains("circuit breaker"))
    }

    @Test("As many failures as of an upstream open its breaker")
    func deadEndpoint() throws {
        let gateway = try Gateway(Self.withBreaker) { _ in .answer(500, "") }
        defer { gateway.end() }
        for _ in 0..<5 { try expectProblem(gateway.weir.get(weather), 502) }
        try expectProblem(gateway.weir.get(weather), 503)
        // After the second one there are pauses.
        #expect(2...5 ~= gateway.endpoint.requests.count)
    }

    @Test("A token request that a request about the past begins ends as that of a forecast")
    func deadline() throws {
        let gate = Gate()
        let past = #""pirateWeather", "historyURL": "http://127.0.0.1:1""#
        let gateway = try Gateway(deadline: 500, { $0.replacing(#""darkSky""#, with: past) }) { number in
            if number == 1 { gate.pass() }
            return TokenTests.grant("token-0123456789")
        }
        defer {
            gate.open()
            gateway.end()
        }
        let client = try gateway.weir.client()
        client.send("GET \(weather)&time=2019-05-06T12:00:00Z HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(gateway.endpoint.waitForRequests(1))
        // The client with the long deadline learns that the endpoint was too slow.
        try expectProblem(client.read(), 504)
        #expect(try gateway.weir.get(weather).status == 200)
        #expect(gateway.endpoint.requests.count == 2)
    }

    @Test("Those whom Weir refuses get what is left of the endpoint's Retry-After, at most 15 minutes")
    func pause() throws {
        let gateway = try Gateway { _ in .answer(429, "", headers: ["Retry-After: 864000"]) }
        defer { gateway.end() }
        let pauses = try (0..<3).map { _ in
            let answer = try gateway.weir.get(weather)
            try expectProblem(answer, 503)
            return answer.header("Retry-After").flatMap { Int($0) } ?? 0
        }
        #expect(pauses[0] == 864_000)
        #expect(pauses.dropFirst().allSatisfy { 800...900 ~= $0 }, "\(pauses)")
        #expect(gateway.endpoint.requests.count == 1)
    }

    @Test("A client's identifier of digits does not leave in a Retry-After")
    func numericIdentifier() throws {
        let id = "87654321"
        let gateway = try Gateway(id: id) { _ in .answer(429, "", headers: ["Retry-After: \(id)"]) }
        defer { gateway.end() }
        let answer = try gateway.weir.get(weather)
        try expectProblem(answer, 503)
        #expect(1...5 ~= answer.header("Retry-After").flatMap { Int($0) } ?? 0)
        #expect(!answer.everything.contains(id))
    }

    @Test("A token that is too long is refused for that reason")
    func longToken() throws {
        let gateway = try Gateway { TokenTests.grant(String(repeating: "a", count: $0 == 1 ? 8193 : 8192)) }
        defer { gateway.end() }
        let answer = try gateway.weir.get(weather)
        try expectProblem(answer, 502)
        #expect(answer.text.contains("cannot be used: its access_token is longer than 8192 bytes."), "\(answer.text)")
        #expect(try gateway.weir.get(weather).status == 200)
    }
}
