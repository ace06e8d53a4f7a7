import Foundation
import TestSupport
import Testing

/// The status page, its JSON, its stream and `weir status`, as an operator sees them.
@Suite(.timeLimit(.minutes(10)))
struct StatusTests {
    private static let html = ["Accept: text/html,application/xhtml+xml,*/*;q=0.8"]

    /// A service with an address for operators; its upstream `up` answers `status` and `body`.
    private struct Operated {
        let weir: WeirProcess
        let upstream: ScriptedUpstream
        let url: String

        init(_ status: Int = 200, _ body: String = "{}", server: String = "", route: String = "/list") throws {
            upstream = try ScriptedUpstream { _ in .answer(status, Array(body.utf8)) }
            weir = try WeirProcess.serve(
                """
                {"listen": "127.0.0.1:0", "shards": 1,
                 "server": {"operationsListen": "127.0.0.1:0", "drainTimeoutMilliseconds": 3000\(server)},
                 "upstreams": [{"name": "up", "baseURL": "\(upstream.baseURL)", "retryPercent": 0,
                                "breaker": {"minimumRequests": 2, "openMilliseconds": 30000}}],
                 "routes": [{"path": "\(route)", "name": "list", "error": "error",
                             "fetch": {"upstream": "up", "path": "/items"}}]}
                """)
            url = "http://" + (try #require(weir.logLine("listening for monitoring")["address"].string))
        }

        func operations() throws -> RawClient { try RawClient(String(url.dropFirst("http://".count))) }

        /// Asks for the status until the figures are as a test expects: they are up to a quarter of a second old.
        func status(where condition: (Parsed) -> Bool) throws -> Parsed {
            let end = Date() + 30
            while true {
                let status = try operations().get("/-/status").json()
                if condition(status) { return status }
                if Date() > end { throw Failure("the status is \(status)") }
            }
        }

        func end() {
            weir.kill()
            upstream.stop()
        }
    }

    @Test func theStatusHasTheFiguresOfAllParts() throws {
        let service = try Operated()
        defer { service.end() }
        for target in ["/list", "/list", "/list?x=1", "/nothing"] { _ = try service.weir.get(target) }
        let status = try service.status { $0["errors"].count == 2 }
        #expect(status["stage"].string == "serving" && status["version"].string == "1.0.0")
        let route = try #require(status["routes"].elements.first { $0["route"].string == "/list" })
        #expect(route["requests"].integer == 3 && route["errors"].integer == 1)
        #expect((route["p50"].number ?? 0) > 0 && (route["p99"].number ?? 0) >= (route["p50"].number ?? 1))
        #expect(status["routes"].elements.last?["route"].string == "")
        let errors = status["errors"].elements.map { "\($0["cause"].string ?? "") \($0["count"].integer ?? 0)" }
        #expect(errors == ["status 400 1", "status 404 1"])
        #expect(status["cache"]["answers"]["hit"].integer == 1 && status["cache"]["answers"]["miss"].integer == 1)
        #expect(status["cache"]["documents"].integer == 1 && (status["cache"]["bytes"].integer ?? 0) > 0)
        #expect(status["cache"]["flights"].integer == 0)
        #expect(["normal", "tight", "short"].contains(status["memory"]["level"].string))
        let upstream = status["upstreams"][0]
        #expect(upstream["name"].string == "up" && upstream["tries"]["200"].integer == 1)
        #expect(upstream["checks"]["breaker"][0]["observedValue"].string == "closed")
        #expect(upstream["checks"]["latency"].count == 3)
        #expect(status["configuration"]["takenAt"].string?.hasSuffix("Z") == true)
        #expect(status["log"].elements.contains { $0.string?.contains(#""message":"listening""#) == true })
        #expect(status["log"].elements.allSatisfy { $0.string?.hasSuffix("}") == true })
    }

