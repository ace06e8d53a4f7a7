import TestSupport
import Testing

/// What reaches the paths for operators through a browser: requests of the service's own pages at a known host.
@Suite("Pages of other sites", .timeLimit(.minutes(5)))
struct ForeignPageTests {
    private static let foreign = "urn:weir:problem:foreign-request"
    /// Header fields of a request, and the status that it gets.
    private static let cases: [(method: String, host: String, headers: [String], status: Int)] = [
        // Scrapers, probes and commands use any name.
        ("GET", "weir.internal:9090", [], 200),
        ("GET", "10.1.2.3", ["Sec-Fetch-Mode: cors"], 200),
        ("GET", "weir.internal:9090", ["User-Agent: Prometheus/2.42"], 200),
        // A browser at an address, at localhost, and at the configured name, in any letter case.
        ("GET", "127.0.0.1:8080", ["Sec-Fetch-Site: same-origin"], 200),
        ("GET", "[::1]:8080", ["Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"], 200),
        ("GET", "LocalHost:8080", ["Sec-Fetch-Site: same-origin"], 200),
        ("GET", "Weir.Example", ["Sec-Fetch-Site: same-origin"], 200),
        ("GET", "weir.example:8443", ["Origin: https://weir.example:8443"], 200),
        // A proxy changed the host, and the browser knows better.
        ("GET", "127.0.0.1", ["Sec-Fetch-Site: same-origin", "Origin: https://dash.example"], 200),
        // A link in a chat or a dashboard.
        ("GET", "weir.example", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"], 200),
        // A page of another site.
        ("GET", "127.0.0.1", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"], 403),
        ("GET", "127.0.0.1", ["sec-fetch-site: Cross-Site"], 403),
        ("GET", "127.0.0.1", ["Sec-Fetch-Site: cross-site", "Origin: http://127.0.0.1"], 403),
        ("GET", "127.0.0.1", ["Origin: https://evil.example"], 403),
        ("GET", "127.0.0.1", ["Origin: null"], 403),
        ("GET", "127.0.0.1", ["Origin: https://127.0.0.1.evil.example"], 403),
        ("GET", "127.0.0.1", ["Sec-Fetch-Site: same-site", "Origin: https://evil.example"], 403),
        ("HEAD", "127.0.0.1", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"], 403),
        // A name that leads to the service's address.
        ("GET", "evil.example", ["Sec-Fetch-Site: same-origin"], 421),
        ("GET", "evil.example", ["Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"], 421),
        ("GET", "evil.example", ["Origin: http://evil.example"], 421),
        // Without TLS, a browser says no more than this.
        ("GET", "evil.example", ["User-Agent: Mozilla/5.0 (X11)", "Referer: http://evil.example/"], 421),
        ("GET", "localhost.evil.example", ["Sec-Fetch-Site: same-origin"], 421),
        ("GET", "1.2.3.4.5", ["Sec-Fetch-Site: same-origin"], 421),
        ("GET", "weir.example.evil.example", ["Sec-Fetch-Site: same-origin"], 421),
    ]

    private static func serve() throws -> WeirProcess {
        try WeirProcess.serve(
            configuration([Checkout.sample]).replacing(
                #""server": {"#, with: #""server": {"operationsOnListen": true, "hosts": ["weir.example"], "#))
    }

    @Test(arguments: ["/livez", "/readyz", "/healthz", "/metrics", "/-/status", "/-/drift", "/-/config"])
    func readingAnOperatorsPath(_ path: String) throws {
        let weir = try Self.serve()
        defer { weir.kill() }
        for (method, host, headers, status) in Self.cases {
            let answer = try weir.client().get(path, method: method, host: host, headers: headers)
            #expect(answer.status == status, "\(method) \(path) at \(host) with \(headers)")
            guard status >= 400, method == "GET" else { continue }
            #expect(try Parsed(answer.body)["type"].string == Self.foreign)
            if status == 421 { #expect(answer.text.contains("server.hosts"), "\(answer.text)") }
        }
    }

    @Test func noForeignPageCommands() throws {
        let weir = try Self.serve()
        defer { weir.kill() }
        // The reload of a configuration without a file is refused, in its own way.
        for (path, done) in [
            ("/-/reload", 422), ("/-/upstreams/upstream-0/resume", 200),
            ("/-/interventions/pause?subject=upstream-0&why=test", 200),
        ] {
            for (headers, status) in [
                (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"], 403), (["Origin: null"], 403),
                (["Origin: https://evil.example", "Content-Length: 0"], 403),
                (["Sec-Fetch-Site: same-origin", "Origin: https://dash.example"], done), ([], done),
            ] {
                let answer = try weir.client().get(path, method: "POST", host: "127.0.0.1", headers: headers)
                #expect(answer.status == status, "\(path) with \(headers): \(answer.text)")
            }
        }
    }

    @Test("Clients' routes and pages are for every site that may reach them")
    func otherRoutes() throws {
        let weir = try Self.serve()
        defer { weir.kill() }
        let answer = try weir.client().get(
            weather, host: "api.example", headers: ["Sec-Fetch-Site: cross-site", "Origin: https://app.example"])
        #expect(answer.status == 200)
    }
}
