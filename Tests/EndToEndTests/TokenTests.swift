import Foundation
import TestSupport
import Testing

/// Requests that are authorized by tokens of OAuth 2.0.
@Suite("Tokens of OAuth 2.0", .timeLimit(.minutes(10)))
struct TokenTests {
    // The id and the secret have characters that the form encoding changes.
    private static let (id, secret) = ("consumer:K3Y+0123456789", "consumer%S3CRET/9876543210")
    private static let basic = "Basic \(base64("consumer%3AK3Y%2B0123456789:consumer%25S3CRET%2F9876543210"))"

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    static func grant(_ token: String, lifetime: Int? = 7200) -> ScriptedUpstream.Reaction {
        let expiry = lifetime.map { ",\"expires_in\":\($0)" } ?? ""
        return .answer(#"{"token_type":"bearer","access_token":"\#(token)"\#(expiry)}"#)
    }

    /// Returns a configuration with one upstream, whose keys are in the environment or in `secretFile`.
    static func configuration(
        _ upstream: String, tokens: String, secretFile: String? = nil, deadline: Int = 15_000
    ) -> String {
        let source = secretFile.map { #"{"file": "\#($0)"}"# } ?? #"{"environment": "WEIR_TEST_SECRET"}"#
        return """
            {"listen": "127.0.0.1:0", "shards": 2, "cache": {"maximumBytes": 0}, "fetching": {"deadlineMilliseconds": \(deadline)},
             "server": {"drainTimeoutMilliseconds": 3000}, "weather": {"upstreams": ["sky"]}, "upstreams": [
                {"name": "sky", "dialect": "darkSky", "baseURL": "\(upstream)", "retryPercent": 0,
                 "deadlineMilliseconds": \(deadline), "breaker": {"minimumRequests": 1000000},
                 "authorization": "oauth2", "oauth2": {"tokenURL": "\(tokens)/oauth2/token",
                    "clientID": {"environment": "WEIR_TEST_ID"}, "clientSecret": \(source)}}]}
            """
    }

    static func serve(_ configuration: String) throws -> WeirProcess {
        try WeirProcess.serve(configuration, environment: ["WEIR_TEST_ID": id, "WEIR_TEST_SECRET": secret])
    }

    /// An upstream that accepts one token at a time, with the endpoint that gives it.
    private struct Rotation {
        struct State: Sendable {
            var token = "token-AAAAAAAAAA-1"
            var secret = TokenTests.secret
            var refusals = 0
        }

        let state = Watched(State())
        /// A text that the upstream answers with; empty for a forecast.
        let echo = Watched("")
        let folder: TemporaryFolder
        let upstream: ScriptedUpstream
        let endpoint: ScriptedUpstream
        let weir: WeirProcess

        init() throws {
            folder = try TemporaryFolder()
            let file = try folder.write(TokenTests.secret, to: "secret")
            upstream = try ScriptedUpstream { [state, echo] head in
                let isAccepted = state.update { state in
                    if head.contains("Authorization: Bearer \(state.token)\r\n") { return true }
                    state.refusals += 1
                    return false
                }
                if !isAccepted { return .answer(401, #"{"error":"expired"}"#) }
                return echo.current.isEmpty ? .answer(smallForecast) : .answer(403, #"{"error":"\#(echo.current)"}"#)
            }
            endpoint = try ScriptedUpstream { [state] head in
                let state = state.current
                let encoded = state.secret.replacing("%", with: "%25").replacing("/", with: "%2F")
                let isKnown = head.contains(TokenTests.base64("consumer%3AK3Y%2B0123456789:\(encoded)"))
                return isKnown ? TokenTests.grant(state.token) : .answer(401, #"{"error":"invalid_client"}"#)
            }
            let text = TokenTests.configuration(upstream.baseURL, tokens: endpoint.baseURL, secretFile: file)
            let environment = ["WEIR_TEST_ID": TokenTests.id]
            weir = try WeirProcess(
                ["serve", "--config", try folder.write(text, to: "weir.json")], environment: environment)
            _ = try weir.address()
        }

        func end() {
            weir.kill()
            upstream.stop()
            endpoint.stop()
            folder.remove()
        }

        /// Sends requests from 24 clients, calls `rotate` while they run, and returns all statuses.
        func load(_ rotate: () throws -> Void) throws -> [Int] {
            let (clients, rotated) = (24, Watched(false))
            let (statuses, answered) = (Watched<[[Int]]>([]), Watched(0))
            for _ in 0..<clients {
                Thread.detachNewThread { [weir] in
                    var (list, left): ([Int], Int) = ([], 10)
                    let client = try? weir.client()
                    while left > 0 {
                        if rotated.current { left -= 1 }
                        list.append((try? client?.get(weather).status) ?? 0)
                        answered.update { $0 += 1 }
                    }
                    statuses.update { $0.append(list) }
                }
            }
            _ = answered.wait { $0 >= 100 ? true : nil }
            try rotate()
            rotated.update { $0 = true }
            return try #require(statuses.wait(seconds: 120) { $0.count == clients ? $0.flatMap(\.self) : nil })
        }
    }

    @Test("All requests of all shards wait for one token request, and use its token afterwards")
    func oneRequest() throws {
        let gate = Gate()
        let endpoint = try ScriptedUpstream { _ in
            gate.pass()
            return Self.grant("token-0123456789", lifetime: nil)
        }
        defer { endpoint.stop() }
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let weir = try Self.serve(Self.configuration(upstream.baseURL, tokens: endpoint.baseURL))
        defer { weir.kill() }
        let clients = try (0..<40).map { _ in try weir.client() }
        for client in clients { client.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n") }
        #expect(endpoint.waitForRequests(1))
        // A client that goes leaves the request to the others, also if it was the first.
        clients[0].close()
        gate.open()
        for client in clients.dropFirst() { #expect(try client.read().status == 200) }
        #expect(try weir.get(weather).status == 200)
        let request = try #require(endpoint.requests.first)
        #expect(request.hasPrefix("POST /oauth2/token HTTP/1.1\r\n"))
        #expect(request.contains("\r\nAuthorization: \(Self.basic)\r\n"))
        #expect(request.contains("\r\nContent-Type: application/x-www-form-urlencoded\r\n"))
        #expect(request.hasSuffix("\r\n\r\ngrant_type=client_credentials"))
        #expect(endpoint.requests.count == 1)
        let isInAll = upstream.requests.allSatisfy { $0.contains("\r\nAuthorization: Bearer token-0123456789\r\n") }
        #expect(isInAll)
        #expect(upstream.requests.allSatisfy { $0.hasPrefix("GET /forecast/-/") })
        _ = try weir.logLine("token fetched")
    }

    @Test("The request for a token is a try of the request that needs it, and of no other")
    func tries() throws {
        let answers = Watched([ScriptedUpstream.Reaction.answer(503, "{}"), Self.grant("token-0123456789")])
        let endpoint = try ScriptedUpstream { _ in answers.update { $0.removeFirst() } }
        defer { endpoint.stop() }
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        // The lines of several event loops have no common order.
        let configuration = Self.configuration(upstream.baseURL, tokens: endpoint.baseURL)
        let weir = try Self.serve(configuration.replacing(#""shards": 2"#, with: #""shards": 1"#))
        defer { weir.kill() }
        try expectProblem(weir.get(weather), 503)
        for _ in 0..<2 { #expect(try weir.get(weather).status == 200) }
        #expect(try weir.terminate() == 0)
        let tries = try weir.output.split(separator: "\n").map { try Parsed(String($0))["weir.tries"].elements }
        func texts(_ name: String) -> [[String?]] { tries.map { $0.map { $0[name].string } } }
        #expect(texts("requests") == [["token", "forecast"], ["token", "forecast"], ["forecast"]])
        #expect(texts("result") == [["503", "no token"], ["200", "200"], ["200"]])
        #expect(texts("connection")[0] == ["new", nil])
        #expect(tries.allSatisfy { $0.allSatisfy { $0["upstream"].string == "sky" } })
        #expect(tries[1][0]["bytes"].integer ?? 0 > 40)
        for text in [Self.id, Self.secret, "token-0123456789"] { #expect(!weir.output.contains(text)) }
    }

    @Test("A client's deadline ends its wait for the token, and the next client gets the token")
    func deadlines() throws {
        let gate = Gate()
        let endpoint = try ScriptedUpstream { _ in
            gate.pass(seconds: 60)
            return Self.grant("token-0123456789")
        }
        defer { endpoint.stop() }
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let text = Self.configuration(upstream.baseURL, tokens: endpoint.baseURL, deadline: 60_000)
        // The time for a request about the past is shorter here than that for others, and for a token.
        let history = #""pirateWeather", "historyURL": "\#(upstream.baseURL)""#
        let weir = try Self.serve(text.replacing(#""darkSky""#, with: history))
        defer { weir.kill() }
        let answer = try weir.get("\(weather)&time=2019-05-06T12:00:00Z")
        try expectProblem(answer, 504)
        #expect(answer.text.contains("token endpoint \(endpoint.baseURL)/oauth2/token of the upstream sky"))
        gate.open()
        _ = try weir.logLine("token fetched")
        #expect(try weir.get(weather).status == 200)
        #expect(endpoint.requests.count == 1)
    }

    @Test("A secret of digits that the endpoint repeats as the lifetime of a token is not in the log")
    func secretLifetime() throws {
        let secret = 82_736_455
        let endpoint = try ScriptedUpstream { _ in Self.grant("token-0123456789", lifetime: secret) }
        defer { endpoint.stop() }
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            Self.configuration(upstream.baseURL, tokens: endpoint.baseURL),
            environment: ["WEIR_TEST_ID": Self.id, "WEIR_TEST_SECRET": "\(secret)"])
        defer { weir.kill() }
        #expect(try weir.get(weather).status == 200)
        let line = try weir.logLine("token fetched")
        #expect(line["seconds"].integer == nil, "\(weir.errors)")
        #expect(!weir.errors.contains("\(secret)"))
    }

    @Test("A token that has expired is not used again, and one without a lifetime is asked for at most once a second")
    func expiry() throws {
        let number = Watched(0)
        let endpoint = try ScriptedUpstream { _ in
            Self.grant("token-012345678-\(number.update { $0 += 1; return $0 })", lifetime: 0)
        }
        defer { endpoint.stop() }
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let weir = try Self.serve(Self.configuration(upstream.baseURL, tokens: endpoint.baseURL))
        defer { weir.kill() }
        let time = try seconds {
            while endpoint.requests.count < 3 {
                let status = try weir.get(weather).status
                #expect(status == 200)
            }
        }.seconds
        #expect(time >= 2)
        let numbers = upstream.requests.compactMap { $0.firstMatch(of: /Bearer token-012345678-([0-9])/)?.1 }
        #expect(numbers.count == upstream.requests.count)
        #expect(numbers == numbers.sorted())
        #expect(Set(numbers).count == 3)
    }

    @Test("After a 401 the token is fetched anew once")
    func refused() throws {
        let rotation = try Rotation()
        defer { rotation.end() }
        #expect(try rotation.weir.get(weather).status == 200)
        rotation.state.update { $0.token = "token-BBBBBBBBBB-2" }
        #expect(try rotation.weir.get(weather).status == 200)
        #expect(rotation.endpoint.requests.count == 2)
        #expect(rotation.upstream.requests.count == 3)
        // An upstream that accepts no token.
        let other = try ScriptedUpstream { _ in .answer(401, #"{"error":"no"}"#) }
        defer { other.stop() }
        let weir = try Self.serve(Self.configuration(other.baseURL, tokens: rotation.endpoint.baseURL))
        defer { weir.kill() }
        try expectProblem(try weir.get(weather), 502)
        #expect(other.requests.count == 2)
        #expect(rotation.endpoint.requests.count == 4)
    }

    @Test("No request fails while tokens are revoked under load")
    func rotation() throws {
        let rotation = try Rotation()
        defer { rotation.end() }
        let statuses = try rotation.load {
            rotation.state.update { $0.token = "token-BBBBBBBBBB-2" }
        }
        #expect(statuses.count >= 300)
        #expect(statuses.allSatisfy { $0 == 200 }, "\(statuses)")
        let state = rotation.state.current
        #expect(state.refusals >= 1)
        #expect(rotation.endpoint.requests.count == 2)
    }

    @Test("No request fails while the client's secret and the token change under load")
    func secretRotation() throws {
        let rotation = try Rotation()
        defer { rotation.end() }
        let secret = "another/S3CRET-0123456789"
        let statuses = try rotation.load {
            let new = try rotation.folder.write("\(secret)\n", to: "new")
            guard rename(new, rotation.folder.path("secret")) == 0 else { throw Failure("rename") }
            rotation.state.update { $0 = Rotation.State(token: "token-BBBBBBBBBB-2", secret: secret) }
        }
        #expect(statuses.allSatisfy { $0 == 200 }, "\(statuses)")
        // The old secret is refused once, and then the file is read.
        #expect(rotation.endpoint.requests.count == 3)
        _ = try rotation.weir.logLine("upstream key replaced")
        #expect(try rotation.weir.terminate() == 0)
        for text in [Self.secret, secret, "token-AAAAAAAAAA-1", "token-BBBBBBBBBB-2"] {
            #expect(!rotation.weir.errors.contains(text))
        }
    }

    /// What the token endpoint does, and the status and the clause that clients get.
    static let failures: [(ScriptedUpstream.Reaction, Int, String)] = [
        (.close, 502, "cannot be used: it closed the connection without an answer"),
        (.stall, 504, "cannot be used: it did not answer in time"),
        (.answer("<html>sign in</html>", type: "text/html"), 502, "cannot be used: it is HTML"),
        (.answer(500, "<html>", type: "text/html"), 502, "answered with status 500"),
        (.answer(302, "", headers: ["Location: http://127.0.0.1:1/"]), 502, "answered with status 302"),
        (.answer(400, #"{"error":"invalid_client"}"#), 502, "answered with status 400: invalid_client"),
        (.answer(403, #"{"errors":[{"code":99,"message":"\#(secret)"}]}"#), 502, "answered with status 403"),
        (.answer(String(repeating: " ", count: 70_000)), 502, "cannot be used: its answer is larger than 65536 bytes"),
        (.answer(#"{"token_type":"mac","access_token":"a"}"#), 502, "cannot be used: its token_type is not bearer"),
        (.answer("{}"), 502, "cannot be used: it has no access_token"),
        (
            .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{".utf8)), 502,
            "cannot be used: the answer ended before its Content-Length"
        ),
    ]

    @Test("An endpoint that gives no token is a problem that names it, and no upstream is asked", arguments: failures)
    func failure(_ reaction: ScriptedUpstream.Reaction, _ status: Int, _ clause: String) throws {
        let isRepaired = Watched(false)
        let endpoint = try ScriptedUpstream { _ in isRepaired.current ? Self.grant("token-0123456789") : reaction }
        defer { endpoint.stop() }
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let isSlow = status == 504
        let weir = try Self.serve(
            Self.configuration(upstream.baseURL, tokens: endpoint.baseURL, deadline: isSlow ? 300 : 15_000))
        defer { weir.kill() }
        let answer = try weir.get(weather)
        let problem = try expectProblem(answer, status)
        let detail = try #require(problem["detail"].string)
        #expect(
            detail.contains("token endpoint \(endpoint.baseURL)/oauth2/token of the upstream sky \(clause)."),
            "\(detail)")
        #expect(upstream.requests.isEmpty)
        _ = try weir.logLine("token not fetched")
        // The next good answer is used at once.
        if !isSlow {
            isRepaired.update { $0 = true }
            #expect(try weir.get(weather).status == 200)
        }
        #expect(try weir.terminate() == 0)
        for text in [Self.id, Self.secret, String(Self.basic.dropFirst(6))] {
            let isShown = (answer.everything + weir.errors).contains(text)
            #expect(!isShown)
        }
    }

    @Test("An endpoint that cannot be reached or demands a pause is a 503")
    func unavailable() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let port = try RefusingPort()
        defer { port.release() }
        let weir = try Self.serve(Self.configuration(upstream.baseURL, tokens: port.baseURL))
        defer { weir.kill() }
        let answer = try weir.get(weather)
        try expectProblem(answer, 503)
        #expect(answer.text.contains("token endpoint \(port.baseURL)/oauth2/token of the upstream sky cannot be used"))
        let endpoint = try ScriptedUpstream { _ in .answer(429, "{}", headers: ["Retry-After: 600"]) }
        defer { endpoint.stop() }
        let other = try Self.serve(Self.configuration(upstream.baseURL, tokens: endpoint.baseURL))
        defer { other.kill() }
        let pauses = try (0..<3).map { _ in
            let answer = try other.get(weather)
            try expectProblem(answer, 503)
            return answer.header("Retry-After").flatMap { Int($0) } ?? 0
        }
        #expect(pauses[0] == 600 && pauses.allSatisfy { 500...600 ~= $0 }, "\(pauses)")
        // The pause is kept.
        #expect(endpoint.requests.count == 1)
        #expect(upstream.requests.isEmpty)
    }

    @Test("The printed configuration has neither the client's credentials nor a key in the endpoint's path")
    func printed() throws {
        let text = Self.configuration("http://host.invalid", tokens: "http://host.invalid/k3y-0123456789")
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(text, to: "weir.json")
        let environment = ["WEIR_TEST_ID": Self.id, "WEIR_TEST_SECRET": Self.secret]
        let check = try WeirProcess.run(["check", "--config", file, "--print"], environment: environment)
        #expect(check.status == 0, "\(check.errors)")
        #expect(check.output.contains(#""tokenURL":"http://host.invalid/***/oauth2/token""#), "\(check.output)")
        let absent = try WeirProcess.run(["check", "--config", file], environment: ["WEIR_TEST_ID": Self.id])
        #expect(absent.status == 78)
        #expect(absent.errors.contains("oauth2.clientSecret does not exist: the environment variable WEIR_TEST_SECRET"))
    }

    @Test("Neither the token nor the client's credentials nor the endpoint's path leave an upstream's answer")
    func scrubbing() throws {
        let (token, path) = ("AAAA%2FAAAtoken-0123456789", "Qx7k9aZw2Lm4")
        let texts =
            [token, path, Self.secret, Self.basic] + KeySpelling.all(of: token).map(\.text)
        let endpoint = try ScriptedUpstream { _ in Self.grant(token) }
        defer { endpoint.stop() }
        let upstream = try ScriptedUpstream { _ in .answer(403, #"{"error":"\#(texts.joined(separator: " "))"}"#) }
        defer { upstream.stop() }
        let weir = try Self.serve(Self.configuration(upstream.baseURL, tokens: "\(endpoint.baseURL)/\(path)"))
        defer { weir.kill() }
        let answer = try weir.get(weather)
        try expectProblem(answer, 502)
        #expect(answer.text.contains("***"))
        #expect(try weir.terminate() == 0)
        for text in [token, path, Self.secret, Self.id] {
            #expect(!KeySpelling.isSeen(text, in: answer.everything + weir.errors))
        }
    }

    @Test("A token is removed from answers after a reload with another secret, too")
    func formerToken() throws {
        let rotation = try Rotation()
        defer { rotation.end() }
        let first = rotation.state.current.token
        #expect(try rotation.weir.get(weather).status == 200)
        let (second, secret) = ("token-BBBBBBBBBB-2", "another-S3CRET")
        try rotation.folder.write(secret, to: "secret")
        rotation.state.update { ($0.token, $0.secret) = (second, secret) }
        rotation.weir.send(signal: SIGHUP)
        _ = try rotation.weir.logLine("configuration reloaded")
        rotation.echo.update { $0 = "\(first) \(second) \(Self.secret) \(secret)" }
        for _ in 0..<2 { #expect(try rotation.weir.get(weather).text.contains("*** *** *** ***")) }
        #expect(rotation.state.current.refusals == 0)
    }
}