    @Test func theStatusTellsWhyUpstreamsFailAndReloadsAreRefused() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let upstream = try ScriptedUpstream { _ in .answer(500, Array(#"{"error":"out of <b>memory"}"#.utf8)) }
        defer { upstream.stop() }
        let text = """
            {"listen": "127.0.0.1:0", "shards": 1, "server": {"pages": {"status": true}},
             "upstreams": [{"name": "up", "baseURL": "\(upstream.baseURL)", "retryPercent": 0,
                            "breaker": {"minimumRequests": 2, "openMilliseconds": 30000}}],
             "routes": [{"path": "/list", "error": "error", "fetch": {"upstream": "up", "path": "/items"}}]}
            """
        let file = try folder.write(text, to: "weir.json")
        let weir = try WeirProcess(["serve", "--config", file])
        defer { weir.kill() }
        for _ in 0..<4 { _ = try weir.get("/list") }
        _ = try folder.write(text.replacing("\"shards\"", with: "\"shard\""), to: "weir.json")
        weir.send(signal: SIGHUP)
        _ = try weir.logLine("configuration refused")
        _ = try folder.write(text, to: "weir.json")
        weir.send(signal: SIGHUP)
        _ = try weir.logLine("configuration unchanged")
        var status = try weir.get("/-/status").json()
        let end = Date() + 30
        while status["configuration"]["lastReload"]["result"].string != "unchanged", Date() < end {
            status = try weir.get("/-/status").json()
        }
        #expect(status["configuration"]["lastReload"]["result"].string == "unchanged")
        #expect(status["configuration"]["lastRefusal"]["detail"].string?.contains("shard") == true)
        let checks = status["upstreams"][0]["checks"]
        #expect(checks["breaker"][0]["observedValue"].string == "open")
        #expect(checks["lastFailure"][0]["observedValue"].integer == 500)
        #expect(status["upstreams"][0]["tries"]["500"].integer == 2)
        let page = try weir.get("/-/status", headers: Self.html).text
        #expect(page.contains("out of &lt;b&gt;memory") && !page.contains("<b>"), "\(page)")
        #expect(page.contains("<td>up: 500</td><td>2</td>"))
    }

    @Test func thePageIsAtTheAddressForOperators() throws {
        let service = try Operated()
        defer { service.end() }
        for target in ["/-/status", "/-/status/events"] { try expectProblem(service.weir.get(target), 404) }
        let page = try service.operations().get("/-/status", headers: Self.html)
        #expect(page.header("Content-Type") == "text/html; charset=utf-8")
        #expect(page.header("Content-Security-Policy")?.hasPrefix("default-src 'none'; script-src 'self'") == true)
        #expect(page.header("Cache-Control") == "no-store" && page.header("Vary")?.contains("Accept") == true)
        #expect(page.text.contains(#"<noscript><meta http-equiv="refresh" content="5"></noscript>"#))
        #expect(!page.text.contains("Explorer"))
        let files = page.text.matches(of: /(?:href|src)="\.\.(\/-pages\/[^"]+)"/).map { String($0.1) }
        #expect(files.count == 3)
        for file in files { #expect(try service.operations().get(file).status == 200, "\(file)") }
        for accept in ["application/json", "*/*"] {
            let answer = try service.operations().get("/-/status", headers: ["Accept: \(accept)"])
            #expect(answer.header("Content-Type") == "application/json")
        }
    }

    @Test(arguments: [
        (#", "pages": {"status": true}"#, true), (#", "operationsOnListen": true"#, true),
        (#", "pages": {"status": true, "enabled": false}"#, false),
    ])
    func aSettingPutsThePageBesideTheAPI(_ server: String, _ hasExplorer: Bool) throws {
        let service = try Operated(server: server)
        defer { service.end() }
        let page = try service.weir.get("/-/status", headers: Self.html)
        #expect(page.status == 200 && page.text.contains("Explorer") == hasExplorer)
        let file = try #require(page.text.firstMatch(of: /src="\.\.(\/-pages\/[^"]+)"/))
        #expect(try service.weir.get(String(file.1)).status == 200)
        #expect(try service.weir.get("/").status == (hasExplorer ? 200 : 404))
        let paths = try service.weir.get("/openapi.json").json()["paths"]
        let answers = paths["/-/status"]["get"]["responses"]["200"]["content"]
        #expect(answers["application/json"]["schema"]["$ref"].string == "#/components/schemas/ServiceStatus")
        #expect(paths["/-/status/events"]["get"]["operationId"].string == nil)
    }

    @Test func hostileTextsAreText() throws {
        let evil = "<script>alert(1)</script>'&amp;\u{202E}\u{200B}"
        let body = #"{"error":"\#(evil)"}"#
        let service = try Operated(403, body, route: "/list")
        defer { service.end() }
        for _ in 0..<2 { _ = try service.weir.get("/list") }
        _ = try service.status { $0["upstreams"][0]["tries"]["403"].integer ?? 0 >= 1 }
        let page = try service.operations().get("/-/status", headers: Self.html).text
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;amp;"), "\(page)")
        #expect(!page.contains("<script>") && !page.unicodeScalars.contains("\u{202E}"))
        #expect(page.contains(#"\u202e\u200b"#))
        let status = try WeirProcess.run(["status", "--url", service.url])
        #expect(!status.output.unicodeScalars.contains("\u{202E}") && status.output.contains(#"\u202e"#))
    }

    @Test func theStreamSendsAMessageASecondAndEndsAtTheDrain() throws {
        let service = try Operated()
        defer { service.end() }
        let client = try service.operations()
        #expect(client.send("GET /-/status/events HTTP/1.1\r\nHost: a\r\n\r\n"))
        let head = try client.read(hasBody: false)
        #expect(head.header("Content-Type") == "text/event-stream" && head.header("Transfer-Encoding") == "chunked")
        let messages = try (0..<3).map { _ in try client.readChunk() }
        for message in messages {
            #expect(message.hasPrefix("data: [{\"title\":\"Service\"") && message.hasSuffix("}]\n\n"), "\(message)")
        }
        #expect(Set(messages).count == 3)
        service.weir.send(signal: SIGTERM)
        var last = messages[0]
        while !last.isEmpty { last = try client.readChunk() }
        #expect(try service.weir.waitForExit() == 0)
    }

    @Test func streamsAreFew() throws {
        let service = try Operated()
        defer { service.end() }
        func open() throws -> (client: RawClient, head: RawAnswer) {
            let client = try service.operations()
            #expect(client.send("GET /-/status/events HTTP/1.1\r\nHost: a\r\n\r\n"))
            return (client, try client.read(hasBody: false))
        }
        let streams = try (0..<16).map { _ in try open() }
        #expect(streams.allSatisfy { $0.head.status == 200 })
        for _ in 0..<3 {
            let refused = try service.operations().get("/-/status/events")
            try expectProblem(refused, 503)
            #expect(refused.header("Retry-After") == "10")
        }
        // Others are served, and a place that is free is given away.
        #expect(try service.weir.get("/list").status == 200)
        streams[3].client.close()
        let end = Date() + 30
        while try open().head.status != 200 { #expect(Date() < end) }
    }

    @Test("Cells that are too long for a terminal continue in further lines")
    func longCells() throws {
        // Messages of upstreams are cut at 200 characters.
        let words = (1...29).map { "word\($0)" }
        let service = try Operated(500, #"{"error": "\#(words.joined(separator: " "))"}"#)
        defer { service.end() }
        try expectProblem(service.weir.get("/list"), 502)
        _ = try service.status { $0["upstreams"][0]["tries"]["500"].integer == 1 }
        let output = try WeirProcess.run(["status", "--url", service.url]).output
        #expect(output.split(separator: "\n").allSatisfy { $0.count <= 160 })
        for word in words { #expect(output.contains(word)) }
    }

    @Test func aCommandPrintsTheStatus() throws {
        let service = try Operated()
        defer { service.end() }
        _ = try service.weir.get("/list")
        _ = try service.status { $0["upstreams"][0]["tries"]["200"].integer == 1 }
        let run = try WeirProcess.run(["status", "--url", service.url])
        #expect(run.status == 0)
        for part in [
            "Service\nfigure", "\nRoutes\nroute", "\n/list ", "Upstreams\nupstream", "\nup        list: closed",
            "Log\nline",
        ] {
            #expect(run.output.contains(part), "\(part): \(run.output)")
        }
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 160 })
        let json = try Parsed(WeirProcess.run(["status", "--url", service.url + "/", "--json"]).output)
        #expect(json["stage"].string == "serving")
        let clients = try WeirProcess.run(["status", "--url", "http://\(service.weir.address())"])
        #expect(clients.status == 69 && clients.errors.contains("is that the address server.operationsListen?"))
    }
}
