import TestSupport
import Testing

/// Whether a program is in PATH.
private func isInstalled(_ program: String) -> Bool {
    (try? Tool.run(["sh", "-c", "command -v \(program)"]).status) == 0
}

/// Health, metrics and the access log of a running service.
@Suite("Operations", .timeLimit(.minutes(10)))
struct OperationsTests {
    /// A configuration with further settings of the server.
    private static func settings(_ server: String, shards: Int = 2) -> String {
        configuration([Checkout.sample]).replacing(#""server": {"#, with: #""server": {\#(server), "#)
            .replacing("\"shards\": 2", with: "\"shards\": \(shards)")
    }

    private static func lines(_ weir: WeirProcess) -> [String] { weir.output.split(separator: "\n").map(String.init) }

    @Test func metricsAreInPrometheusTextFormat() throws {
        let weir = try WeirProcess.darkSkySample()
        defer { weir.kill() }
        let client = try weir.client()
        #expect(try client.get(weather).status == 200)
        #expect(try client.get("/nothing", method: "BREW").status == 404)
        let answer = try client.get("/metrics")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.header("Cache-Control") == "no-store")
        let name = "http_server_request_duration_seconds_count"
        let status = #"http_response_status_code="#
        for sample in [
            #"\#(name){http_request_method="GET",\#(status)"200",http_route="/weather"} 1"#,
            #"\#(name){http_request_method="_OTHER",\#(status)"404"} 1"#, "http_server_active_requests 1",
            "http_server_open_connections 1",
            #"http_client_request_duration_seconds_count{upstream="upstream-0",requests="forecast",result="success"} 1"#,
            #"weir_upstream_tries_total{upstream="upstream-0",requests="forecast",result="200"} 1"#,
            #"weir_upstream_suspended{upstream="upstream-0",requests="forecast"} 0"#,
        ] {
            #expect(answer.text.contains("\n\(sample)\n"), "\(sample) in \(answer.text)")
        }
        #expect(!answer.text.contains("weir_certificate"))
    }

