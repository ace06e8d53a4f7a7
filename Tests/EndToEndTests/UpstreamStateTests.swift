import Glibc
import TestSupport
import Testing

/// The state of upstreams as an operator sees and mends it.
@Suite("The state of upstreams", .timeLimit(.minutes(10)))
struct UpstreamStateTests {
    /// Starts a service without a cache, whose upstreams are `sky`, with further settings, and then the others.
    private static func serve(
        _ upstream: String, _ settings: String = "", others: [String] = [], server: String = "", log: String = ""
    ) throws -> WeirProcess {
        let key = #""key": {"environment": "WEIR_TEST_KEY"}"#
        let first = #"{"name": "sky", "dialect": "darkSky", "baseURL": "\#(upstream)", "retryPercent": 0, \#(key)"#
        let rest = others.enumerated().map { index, url in
            #"{"name": "other-\#(index)", "dialect": "darkSky", "baseURL": "\#(url)", \#(key)}"#
        }
        let names = ["sky"] + others.indices.map { "other-\($0)" }
        return try WeirProcess.serve(
            """
            {
                "listen": "127.0.0.1:0", "shards": 2, "cache": {"maximumBytes": 0}\(log),
                "server": {"operationsListen": "127.0.0.1:0", "drainTimeoutMilliseconds": 3000\(server)},
                "upstreams": [\(([first + settings + "}"] + rest).joined(separator: ", "))],
                "weather": {"upstreams": [\(names.map { "\"\($0)\"" }.joined(separator: ", "))]}
            }
            """)
    }

