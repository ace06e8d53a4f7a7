import TestSupport
import Testing

/// Routes whose answers are made of several documents, against an upstream on a socket.
@Suite(.timeLimit(.minutes(10)))
struct PartsTests {
    private static func configuration(_ baseURL: String, _ routes: [String], more: String = "") -> String {
        """
        {"listen": "127.0.0.1:0", "shards": 1, "server": {"drainTimeoutMilliseconds": 3000}\(more),
         "upstreams": [{"name": "up", "baseURL": "\(baseURL)", "retryPercent": 0},
                       {"name": "down", "baseURL": "http://127.0.0.1:1", "retryPercent": 0}],
         "routes": [\(routes.joined(separator: ", "))]}
        """
    }

    private static func with(
        _ routes: [String], more: String = "", react: @escaping @Sendable (String) -> ScriptedUpstream.Reaction,
        _ body: (WeirProcess, ScriptedUpstream) throws -> Void
    ) throws {
        let upstream = try ScriptedUpstream(react)
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration(upstream.baseURL, routes, more: more))
        defer { weir.kill() }
        try body(weir, upstream)
    }

    /// Answers with the document at the path of a request; 404 without one.
    private static func serving(
        _ documents: [String: String], headers: [String: [String]] = [:]
    ) -> @Sendable (String) -> ScriptedUpstream.Reaction {
        { head in
            let target = String(head.split(separator: " ")[1])
            guard let body = documents[target] else { return .answer(404, #"{"detail": "nothing here"}"#) }
            return .answer(body, headers: headers[target] ?? [])
        }
    }

    private static let users = #"[{"id": 2, "name": "Ada"}, {"id": 1, "name": "Bo"}, {"id": 3, "name": "Cy"}]"#

    @Test(
        "The parts of an answer have their memory until the answer is made, and those for which there is none are refused"
    )
    func memory() throws {
        let parts = (0..<10).map { #""p\#($0)": {"upstream": "up", "path": "/\#($0)", "optional": true}"# }
        let route = #"{"path": "/all", "deadlineMilliseconds": 1000, "parts": {\#(parts.joined(separator: ", "))}}"#
        let document = "[\(String(repeating: "0,", count: 150_000))0]"
        let more = #", "fetching": {"maximumBodyBytes": 1048576}, "cache": {"maximumBytes": 0}"#
        try Self.with([route], more: more, react: { _ in .answer(document) }) { weir, _ in
            let answer = try weir.get("/all")
            #expect(answer.status == 200, "\(answer.text.prefix(200))")
            let failed = answer.header("Weir-Parts")?.split(separator: ",") ?? []
            #expect(failed.count >= 6, "\(failed)")
            #expect(answer.text.count < 1 << 20)
            // The memory is free again.
            #expect(try weir.get("/all").text.count > 300_000)
        }
    }

    @Test func twoListsAreJoinedByTheirIds() throws {
        let route = """
            {"path": "/board", "parts": {
                "users": {"upstream": "up", "path": "/users"}, "posts": {"upstream": "up", "path": "/posts"}},
             "answer": {"let": {"users": "users"}, "properties": {"posts": {"from": "posts", "items": {
                 "let": {"author": "user_id"}, "properties": {
                     "title": "title", "author": "$users[?id == $author] | [0].name"}}}}}}
            """
        let documents = [
            "/users": Self.users,
            "/posts": #"[{"title": "A", "user_id": 1}, {"title": "B", "user_id": 9}, {"title": "C", "user_id": 2}]"#,
        ]
        try Self.with([route], react: Self.serving(documents)) { weir, upstream in
            let answer = try weir.get("/board")
            #expect(
                answer.text
                    == #"{"posts":[{"title":"A","author":"Bo"},{"title":"B"},{"title":"C","author":"Ada"}]}"#)
            #expect(answer.header("Weir-Parts") == nil)
            #expect(
                try weir.get("/board?fields=posts.title").text
                    == #"{"posts":[{"title":"A"},{"title":"B"},{"title":"C"}]}"#)
            #expect(try weir.get("/metrics").text.contains(#"requests="board",result="200"} 2"#))
            #expect(upstream.requests.count == 2)
        }
    }

    @Test("What a part has lost reaches the header, the metrics, the list and the log, once for each document")
    func drift() throws {
        let route = """
            {"path": "/day/{n}", "parameters": {"n": {"type": "integer"}}, "parts": {
                "weather": {"upstream": "up", "path": "/weather/{n}"}, "alerts": {"upstream": "up", "path": "/alerts"}},
             "answer": {"properties": {"high": "weather.daily.high", "text": "alerts.text"}}}
            """
        let documents = [
            "/weather/1": #"{"daily": {"high": 20}}"#, "/weather/2": #"{"hourly": {}}"#, "/weather/3": "null",
            "/alerts": #"{"text": "Fog"}"#,
        ]
        try Self.with([route], react: Self.serving(documents)) { weir, _ in
            #expect(try weir.get("/day/1").header("Weir-Drift") == nil)
            #expect(try weir.logLine("drift")["patterns"].integer == 0)
            for _ in 1...3 { #expect(try weir.get("/day/2").header("Weir-Drift") == "missing=1") }
            let line = try weir.logLine("upstream changed")
            #expect([line["upstream"].string, line["path"].string] == ["up", "high"])
            #expect(line["from"].string == "weather.daily.high" && line["kind"].string == "missing")
            #expect(try weir.get("/day/3").header("Weir-Drift") == "missing=1")
            let labels = #"weir_drift_total{upstream="up",route="/day/{n}",kind="missing",path="#
            let metrics = try weir.get("/metrics").text
            for path in ["high", "weather"] { #expect(metrics.contains(#"\#(labels)"\#(path)"} 1"#), "\(metrics)") }
        }
    }

    @Test func anEditNamesMembersByTheirPartAndKeepsValuesExactly() throws {
        let route = """
            {"path": "/both", "parts": {"two": {"upstream": "up", "path": "/2"}, "one": {"upstream": "up", "path": "/1"}},
             "edit": {"remove": ["one.debug"], "rename": {"two.value": "amount"}}}
            """
        let documents = [
            "/1": #"{"value": 9007199254740993123, "debug": 1, "some_key": 0.10}"#,
            "/2": #"{"value": null, "debug": []}"#,
        ]
        try Self.with([route], react: Self.serving(documents)) { weir, _ in
            let body = #"{"two":{"amount":null,"debug":[]},"one":{"value":9007199254740993123,"someKey":0.10}}"#
            #expect(try weir.get("/both").text == body)
            #expect(try weir.get("/both?fields=one.someKey").text == #"{"one":{"someKey":0.10}}"#)
            let head = try weir.client().get("/both", method: "HEAD")
            #expect(head.header("Content-Length") == "\(body.utf8.count)")
            let tag = try #require(head.header("ETag"))
            #expect(try weir.get("/both", headers: ["If-None-Match: \(tag)"]).status == 304)
        }
    }

    @Test func aPartUsesTheAnswerOfAnother() throws {
        let route = """
            {"path": "/at/{lat}", "parameters": {"lat": {"type": "number"}, "zoom": {"type": "integer", "default": 3}, "none": {}}, "parts": {
                "forecast": {"upstream": "up", "path": "/grid/{point.properties.gridId}/{join('-', point.xy)}",
                             "query": {"zoom": "{zoom}", "q": ["{$point.tags}"], "none": "{none}"}},
                "point": {"upstream": "up", "path": "/points/{lat}"},
                "search": {"upstream": "up", "path": "/search", "body": {"near": "{point}", "text": "{{ x }", "lat": "{lat}"}}},
             "answer": {"properties": {"grid": "point.properties.gridId", "t": "forecast.t", "hits": "search.hits"}}}
            """
        let documents = [
            "/points/1.5": #"{"properties": {"gridId": "a/b"}, "xy": ["1", "2"], "tags": ["x", "y z"]}"#,
            "/grid/a%2Fb/1-2?zoom=3&q=x&q=y%20z": #"{"t": 20}"#, "/search": #"{"hits": 7}"#,
        ]
        try Self.with([route], react: Self.serving(documents)) { weir, upstream in
            let answer = try weir.get("/at/1.5")
            #expect(answer.text == #"{"grid":"a/b","t":20,"hits":7}"#)
            #expect(upstream.requests.first?.hasPrefix("GET /points/1.5 ") == true)
            let posted = upstream.requests.first { $0.hasPrefix("POST ") }
            let body =
                #"{"near":{"properties":{"gridId":"a/b"},"xy":["1","2"],"tags":["x","y z"]},"text":"{ x }","lat":1.5}"#
            #expect(posted?.hasSuffix(body) == true, "\(posted ?? "")")
        }
    }

    @Test func partsAreFetchedSideBySide() throws {
        let gate = Gate()
        let route =
            #"{"path": "/both", "parts": {"a": {"upstream": "up", "path": "/a"}, "b": {"upstream": "up", "path": "/b"}}}"#
        try Self.with([route]) { _ in
            gate.pass(seconds: 60)
            return .answer("1")
        } _: { weir, upstream in
            let client = try weir.client()
            #expect(client.send("GET /both HTTP/1.1\r\nHost: a\r\n\r\n"))
            // Neither is answered before both have arrived.
            #expect(upstream.waitForRequests(2))
            gate.open()
            #expect(try client.read().text == #"{"a":1,"b":1}"#)
        }
    }

    private static let optional = """
        {"path": "/news", "parts": {
            "lead": {"upstream": "up", "path": "/lead"}, "alerts": {"upstream": "up", "path": "/alerts", "optional": true},
            "tide": {"upstream": "down", "optional": true}},
         "answer": {"properties": {"lead": "lead.text", "alerts": {"from": "alerts", "nulls": "keep"}}}}
        """

    @Test func anOptionalPartThatFailsIsNullAndNamed() throws {
        let headers = ["/lead": ["Cache-Control: max-age=600"]]
        try Self.with([Self.optional], react: Self.serving(["/lead": #"{"text": "x"}"#], headers: headers)) { weir, _ in
            let answer = try weir.get("/news")
            #expect(answer.text == #"{"lead":"x","alerts":null}"#)
            #expect(answer.header("Weir-Parts") == "alerts=404, tide=upstream-unavailable")
            // The next request may find all parts.
            #expect(answer.header("Cache-Control") == "no-store")
            let parts = try weir.get("/news?explain=1").json()["source"]["parts"]
            #expect(parts["lead"]["upstream"].string == "up" && parts["lead"]["status"].integer == 200)
            #expect(parts["lead"]["reason"].isAbsent)
            #expect(parts["alerts"]["upstream"].string == "up" && parts["alerts"]["status"].integer == 404)
            #expect(parts["alerts"]["reason"].string == "The upstream up answered with status 404.")
            #expect(parts["alerts"]["error"].string == "nothing here" && parts["lead"]["error"].isAbsent)
            #expect(parts["tide"]["upstream"].string == "down" && parts["tide"]["status"].isAbsent)
            #expect(parts["tide"]["reason"].string?.hasPrefix("The upstream down cannot be used") == true)
        }
    }

    @Test func aRequiredPartThatFailsIsNamedInTheProblem() throws {
        try Self.with([Self.optional], react: { _ in .answer(500, #"{"detail": "broken"}"#) }) { weir, _ in
            let problem = try expectProblem(weir.get("/news"), 502)
            #expect(problem["detail"].string == "The part lead failed. The upstream up answered with status 500.")
            #expect(problem["upstream"]["error"].string == "broken")
        }
    }

    @Test func allPartsShareOneDeadline() throws {
        let route = """
            {"path": "/slow", "deadlineMilliseconds": 300, "parts": {
                "first": {"upstream": "up", "path": "/first"}, "second": {"upstream": "up", "path": "/{first.id}"},
                "more": {"upstream": "up", "path": "/more/{first.id}", "optional": true}}}
            """
        try Self.with([route]) { head in
            head.hasPrefix("GET /first ") ? .answer(#"{"id": "second"}"#) : .stall
        } _: { weir, _ in
            let (seconds, answer) = try seconds { try weir.get("/slow") }
            let problem = try expectProblem(answer, 504)
            #expect(problem["detail"].string?.hasPrefix("The part second failed. ") == true)
            // The upstream's own deadline is 5 s.
            #expect(seconds < 4)
        }
    }

    @Test func theNextPageAndFieldsOfAPartReachTheClient() throws {
        let route = """
            {"path": "/{n}/issues", "parameters": {"n": {}, "page": {"type": "integer", "default": 1}},
             "parts": {"owner": {"upstream": "up", "path": "/owner"},
                       "issues": {"upstream": "up", "path": "/issues", "query": {"page": "{page}"}}},
             "next": {"part": "issues", "parameter": "page", "header": "Link", "member": "page"},
             "passHeaders": ["issues.X-Total-Count", "owner.X-Owner"]}
            """
        let fields = [
            "/issues?page=1": ["Link: <http://u/issues?page=2>; rel=\"next\"", "X-Total-Count: 7", "X-Owner: no"],
            "/owner": ["X-Total-Count: 1", "X-Owner: Ada"],
        ]
        let documents = ["/owner": "1", "/issues?page=1": "[1]", "/issues?page=2": "[2]"]
        try Self.with([route], react: Self.serving(documents, headers: fields)) { weir, upstream in
            for name in ["a", "b"] {
                let answer = try weir.get("/\(name)/issues")
                #expect(answer.text == #"{"owner":1,"issues":[1]}"#)
                #expect(answer.header("Link") == "</\(name)/issues?page=2>; rel=\"next\"")
                #expect(answer.header("X-Total-Count") == "7" && answer.header("X-Owner") == "Ada")
                #expect(answer.header("weir-next") == nil)
            }
            #expect(try weir.get("/a/issues?page=2").header("Link") == nil)
            #expect(upstream.requests.count == 3)
            let operation = try weir.get("/openapi.json").json()["paths"]["/{n}/issues"]["get"]
            let headers = operation["responses"]["200"]["headers"].members.keys
            #expect(
                headers.contains("X-Total-Count") && headers.contains("Link")
                    && !headers.contains("issues.X-Total-Count"))
        }
    }

    @Test func aPartHasItsOwnDeadline() throws {
        let route = """
            {"path": "/p", "parts": {
                "slow": {"upstream": "up", "path": "/slow", "optional": true, "deadlineMilliseconds": 200},
                "quick": {"upstream": "up", "path": "/quick", "deadlineMilliseconds": 60000}}}
            """
        try Self.with([route]) { head in
            head.hasPrefix("GET /slow ") ? .stall : .answer("1")
        } _: { weir, _ in
            let (seconds, answer) = try seconds { try weir.get("/p") }
            #expect(answer.text == #"{"slow":null,"quick":1}"#)
            #expect(answer.header("Weir-Parts") == "slow=upstream-too-slow")
            #expect(seconds < 4)
        }
    }

    private static let details = """
        {"path": "/details", "parts": {
            "users": {"upstream": "up", "path": "/users"},
            "details": {"upstream": "up", "path": "/users/{each.id}", "query": {"n": "{each.name}"},
                        "each": "users[*].{id: id, name: name}", "maximumEach": 2, "optional": true}}}
        """

    @Test func eachMakesARequestForEachValueInTheirOrder() throws {
        let documents = ["/users": Self.users, "/users/2?n=Ada": #"{"a":2}"#, "/users/1?n=Bo": #"{"a":1}"#]
        try Self.with([Self.details], react: Self.serving(documents)) { weir, upstream in
            let answer = try weir.get("/details?fields=details")
            #expect(answer.text == #"{"details":[{"a":2},{"a":1}]}"#)
            #expect(answer.header("Weir-Parts") == nil && answer.header("Weir-Drift") == "dropped=1")
            let drift = try weir.get("/details?explain=1").json()["drift"]
            #expect(
                drift.count == 1 && drift[0]["path"].string == "details[]" && drift[0]["reason"].string == "tooMany")
            #expect(drift[0]["example"].string == "details[2]" && drift[0]["count"].integer == 1)
            #expect(upstream.requests.count == 3)
        }
    }

    @Test func aFailedPieceIsNullAtItsPlaceUnlessThePartIsRequired() throws {
        let required = Self.details.replacing("/details", with: "/required").replacing(#", "optional": true"#, with: "")
        let documents = ["/users": Self.users, "/users/1?n=Bo": #"{"a":1}"#]
        try Self.with([Self.details, required], react: Self.serving(documents)) { weir, _ in
            let answer = try weir.get("/details?fields=details&explain=1").json()
            #expect(answer["data"]["details"][0].isNull && answer["data"]["details"][1]["a"].integer == 1)
            let source = answer["source"]["parts"]["details"]
            #expect(source["failures"].integer == 1 && source["status"].integer == 404)
            #expect(source["reason"].string == "The upstream up answered with status 404.")
            #expect(try weir.get("/details").header("Weir-Parts") == "details=404")
            let problem = try expectProblem(weir.get("/required"), 404)
            #expect(problem["detail"].string?.hasPrefix("The part details failed. ") == true)
        }
    }

    @Test func aPartHasFailoverAndAFixedDocument() throws {
        let route = """
            {"path": "/p", "parts": {
                "a": [{"upstream": "down"}, {"upstream": "up", "path": "/a", "answer": {"properties": {"x": "y"}}}],
                "b": {"fetch": [{"upstream": "down"}, {"value": {"fixed": true}}]}}}
            """
        try Self.with([route], react: Self.serving(["/a": #"{"y": 1}"#])) { weir, _ in
            let answer = try weir.get("/p")
            #expect(answer.text == #"{"a":{"x":1},"b":{"fixed":true}}"#)
            #expect(answer.header("Cache-Control") == "no-store")
            let parts = try weir.get("/p?explain=1").json()["source"]["parts"]
            #expect(parts["a"]["upstream"].string == "up" && parts["a"]["failed"].strings == ["down"])
            #expect(parts["b"]["upstream"].isAbsent && parts["b"]["failed"].strings == ["down"])
        }
    }

    @Test func routesAndPartsShareDocumentsAndTheAnswerIsAsFreshAsTheLeastFresh() throws {
        let routes = [
            #"{"path": "/plain", "fetch": {"upstream": "up", "path": "/a"}}"#,
            #"{"path": "/p", "parts": {"a": {"upstream": "up", "path": "/a"}, "b": {"upstream": "up", "path": "/b"}}}"#,
        ]
        let headers = [
            "/a": ["Cache-Control: max-age=900", "Age: 100", "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT"],
            "/b": ["Cache-Control: max-age=300", "Age: 20", "Last-Modified: Fri, 02 Jan 2026 00:00:00 GMT"],
        ]
        try Self.with(routes, react: Self.serving(["/a": "[1]", "/b": "[2]"], headers: headers)) { weir, upstream in
            #expect(try weir.get("/plain").text == "[1]")
            let first = try weir.get("/p")
            #expect(first.text == #"{"a":[1],"b":[2]}"#)
            #expect(first.header("Cache-Control")?.hasPrefix("max-age=300") == true)
            #expect(first.header("Last-Modified") == nil)
            #expect(first.header("Cache-Status")?.hasPrefix("Weir; fwd=uri-miss; ttl=2") == true)
            let second = try weir.get("/p")
            #expect(second.header("Cache-Status")?.hasPrefix("Weir; hit; ttl=2") == true)
            #expect(second.header("Age").flatMap { Int($0) }.map { 20..<300 ~= $0 } == true)
            #expect(second.header("ETag") == first.header("ETag"))
            #expect(upstream.requests.count == 2)
        }
    }

    @Test func aStalePartServesAndFieldsOfClientsVary() throws {
        let route = """
            {"path": "/p", "parameters": {"language": {"header": "Accept-Language"}}, "cache": {"staleIfErrorSeconds": 600, "staleWhileRevalidateSeconds": 0},
             "parts": {"a": {"upstream": "up", "path": "/a"}, "b": {"upstream": "up", "path": "/b"}}}
            """
        let failing = Watched(false)
        try Self.with([route]) { head in
            if !head.hasPrefix("GET /a ") { return .answer("2") }
            return failing.current ? .answer(500, "{}") : .answer("1", headers: ["Cache-Control: max-age=0"])
        } _: { weir, upstream in
            #expect(try weir.get("/p").header("Vary")?.contains("Accept-Language") == true)
            failing.update { $0 = true }
            let answer = try weir.get("/p")
            #expect(answer.text == #"{"a":1,"b":2}"# && answer.header("Weir-Parts") == nil)
            #expect(answer.header("Cache-Status")?.hasPrefix("Weir; fwd=stale; fwd-status=500") == true)
            #expect(upstream.requests.count == 3)
        }
    }

    @Test func aPartWithoutItsKeyIsNullAndARequiredOneLeavesTheRouteOut() throws {
        let routes = [false, true].map { isOptional in
            """
            {"path": "/\(isOptional)", "parts": {"a": {"upstream": "up"},
                "b": {"upstream": "keyed", "optional": \(isOptional)}}}
            """
        }
        let upstream = try ScriptedUpstream { _ in .answer("1") }
        defer { upstream.stop() }
        let keyed = """
            {"name": "keyed", "baseURL": "http://127.0.0.1:1", "authorization": "header", "keyName": "X-Key",
             "key": {"environment": "WEIR_ABSENT_KEY", "optional": true}}
            """
        let configuration = Self.configuration(upstream.baseURL, routes)
            .replacing(#""upstreams": ["#, with: #""upstreams": [\#(keyed), "#)
        let weir = try WeirProcess.serve(configuration)
        defer { weir.kill() }
        #expect(try weir.get("/true").text == #"{"a":1,"b":null}"#)
        #expect(try weir.get("/false").status == 404)
    }

    @Test func repairsOfAPartHaveItsName() throws {
        let route = """
            {"path": "/p", "parts": {"a": {"upstream": "up", "path": "/a"}},
             "answer": {"properties": {"n": {"from": "a.n", "type": "number"}}}}
            """
        try Self.with([route], react: Self.serving(["/a": "\u{FEFF}{\"n\": \"1\", \"n\": \"2\"}"])) { weir, _ in
            for _ in 0..<2 { #expect(try weir.get("/p").header("Weir-Drift") == "coerced=2, duplicateKey=1") }
            let drift = try weir.get("/p?explain=1").json()["drift"].elements
            #expect(drift.compactMap { $0["path"].string }.sorted() == ["a", "a.n", "n"])
        }
    }

    @Test(arguments: [
        (#"{"id": ".."}"#, "a segment of the path would be empty, . or .."),
        (#"{"id": [{"a": 1}]}"#, "{point.id} is an object, which a text cannot hold"),
        (
            #"{"id": "\#(String(repeating: "x", count: 9000))"}"#,
            "{point.id} has 9000 bytes, more than 8192"
        ),
    ])
    func anotherAnswerThanExpectedIsNoFaultOfTheClient(_ point: String, _ fault: String) throws {
        let route = """
            {"path": "/p", "parts": {"point": {"upstream": "up", "path": "/point"},
                                     "grid": {"upstream": "up", "path": "/grid/{point.id}/x"}}}
            """
        try Self.with([route], react: Self.serving(["/point": point])) { weir, _ in
            let problem = try expectProblem(weir.get("/p"), 502)
            #expect(
                problem["detail"].string == "The part grid failed. The other parts make no request: \(fault)."
            )
        }
    }

    @Test(
        "A part is not asked without the value of another part that its request needs",
        arguments: [
            (#""query": {"customer": "{order.customer}"}"#, "{order.customer}"),
            (#""path": "/customers/{order.customer}""#, "{order.customer}"),
            (#""query": {"q": "customer:{order.customer.id}"}"#, "{order.customer.id}"),
            (#""query": {"ids": ["{order.none}"]}"#, "{order.none}"),
            (#""query": {"ids": "{join(',', order.none)}"}"#, "{join(',', order.none)}"),
            (#""headers": {"X-Customer": "{order.customer}"}"#, "{order.customer}"),
            (#""body": {"filter": [{"id": "{order.customer}"}]}"#, "{order.customer}"),
            (#""body": "customer {order.gone}""#, "{order.gone}"),
            (#""path": "/customers/{each}", "each": "order.customers""#, "{order.customers}"),
            (#""path": "/customers", "when": "order.customer""#, "{order.customer} of `when`"),
        ])
    func absentValues(_ request: String, _ expression: String) throws {
        let routes = [true, false].map { isOptional in
            """
            {"path": "/\(isOptional)", "parts": {"order": {"upstream": "up", "path": "/order"},
                "customer": {"upstream": "up", \(request), "optional": \(isOptional)}}}
            """
        }
        let order = #"{"customer": null, "none": []}"#
        let react: @Sendable (String) -> ScriptedUpstream.Reaction = { head in
            head.hasPrefix("GET /order ") ? .answer(order, headers: ["Cache-Control: max-age=60"]) : .answer("[]")
        }
        try Self.with(routes, react: react) { weir, upstream in
            let answer = try weir.get("/true")
            #expect(answer.text == #"{"order":{"customer":null,"none":[]},"customer":null}"#)
            #expect(answer.header("Weir-Parts") == nil && answer.header("Weir-Drift") == nil)
            #expect(answer.header("Cache-Control")?.hasPrefix("max-age=60") == true)
            let part = try weir.get("/true?explain=1").json()["source"]["parts"]["customer"]
            #expect(part["reason"].string?.hasPrefix("No upstream is asked: \(expression) is ") == true, "\(part)")
            let detail = try expectProblem(weir.get("/false"), 404)["detail"].string
            #expect(detail?.hasPrefix("The part customer failed. No upstream is asked: \(expression) is ") == true)
            #expect(upstream.requests.count == 1)
        }
    }

    @Test func aValueOfEachThatIsNullIsNullAtItsPlaceWithoutARequest() throws {
        let route = """
            {"path": "/p", "parts": {"list": {"upstream": "up", "path": "/list"},
                "ids": {"upstream": "up", "path": "/{each}", "each": "list.ids"},
                "names": {"upstream": "up", "path": "/{each.id}", "each": "list.users", "optional": true}}}
            """
        let documents = [
            "/list": #"{"ids": ["a", null, "b"], "users": [{"id": "a"}, {"name": "x"}, null]}"#, "/a": "1", "/b": "2",
        ]
        try Self.with([route], react: Self.serving(documents)) { weir, upstream in
            let answer = try weir.get("/p?fields=ids,names")
            #expect(answer.text == #"{"ids":[1,null,2],"names":[1,null,null]}"#)
            #expect(answer.header("Weir-Parts") == nil)
            #expect(answer.header("Cache-Control") != "no-store")
            // A part of the route shares the document of another one.
            #expect(upstream.requests.count == 3)
        }
    }

    @Test func whenChoosesTheEntryThatIsAsked() throws {
        let route = """
            {"path": "/p", "parameters": {"old": {"type": "boolean", "default": false}},
             "parts": {"a": {"fetch": [{"upstream": "up", "path": "/old", "when": "old"},
                                       {"upstream": "up", "path": "/new", "when": "!old"}]}}}
            """
        let plain = #"{"path": "/q", "parameters": {"x": {}}, "fetch": {"upstream": "up", "path": "/x", "when": "x"}}"#
        try Self.with([route, plain], react: Self.serving(["/old": "1", "/new": "2", "/x": "3"])) { weir, upstream in
            #expect(try weir.get("/p").text == #"{"a":2}"#)
            #expect(try weir.get("/p?old=true").text == #"{"a":1}"#)
            #expect(upstream.requests.count == 2)
            #expect(try weir.get("/q?x=1").text == "3")
            let detail = try expectProblem(weir.get("/q"), 404)["detail"].string
            #expect(detail == "No upstream is asked: {x} of `when` is not true.")
        }
    }

    @Test func textsOfABodyAreTemplates() throws {
        let route = """
            {"path": "/p", "parameters": {"q": {}, "none": {}}, "parts": {
                "s": {"upstream": "up", "path": "/s"},
                "made": {"upstream": "up", "path": "/made", "body": {
                    "query": "{{ user(id: {s.order.id}) {{ name } }", "id": "{s.order.id}", "who": "{s.{name: name, q: '}'}}",
                    "list": [{"text": "for {q}, {s.name}"}, "{none}", "a {none}", "{s.order.flag}"], "n": 1.50}},
                "each": {"upstream": "up", "path": "/made", "body": {"id": "{each.id}"}, "each": "s.all"}}}
            """.replacing(#""each": {"upstream""#, with: #""every": {"upstream""#)
        let react: @Sendable (String) -> ScriptedUpstream.Reaction = { head in
            head.hasPrefix("GET ")
                ? .answer(
                    #"{"order": {"id": 9007199254740993123, "flag": false}, "name": "Ada \"B\"", "all": [{"id": "x"}]}"#
                )
                : .answer("{}")
        }
        try Self.with([route], react: react) { weir, upstream in
            let status = try weir.get("/p?q=you").status
            #expect(status == 200)
            let bodies = upstream.requests.compactMap { $0.split(separator: "\r\n\r\n").dropFirst().first }
            #expect(bodies.contains(#"{"id":"x"}"#))
            let made = """
                {"query":"{ user(id: 9007199254740993123) { name } }","id":9007199254740993123,\
                "who":{"name":"Ada \\"B\\"","q":"}"},"list":[{"text":"for you, Ada \\"B\\""},null,null,false],"n":1.50}
                """
            #expect(bodies.contains(Substring(made)), "\(bodies)")
        }
    }

    @Test func theWholeAnswerIsLimited() throws {
        // One after the other, because bodies under way have the same limit.
        let route = """
            {"path": "/p", "parts": {"a": {"upstream": "up", "path": "/a"},
                                     "b": {"upstream": "up", "path": "/b/{length(a)}"}}}
            """
        let text = "\"" + String(repeating: "x", count: 600_000) + "\""
        let more = #", "fetching": {"maximumBodyBytes": 1048576}"#
        try Self.with([route], more: more, react: Self.serving(["/a": text, "/b/600000": text])) { weir, _ in
            let problem = try expectProblem(weir.get("/p"), 502)
            #expect(
                problem["detail"].string
                    == "The part b failed. The parts of the answer have more than 1048576 bytes together.")
        }
    }

    @Test func openAPIAndNormalizeKnowTheParts() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(Self.configuration("http://127.0.0.1:1", [Self.optional]), to: "weir.json")
        let document = try folder.write(#"{"lead": {"text": "x"}, "alerts": [1]}"#, to: "parts.json")
        let check = try WeirProcess.run(["check", "--config", file])
        #expect(check.status == 0 && check.output.contains("/news"))
        let normalized = try WeirProcess.run(["normalize", "--config", file, "--route", "/news", document])
        #expect(normalized.output == #"{"lead":"x","alerts":[1]}"#, "\(normalized.errors)")
        let openAPI = try Parsed(WeirProcess.run(["openapi", "--config", file]).output)
        let answer = openAPI["paths"]["/news"]["get"]["responses"]["200"]
        #expect(!answer["headers"]["Weir-Parts"].isAbsent)
        #expect(!answer["content"]["application/json"].isAbsent)
    }

    @Test(arguments: [
        (
            #""parts": {"a": {"upstream": "up"}}, "fetch": {"upstream": "up"}"#,
            "routes[0].fetch must be left out: there are parts"
        ),
        (#""summary": "x""#, "routes[0].fetch must have an entry, unless there are parts"),
        (#""parts": {}"#, "routes[0].parts must have a part"),
        (
            #""parts": {"a": {"upstream": "up"}}, "next": {"parameter": "q", "from": "x"}"#,
            "routes[0].next.part must be the name of a part"
        ),
        (
            #""parts": {"aa": {"upstream": "up"}}, "next": {"part": "ab", "parameter": "q", "from": "x"}"#,
            "routes[0].next.part must be the name of a part; did you mean \"aa\"?"
        ),
        (
            #""parts": {"a": {"upstream": "up"}}, "passHeaders": ["X-A"]"#,
            "routes[0].passHeaders[0] must begin with the name"
        ),
        (
            #""parts": {"a": {"upstream": "up"}}, "passHeaders": ["a.Set-Cookie"]"#,
            "routes[0].passHeaders[0] must be the name"
        ),
        (
            #""fetch": {"upstream": "up"}, "next": {"part": "a", "parameter": "q", "from": "x"}"#,
            "routes[0].next.part must be left out: there are no parts"
        ),
        (
            #""parts": {"a": {"upstream": "up"}}, "otherParameters": "forward""#,
            "routes[0].otherParameters must be left out: there are parts"
        ),
        (
            #""parts": {"a": {"upstream": "up", "next": {"parameter": "q", "from": "x"}}}"#,
            "routes[0].parts.a.next must be left out: a part has no next page"
        ),
        (
            #""parts": {"a": {"upstream": "up", "path": "/{b.x}"}, "b": {"upstream": "up", "query": {"c": "{c}"}}, "#
                + #""c": {"upstream": "up", "each": "a.x"}}"#,
            "routes[0].parts.a needs itself: a, which needs b, which needs c, which needs a"
        ),
        (
            #""parts": {"point": {"upstream": "up"}, "b": {"upstream": "up", "path": "/{pont.x}"}}"#,
            "routes[0].parts.b.path has the expression {pont.x}, but there is no parameter or part \"pont\"; "
                + "did you mean \"point\"?"
        ),
        (#""parts": {"q": {"upstream": "up"}}"#, "routes[0].parts.q has the name of a parameter"),
        (#""parts": {"fields": {"upstream": "up"}}"#, "routes[0].parts.fields has a reserved name"),
        (#""parts": {"a-b": {"upstream": "up"}}"#, "routes[0].parts.a-b must have a name of at most 64"),
        (#""parts": {"a": {"upstream": "up", "path": "/{each}"}}"#, "there is no parameter or part \"each\""),
        (
            #""parts": {"a": {"upstream": "upp"}}"#,
            "routes[0].parts.a.upstream names \"upp\", but there is no such upstream"
        ),
        (#""parts": {"a": [{"upstream": "up"}, {"upstream": "upp"}]}"#, "routes[0].parts.a[1].upstream names \"upp\""),
        (
            #""parts": {"a": [{"upstream": "up", "optional": true}]}"#,
            "routes[0].parts.a[0].optional must stand beside the list"
        ),
        (
            #""parts": {"a": [{"upstream": "up", "deadlineMilliseconds": 5}]}"#,
            "routes[0].parts.a[0].deadlineMilliseconds must stand beside the list"
        ),
        (
            #""parts": {"a": {"fetch": [{"upstream": "up", "edit": {"keys": "kept"}}]}}"#,
            "routes[0].parts.a.fetch[0].edit.keys must be one of camel, keep"
        ),
        (
            #""parts": {"a": [{"upstream": "up", "edit": {"keys": "kept"}}]}"#,
            "routes[0].parts.a[0].edit.keys must be one of camel, keep"
        ),
        (#""parts": {"a": {"upstream": "up", "fetch": []}}"#, "routes[0].parts.a.fetch must be left out"),
        (#""parts": {"a": {"optional": true}}"#, "routes[0].parts.a.upstream is missing"),
        (
            #""parts": {"a": {"upstream": "up", "body": {"list": [{"query": "{ user { id } }"}]}}}"#,
            "routes[0].parts.a.body.list[0].query has the expression { user { id } }, which is wrong"
        ),
        (#""parts": {"a": {"upstream": "up", "body": {"query": "{ user }"}}}"#, "; write {{ for a brace"),
        (#""parts": {"a": {"upstream": "up", "body": {"id": "{s.id}"}}}"#, "there is no parameter or part \"s\""),
        (#""parts": {"a": {"upstream": "up", "when": "b.x"}}"#, "routes[0].parts.a.when has the expression {b.x}"),
        (#""parts": {"a": {"upstream": "up", "maximumEach": 3}}"#, "routes[0].parts.a.maximumEach must be left out"),
        (#""parts": {"a": {"upstream": "up", "optionl": true}}"#, "did you mean \"optional\"?"),
        (#""parts": {"a": {"upstream": "up", "each": "lenght(q)"}}"#, "routes[0].parts.a.each has the expression"),
    ])
    func aFaultIsNamedAtItsPlace(_ settings: String, _ text: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let route = #"{"path": "/a", "parameters": {"q": {}}, \#(settings)}"#
        let file = try folder.write(Self.configuration("http://127.0.0.1:1", [route]), to: "weir.json")
        let result = try WeirProcess.run(["check", "--config", file])
        #expect(result.status == 78)
        #expect(result.errors.contains(text) && result.errors.contains("line "), "\(result.errors)")
    }
}