    @Test func metricsCountTheTriesAndShowOpenBreakers() throws {
        let statuses = [200, 599, 404, 500, 500]
        let number = Watched(0)
        let upstream = try ScriptedUpstream { _ in
            let status = statuses[number.increase() - 1]
            return .answer(status, status == 200 ? smallForecast : "{")
        }
        defer { upstream.stop() }
        let breaker = #""breaker": {"minimumRequests": 5, "openMilliseconds": 600000}"#
        let weir = try WeirProcess.serve(
            configuration([upstream.baseURL, "http://127.0.0.1:1"])
                .replacing(#""breaker": {"minimumRequests": 1000000}"#, with: breaker))
        defer { weir.kill() }
        for _ in 0..<6 { _ = try weir.get(weather) }
        let text = try weir.get("/metrics").text
        func tries(_ upstream: String, _ result: String) -> String {
            #"weir_upstream_tries_total{upstream="\#(upstream)",requests="forecast",result="\#(result)"}"#
        }
        for sample in [
            tries("upstream-0", "200") + " 1", tries("upstream-0", "404") + " 1", tries("upstream-0", "500") + " 2",
            // A status of its own for each number would make as many series as an upstream likes.
            tries("upstream-0", "_OTHER") + " 1", tries("upstream-0", "suspended") + " 1",
            tries("upstream-1", "refused") + " 5",
            #"weir_upstream_suspended{upstream="upstream-0",requests="forecast"} 1"#,
        ] {
            #expect(text.contains("\n\(sample)\n"), "\(sample) in \(text)")
        }
    }

    @Test func anAddressForMonitoringServesNothingElse() throws {
        let weir = try WeirProcess.serve(Self.settings(#""operationsListen": "127.0.0.1:0""#))
        defer { weir.kill() }
        let address = try #require(weir.logLine("listening for monitoring")["address"].string)
        let operations = try RawClient(address)
        for path in ["/livez", "/readyz", "/metrics"] { #expect(try operations.get(path).status == 200) }
        try expectProblem(operations.get(weather), 404)
        let client = try weir.client()
        for path in ["/livez", "/readyz"] { #expect(try client.get(path).status == 200) }
        try expectProblem(client.get("/metrics"), 404)
    }

    @Test("Several addresses answer the same, and the log names each")
    func severalAddresses() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = "unix:\(folder.path)/weir.sock"
        let weir = try WeirProcess.serve(
            Self.settings(#""operationsListen": "127.0.0.1:0""#).replacing(
                #""listen": "127.0.0.1:0""#, with: #""listen": ["127.0.0.1:0", "[::1]:0", "\#(path)"]"#))
        defer { weir.kill() }
        _ = try weir.logLine("listening for monitoring")
        for prefix in ["127.0.0.1:", "[::1]:", path] {
            let line = try weir.logLine("listening") { $0["address"].string?.hasPrefix(prefix) == true }
            let client = try RawClient(#require(line["address"].string))
            #expect(try client.get(weather).status == 200, "\(prefix)")
            #expect(try client.get("/livez").status == 200, "\(prefix)")
            try expectProblem(client.get("/metrics"), 404)
        }
        #expect(try weir.terminate() == 0)
    }

    @Test func aServiceWithoutAFreeConnectionStaysLiveForItsOrchestrator() throws {
        let weir = try WeirProcess.serve(
            Self.settings(#""maximumConnections": 1, "operationsListen": "127.0.0.1:0""#))
        defer { weir.kill() }
        let address = try #require(weir.logLine("listening for monitoring")["address"].string)
        let client = try weir.client()
        #expect(try client.get("/livez").status == 200)
        #expect(try RawClient(address).get("/livez").status == 200)
    }

    @Test(
        "promtool finds nothing to complain about",
        .enabled(if: isInstalled("promtool"), "Debian's package prometheus is not installed"))
    func promtool() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let client = try weir.client()
        for target in [weather, darkSkyWeather, "/tweets/1", "/nothing"] { _ = try client.get(target) }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(client.get("/metrics").body, to: "metrics")
        let result = try Tool.run(["sh", "-c", "promtool check metrics < '\(file)' 2>&1"])
        #expect(result.status == 0)
        #expect(result.output.isEmpty, "\(String(decoding: result.output, as: UTF8.self))")
    }

    @Test(
        "Prometheus scrapes the metrics", .enabled(if: isInstalled("prometheus"), "Debian's package is not installed"))
    func prometheus() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let client = try weir.client()
        #expect(try client.get(weather).status == 200)
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let targets =
            "{global: {scrape_interval: 1s}, scrape_configs: [{job_name: weir, static_configs: [{targets: ['\(try weir.address())']}]}]}"
        let file = try folder.write(targets, to: "prometheus.yml")
        let command =
            "exec prometheus --config.file='\(file)' --storage.tsdb.path=data --web.listen-address=127.0.0.1:0 2>&1"
        let prometheus = try ShellProcess(command, in: folder.path)
        defer { prometheus.end() }
        let address = try #require(prometheus.line(containing: "msg=\"Listening on\" address="))
        let query = "'http://\(address)/api/v1/query?query=http_server_request_duration_seconds_count'"
        var found = ""
        // A second passes before it scrapes; it tells nobody when it has.
        for _ in 0..<600 where !found.contains(#""http_route":"/weather""#) {
            _ = client.waitForInput(seconds: 0.05)
            found = String(decoding: try Tool.run(["sh", "-c", "curl -s \(query)"]).output, as: UTF8.self)
        }
        #expect(found.contains(#""http_route":"/weather""#), "\(found)")
    }

    @Test func everyRequestHasALineWithoutTheClientsKey() throws {
        let weir = try WeirProcess.darkSkySample()
        defer { weir.kill() }
        let key = "s3ntinel-KEY_0123456789"
        let client = try weir.client()
        for target in [
            weather, "/forecast/\(key)/37.8267,-122.4233?key=\(key)", "/\(key)", "/weather?\(key)=\(key)", "/livez",
        ] {
            _ = try client.get(target, headers: ["Authorization: \(key)", "X-Request-Id: a \(key)"])
        }
        let malformed = try weir.client()
        malformed.send("GET /\(key) HTTP/9\r\n\(key)\r\n\r\n")
        #expect(try malformed.read().status == 400)
        // The line of an exchange is written before the process ends.
        #expect(try weir.terminate() == 0)
        let lines = try Self.lines(weir).map { try Parsed($0) }
        #expect(
            Set(lines.compactMap { $0["http.route"].string })
                == ["/weather", "/forecast/{anything}/{latitude},{longitude}"])
        #expect(
            lines.compactMap { $0["http.response.status_code"].integer }.sorted() == [200, 200, 400, 400, 404])
        #expect(!weir.output.contains("s3ntinel"))
        #expect(!weir.errors.contains("s3ntinel"))
    }

    @Test("An answer to a refused request has an id, and its line in the log has the same one")
    func refusalIDs() throws {
        let weir = try WeirProcess.serve(
            Self.settings(
                #""maximumConnections": 1"#, shards: 1))
        defer { weir.kill() }
        let long = String(repeating: "x", count: 70_000)
        var expected: [String: Int] = [:]
        func note(_ answer: RawAnswer, _ status: Int) throws {
            #expect(answer.status == status)
            expected[try #require(answer.header("X-Request-Id"))] = status
        }
        for (request, status) in [
            ("GET /\r\n\r\n", 400), ("GET /\(long) HTTP/1.1\r\n\r\n", 414), ("GET / HTTP/1.1\r\nX: \(long)\r\n", 431),
            ("GET / HTTP/2.0\r\n\r\n", 505), ("GET /late", 408),
        ] {
            let client = try weir.client()
            client.send(request)
            try note(client.read(), status)
            client.close()
        }
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let busy = try weir.client()
        #expect(try busy.get("/livez").status == 200)
        // The second connection is reserved, so its request is read. The third one sends none, and makes room for the last
        // of as many others as are reserved.
        let reserved = try weir.client()
        let answer = try reserved.get(weather, headers: ["traceparent: \(trace)", "X-Request-Id: client-id-77"])
        try note(answer, 503)
        reserved.close()
        #expect(try busy.get("/livez").status == 200)
        let refused = try weir.client()
        let others = try (0..<32).map { _ in try weir.client() }
        try note(refused.read(), 503)
        for other in others { other.close() }
        #expect(answer.header("X-Request-Id") == "client-id-77")
        #expect(expected.count == 7)
        #expect(try weir.terminate() == 0)
        var logged: [String: Int] = [:]
        for line in try Self.lines(weir).map({ try Parsed($0) }) where line["http.response.status_code"].integer != nil
        {
            let identifier = try #require(line["weir.request_id"].string ?? line["trace_id"].string)
            logged[identifier] = line["http.response.status_code"].integer
            if identifier == "client-id-77" { #expect(line["trace_id"].string == "0af7651916cd43dd8448eb211c80319c") }
        }
        #expect(logged == expected)
    }

    @Test func theClientBehindATrustedProxyIsLogged() throws {
        let weir = try WeirProcess.serve(Self.settings(#""trustedProxies": ["127.0.0.0/8"]"#))
        defer { weir.kill() }
        #expect(try weir.get(weather, headers: ["X-Forwarded-For: 198.51.100.1, 192.0.2.7"]).status == 200)
        #expect(try weir.terminate() == 0)
        #expect(try Parsed(#require(Self.lines(weir).first))["client.address"].string == "192.0.2.7")
    }

    @Test func aClientThatLeavesHasALineThatSaysSo() throws {
        let folder = try sample(delayMilliseconds: 60_000)
        defer { folder.remove() }
        let weir = try WeirProcess.serve(configuration([folder.path]))
        defer { weir.kill() }
        let metrics = try weir.client()
        let client = try weir.client()
        client.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n")
        while try !metrics.get("/metrics").text.contains("http_server_active_requests 2\n") {}
        client.close()
        let left = #"http_server_incomplete_total{outcome="client_left"} 1"#
        while try !metrics.get("/metrics").text.contains("\n\(left)\n") {}
        #expect(try weir.terminate() == 0)
        let line = try Parsed(#require(Self.lines(weir).first))
        #expect(line["error.type"].string == "client_left")
        #expect(line["http.route"].string == "/weather")
        #expect(line["http.response.status_code"].integer == nil)
    }

    @Test func theAccessLogCanBeLeftOut() throws {
        let weir = try WeirProcess.serve(Self.settings(#""accessLog": {"format": "none"}"#))
        defer { weir.kill() }
        #expect(try weir.get(weather).status == 200)
        #expect(try weir.terminate() == 0)
        #expect(weir.output.isEmpty)
    }

    @Test("A reader that takes nothing from standard output and standard error delays neither answers nor the exit")
    func stalledReaders() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let socket = "\(folder.path)/weir.sock"
        let upstream = try ScriptedUpstream { _ in .answer(500, "{}") }
        defer { upstream.stop() }
        let text = configuration([upstream.baseURL]).replacing("127.0.0.1:0", with: "unix:\(socket)")
        let file = try folder.write(text, to: "weir.json")
        let weir = try WeirProcess(
            ["serve", "--config", file], environment: ["WEIR_TEST_KEY": "test-key"], readsOutput: false)
        defer { weir.kill() }
        var client: RawClient?
        while client == nil, weir.isRunning { client = try? RawClient("unix:\(socket)") }
        let ready = try #require(client)
        // Each answer has a line in both logs; a pipe holds 64 KiB at most.
        for _ in 0..<400 { #expect(try ready.get(weather).status == 502) }
        let (took, status) = try seconds { try weir.terminate() }
        #expect(status == 0)
        #expect(took < 8)
    }

    @Test(
        "Unusable settings are named",
        arguments: [
            (#""operationsListen": "nowhere""#, "server.operationsListen must be HOST:PORT, unix:PATH or fd:NUMBER"),
            (#""accessLog": {"format": "xml"}"#, "server.accessLog.format must be one of json, common, none"),
            (
                #""trustedProxies": ["10.0.0.0/8", "10.0.0.1/8"]"#,
                "server.trustedProxies[1] must be an address, a network"
            ),
            (#""forwardedField": "Via""#, "server.forwardedField must be one of Forwarded, X-Forwarded-For"),
            (#""socketMode": "rw""#, "server.socketMode must be octal digits such as 0660"),
            (#""cors": {"origins": ["https://a.example", "a.example/"]}"#, "server.cors.origins[1] must be an origin"),
        ])
    func faults(_ server: String, _ fault: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(Self.settings(server), to: "weir.json")
        let result = try WeirProcess.run(["check", "--config", file], environment: ["WEIR_TEST_KEY": "k"])
        #expect(result.status == 78)
        #expect(result.errors.contains(fault), "\(result.errors)")
    }

    @Test func everyRouteIsRevalidatedAndCompressed() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let client = try weir.client()
        for target in ["/tweets/1", "/search?q=rain", "/tweets/1?fields=id", weather] {
            let plain = try client.get(target)
            #expect(plain.status == 200)
            #expect(plain.header("Vary") == "Accept-Encoding")
            let isLong = plain.body.count >= 1024
            let tag = try #require(plain.header("ETag"))
            let unchanged = try client.get(target, headers: ["If-None-Match: \(tag)", "Accept-Encoding: br"])
            #expect(unchanged.status == 304)
            #expect(unchanged.header("ETag") == tag)
            #expect(unchanged.header("Vary") == "Accept-Encoding")
            for coding in ["br", "gzip"] {
                let answer = try client.get(target, headers: ["Accept-Encoding: \(coding)"])
                #expect(answer.header("Content-Encoding") == (isLong ? coding : nil))
                #expect(answer.header("ETag") == tag)
            }
        }
    }
}