    /// Connects to the address for operators.
    private static func operations(_ weir: WeirProcess) throws -> RawClient {
        try RawClient(#require(weir.logLine("listening for monitoring")["address"].string))
    }

    /// Returns the first check of `/healthz` with this name.
    private static func check(_ name: String, _ health: RawAnswer) throws -> Parsed {
        try health.json()["checks"][name][0]
    }

    private static func sample(_ name: String, _ metrics: String) -> Double? {
        metrics.split(separator: "\n").first { $0.hasPrefix(name + " ") }.flatMap {
            Double($0.split(separator: " ")[1])
        }
    }

    private static func lines(_ weir: WeirProcess, _ message: String) throws -> [Parsed] {
        try weir.errors.split(separator: "\n").map { try Parsed(String($0)) }.filter { $0["message"].string == message }
    }

    @Test func aQuotaIsAnnouncedBeforeItIsSpentAndNamesItsPeriod() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let weir = try Self.serve(upstream.baseURL, #", "quota": {"perMonth": 5, "perSecond": 1000}"#)
        defer { weir.kill() }
        let operations = try Self.operations(weir)
        for _ in 1...4 { #expect(try weir.get(weather).status == 200) }
        let line = try weir.logLine("upstream quota nearly used up")
        #expect(line["level"].string == "warning")
        #expect([line["upstream"].string, line["period"].string] == ["sky", "month"])
        #expect([line["used"].integer, line["limit"].integer] == [4, 5])
        #expect(line["renewed"].string?.hasSuffix("-01T00:00:00Z") == true)
        let metrics = try operations.get("/metrics").text
        let labels = #"{upstream="sky",period="month"}"#
        #expect(Self.sample("weir_upstream_quota_limit" + labels, metrics) == 5)
        #expect(Self.sample("weir_upstream_quota_used" + labels, metrics) == 4)
        #expect(1...2_678_400 ~= Self.sample("weir_upstream_quota_reset_seconds" + labels, metrics) ?? 0)
        #expect(Self.sample(#"weir_upstream_paused_until{upstream="sky"}"#, metrics) == 0)
        let health = try operations.get("/healthz")
        let left = try health.json()["checks"]["sky:quotaLeft"].elements.map {
            [$0["componentId"].string, $0["status"].string, $0["observedValue"].integer.map { "\($0)" }]
        }
        #expect(left.contains(["month", "warn", "1"]))
        #expect(try weir.get(weather).status == 200)
        let detail = try expectProblem(weir.get(weather), 503)["detail"].string ?? ""
        #expect(detail.contains("has used up its 5 requests a month, renewed at 20"), "\(detail)")
        let spent = try weir.logLine("upstream quota used up")
        #expect(spent["period"].string == "month" && spent["limit"].integer == 5)
        #expect(try weir.terminate() == 0)
        #expect(try Self.lines(weir, "upstream quota nearly used up").count == 1)
    }

    @Test func aPauseAndABreakerAreClearedByAnOperator() throws {
        let status = Watched(429)
        let upstream = try ScriptedUpstream { _ in
            .answer(status.current, smallForecast, headers: status.current == 429 ? ["Retry-After: 600"] : [])
        }
        defer { upstream.stop() }
        let weir = try Self.serve(
            upstream.baseURL,
            #", "breaker": {"minimumRequests": 1, "openMilliseconds": 600000}"#)
        defer { weir.kill() }
        let operations = try Self.operations(weir)
        #expect(try weir.get(weather).status == 429)
        let detail = try expectProblem(weir.get(weather), 503)["detail"].string ?? ""
        #expect(detail.contains("demands a pause after too many requests") || detail.contains("failed too often"))
        #expect(try weir.logLine("upstream pauses")["upstream"].string == "sky")
        #expect(!weir.errors.contains("quota used up"))
        let until = Self.sample(#"weir_upstream_paused_until{upstream="sky"}"#, try operations.get("/metrics").text)
        #expect(until ?? 0 > 1_700_000_000)
        let health = try operations.get("/healthz")
        #expect(health.status == 200)
        #expect(try health.json()["status"].string == "warn")
        #expect(try Self.check("sky:pause", health)["output"].string == "rateLimit")
        let path = "/-/upstreams/sky/resume"
        let refused = try operations.get(path)
        try expectProblem(refused, 405)
        #expect(refused.header("Allow") == "POST, OPTIONS")
        #expect(try operations.get(path, method: "OPTIONS").header("Allow") == "POST, OPTIONS")
        try expectProblem(weir.get(path, method: "POST"), 404)
        let unknown = try expectProblem(operations.get("/-/upstreams/skyy/resume", method: "POST"), 404)
        #expect(unknown["detail"].string?.contains("did you mean sky?") == true)
        status.update { $0 = 200 }
        let resumed = try operations.get(path, method: "POST")
        #expect(resumed.status == 200, "\(resumed.text)")
        let cleared = try resumed.json()
        #expect(cleared["upstream"].string == "sky")
        #expect(cleared["pauses"][0]["requests"].string == "forecast")
        #expect(cleared["pauses"][0]["cause"].string == "rateLimit")
        #expect(cleared["breakers"][0].string == "forecast")
        #expect(try weir.logLine("upstream resumed")["pauses"].integer == 1)
        #expect(try weir.get(weather).status == 200)
        #expect(upstream.requests.count == 2)
        #expect(try operations.get("/healthz").json()["status"].string == "pass")
    }

    @Test func anOpenBreakerNamesTheLastFailureAndRefusalsWriteNoLines() throws {
        let upstream = try ScriptedUpstream { _ in .answer(500, #"{"error": "out of memory"}"#) }
        let standby = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer {
            upstream.stop()
            standby.stop()
        }
        let breaker = #", "breaker": {"minimumRequests": 2, "openMilliseconds": 60000}"#
        let alone = try Self.serve(upstream.baseURL, breaker)
        defer { alone.kill() }
        for _ in 1...2 { try expectProblem(alone.get(weather), 502) }
        for _ in 1...20 {
            let detail = try expectProblem(alone.get(weather), 503)["detail"].string ?? ""
            let expected =
                /The upstream sky has failed too often, last with 500: out of memory; it is asked again in [0-9]+ s\./
            #expect(detail.wholeMatch(of: expected) != nil, "\(detail)")
        }
        let line = try alone.logLine("circuit breaker")
        #expect(line["detail"].string?.contains("the last with 500: out of memory;") == true)
        #expect(try alone.terminate() == 0)
        #expect(try Self.lines(alone, "fetched").count == 2)
        #expect(try Self.lines(alone, "upstream failed").map { $0["status"].integer } == [502, 502])
        let exchanges = try alone.output.split(separator: "\n").map { try Parsed(String($0)) }
        let urls = exchanges.compactMap { $0["weir.tries"][0]["url"].string }
        #expect(urls == Array(repeating: upstream.baseURL + "/forecast/***/{…}", count: 2))
        #expect(!alone.output.contains("test-key"))

        let weir = try Self.serve(upstream.baseURL, breaker, others: [standby.baseURL])
        defer { weir.kill() }
        let operations = try Self.operations(weir)
        for _ in 1...3 { #expect(try weir.get(weather).status == 200) }
        let health = try operations.get("/healthz")
        #expect(health.status == 200)
        #expect(health.header("Content-Type") == "application/health+json")
        #expect(try health.json()["status"].string == "warn")
        #expect(try Self.check("sky:breaker", health)["observedValue"].string == "open")
        #expect(try Self.check("other-0:breaker", health)["observedValue"].string == "closed")
        let failure = try Self.check("sky:lastFailure", health)
        #expect(failure["observedValue"].integer == 500)
        #expect(failure["output"].string == "The upstream sky answered with status 500. It says: out of memory")
        #expect(try Self.check("other-0:lastSuccess", health)["time"].string?.hasPrefix("20") == true)
        #expect(try Self.check("other-0:latency", health)["observedUnit"].string == "ms")
        for name in ["cache:bytes", "cache:documents", "log:droppedLines"] {
            #expect(try Self.check(name, health)["status"].string == "pass", "\(name)")
        }
        let metrics = try operations.get("/metrics").text
        func name(_ upstream: String, _ result: String) -> String {
            #"http_client_request_duration_seconds_count{upstream="\#(upstream)",requests="forecast",result="\#(result)"}"#
        }
        #expect(Self.sample(name("sky", "5xx"), metrics) == 2)
        #expect(Self.sample(name("other-0", "success"), metrics) == 3)
        let last = #"weir_upstream_last_failure_timestamp_seconds{upstream="sky",requests="forecast",result="500"}"#
        #expect(Self.sample(last, metrics) ?? 0 > 1_700_000_000)
        try expectProblem(weir.get("/healthz"), 404)
    }

    @Test func theHealthOfAServiceThatDrainsFails() throws {
        let weir = try Self.serve("http://127.0.0.1:1", server: #", "drainDelayMilliseconds": 60000"#)
        defer { weir.kill() }
        let operations = try Self.operations(weir)
        #expect(try operations.get("/healthz").json()["status"].string == "pass")
        weir.send(signal: SIGTERM)
        _ = try weir.logLine("draining")
        // The line is written before the stage changes.
        var health = try operations.get("/healthz")
        while health.status == 200 { health = try operations.get("/healthz") }
        #expect(health.status == 503)
        #expect(try health.json()["status"].string == "fail")
        #expect(try operations.get("/livez").status == 200)
    }

    @Test func aStandbyThatWouldFailIsFoundWithoutClients() throws {
        let isOpen = Watched(false)
        let standby = try ScriptedUpstream { _ in .answer(isOpen.current ? 200 : 401, "{}") }
        defer { standby.stop() }
        let weir = try Self.serve(
            standby.baseURL, #", "quota": {"perDay": 1000}, "probe": {"path": "/status/{key}?a=1", "everySeconds": 1}"#)
        defer { weir.kill() }
        let operations = try Self.operations(weir)
        let line = try weir.logLine("upstream probe failed")
        #expect([line["upstream"].string, line["level"].string] == ["sky", "warning"])
        #expect(line["status"].integer == 401)
        #expect(standby.waitForRequests(2))
        #expect(standby.requests[0].hasPrefix("GET /status/test-key?a=1 HTTP/1.1\r\n"))
        let health = try operations.get("/healthz")
        #expect(try health.json()["status"].string == "warn")
        let failure = try Self.check("sky:lastFailure", health)
        #expect(failure["componentId"].string == "probe" && failure["observedValue"].integer == 401)
        let used = #"weir_upstream_quota_used{upstream="sky",period="day"}"#
        #expect(Self.sample(used, try operations.get("/metrics").text) ?? 0 >= 2)
        isOpen.update { $0 = true }
        _ = try weir.logLine("upstream probe succeeded")
        #expect(try operations.get("/healthz").json()["status"].string == "pass")
        #expect(try weir.terminate() == 0)
        #expect(try Self.lines(weir, "upstream probe failed").count == 1)
        #expect(!(weir.errors + weir.output + health.everything).contains("test-key"))
    }

    @Test func aCheckAsksEachUpstreamOnce() throws {
        let (good, bad) = (
            try ScriptedUpstream { _ in .answer(404, "{}") }, try ScriptedUpstream { _ in .answer(403, "{}") }
        )
        let port = try RefusingPort()
        defer {
            good.stop()
            bad.stop()
            port.release()
        }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for (urls, status, texts) in [
            ([good.baseURL], 0, ["upstream-0: 404 in "]),
            ([good.baseURL, bad.baseURL], 69, ["upstream-0: 404 in ", "upstream-1: 403 in "]),
            ([port.baseURL, Checkout.sample], 69, ["because it does not accept connections", "upstream-1: a sample"]),
        ] as [([String], Int32, [String])] {
            let file = try folder.write(configuration(urls), to: "weir.json")
            let arguments = ["check", "--probe", "--config", file]
            let result = try WeirProcess.run(arguments, environment: ["WEIR_TEST_KEY": "test-key"])
            #expect(result.status == status, "\(result.output)")
            for text in texts { #expect(result.output.contains(text), "\(result.output)") }
            #expect(!(result.output + result.errors).contains("test-key"))
        }
        #expect(bad.requests.count == 1 && good.requests.count == 2)
        #expect(good.requests[0].hasPrefix("GET / HTTP/1.1\r\n"))
    }

    @Test func anUpstreamWithoutItsKeyIsAWarningAndAMetric() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let optional = #""key": {"environment": "WEIR_ABSENT_KEY", "optional": true}"#
        let weir = try Self.serve(
            upstream.baseURL,
            #"}, {"name": "spare", "dialect": "darkSky", "baseURL": "\#(upstream.baseURL)", \#(optional)"#)
        defer { weir.kill() }
        #expect(try weir.logLine("upstream left out")["level"].string == "warning")
        let operations = try Self.operations(weir)
        let metrics = try operations.get("/metrics").text
        #expect(Self.sample(#"weir_upstream_configured{upstream="sky"}"#, metrics) == 1)
        #expect(Self.sample(#"weir_upstream_configured{upstream="spare"}"#, metrics) == 0)
        let check = try Self.check("spare:configured", operations.get("/healthz"))
        #expect(check["status"].string == "warn")
    }

    @Test func theLevelOfTheLogIsASetting() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let text = configuration(["http://127.0.0.1:1"]).replacing(
            #""shards": 2"#, with: #""shards": 2, "log": {"level": "warning"}"#)
        let socket = folder.path("weir.sock")
        let file = try folder.write(text.replacing("127.0.0.1:0", with: "unix:\(socket)"), to: "weir.json")
        let events = try FolderEvents(folder.path)
        let weir = try WeirProcess(["serve", "--config", file], environment: ["WEIR_TEST_KEY": "test-key"])
        defer { weir.kill() }
        #expect(events.wait(for: .created, of: "weir.sock", seconds: 60))
        #expect(try weir.terminate() == 0)
        #expect(!weir.errors.contains("\"info\""), "\(weir.errors)")
    }

    @Test(
        "A service that cannot start says so in a line of its log",
        arguments: [
            (#"{"upstreams": []}"#, 78, "weather.upstreams must name an upstream"), ("{", 78, "line 1"),
            (nil, 66, "No such file"),
        ] as [(String?, Int32, String)])
    func notStarted(_ text: String?, _ status: Int32, _ detail: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        if let text { try folder.write(text, to: "weir.json") }
        let result = try WeirProcess.run(["serve", "--config", folder.path("weir.json")])
        #expect(result.status == status)
        let line = try Parsed(result.errors)
        #expect([line["level"].string, line["message"].string] == ["error", "not started"])
        #expect(line["exitStatus"].integer == Int(status))
        #expect(line["detail"].string?.contains(detail) == true, "\(result.errors)")
    }
}
