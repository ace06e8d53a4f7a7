import TestSupport
import Testing

/// The statuses of upstreams, and answers without a document, in routes of the configuration.
@Suite(.timeLimit(.minutes(10)))
struct RouteStatusTests {
    private static func with(
        _ routes: [String], react: @escaping @Sendable (String) -> ScriptedUpstream.Reaction,
        _ body: (WeirProcess, ScriptedUpstream) throws -> Void
    ) throws {
        let upstream = try ScriptedUpstream(react)
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            """
            {"listen": "127.0.0.1:0", "shards": 1, "server": {"drainTimeoutMilliseconds": 3000},
             "upstreams": [{"name": "up", "baseURL": "\(upstream.baseURL)", "retryPercent": 0}],
             "routes": [\(routes.joined(separator: ", "))]}
            """)
        defer { weir.kill() }
        try body(weir, upstream)
    }

    /// Answers with the status that the path of the request names, and `{"detail": "because"}`.
    private static func statusOfPath(_ head: String) -> ScriptedUpstream.Reaction {
        let status = Int(head.split(separator: " ")[1].split(separator: "/").last ?? "") ?? 200
        return .answer(status, #"{"detail": "because"}"#, headers: status == 429 ? ["Retry-After: 7"] : [])
    }

    private static func route(_ more: String = "") -> String {
        """
        {"path": "/r/{n}", "parameters": {"n": {}}, "cache": {"defaultSeconds": 0}, "fetch": {"upstream": "up", "path": "/{n}"}\(more)}
        """
    }

    @Test(
        "A status about the client's request passes with the upstream's reason; others become 502",
        arguments: [
            (400, 400), (404, 404), (409, 409), (410, 410), (422, 422), (401, 502), (403, 502), (405, 502), (418, 502),
            (500, 502), (503, 502), (429, 429),
        ])
    func statuses(_ sent: Int, _ expected: Int) throws {
        try Self.with([Self.route()], react: Self.statusOfPath) { weir, _ in
            let answer = try weir.get("/r/\(sent)")
            let problem = try expectProblem(answer, expected)
            #expect(problem["upstream"]["error"].string == "because" && problem["upstream"]["status"].integer == sent)
            if sent == 429 { #expect(answer.header("Retry-After") == "7") }
        }
    }

    @Test(
        "A route names the statuses that pass",
        arguments: [(451, 451), (404, 502), (400, 502), (429, 502), (423, 423), (401, 502)])
    func namedStatuses(_ sent: Int, _ expected: Int) throws {
        try Self.with([Self.route(#", "statuses": [451, 423]"#)], react: Self.statusOfPath) { weir, _ in
            let problem = try expectProblem(weir.get("/r/\(sent)"), expected)
            #expect(problem["upstream"]["error"].string == "because")
        }
    }

    @Test("Routes with other statuses share no remembered 404")
    func remembered() throws {
        let routes = [
            #"{"path": "/a", "fetch": {"upstream": "up", "path": "/404"}}"#,
            #"{"path": "/b", "fetch": {"upstream": "up", "path": "/404"}, "statuses": []}"#,
        ]
        try Self.with(routes, react: Self.statusOfPath) { weir, _ in
            for _ in 1...2 {
                _ = try expectProblem(weir.get("/a"), 404)
                _ = try expectProblem(weir.get("/b"), 502)
            }
        }
    }

    @Test(
        "An object of `error` says what a document means",
        arguments: [
            (#"{"error": "User not found", "code": 404}"#, 404, "User not found"),
            (#"{"error": "broken", "code": 500}"#, 502, "broken"), (#"{"error": "odd", "code": "x"}"#, 502, "odd"),
            (#"{"error": "no key", "code": 401}"#, 502, "no key"), (#"{"error": "wait", "code": "422"}"#, 422, "wait"),
            (#"{"error": null, "code": 404, "id": 1}"#, 200, nil), (#"{"code": 404, "error": ""}"#, 200, nil),
        ] as [(String, Int, String?)])
    func errorsInDocuments(_ document: String, _ status: Int, _ message: String?) throws {
        let route = Self.route(#", "error": "{status: code, detail: error}""#)
        try Self.with([route], react: { _ in .answer(document) }) { weir, _ in
            let answer = try weir.get("/r/a")
            #expect(answer.status == status)
            guard let message else { return }
            let problem = try expectProblem(answer, status)
            #expect(problem["upstream"]["error"].string == message)
        }
    }

    @Test("A document cannot end the search for errors: an `error` that fails is one")
    func failingExpression() throws {
        try Self.with([Self.route(#", "error": "round(message)""#)], react: { _ in .answer(#"{"message": "x"}"#) }) {
            weir, _ in
            let problem = try expectProblem(weir.get("/r/a"), 502)
            #expect(problem["upstream"]["error"].string?.contains("the expression of `error` fails: round()") == true)
        }
    }

    @Test("Any 2xx with a document is a success", arguments: [200, 201, 202, 203, 206, 299])
    func successes(_ status: Int) throws {
        try Self.with([Self.route()], react: Self.statusOfPath) { weir, _ in
            let answer = try weir.get("/r/\(status)")
            #expect(answer.status == 200 && answer.text == #"{"detail":"because"}"#)
            // An upstream can choose any status, so only those that are often seen have series of their own.
            let label = status == 200 ? "200" : "_OTHER"
            #expect(try weir.get("/metrics").text.contains(#"requests="rN",result="\#(label)"} 1"#))
        }
    }

    @Test("204 and 205 are nothing: a 204, the value of `empty`, or a part that is null", arguments: [204, 205])
    func nothing(_ status: Int) throws {
        let routes = [
            #"{"path": "/plain", "fetch": [{"upstream": "up", "path": "/x"}, {"value": 1}]}"#,
            #"{"path": "/empty", "fetch": {"upstream": "up", "path": "/x"}, "empty": {"a": [], "b": 1}, "answer": {"required": ["z"], "properties": {"z": "z"}}}"#,
            #"{"path": "/parts", "parts": {"a": {"upstream": "up", "path": "/x"}, "b": {"upstream": "up", "path": "/x", "empty": []}}}"#,
        ]
        try Self.with(routes, react: { _ in .answer(status, "") }) { weir, upstream in
            for _ in 1...3 {
                let answer = try weir.get("/plain")
                #expect(answer.status == 204 && answer.body.isEmpty)
                #expect(answer.header("Content-Type") == nil && answer.header("Content-Length") == nil)
                #expect(answer.header("Cache-Control")?.hasPrefix("max-age=") == true)
            }
            #expect(try weir.get("/plain?explain=1").json()["data"].isNull)
            #expect(try weir.get("/empty").text == #"{"a":[],"b":1}"#)
            #expect(try weir.get("/empty?fields=z").status == 200)
            let parts = try weir.get("/parts")
            #expect(parts.text == #"{"a":null,"b":[]}"#)
            #expect(parts.header("Weir-Parts") == nil && parts.header("Weir-Drift") == nil)
            #expect(parts.header("Cache-Control")?.hasPrefix("max-age=") == true)
            // One request for all of them, which are no failures.
            #expect(upstream.requests.count == 1)
            let metrics = try weir.get("/metrics").text
            #expect(metrics.contains(#"result="204"} 1"#) || status == 205, "\(metrics)")
        }
    }

    @Test("An empty body is a 502, unless the route says what it means", arguments: ["", " ", "\n"])
    func emptyBodies(_ body: String) throws {
        let routes = [
            #"{"path": "/plain", "fetch": {"upstream": "up", "path": "/x"}}"#,
            #"{"path": "/empty", "fetch": {"upstream": "up", "path": "/x"}, "empty": []}"#,
        ]
        try Self.with(routes, react: { _ in .answer(body) }) { weir, _ in
            _ = try expectProblem(weir.get("/plain"), 502)
            #expect(try weir.get("/empty").text == "[]")
            _ = try expectProblem(weir.get("/plain"), 502)
        }
    }

    @Test("OpenAPI lists the statuses that the route can answer with, and no others")
    func openAPI() throws {
        let routes = [
            #"{"path": "/a", "fetch": {"upstream": "up"}, "statuses": [404, 451], "empty": [], "options": []}"#,
            #"{"path": "/b", "parameters": {"q": {"default": "x"}, "p": {}}, "fetch": [{"upstream": "up"}, {"value": 1}], "options": ["fields"]}"#,
            #"{"path": "/c", "fetch": {"upstream": "up"}, "options": [], "answer": {"required": ["id"], "properties": {"id": "id", "at": {"from": "at", "format": "date-time"}}}}"#,
        ]
        let ofServer = ["400", "405", "408", "414", "417", "431", "501", "503", "505"]
        try Self.with(routes, react: { _ in .answer(#"{"id": 1}"#) }) { weir, _ in
            let paths = try weir.get("/openapi.json").json()["paths"]
            func statuses(_ path: String) -> [String] {
                paths[path]["get"]["responses"].members.keys.filter { !ofServer.contains($0) }.sorted()
            }
            #expect(statuses("/a") == ["200", "304", "404", "451", "502", "504"])
            #expect(statuses("/b") == ["200", "204", "304"])
            #expect(
                statuses("/c") == ["200", "204", "304", "404", "409", "410", "422", "429", "502", "504"])
            #expect(paths["/a"]["get"]["parameters"].isAbsent)
            let parameters = paths["/b"]["get"]["parameters"].elements
            #expect(parameters.compactMap { $0["name"].string }.sorted() == ["fields", "p", "q"])
            let described = parameters.compactMap { $0["description"].string }
            #expect(described.contains("Default: `x`.") && described.count == 2)
            let content = paths["/c"]["get"]["responses"]["200"]["content"]
            #expect(Array(content.members.keys) == ["application/json"])
            let schemas = try weir.get("/openapi.json").json()["components"]["schemas"]
            #expect(schemas["CAnswer"]["required"].strings == ["id"])
        }
    }

    @Test("A route without an option refuses its parameter")
    func options() throws {
        let route = #"{"path": "/a", "fetch": {"upstream": "up"}, "options": ["explain"]}"#
        try Self.with([route], react: { _ in .answer("{}") }) { weir, _ in
            #expect(try weir.get("/a?explain=1").status == 200)
            let detail = try expectProblem(weir.get("/a?fields=a"), 400)["detail"].string
            #expect(detail?.hasPrefix("fields is not a parameter") == true)
        }
    }

    @Test(arguments: [
        (#""statuses": [404, 200]"#, "routes[0].statuses[1] must be a status from 400 to 499"),
        (#""error": "{code: status, text: detail}""#, "routes[0].error makes an object without the members `status`"),
        (#""statuses": [401]"#, "routes[0].statuses[0] must not be 401, which is about the key of the upstream"),
        (#""options": ["field"]"#, "routes[0].options[0] must be one of fields, dates, explain"),
    ])
    func aFaultIsNamedAtItsPlace(_ settings: String, _ text: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(
            """
            {"upstreams": [{"name": "up", "baseURL": "http://127.0.0.1:1"}],
             "routes": [{"path": "/a", "fetch": {"upstream": "up"}, \(settings)}]}
            """, to: "weir.json")
        let result = try WeirProcess.run(["check", "--config", file])
        #expect(result.status == 78 && result.errors.contains(text), "\(result.errors)")
    }
}
