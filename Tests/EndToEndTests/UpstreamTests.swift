import TestSupport
import Testing

/// Upstreams that fail, and the answers that clients get.
@Suite(.timeLimit(.minutes(10)))
struct UpstreamTests {
    /// An upstream's reaction and the resulting problem.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reaction: ScriptedUpstream.Reaction
        let status: Int
        /// A part of the problem's detail.
        let detail: String
        /// The problem's `upstream.error`.
        var upstreamError: String?

        init(
            _ name: String, _ reaction: ScriptedUpstream.Reaction, _ status: Int, _ detail: String,
            upstreamError: String? = nil
        ) {
            testDescription = name
            self.reaction = reaction
            self.status = status
            self.detail = detail
            self.upstreamError = upstreamError
        }
    }

    private static let maximumBytes = 1000
    private static let large = #"{"a":"\#(String(repeating: "x", count: 2000))"}"#
    private static let chunks = smallForecast.map { "1\r\n\($0)\r\n" }.joined()
    private static let gzipFields = ["Content-Encoding: gzip"]

    private static let cases = [
        Case("close without an answer", .close, 502, "it closed the connection without an answer"),
        Case(
            "half a head", .bytes(Array("HTTP/1.1 200 OK\r\nConte".utf8)), 502, "the answer ended within its head"),
        Case(
            "half a body", .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{".utf8)), 502,
            "the answer ended before its Content-Length"),
        Case("not HTTP", .bytes(Array("220 mail.test ESMTP\r\n".utf8)), 502, "cannot be used"),
        Case("HTML", .answer("<html>Welcome!</html>", type: "text/html; charset=utf-8"), 502, "HTML"),
        Case("an empty body", .answer(""), 502, "not JSON"),
        Case("truncated JSON", .answer(String(smallForecast.dropLast(20))), 502, "not JSON"),
        Case("an array", .answer("[]"), 502, "an object"),
        Case("null", .answer("null"), 502, "an object"),
        Case("an object without required fields", .answer(#"{"latitude":1}"#), 502, "timezone"),
        Case(
            "a required field that is wrong", .answer(smallForecast.replacing("37.8267", with: "true")), 502,
            "latitude"),
        Case(
            "500 with an error", .answer(500, #"{"code":500,"error":"out of order"}"#), 502, "status 500",
            upstreamError: "out of order"),
        Case("500 without a message", .answer(500, "<h1>oops</h1>", type: "text/html"), 502, "status 500"),
        Case(
            "400 with an error", .answer(400, #"{"code":400,"error":"The place is none."}"#), 502, "status 400",
            upstreamError: "The place is none."),
        Case("401", .answer(401, #"{"code":401,"error":"denied"}"#), 502, "status 401", upstreamError: "denied"),
        Case(
            "403 in plain text", .answer(403, "Forbidden", type: "text/plain"), 502, "status 403",
            upstreamError: "Forbidden"),
        Case("404", .answer(404, #"{"code":404,"error":"Not Found"}"#), 404, "status 404", upstreamError: "Not Found"),
        Case("429 without a time", .answer(429, "slow down"), 429, "status 429", upstreamError: "slow down"),
        Case("503", .answer(503, ""), 502, "status 503"),
        Case("a redirect", .answer(302, "", headers: ["Location: /elsewhere"]), 502, "status 302"),
        Case("204", .bytes(Array("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".utf8)), 502, "status 204"),
        Case("a large body", .answer(large), 502, "larger than 1000 bytes"),
        Case(
            "a large body of no announced length",
            .bytes(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\(large)".utf8)), 502, "larger than 1000 bytes"),
        Case(
            "a large body in gzip", .answer(200, Gzip.frame(Array(large.utf8)), headers: gzipFields), 502,
            "larger than 1000 bytes"),
        Case(
            "broken gzip", .answer(200, Gzip.frame(Array(smallForecast.utf8), cutting: 9), headers: gzipFields), 502,
            "the end of its gzip coding is missing"),
        Case("invalid gzip", .answer(smallForecast, headers: gzipFields), 502, "its gzip coding is malformed"),
    ]

    @Test(arguments: cases)
    func aWrongAnswerIsAProblemAndDoesNotAffectTheNextOne(_ bad: Case) throws {
        let isGood = Watched(false)
        let upstream = try ScriptedUpstream { _ in isGood.current ? .answer(smallForecast) : bad.reaction }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL], maximumBytes: Self.maximumBytes))
        defer { weir.kill() }
        let client = try weir.client()
        let answer = try client.get(weather)
        let problem = try expectProblem(answer, bad.status)
        #expect(problem["detail"].string?.contains(bad.detail) == true, "\(answer.text)")
        #expect(problem["upstream"]["name"].string == "upstream-0")
        #expect(problem["upstream"]["error"].string == bad.upstreamError)
        #expect(answer.header("Retry-After") == nil)
        #expect(answer.header("Location") == nil)
        #expect(upstream.requests.count == 1)
        #expect(try weir.logLine("upstream failed")["status"].integer == bad.status)
        isGood.update { $0 = true }
        #expect(try client.get(weather).status == 200)
        #expect(weir.isRunning)
        #expect(try weir.terminate() == 0)
    }

    @Test(
        arguments: [
            .answer(200, Gzip.frame(Array(smallForecast.utf8)), headers: gzipFields),
            .answer(smallForecast, type: "text/plain"),
            .bytes(Array("HTTP/1.1 200 OK\r\n\r\n\(smallForecast)".utf8)),
            .bytes(Array("HTTP/1.0 200 OK\r\n\r\n\(smallForecast)\n".utf8)),
            .bytes(Array("HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n".utf8)),
            .bytes(Array("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\(smallForecast)".utf8)),
        ] as [ScriptedUpstream.Reaction])
    func aValidAnswerIsReadInEveryFraming(_ reaction: ScriptedUpstream.Reaction) throws {
        let upstream = try ScriptedUpstream { _ in reaction }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL]))
        defer { weir.kill() }
        let answer = try weir.get(weather)
        #expect(answer.status == 200)
        #expect(answer.text == smallForecast)
        let head = try #require(upstream.requests.first)
        #expect(head.contains(/(?i)\r\naccept-encoding: [^\r]*gzip/))
        #expect(head.contains("\r\nAccept: application/json\r\n"))
    }

    @Test func anUpstreamThatRefusesConnectionsIsA503() throws {
        let port = try RefusingPort()
        defer { port.release() }
        let weir = try WeirProcess.serve(configuration([port.baseURL], deadline: 5000))
        defer { weir.kill() }
        let (took, answer) = try seconds { try weir.get(weather) }
        #expect(took < 5)
        #expect(answer.header("Retry-After") != nil)
        let problem = try expectProblem(answer, 503)
        #expect(problem["type"].string == "urn:weir:problem:upstream-unavailable")
        #expect(problem["detail"].string?.contains("does not accept connections") == true)
        #expect(try weir.get("/readyz").status == 200)
    }

    @Test func anUpstreamWithAnUnknownHostIsA503() throws {
        // A label of more than 63 characters is not a host name: no resolver is asked.
        let host = String(repeating: "a", count: 70)
        let weir = try WeirProcess.serve(configuration(["http://\(host)"], deadline: 10_000))
        defer { weir.kill() }
        try expectProblem(weir.get(weather), 503)
    }

    @Test func aStalledUpstreamIsA504AtItsDeadline() throws {
        let isGood = Watched(false)
        let upstream = try ScriptedUpstream { _ in isGood.current ? .answer(smallForecast) : .stall }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL], deadline: 1000))
        defer { weir.kill() }
        let client = try weir.client()
        let (took, answer) = try seconds { try client.get(weather) }
        #expect(0.9...8 ~= took)
        let problem = try expectProblem(answer, 504)
        #expect(problem["type"].string == "urn:weir:problem:upstream-too-slow")
        isGood.update { $0 = true }
        #expect(try client.get(weather).status == 200)
    }

    @Test func anUpstreamThatStallsWithinItsBodyIsA504() throws {
        let gate = Gate()
        let beginning = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"
        let upstream = try ScriptedUpstream { _ in .bytes(Array(beginning.utf8), until: gate) }
        defer { upstream.stop() }
        defer { gate.open() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL], deadline: 500))
        defer { weir.kill() }
        try expectProblem(weir.get(weather), 504)
    }

    @Test func otherRequestsAreAnsweredWhileAnUpstreamStalls() throws {
        let upstream = try ScriptedUpstream { head in head.contains("/1,1") ? .stall : .answer(smallForecast) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL]), arguments: ["--shards", "1"])
        defer { weir.kill() }
        let stalled = try weir.client()
        stalled.send("GET /weather?lat=1&lon=1 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(upstream.waitForRequests(1))
        #expect(try weir.get("/livez").status == 200)
        #expect(try weir.get(weather).status == 200)
        stalled.close()
    }

    @Test func anUpstreamThatDiesIsA503UntilItIsBack() throws {
        let first = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { first.stop() }
        let weir = try WeirProcess.serve(configuration([first.baseURL]))
        defer { weir.kill() }
        let client = try weir.client()
        #expect(try client.get(weather).status == 200)
        first.stop()
        try expectProblem(client.get(weather), 503)
        let second = try ScriptedUpstream(port: first.port) { _ in .answer(smallForecast) }
        defer { second.stop() }
        #expect(try client.get(weather).status == 200)
    }

    @Test func aProxyInTheEnvironmentIsNotUsed() throws {
        let port = try RefusingPort()
        defer { port.release() }
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let proxies = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"].map { ($0, port.baseURL) }
        let environment = Dictionary(uniqueKeysWithValues: proxies + [("WEIR_TEST_KEY", "k"), ("no_proxy", "")])
        let weir = try WeirProcess.serve(configuration([upstream.baseURL]), environment: environment)
        defer { weir.kill() }
        #expect(try weir.get(weather).status == 200)
    }

    @Test func theBaseURLsPathPrecedesTheDialectsPath() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration(["\(upstream.baseURL)/api/v2/"]))
        defer { weir.kill() }
        #expect(try weir.get("/weather?lat=-0.5&lon=1e2").status == 200)
        #expect(
            upstream.requests.first?.hasPrefix("GET /api/v2/forecast/test-key/-0.5,100?units=si HTTP/1.1\r\n") == true)
    }

    /// Such a document is normalized on the work pool while the event loop answers others.
    @Test func aVeryLargeDocumentIsAnsweredCompletely() throws {
        let points = (0..<9000).map { "{\"time\":\(1_767_290_400 + $0 * 3600),\"temperature\":\"51.5\"}" }
        let document = """
            {"latitude":1,"longitude":2,"timezone":"UTC","hourly":{"data":[\(points.joined(separator: ","))]},"flags":{"units":"us"}}
            """
        #expect(document.utf8.count > 300_000)
        let upstream = try ScriptedUpstream { _ in .answer(document) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL]))
        defer { weir.kill() }
        let answer = try weir.get(weather)
        #expect(answer.status == 200)
        #expect(answer.header("Weir-Drift") == "coerced=9000, missing=6")
        #expect(try answer.json()["hourly"]["data"].count == 9000)
    }
}
