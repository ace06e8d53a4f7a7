import TestSupport
import Testing

/// Spans as a collector of OpenTelemetry gets them.
@Suite("Traces", .timeLimit(.minutes(10)))
struct TraceTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c", parent = "b7ad6b7169203331"
    private static let secret = "Bearer collector-secret-0123"

    /// A configuration that sends traces to `collector`, and forwards `traceparent` to the upstreams.
    private static func settings(
        _ upstreams: [String], _ collector: ScriptedUpstream, ratio: Double = 0, cache: String = #""maximumBytes": 0"#
    ) -> String {
        let traces = """
            "telemetry": {"traces": {"endpoint": "\(collector.baseURL)/v1/traces", "ratio": \(ratio),
                "headers": {"Authorization": {"environment": "WEIR_TEST_COLLECTOR"}}}},
            "shards"
            """
        return configuration(upstreams, cache: cache)
            .replacing(#""shards""#, with: traces)
            .replacing(#""dialect""#, with: #""forwardsTraceparent": true, "dialect""#)
    }

    private static func serve(_ configuration: String) throws -> WeirProcess {
        try .serve(configuration, environment: ["WEIR_TEST_KEY": "test-key-0123", "WEIR_TEST_COLLECTOR": secret])
    }

    private static func collector() throws -> ScriptedUpstream { try ScriptedUpstream { _ in .answer("{}") } }

    /// The spans that a collector has got, each checked against the JSON form of `opentelemetry.proto.trace.v1`.
    private static func spans(_ collector: ScriptedUpstream) throws -> [Parsed] {
        try collector.requests.flatMap { request in
            let parts = request.split(separator: "\r\n\r\n", maxSplits: 1)
            #expect(parts[0].hasPrefix("POST /v1/traces HTTP/1.1\r\n"))
            #expect(parts[0].contains("\r\nContent-Type: application/json"))
            #expect(parts[0].contains("\r\nAuthorization: \(secret)"))
            let all = try Parsed(String(parts[1]))
            #expect(all.members.keys.sorted() == ["resourceSpans"] && all["resourceSpans"].count == 1)
            let resource = all["resourceSpans"][0]
            #expect(resource.members.keys.sorted() == ["resource", "scopeSpans"])
            let attributes = try attributes(of: resource["resource"])
            #expect(attributes.keys.sorted() == ["service.instance.id", "service.name", "service.version"])
            #expect(attributes["service.name"] == "weir")
            let scope = resource["scopeSpans"][0]
            #expect(scope.members.keys.sorted() == ["scope", "spans"])
            #expect(scope["scope"]["name"].string == "weir")
            for span in scope["spans"].elements { try check(span) }
            return scope["spans"].elements
        }
    }

    private static func attributes(of holder: Parsed) throws -> [String: String] {
        var values: [String: String] = [:]
        for attribute in holder["attributes"].elements {
            #expect(attribute.members.keys.sorted() == ["key", "value"])
            let key = try #require(attribute["key"].string), value = attribute["value"]
            #expect(values[key] == nil, "\(key) is there twice")
            #expect(value.count == 0 && value.members.count == 1)
            // An int64 is a text.
            let number = value["intValue"].string
            if let number { #expect(Int(number) != nil) }
            let text: String = try #require(value["stringValue"].string ?? number)
            values[key] = text
        }
        return values
    }

    private static func check(_ span: Parsed) throws {
        let known: Set = [
            "traceId", "spanId", "parentSpanId", "traceState", "name", "kind", "startTimeUnixNano", "endTimeUnixNano",
            "attributes", "links", "status",
        ]
        #expect(known.isSuperset(of: span.members.keys))
        for identified in [span] + span["links"].elements {
            #expect(identified["traceId"].string?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
            #expect(identified["spanId"].string?.wholeMatch(of: /[0-9a-f]{16}/) != nil)
        }
        if let parent = span["parentSpanId"].string { #expect(parent.wholeMatch(of: /[0-9a-f]{16}/) != nil) }
        let kind = try #require(span["kind"].integer)
        #expect((1...3).contains(kind))
        #expect(span["name"].string?.isEmpty == false)
        let start = try #require(span["startTimeUnixNano"].string.flatMap { UInt64($0) })
        let end = try #require(span["endTimeUnixNano"].string.flatMap { UInt64($0) })
        #expect(start <= end && end - start < 600_000_000_000)
        let attributes = try attributes(of: span)
        switch kind {
        case 2:
            #expect(attributes["http.request.method"] != nil && attributes["url.scheme"] == "http")
            #expect(attributes["url.path"] == attributes["http.route"])
        case 3:
            #expect(attributes["http.request.method"] != nil && attributes["server.address"] == "127.0.0.1")
            #expect(attributes["server.port"].flatMap { Int($0) } != nil)
        default: break
        }
        if !span["status"].isAbsent {
            #expect(span["status"]["code"].integer == 2)
            #expect(attributes["error.type"] != nil)
        }
    }

    @Test("A trace leads from the client through the log, the spans and the exemplar to the upstream")
    func wholeTrace() throws {
        let bad = try ScriptedUpstream { _ in .answer(500, "{}") }
        defer { bad.stop() }
        let good = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { good.stop() }
        let collector = try Self.collector()
        defer { collector.stop() }
        let weir = try Self.serve(Self.settings([bad.baseURL, good.baseURL], collector))
        defer { weir.kill() }
        let answer = try weir.get(
            weather, headers: ["traceparent: 00-\(Self.trace)-\(Self.parent)-01", "tracestate: a=b , c=d"])
        #expect(answer.status == 200)
        let accept = "Accept: application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.2"
        let metrics = try weir.get("/metrics", headers: [accept])
        #expect(try weir.terminate() == 0)
        let spans = try Self.spans(collector)
        #expect(Set(spans.map { $0["traceId"].string }) == [Self.trace])
        #expect(Set(spans.map { $0["spanId"].string }).count == spans.count)
        let server = try #require(spans.first)
        #expect(server["name"].string == "GET /weather" && server["parentSpanId"].string == Self.parent)
        #expect(server["traceState"].string == "a=b,c=d")
        let root = try #require(server["spanId"].string)
        let below = spans.filter { $0["parentSpanId"].string == root }
        #expect(below.map { $0["name"].string } == ["cache", "GET", "GET", "respond"])
        let tries = below.filter { $0["kind"].integer == 3 }
        #expect(tries.count == 2)
        #expect(try Self.attributes(of: tries[0])["error.type"] == "500")
        #expect(try Self.attributes(of: tries[1])["weir.upstream"] == "upstream-1")
        #expect(try Self.attributes(of: tries[1])["http.response.status_code"] == "200")
        // Each upstream has got the span of its try.
        for (upstream, entry) in zip([bad, good], tries) {
            let head = try #require(upstream.requests.first)
            let identifier = try #require(entry["spanId"].string)
            #expect(head.contains("\r\ntraceparent: 00-\(Self.trace)-\(identifier)-01\r\n"))
            #expect(head.contains("\r\ntracestate: a=b,c=d\r\n"))
        }
        let phases = spans.filter { $0["parentSpanId"].string == tries[1]["spanId"].string }
        #expect(phases.map { $0["name"].string } == ["queue", "connect", "transfer", "read", "shape"])
        let line = try #require(weir.output.split(separator: "\n").map { try Parsed(String($0)) }.first)
        #expect(line["trace_id"].string == Self.trace && line["span_id"].string == root)
        #expect(metrics.text.contains(#" # {trace_id="\#(Self.trace)",span_id="\#(root)"} "#))
        // Neither keys nor values of the client.
        for text in ["test-key-0123", "37.8", "122.4", "lat", "forecast/"] {
            #expect(!collector.requests.joined().contains(text), "\(text)")
        }
    }

    @Test("With a ratio of 0 a request without a sampled parent has spans only if it fails")
    func sampling() throws {
        let upstream = try ScriptedUpstream { $0.contains("/1,") ? .answer(500, "{}") : .answer(smallForecast) }
        defer { upstream.stop() }
        let collector = try Self.collector()
        defer { collector.stop() }
        let weir = try Self.serve(Self.settings([upstream.baseURL], collector))
        defer { weir.kill() }
        #expect(try weir.get("/weather?lat=2&lon=2").status == 200)
        let parent = "traceparent: 00-\(Self.trace)-\(Self.parent)-00"
        #expect(try weir.get("/weather?lat=2&lon=2", headers: [parent]).status == 200)
        #expect(upstream.requests.allSatisfy { $0.contains("-00\r\n") })
        #expect(try weir.get("/livez").status == 200)
        try expectProblem(weir.get("/weather?lat=1&lon=2"), 502)
        #expect(try weir.terminate() == 0)
        let servers = try Self.spans(collector).filter { $0["kind"].integer == 2 }
        #expect(servers.count == 1)
        let attributes = try Self.attributes(of: #require(servers.first))
        #expect(attributes["http.response.status_code"] == "502" && attributes["error.type"] == "502")
        #expect(servers[0]["status"]["code"].integer == 2)
    }

    @Test("A hit has the span of the cache, and who waits for another request has a link to its try")
    func cache() throws {
        let gate = Gate()
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast, headers: ["Cache-Control: max-age=60"]) }
        defer { upstream.stop() }
        let slow = try ScriptedUpstream { _ in
            gate.pass()
            return .answer(smallForecast)
        }
        defer { slow.stop() }
        let collector = try Self.collector()
        defer { collector.stop() }
        let weir = try Self.serve(Self.settings([upstream.baseURL], collector, ratio: 1, cache: ""))
        defer { weir.kill() }
        for _ in 0..<2 { #expect(try weir.get(weather).status == 200) }
        #expect(collector.waitForRequests(1))
        #expect(try weir.terminate() == 0)
        let spans = try Self.spans(collector)
        let hits = try spans.filter { try Self.attributes(of: $0)["weir.cache"] == "hit" }
        #expect(hits.count == 1)
        let names = spans.filter { $0["traceId"].string == hits.first?["traceId"].string }.map { $0["name"].string }
        #expect(names == ["GET /weather", "cache", "respond"])

        let other = try Self.serve(Self.settings([slow.baseURL], collector, ratio: 1, cache: ""))
        defer { other.kill() }
        let clients = try (0..<2).map { _ in try other.client() }
        for client in clients { client.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n") }
        #expect(slow.waitForRequests(1))
        // Both requests wait for one call.
        var active = 0
        while active < 2 {
            let line = try other.get("/metrics").text.firstMatch(of: /\nhttp_server_active_requests (\d+)\n/)
            active = line.flatMap { Int($0.1) }.map { $0 - 1 } ?? 2
        }
        // The tasks of both have begun before their event loops answer another request.
        #expect(try other.get("/metrics").status == 200)
        gate.open()
        for client in clients { #expect(try client.read().status == 200) }
        #expect(try other.terminate() == 0)
        let all = try Self.spans(collector).dropFirst(spans.count)
        let tries = all.filter { $0["kind"].integer == 3 }
        #expect(tries.count == 1)
        let links = all.flatMap { $0["links"].elements }
        #expect(links.map { $0["spanId"].string } == tries.map { $0["spanId"].string })
        #expect(links.map { $0["traceId"].string } == tries.map { $0["traceId"].string })
    }

    @Test("A collector that hangs delays no request: spans are dropped and counted")
    func hangingCollector() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast, headers: ["Cache-Control: max-age=60"]) }
        defer { upstream.stop() }
        let collector = try ScriptedUpstream { _ in .stall }
        defer { collector.stop() }
        let weir = try Self.serve(Self.settings([upstream.baseURL], collector, ratio: 1, cache: ""))
        defer { weir.kill() }
        let client = try weir.client()
        for _ in 0..<1000 { #expect(try client.get(weather).status == 200) }
        let metrics = try client.get("/metrics").text
        let dropped = metrics.firstMatch(of: /weir_trace_spans_total\{result="dropped"\} (\d+)/).flatMap { Int($0.1) }
        #expect(try #require(dropped) > 0)
        #expect(metrics.contains(#"weir_trace_spans_total{result="exported"} 0"#))
        #expect(try weir.terminate() == 0)
    }

    @Test("The secret of a collector stands nowhere, whatever the collector answers")
    func secrets() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let collector = try ScriptedUpstream { _ in .answer(401, #"{"message":"\#(Self.secret)"}"#) }
        defer { collector.stop() }
        let text = Self.settings([upstream.baseURL], collector, ratio: 1)
        let drain = #""drainTimeoutMilliseconds""#
        let operated = text.replacing(drain, with: #""operationsOnListen": true, "# + drain)
        let weir = try Self.serve(operated)
        defer { weir.kill() }
        var answers = [try weir.get(weather)]
        let line = try weir.logLine("spans not exported")
        #expect(line["detail"].string == "The collector answered with status 401.")
        answers += try ["/-/config", "/metrics", "/healthz", "/-/status"].map { try weir.get($0) }
        #expect(answers.map(\.status) == [200, 200, 200, 200, 200])
        #expect(answers[2].text.contains(#"weir_trace_spans_total{result="failed"}"#))
        #expect(try weir.terminate() == 0)
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(text, to: "weir.json")
        let environment = ["WEIR_TEST_KEY": "test-key-0123", "WEIR_TEST_COLLECTOR": Self.secret]
        let printed = try WeirProcess.run(["check", "--config", file, "--print"], environment: environment)
        #expect(printed.status == 0 && printed.output.contains("WEIR_TEST_COLLECTOR"))
        let checked = try WeirProcess.run(["check", "--config", file], environment: environment)
        #expect(checked.output.contains("sends traces to \(collector.baseURL)/v1/traces, ratio 1.0"))
        let all = answers.map(\.everything).joined() + weir.errors + weir.output + printed.output + printed.errors
        #expect(!all.contains("collector-secret"))
    }

    @Test(
        "A fault of the settings of traces is named, without a secret",
        arguments: [
            (#""endpoint": "http://a:SECRET@b/""#, "telemetry.traces.endpoint must not hold a user or a password"),
            (#""endpoint": "otel:4317""#, "telemetry.traces.endpoint must start with http:// or https://"),
            (#""ratio": 1"#, "telemetry.traces.endpoint is missing"),
            (#""endpoint": "http://b", "ratio": 2"#, "telemetry.traces.ratio must be a number from 0 to 1"),
            (
                #""endpoint": "http://b", "headers": {"Key": {"environment": "SECRET 1"}}"#,
                "telemetry.traces.headers.Key.environment must be the name of a variable"
            ),
            (
                #""endpoint": "http://b", "headers": {"Key": {"environment": "WEIR_ABSENT"}}"#,
                "telemetry.traces.headers.Key does not exist: the environment variable WEIR_ABSENT is not set"
            ),
            (
                #""endpoint": "http://b", "headers": {"Content-Length": {"environment": "A"}}"#,
                "telemetry.traces.headers.Content-Length is no header field"
            ),
        ])
    func faults(_ settings: String, _ fault: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let text = configuration([Checkout.sample])
            .replacing(#""shards""#, with: #""telemetry": {"traces": {\#(settings)}}, "shards""#)
        let file = try folder.write(text, to: "weir.json")
        let result = try WeirProcess.run(["check", "--config", file], environment: ["WEIR_TEST_KEY": "k"])
        #expect(result.status == 78)
        #expect(result.errors.contains(fault), "\(result.errors)")
        #expect(!result.errors.contains("SECRET"))
    }
}
