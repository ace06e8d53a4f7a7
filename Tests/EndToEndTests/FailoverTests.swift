import TestSupport
import Testing

/// Failover among several upstreams.
@Suite(.timeLimit(.minutes(10)))
struct FailoverTests {
    /// A failure of an upstream, and the status that clients get if it is the only upstream.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reaction: ScriptedUpstream.Reaction
        let status: Int

        init(_ name: String, _ reaction: ScriptedUpstream.Reaction, _ status: Int) {
            testDescription = name
            self.reaction = reaction
            self.status = status
        }
    }

    private static let cases = [
        Case("closed", .close, 502),
        Case("slow", .stall, 504),
        Case("500", .answer(500, #"{"error":"out of order"}"#), 502),
        Case("503", .answer(503, ""), 502),
        Case("400", .answer(400, #"{"error":"no"}"#), 502),
        Case("401", .answer(401, "<html>", type: "text/html"), 502),
        Case("404", .answer(404, #"{"error":"Not Found"}"#), 404),
        Case("429", .answer(429, "", headers: ["Retry-After: 9"]), 429),
        Case("HTML", .answer("<html>", type: "text/html"), 502),
        Case("empty", .answer(""), 502),
        Case("not JSON", .answer("{"), 502),
        Case("not the contract", .answer(#"{"latitude":1}"#), 502),
        Case("a redirect", .answer(302, "", headers: ["Location: /"]), 502),
    ]

    @Test(arguments: cases)
    func theNextUpstreamAnswersIfOneFails(_ bad: Case) throws {
        let first = try ScriptedUpstream { _ in bad.reaction }
        defer { first.stop() }
        let second = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { second.stop() }
        let deadline = bad.status == 504 ? 2000 : 15_000
        let weir = try WeirProcess.serve(configuration([first.baseURL, second.baseURL], deadline: deadline))
        defer { weir.kill() }
        let client = try weir.client()
        let answer = try client.get(weather)
        #expect(answer.status == 200)
        #expect(answer.text == smallForecast)
        #expect(answer.header("Retry-After") == nil)
        let log = try weir.logLine("upstream failed")
        #expect(log["upstream"].string == "upstream-0")
        #expect(log["status"].integer == bad.status)
        #expect(log["route"].string == "/weather")
        #expect(try client.get(darkSkyWeather).status == 200)
        // An upstream that sent Retry-After is not asked before that time.
        #expect((first.requests.count, second.requests.count) == (bad.status == 429 ? 1 : 2, 2))
    }

    @Test func explainNamesTheUpstreamThatAnsweredAndThoseThatFailed() throws {
        let port = try RefusingPort()
        defer { port.release() }
        let bad = try ScriptedUpstream { _ in .answer(500, "{}") }
        defer { bad.stop() }
        let good = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { good.stop() }
        let weir = try WeirProcess.serve(configuration([port.baseURL, bad.baseURL, good.baseURL]))
        defer { weir.kill() }
        #expect(try weir.get(weather).text == smallForecast)
        let source = try weir.get("\(weather)&explain=1").json()["source"]
        #expect(source["upstream"].string == "upstream-2")
        #expect(source["dialect"].string == "darkSky")
        #expect(source["failed"].strings == ["upstream-0", "upstream-1"])
    }

    /// The failures of two upstreams, the status of the answer, and the index of the upstream that it names.
    @Test(arguments: [
        (["500", "404"], 404, 1), (["404", "429"], 404, 0), (["500", "429"], 429, 1), (["slow", "500"], 502, 1),
        (["empty", "HTML"], 502, 0), (["slow", "closed"], 502, 1), (["429", "slow"], 429, 0),
    ])
    func ifAllUpstreamsFailTheMostInformativeProblemIsAnswered(_ names: [String], _ status: Int, _ named: Int) throws {
        let upstreams = try names.map { name in
            let bad = try #require(Self.cases.first { $0.testDescription == name })
            return try ScriptedUpstream { _ in bad.reaction }
        }
        defer { for upstream in upstreams { upstream.stop() } }
        let port = try RefusingPort()
        defer { port.release() }
        // An unreachable upstream is the least informative, first or last.
        let places = [port.baseURL] + upstreams.map(\.baseURL)
        let weir = try WeirProcess.serve(configuration(places, deadline: names.contains("slow") ? 1000 : 15_000))
        defer { weir.kill() }
        let answer = try weir.get(weather)
        let problem = try expectProblem(answer, status)
        #expect(problem["upstream"]["name"].string == "upstream-\(named + 1)")
        // The unreachable one may be asked five seconds after its failure, the other one after nine.
        let pause = answer.header("Retry-After").map { Int($0) ?? 0 }
        #expect(status == 429 ? 1...5 ~= pause ?? 0 : pause == nil)
    }

    /// The quota of the first upstream is spent until the month ends.
    @Test func retryAfterIsTheTimeOfTheUpstreamThatMayBeAskedFirst() throws {
        let first = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { first.stop() }
        let second = try ScriptedUpstream { _ in .answer(503, "{}", headers: ["Retry-After: 600"]) }
        defer { second.stop() }
        let text = configuration([first.baseURL, second.baseURL])
            .replacing(#"{"name": "upstream-0","#, with: #"{"name": "upstream-0", "quota": {"perMonth": 1},"#)
        let weir = try WeirProcess.serve(text)
        defer { weir.kill() }
        #expect(try weir.get(weather).status == 200)
        for _ in 1...2 {
            let answer = try weir.get(weather)
            let problem = try expectProblem(answer, 503)
            #expect(
                problem["detail"].string?.hasPrefix(
                    "The upstream upstream-0 has used up its 1 request a month, renewed at ") == true)
            #expect(590...600 ~= answer.header("Retry-After").flatMap { Int($0) } ?? 0)
        }
    }

    /// Each would take its own five seconds without a deadline for the whole request.
    @Test func silentUpstreamsShareTheDeadlineOfTheRequest() throws {
        let upstreams = try (0..<3).map { _ in try ScriptedUpstream { _ in .stall } }
        defer { for upstream in upstreams { upstream.stop() } }
        let weir = try WeirProcess.serve(configuration(upstreams.map(\.baseURL), deadline: 5000, requestDeadline: 5000))
        defer { weir.kill() }
        let (took, answer) = try seconds { try weir.get(weather) }
        let problem = try expectProblem(answer, 504)
        #expect(problem["type"].string == "urn:weir:problem:upstream-too-slow")
        #expect(4.9...10 ~= took)
        #expect(upstreams.map(\.requests.count) == [1, 1, 1])
    }

    @Test func aClientThatDisconnectsIsNoFailureOfAnUpstream() throws {
        let silent = try ScriptedUpstream { _ in .stall }
        defer { silent.stop() }
        let next = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { next.stop() }
        let weir = try WeirProcess.serve(configuration([silent.baseURL, next.baseURL]))
        defer { weir.kill() }
        let client = try weir.client()
        // The kernel resets a connection that is closed with an unread answer.
        client.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.waitForInput(seconds: 20))
        client.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(silent.waitForRequests(1))
        client.close()
        #expect(silent.waitForNoConnection())
        #expect(try weir.terminate() == 0)
        #expect(next.requests == [])
        #expect(!weir.errors.contains("warning"), "\(weir.errors)")
    }

    @Test func anUpstreamWithoutItsOptionalKeyIsNotAsked() throws {
        let upstreams = try (0..<2).map { _ in try ScriptedUpstream { _ in .answer(smallForecast) } }
        defer { for upstream in upstreams { upstream.stop() } }
        let text = """
            {
                "listen": "127.0.0.1:0", "cache": {"maximumBytes": 0},
                "upstreams": [
                    {"name": "paid", "dialect": "pirateWeather", "baseURL": "\(upstreams[0].baseURL)",
                     "key": {"environment": "WEIR_OPTIONAL_KEY", "optional": true}},
                    {"name": "free", "dialect": "darkSky", "baseURL": "\(upstreams[1].baseURL)",
                     "key": {"environment": "WEIR_TEST_KEY", "optional": true}}
                ],
                "weather": {"upstreams": ["paid", "free"]}
            }
            """
        let weir = try WeirProcess.serve(text, environment: ["WEIR_TEST_KEY": "k"])
        defer { weir.kill() }
        let log = try weir.logLine("upstream left out")
        #expect(log["upstream"].string == "paid")
        #expect(log["reason"].string == "the environment variable WEIR_OPTIONAL_KEY is not set")
        #expect(try weir.get("\(weather)&explain=1").json()["source"]["upstream"].string == "free")
        #expect(upstreams[0].requests == [])
        let keyed = try WeirProcess.serve(text, environment: ["WEIR_TEST_KEY": "k", "WEIR_OPTIONAL_KEY": "p"])
        defer { keyed.kill() }
        #expect(try keyed.get("\(weather)&explain=1").json()["source"]["upstream"].string == "paid")
    }
}
