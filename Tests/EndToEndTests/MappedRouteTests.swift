import TestSupport
import Testing

/// Routes of the configuration, against an upstream on a socket.
@Suite(.timeLimit(.minutes(10)))
struct MappedRouteTests {
    private static let document = """
        {"meta":{"next":"http://up.example/items?page=3&x=1"},"total":9007199254740993123,"price":0.10,"none":[],"empty":{},
         "items":[{"item_id":1,"first_name":"Ada","temp":{"value":50,"unit":"degF"},"seen":1767225600,"tags":[],"state":"A"},
                  {"item_id":2,"first_name":"Bo","temp":{"value":null,"unit":"degF"},"seen":"x","tags":["t"],"state":"?"}]}
        """

    private static let list = """
        {"path": "/lists/{list}", "name": "list", "summary": "A list",
         "parameters": {"list": {"pattern": "^[a-z]+$"}, "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
                        "tags": {"type": "array"}, "language": {"header": "Accept-Language"}},
         "fetch": {"upstream": "up", "path": "/v1/{list}/items",
                   "query": {"limit": "{limit}", "tag": ["{tags}"], "absent": "{tags[5]}"},
                   "headers": {"Accept-Language": "{language}", "X-From": "weir {limit}"}},
         "answer": {"required": ["total"], "properties": {
             "total": "total", "price": "price", "none": "none",
             "items": {"from": "items", "items": {"properties": {
                 "id": "item_id", "name": {"from": "first_name", "type": "string"},
                 "temperature": {"from": "temp.value", "type": "number", "unit": {"from": "(temp.unit)", "to": "degC"}},
                 "seen": {"from": "seen", "format": "date-time", "reads": "unix"},
                 "state": {"from": "state", "map": {"A": "active"}}}}},
             "gone": "renamed_by_upstream"}},
         "next": {"parameter": "page", "from": "meta.next", "member": "page"},
         "passHeaders": ["X-Total-Count"]}
        """.replacing(#""language": {"header""#, with: #""page": {"type": "integer"}, "language": {"header""#)

    private static let edited = """
        {"path": "/edited", "parameters": {"q": {"required": true}, "since": {"type": "string", "format": "date"}},
         "fetch": [{"upstream": "up", "path": "/search", "body": {"query": "{{ a {{ b } }", "variables": {"q": "{q}", "n": 1}}},
                   {"value": {"fixed": true}}],
         "edit": {"remove": ["meta", "items[*].temp"], "rename": {"items[*].first_name": "name"}},
         "error": "errors[0].message", "cache": {"defaultSeconds": 0, "staleIfErrorSeconds": 0}}
        """

    private static func configuration(_ baseURL: String, _ routes: [String], more: String = "") -> String {
        """
        {"listen": "127.0.0.1:0", "shards": 1, "server": {"drainTimeoutMilliseconds": 3000},
         "upstreams": [{"name": "up", "baseURL": "\(baseURL)", "headers": {"User-Agent": "stations"}, "retryPercent": 0,
                        "quota": {"perDay": 1000, "weights": {"search": 2}}\(more)}],
         "routes": [\(routes.joined(separator: ", "))]}
        """
    }

    @Test("Below a path of the proxy, links and the OpenAPI document begin with the path")
    func pathPrefix() throws {
        let upstream = try ScriptedUpstream(Self.answering)
        defer { upstream.stop() }
        let text = Self.configuration(upstream.baseURL, [Self.list])
            .replacing(#""server": {"#, with: #""server": {"pathPrefix": "/api/v1", "#)
        let weir = try WeirProcess.serve(text)
        defer { weir.kill() }
        for _ in 1...2 {
            #expect(try weir.get("/lists/a").header("Link") == "</api/v1/lists/a?page=3>; rel=\"next\"")
        }
        #expect(try weir.get("/openapi.json").text.contains(#""servers":[{"url":"/api/v1"}]"#))
    }

    @Test(
        "A path of the proxy is checked",
        arguments: [
            "api", "/", "/api/", "//api", "/a b", "/a/../b", "/%61", "/ä", "/" + String(repeating: "a", count: 200),
        ])
    func wrongPathPrefix(_ prefix: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let text = Self.configuration("http://127.0.0.1:1", [Self.list])
            .replacing(#""server": {"#, with: #""server": {"pathPrefix": "\#(prefix)", "#)
        try folder.write(text, to: "weir.json")
        let result = try WeirProcess.run(["check", "--config", "weir.json"], in: folder.path)
        #expect(result.status == 78)
        #expect(result.errors.contains("server.pathPrefix must be a path such as /api"))
    }

    private static func serve(
        _ routes: [String], more: String = "", _ react: @escaping @Sendable (String) -> ScriptedUpstream.Reaction
    ) throws -> (weir: WeirProcess, upstream: ScriptedUpstream) {
        let upstream = try ScriptedUpstream(react)
        return (try WeirProcess.serve(configuration(upstream.baseURL, routes, more: more)), upstream)
    }

    private static func answering(_ head: String) -> ScriptedUpstream.Reaction {
        .answer(document, headers: ["X-Total-Count: 2", "Set-Cookie: secret=1"])
    }

    @Test func aShapeMakesTheAnswerAndReportsWhatItRepaired() throws {
        let (weir, upstream) = try Self.serve([Self.list], Self.answering)
        defer {
            weir.kill()
            upstream.stop()
        }
        let answer = try weir.get("/lists/news?limit=20&tags=a,b%20c")
        #expect(answer.status == 200, "\(answer.text)")
        #expect(
            answer.text == """
                {"total":9007199254740993123,"price":0.10,"none":[],"items":[{"id":1,"name":"Ada","temperature":10,\
                "seen":"2026-01-01T00:00:00Z","state":"active"},{"id":2,"name":"Bo","state":"?"}]}
                """)
        #expect(answer.header("Weir-Drift")?.contains("missing=1") == true)
        #expect(answer.header("Weir-Drift")?.contains("unrecognized=1") == true)
        #expect(answer.header("X-Total-Count") == "2")
        #expect(answer.header("Set-Cookie") == nil)
        #expect(answer.header("Vary")?.contains("Accept-Language") == true)
        #expect(answer.header("Link") == "</lists/news?limit=20&tags=a%2Cb%20c&page=3>; rel=\"next\"")
        let request = try #require(upstream.requests.first)
        #expect(request.hasPrefix("GET /v1/news/items?limit=20&tag=a&tag=b%20c HTTP/1.1"))
        #expect(request.contains("User-Agent: stations\r\n") && request.contains("X-From: weir 20\r\n"))
        #expect(!request.contains("Accept-Language"))
    }

    @Test func fieldsDatesAndExplainHaveTheirMeaning() throws {
        let (weir, upstream) = try Self.serve([Self.list], Self.answering)
        defer {
            weir.kill()
            upstream.stop()
        }
        #expect(
            try weir.get("/lists/a?fields=items.id,total").text
                == #"{"total":9007199254740993123,"items":[{"id":1},{"id":2}]}"#)
        #expect(try weir.get("/lists/a?dates=unix&fields=items.seen").text == #"{"items":[{"seen":1767225600},{}]}"#)
        let explained = try weir.get("/lists/a?explain=1").json()
        #expect(explained["source"]["upstream"].string == "up")
        #expect(explained["drift"].elements.contains { $0["kind"].string == "missing" && $0["path"].string == "gone" })
        // All of these are made of one document.
        #expect(upstream.requests.count == 1)
    }

    @Test(arguments: [
        ("/lists/NEWS", "list must be a text of the form ^[a-z]+$"),
        ("/lists/a?limit=0", "limit must be an integer from 1 to 50"),
        ("/lists/a?limit=1&limit=2", "limit appears 2 times"), ("/lists/a?limt=1", "did you mean \"limit\"?"),
        ("/lists/a?fields=items.idd", "did you mean \"items.id\"?"), ("/edited", "q is missing"),
        ("/edited?q=a&since=yesterday", "since must be a date YYYY-MM-DD"),
        ("/edited?q=a&dates=unix", "dates is not a parameter"),
    ])
    func aWrongParameterIsNamedAndNothingIsFetched(_ target: String, _ fault: String) throws {
        let (weir, upstream) = try Self.serve([Self.list, Self.edited], Self.answering)
        defer {
            weir.kill()
            upstream.stop()
        }
        let problem = try expectProblem(weir.get(target), 400)
        #expect(problem["detail"].string?.contains(fault) == true, "\(problem["detail"])")
        #expect(upstream.requests.isEmpty)
    }

    @Test func anEditChangesTheDocumentAndABodyIsPosted() throws {
        let (weir, upstream) = try Self.serve([Self.edited], Self.answering)
        defer {
            weir.kill()
            upstream.stop()
        }
        let answer = try weir.get("/edited?q=%22x%22")
        #expect(
            answer.text == """
                {"total":9007199254740993123,"price":0.10,"none":[],"empty":{},"items":[{"itemId":1,"name":"Ada",\
                "seen":1767225600,"tags":[],"state":"A"},{"itemId":2,"name":"Bo","seen":"x","tags":["t"],"state":"?"}]}
                """)
        let request = try #require(upstream.requests.first)
        #expect(request.hasPrefix("POST /search HTTP/1.1") && request.contains("Content-Type: application/json\r\n"))
        #expect(request.hasSuffix(#"{"query":"{ a { b } }","variables":{"q":"\"x\"","n":1}}"#))
    }

    @Test func anErrorInA200FailsTheRequestAndTheFixedAnswerServes() throws {
        let (weir, upstream) = try Self.serve([Self.edited]) { _ in
            .answer(#"{"data":null,"errors":[{"message":"no such field"}]}"#)
        }
        defer {
            weir.kill()
            upstream.stop()
        }
        #expect(try weir.get("/edited?q=a").text == #"{"fixed":true}"#)
        #expect(try weir.get("/edited?q=a&fields=other").text == "{}")
        #expect(
            try weir.get("/edited?q=a&explain=1").text
                == #"{"data":{"fixed":true},"drift":[],"source":{"dialect":"json","failed":["up"]}}"#)
        #expect(try weir.logLine("upstream failed")["upstream"].string == "up")
    }

    @Test func anUpstreamsErrorIsAProblemWithItsReason() throws {
        let (weir, upstream) = try Self.serve([Self.list]) { head in
            head.contains("/v1/gone/")
                ? .answer(404, #"{"title":"Not Found","detail":"no list"}"#)
                : .answer(500, #"{"error":{"message":"broken"}}"#)
        }
        defer {
            weir.kill()
            upstream.stop()
        }
        let missing = try expectProblem(weir.get("/lists/gone"), 404)
        #expect(missing["upstream"]["error"].string == "no list")
        let broken = try expectProblem(weir.get("/lists/a"), 502)
        #expect(broken["upstream"]["error"].string == "broken")
    }

    @Test func theRouteIsInOpenAPIMetricsAndTheLog() throws {
        let (weir, upstream) = try Self.serve([Self.list], Self.answering)
        defer {
            weir.kill()
            upstream.stop()
        }
        _ = try weir.get("/lists/a")
        let operation = try weir.get("/openapi.json").json()["paths"]["/lists/{list}"]["get"]
        #expect(operation["operationId"].string == "list")
        #expect(operation["parameters"].elements.compactMap { $0["name"].string }.contains("Accept-Language"))
        let limit = operation["parameters"].elements.first { $0["name"].string == "limit" }
        #expect(limit?["schema"]["default"].number == 10)
        let metrics = try weir.get("/metrics").text
        #expect(metrics.contains(#"http_route="/lists/{list}""#))
        #expect(metrics.contains(#"requests="list",result="200"} 1"#))
    }

    @Test func aReloadChangesAndRemovesRoutesAndTheirAnswers() throws {
        let upstream = try ScriptedUpstream(Self.answering)
        defer { upstream.stop() }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        func write(_ routes: [String]) throws -> String {
            try folder.write(Self.configuration(upstream.baseURL, routes), to: "weir.json")
        }
        let first =
            #"{"path": "/a", "name": "list", "fetch": {"upstream": "up"}, "answer": {"properties": {"x": "total"}}}"#
        let second = first.replacing(#""x": "total""#, with: #""y": "total""#)
        let weir = try WeirProcess(["serve", "--config", try write([first])])
        defer { weir.kill() }
        _ = try weir.address()
        #expect(try weir.get("/a").text == #"{"x":9007199254740993123}"#)
        _ = try write([second, second.replacing("/a", with: "/b").replacing(#""list""#, with: #""other""#)])
        weir.send(signal: 1)
        _ = try weir.logLine("configuration reloaded")
        // The document is that of before, and the answer that of the new rules.
        #expect(try weir.get("/a").text == #"{"y":9007199254740993123}"#)
        #expect(try weir.get("/b").text == #"{"y":9007199254740993123}"#)
        #expect(upstream.requests.count == 1)
    }

    @Test(arguments: [
        ("/i/a%2Fb%3E%23%C3%A9?n=1", "/i/a%2Fb%3E%23%C3%A9?n=1&page=2"), ("/i/50%25/", "/i/50%25/?page=2"),
        ("/i/a%3ch,%22;rel='x'", "/i/a%3Ch%2C%22%3Brel%3D%27x%27?page=2"), ("/i/a(b)@c", "/i/a%28b%29%40c?page=2"),
    ])
    func theAddressOfTheNextPageHasThePathAsReceived(_ target: String, _ next: String) throws {
        let route = """
            {"path": "/i/{id}", "parameters": {"id": {}, "n": {}, "page": {}}, "fetch": {"upstream": "up", "path": "/{id}"},
             "next": {"parameter": "page", "from": "next"}}
            """
        let (weir, upstream) = try Self.serve([route]) { _ in .answer(#"{"next": 2}"#) }
        defer {
            weir.kill()
            upstream.stop()
        }
        #expect(try weir.get(target).header("Link") == "<\(next)>; rel=\"next\"")
    }

    @Test(arguments: [
        ("9007199254740993", "9007199254740993"), ("0.1234567890123456789", "0.1234567890123456789"), ("1e2", "100"),
        ("4.50", "4.5"), ("%2B007", "7"), ("-0.5", "-0.5"),
    ])
    func aNumberReachesTheUpstreamExactly(_ sent: String, _ expected: String) throws {
        let route = """
            {"path": "/n", "parameters": {"n": {"type": "number"}}, "fetch": {"upstream": "up", "query": {"n": "{n}"}}}
            """
        let (weir, upstream) = try Self.serve([route]) { _ in .answer("{}") }
        defer {
            weir.kill()
            upstream.stop()
        }
        #expect(try weir.get("/n?n=\(sent)").status == 200)
        #expect(upstream.requests.first?.hasPrefix("GET /?n=\(expected) HTTP/1.1") == true, "\(upstream.requests)")
    }

    @Test func aClientCannotReplaceTheKeyOfAnUpstreamOrAMemberOfTheRoute() throws {
        let route = """
            {"path": "/f", "otherParameters": "forward", "fetch": {"upstream": "up", "query": {"format": "json"}}}
            """
        let key = #", "authorization": "query", "keyName": "k", "key": {"environment": "WEIR_TEST_KEY"}"#
        let (weir, upstream) = try Self.serve([route], more: key) { _ in .answer("{}") }
        defer {
            weir.kill()
            upstream.stop()
        }
        let other =
            "form%5Bat=0&format%5Ba%5Db=0&K=1&k[]=2&%4B[a]=3&%20k=4&Format=xml&format[]=5&format.=6&explain[]=7&Fields=a&\u{212A}=8"
            .replacing("\u{212A}", with: "%E2%84%AA")
        #expect(try weir.get("/f?k=evil&\(other)&format=xml&more=1").status == 200)
        #expect(
            upstream.requests.first?.hasPrefix("GET /?format=json&form%5Bat=0&format.=6&more=1&k=test-key HTTP/1.1")
                == true,
            "\(upstream.requests)")
    }

    @Test(
        "A name that a server reads as that of the route is not forwarded",
        arguments: [
            "user%5Bname", "user.name", "user%20name", "user_name%5B", "USER_NAME", "page%5Bsize%5Dx", "page.size",
        ])
    func likeNames(_ name: String) throws {
        let route = """
            {"path": "/f", "otherParameters": "forward", "fetch": {"upstream": "up", "query": {"user_name": "a", "page[size]": "9"}}}
            """
        let (weir, upstream) = try Self.serve([route]) { _ in .answer("{}") }
        defer {
            weir.kill()
            upstream.stop()
        }
        #expect(try weir.get("/f?\(name)=evil&userx=1").status == 200)
        #expect(upstream.requests.first?.contains("evil") == false, "\(upstream.requests)")
        #expect(upstream.requests.first?.contains("userx=1") == true)
    }

    @Test(
        "The next page is that of the first link with rel=next, whatever its target and the other links have",
        arguments: [
            (#"<http://u/x?ids=1,2&cur=7>; rel="next""#, "7"),
            (#"<a>, <b,c?cur=1>; rel="last", <d,e?cur=8>; rel=next"#, "8"),
            (#"<x?cur=1>; rel="prev"; rel="next""#, nil), (#"<x?cur=1>; rel="next"; anchor="/other""#, nil),
            (#"<x?cur=3>; title="a, b; c"; REL="prev Next""#, "3"), (#"<x?cur=1>; rel="nextpage""#, nil),
            ("<<<>>>,,;;", nil),
            (String(repeating: "<>,", count: 8000) + "<x?cur=5>;rel=next", "5"),
        ] as [(String, String?)])
    func links(_ link: String, _ next: String?) throws {
        let route = """
            {"path": "/l", "parameters": {"cur": {}}, "fetch": {"upstream": "up", "path": "/l"},
             "next": {"parameter": "cur", "header": "Link", "member": "cur"}}
            """
        let (weir, upstream) = try Self.serve([route]) { _ in .answer("[]", headers: ["Link: \(link)"]) }
        defer {
            weir.kill()
            upstream.stop()
        }
        #expect(try weir.get("/l").header("Link") == next.map { "</l?cur=\($0)>; rel=\"next\"" })
    }

    @Test(
        "A value that servers may take for a dot segment makes no request",
        arguments: [
            "..;a", ".;", "..;", "%252e%252e", "%252E", "a%2F..%2Fb", "..%255c", "%25252e.", "..%3Bv=1", "%2e%2e;a",
        ])
    func aTemplateTakesNoDotSegment(_ value: String) throws {
        let route = """
            {"path": "/d", "parameters": {"q": {}}, "fetch": {"upstream": "up", "path": "/v1/{q}/items"}}
            """
        let (weir, upstream) = try Self.serve([route]) { _ in .answer("{}") }
        defer {
            weir.kill()
            upstream.stop()
        }
        #expect(try weir.get("/d?q=\(value)").status == 400)
        #expect(upstream.requests.isEmpty)
        #expect(try weir.get("/d?q=a..b;c").status == 200)
    }

    @Test(arguments: ["/v1/..;a/x", "/v1/%2e%2E/x", "/v1/.;/x", "/v1/%252e/x", "/a%2f..%2fb"])
    func aPathOfATemplateHasNoDotSegment(_ path: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let route = #"{"path": "/d", "fetch": {"upstream": "up", "path": "\#(path)"}}"#
        let file = try folder.write(Self.configuration("http://127.0.0.1:1", [route]), to: "weir.json")
        let result = try WeirProcess.run(["check", "--config", file])
        #expect(result.status == 78)
        #expect(result.errors.contains("must not have a segment . or .."), "\(result.errors)")
    }

    @Test(
        "What a client or a document makes dear holds no event loop, and the deadline ends it",
        arguments: [
            (#""answer": "map(&sum($), @)""#, "/s?n=1"),
            (#""answer": {"items": {"from": "$", "items": {"type": "integer"}}}"#, "/s?n=1"),
            (#""answer": {"properties": {"x": "pad_left('x', $n)"}}, "error": "a""#, "/s?n=1000000000"),
        ])
    func dearAnswers(_ rules: String, _ target: String) async throws {
        let route = """
            {"path": "/s", "parameters": {"n": {"type": "number"}}, "deadlineMilliseconds": 1500,
             "cache": {"defaultSeconds": 0}, "fetch": {"upstream": "up"}, \(rules)}
            """
        let (weir, upstream) = try Self.serve([route]) { _ in
            .answer("[" + Array(repeating: "1", count: 30_000).joined(separator: ",") + "]")
        }
        defer {
            weir.kill()
            upstream.stop()
        }
        let slow = Task.detached { try weir.get(target).status }
        var longest = Duration.zero
        let clock = ContinuousClock(), end = clock.now + .seconds(1)
        while clock.now < end {
            let start = clock.now
            #expect(try weir.get("/livez").status == 200)
            longest = max(longest, clock.now - start)
        }
        // Of a debug build on a busy machine.
        #expect(longest < .milliseconds(1200))
        #expect(try await [502, 504].contains(slow.value))
    }

    @Test func aWidthOfAClientMakesNoRequestBeyondALimit() throws {
        let route = """
            {"path": "/w", "parameters": {"n": {"type": "integer"}},
             "fetch": {"upstream": "up", "query": {"q": "{pad_left('x', n)}"}}}
            """
        let (weir, upstream) = try Self.serve([route]) { _ in .answer("{}") }
        defer {
            weir.kill()
            upstream.stop()
        }
        let start = ContinuousClock.now
        #expect(try weir.get("/w?n=20000000").status == 400)
        #expect(ContinuousClock.now - start < .seconds(1))
        #expect(try weir.get("/w?n=20").status == 200)
    }

    @Test func aParameterCanHaveBracketsInItsName() throws {
        let route = """
            {"path": "/pages", "parameters": {"page[size]": {"type": "integer"}, "filter.name": {}, "one": {"default": "1"}},
             "fetch": {"upstream": "up", "query": {"size": "{\\"page[size]\\"}", "one": "{$one}", "name": "{\\"filter.name\\"}"}}}
            """
        let (weir, upstream) = try Self.serve([route], Self.answering)
        defer {
            weir.kill()
            upstream.stop()
        }
        #expect(try weir.get("/pages?page[size]=5&filter.name=a").status == 200)
        #expect(try #require(upstream.requests.first).hasPrefix("GET /?size=5&one=1&name=a HTTP/1.1"))
    }

    @Test func aRepeatedHeaderFieldIsAFault() throws {
        let (weir, upstream) = try Self.serve([Self.list], Self.answering)
        defer {
            weir.kill()
            upstream.stop()
        }
        let answer = try weir.client().get("/lists/a", headers: ["Accept-Language: de", "Accept-Language: fr"])
        #expect(try expectProblem(answer, 400)["detail"].string?.hasPrefix("Accept-Language appears 2 times") == true)
    }

    @Test func aPostHasNoConditionsAndIsFetchedAnew() throws {
        let route = """
            {"path": "/p", "fetch": {"upstream": "up", "body": {}}, "cache": {"defaultSeconds": 0, "staleWhileRevalidateSeconds": 0}}
            """
        let (weir, upstream) = try Self.serve([route]) { head in
            head.contains("If-None-Match") ? .answer(412, "{}") : .answer("{}", headers: [#"ETag: "1""#])
        }
        defer {
            weir.kill()
            upstream.stop()
        }
        for _ in 0..<2 { #expect(try weir.get("/p").status == 200) }
        #expect(upstream.requests.count == 2)
        #expect(!upstream.requests.joined().contains("If-None-Match"))
    }

    @Test func routesShareADocumentWithTheFieldsThatEachOfThemPasses() throws {
        let plain = #"{"path": "/a", "fetch": {"upstream": "up", "path": "/x"}}"#
        let passing = #"{"path": "/b", "fetch": {"upstream": "up", "path": "/x"}, "passHeaders": ["X-Total-Count"]}"#
        let (weir, upstream) = try Self.serve([plain, passing], Self.answering)
        defer {
            weir.kill()
            upstream.stop()
        }
        #expect(try weir.get("/a").header("X-Total-Count") == nil)
        #expect(try weir.get("/b").header("X-Total-Count") == "2")
        #expect(upstream.requests.count == 1)
    }

    @Test func aKeptDocumentThatARouteCannotUseLeadsToTheNextEntry() throws {
        let plain = #"{"path": "/a", "fetch": {"upstream": "up", "path": "/x"}}"#
        let strict = """
            {"path": "/b", "fetch": [{"upstream": "up", "path": "/x"}, {"upstream": "up", "path": "/y", "edit": {"keep": ["total"]}}],
             "answer": {"required": ["absent"], "properties": {"absent": "absent"}}}
            """
        let (weir, upstream) = try Self.serve([plain, strict], Self.answering)
        defer {
            weir.kill()
            upstream.stop()
        }
        #expect(try weir.get("/a").status == 200)
        #expect(try weir.get("/b").text == #"{"total":9007199254740993123}"#)
        #expect(upstream.requests.map { $0.prefix(6) } == ["GET /x", "GET /y"])
    }

    @Test(arguments: [
        (#"{"path": "a", "fetch": {"upstream": "up"}}"#, "routes[0].path must start with /"),
        (#"{"path": "/a/{b}", "fetch": {"upstream": "up"}}"#, "routes[0].path uses {b}, but `parameters` has no entry"),
        (#"{"path": "/a", "fetch": {"upstream": "upp"}}"#, "there is no such upstream; did you mean \"up\"?"),
        (
            #"{"path": "/a", "fetch": {"upstream": "up", "path": "/{x}"}}"#,
            "routes[0].fetch.path has the expression {x}"
        ),
        (
            #"{"path": "/a", "parameters": {"from": {}}, "fetch": {"upstream": "up", "query": {"x": "{join('|', form)}"}}}"#,
            "routes[0].fetch.query.x has the expression {join('|', form)}, but there is no parameter \"form\"; did you mean \"from\"?"
        ),
        (
            #"{"path": "/a", "fetch": {"upstream": "up"}, "answer": {"properties": {"x": "a", "x": "b"}}}"#,
            "routes[0].answer.properties.x appears more than once"
        ),
        (#"{"path": "/a", "fetch": {"upstream": "up"}, "answer": {"propertys": {}}}"#, "did you mean \"properties\"?"),
        (
            #"{"path": "/a", "fetch": {"upstream": "up"}, "answer": {"properties": {"x": {"from": "lenght(a)"}}}}"#,
            "routes[0].answer.properties.x.from"
        ),
        (#"{"path": "/a", "fetch": {"upstream": "up"}, "passHeaders": ["Set-Cookie"]}"#, "routes[0].passHeaders[0]"),
        (#"{"path": "/metrics", "fetch": {"upstream": "up"}}"#, "routes[0].path"),
        (#"{"path": "/a", "fetch": {"upstream": "up", "path": "/../b"}}"#, "must not have a segment . or .."),
        (#"{"path": "/a", "fetch": {"upstream": "up", "path": "/b//c"}}"#, "must not have the empty segment of //"),
        (#"{"path": "/a", "fetch": {"upstream": "up", "query": {"a": "1", "a": "2"}}}"#, "appears more than once"),
        (#"{"path": "/a", "fetch": {"upstream": "up", "body": {"a": ["{b}"]}}}"#, "there is no parameter \"b\""),
        (
            #"{"path": "/a/{b}", "parameters": {"b": {}}, "fetch": {"upstream": "up"}, "next": {"parameter": "b", "from": "c"}}"#,
            "routes[0].next.parameter"
        ),
        (
            #"{"path": "/a", "parameters": {"b": {"enum": [1, 2]}}, "fetch": {"upstream": "up"}}"#,
            "parameters.b.enum must have values that the other keys take; \"1\" is none"
        ),
        (
            #"{"path": "/a", "parameters": {"b": {"minimum": 1}}, "fetch": {"upstream": "up"}}"#,
            "parameters.b.minimum needs the type number or integer"
        ),
        (
            #"{"path": "/a", "parameters": {"b": {"header": "X-B"}, "c": {"header": "x-b"}}, "fetch": {"upstream": "up"}}"#,
            "parameters.c.header must be another field"
        ),
    ])
    func aFaultIsNamedAtItsPlace(_ route: String, _ text: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(Self.configuration("http://127.0.0.1:1", [route]), to: "weir.json")
        let result = try WeirProcess.run(["check", "--config", file])
        #expect(result.status == 78)
        #expect(result.errors.contains(text) && result.errors.contains("line "), "\(result.errors)")
    }

    @Test(arguments: [
        (
            #"{"name": "up", "baseURL": "http://127.0.0.1:1", "authorization": "header", "keyName": "X-K", "key": {"environment": "K"}}"#,
            #""headers": {"x-k": "1"}"#, "carries the upstream's key; remove it here and set `upstreams[].key`"
        ),
        (
            #"{"name": "up", "baseURL": "http://127.0.0.1:1", "authorization": "query", "keyName": "k", "key": {"environment": "K"}}"#,
            #""query": {"k": "1"}"#, "carries the upstream's key; remove it here and set `upstreams[].key`"
        ),
        (
            #"{"name": "up", "baseURL": "http://127.0.0.1:1"}"#, #""path": "/""#,
            "weather.upstreams[0] names \"up\", which has no dialect"
        ),
    ])
    func aFaultOfAnUpstreamIsNamed(_ upstream: String, _ request: String, _ text: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let weather = text.hasPrefix("weather") ? #", "weather": {"upstreams": ["up"]}"# : ""
        let file = try folder.write(
            """
            {"upstreams": [\(upstream)], "routes": [{"path": "/a", "fetch": {"upstream": "up", \(request)}}]\(weather)}
            """, to: "weir.json")
        let result = try WeirProcess.run(["check", "--config", file], environment: ["K": "key"])
        #expect(result.status == 78)
        #expect(result.errors.contains(text), "\(result.errors)")
    }
}
