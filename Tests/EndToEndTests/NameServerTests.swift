import TestSupport
import Testing

/// Host names of upstreams for which DNS has no answer.
@Suite("DNS of upstreams", .serialized, .timeLimit(.minutes(10)))
struct NameServerTests {
    @Test(
        "Without an answer from DNS, requests are problems in time, other upstreams are not affected, and it may answer later",
        .enabled(if: NameServer.isPossible, "a name server needs port 53 and a mount namespace, as root has them"),
        arguments: [
            (NameServer.Reaction.silence, 504, "the connection to it took too long"),
            (.failure, 503, "its host name cannot be looked up: the name servers do not answer, or fail"),
            (.unknown, 503, "its host name is not known"),
        ])
    func noAnswer(_ reaction: NameServer.Reaction, _ status: Int, _ detail: String) throws {
        let server = try NameServer(reaction)
        defer { server.stop() }
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let other = try ScriptedUpstream { _ in .answer(BadUpstreamTests.status) }
        defer { other.stop() }
        let weir = try WeirProcess.serve(
            UpstreamIsolationTests.configuration(
                weather: "http://weather.example:\(upstream.port)", tweets: other.baseURL,
                limits: #"""
                    , "allowsPrivateAddresses": true, "connectTimeoutMilliseconds": \#(status == 504 ? 800 : 10_000),
                    "breaker": {"minimumRequests": 1000000}
                    """#), launcher: server.launcher)
        defer { weir.kill() }
        let otherClient = try weir.client()
        let usual = try BadUpstreamTests.tail(of: otherClient)
        let threads = try weir.threadCount
        let clients = try (0..<40).map { _ in try weir.client() }
        for client in clients { client.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n") }
        try BadUpstreamTests.expectTail(of: otherClient, nearly: usual)
        let (took, problems) = try seconds { try clients.map { try expectProblem($0.read(), status) } }
        #expect(problems.allSatisfy { $0["detail"].string == "The upstream forecasts cannot be used: \(detail)." })
        #expect(took < 12, "\(took) s")
        // One look-up for all of them; libcurl alone would start a thread for each.
        #expect(try weir.threadCount <= threads + 8)
        #expect(upstream.requests == [])
        server.reaction.update { $0 = .answer }
        // The look-up that waits for an answer may still fail.
        while try weir.get(weather).status != 200 {}
        #expect(upstream.requests.count == 1)
        #expect(try weir.terminate() == 0)
    }
}
