import TestSupport
import Testing

/// Routes that read the pages of a list as one list, against an upstream on a socket.
@Suite(.timeLimit(.minutes(10)))
struct PagesOfListsTests {
    private typealias Document = (body: String, headers: [String])

    private static let byNext = #""pages": {"next": "next", "parameter": "page", "items": "rows", "maximum": 3}"#

    private static func list(_ pages: String, more: String = "") -> String {
        #"{"path": "/list", "fetch": {"upstream": "up", "path": "/rows", "query": {"size": "2"}, \#(pages)}\#(more)}"#
    }

    private static func configuration(_ baseURL: String, _ route: String) -> String {
        """
        {"listen": "127.0.0.1:0", "shards": 1, "server": {"drainTimeoutMilliseconds": 3000},
         "upstreams": [{"name": "up", "baseURL": "\(baseURL)", "retryPercent": 0},
                       {"name": "down", "baseURL": "http://127.0.0.1:1", "retryPercent": 0}],
         "routes": [\(route)]}
        """
    }

    /// Serves a route with an upstream that has these documents and header fields at these targets, and otherwise fails.
    private static func with(
        _ route: String, _ documents: [String: Document],
        _ body: (WeirProcess, ScriptedUpstream) throws -> Void
    ) throws {
        let upstream = try ScriptedUpstream { head in
            guard let document = documents[String(head.split(separator: " ")[1])] else { return .answer(500, "{}") }
            return .answer(document.body, headers: document.headers)
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration(upstream.baseURL, route))
        defer { weir.kill() }
        try body(weir, upstream)
    }

    private static func rows(_ first: Int, next: String) -> Document {
        (#"{"rows": [{"row_id": \#(first)}, {"row_id": \#(first + 1)}], "next": \#(next)}"#, [])
    }

    @Test("Pages are one list for the rules, each is kept, and the answer is that of weir normalize")
    func joins() throws {
        let answer = #", "answer": {"items": {"properties": {"id": "row_id"}}}"#
        let documents: [String: Document] = [
            "/rows?size=2": Self.rows(1, next: #""b c""#), "/rows?size=2&page=b%20c": Self.rows(3, next: "7"),
            "/rows?size=2&page=7": Self.rows(5, next: #""""#),
        ]
        try Self.with(Self.list(Self.byNext, more: answer), documents) { weir, upstream in
            let whole = #"[{"id":1},{"id":2},{"id":3},{"id":4},{"id":5},{"id":6}]"#
            let first = try weir.get("/list")
            #expect(first.text == whole)
            #expect(first.header("Weir-Drift") == nil)
            #expect(first.header("Cache-Control")?.contains("max-age") == true)
            #expect(try weir.get("/list").text == whole)
            #expect(try weir.get("/list?explain=1").text.contains(#""drift":[],"source":{"upstream":"up""#))
            #expect(upstream.requests.count == 3)
        }
    }

    @Test("The document of an entry without an answer of its own is the list in camelCase, empty pages included")
    func emptyPages() throws {
        let documents: [String: Document] = [
            "/rows?size=2": (#"{"rows": [], "next": 2}"#, []), "/rows?size=2&page=2": Self.rows(3, next: "3"),
            "/rows?size=2&page=3": (#"{"rows": [ ], "next": null}"#, []),
        ]
        try Self.with(Self.list(Self.byNext), documents) { weir, _ in
            for target in ["/list", "/list?fields=rowId"] {
                let answer = try weir.get(target)
                #expect(answer.text == #"[{"rowId":3},{"rowId":4}]"#)
            }
        }
    }

    @Test("The field Link and other fields of the response tell the next page, also of a part")
    func fields() throws {
        let route = """
            {"path": "/list", "parts": {
                "a": {"upstream": "up", "path": "/a", "pages": {"next": "Link", "parameter": "page"}},
                "b": {"upstream": "up", "path": "/b/{each}", "each": "`[1, 2]`",
                      "pages": {"next": "$headers.\\"x-next-page\\"", "parameter": "p"}}}}
            """
        let documents: [String: Document] = [
            "/a": (
                "[1]", [#"Link: <https://a.example/x?page=2&per=1>; rel="next", <https://a.example/x>; rel="first""#]
            ),
            "/a?page=2": ("[2]", [#"Link: <https://a.example/x?page=1>; rel="prev""#]),
            "/b/1": ("[3]", ["X-Next-Page: 4"]), "/b/1?p=4": ("[4]", ["X-Next-Page: "]), "/b/2": ("[5]", []),
        ]
        try Self.with(route, documents) { weir, upstream in
            for _ in 1...2 {
                let answer = try weir.get("/list")
                #expect(answer.text == #"{"a":[1,2],"b":[[3,4],[5]]}"#)
            }
            #expect(upstream.requests.count == 5)
        }
    }

    @Test("A value that was asked already ends the pages")
    func loop() throws {
        let documents: [String: Document] = [
            "/rows?size=2": Self.rows(1, next: "2"), "/rows?size=2&page=2": Self.rows(3, next: "2"),
        ]
        try Self.with(Self.list(Self.byNext), documents) { weir, upstream in
            let answer = try weir.get("/list")
            #expect(answer.text == #"[{"rowId":1},{"rowId":2},{"rowId":3},{"rowId":4}]"#)
            #expect(upstream.requests.count == 2)
        }
    }

    @Test("What is cut is reported: pages beyond the maximum, and a page without a list")
    func cut() throws {
        var documents: [String: Document] = [
            "/rows?size=2": Self.rows(1, next: "2"), "/rows?size=2&page=2": Self.rows(3, next: "3"),
            "/rows?size=2&page=3": Self.rows(5, next: "4"),
        ]
        try Self.with(Self.list(Self.byNext), documents) { weir, upstream in
            let answer = try weir.get("/list")
            #expect(answer.text.hasSuffix(#"{"rowId":6}]"#))
            #expect(answer.header("Weir-Drift") == "dropped=1")
            #expect(try weir.get("/list?explain=1").text.contains(#""kind":"dropped","path":"","reason":"tooMany""#))
            #expect(upstream.requests.count == 3)
        }
        documents["/rows?size=2&page=3"] = (#"{"rows": "none"}"#, [])
        try Self.with(Self.list(Self.byNext), documents) { weir, _ in
            let answer = try weir.get("/list")
            #expect(answer.text.hasSuffix(#"{"rowId":4}]"#))
            #expect(answer.header("Weir-Drift") == "dropped=1")
        }
    }

    @Test(
        "A next page that is unknown is reported; a null, a false or an absent member is the last page",
        arguments: [
            ("null", "next", nil as String?),
            ("false", "next", nil), ("[1]", "next", "dropped=1"), ("{}", "next", "dropped=1"),
            ("true", "next", "dropped=1"), (#""x""#, "ceil(next)", "dropped=1"), ("null", "ceil(next)", nil),
        ])
    func unknownNext(_ next: String, _ expression: String, _ drift: String?) throws {
        let documents = ["/rows?size=2": Self.rows(1, next: next)]
        let pages = #""pages": {"next": "\#(expression)", "parameter": "page", "items": "rows"}"#
        try Self.with(Self.list(pages), documents) { weir, _ in
            let answer = try weir.get("/list")
            #expect(answer.text == #"[{"rowId":1},{"rowId":2}]"#)
            #expect(answer.header("Weir-Drift") == drift)
        }
        let link = #", "parameters": {"page": {}}, "next": {"parameter": "page", "from": "\#(expression)"}"#
        let route = #"{"path": "/list", "fetch": {"upstream": "up", "path": "/rows", "query": {"size": "2"}}\#(link)}"#
        try Self.with(route, documents) { weir, _ in
            let answer = try weir.get("/list")
            #expect(answer.header("Weir-Drift") == drift)
        }
    }

    @Test("A page that fails fails the route or the part, and so does a first page without a list")
    func failures() throws {
        let documents: [String: Document] = ["/rows?size=2": Self.rows(1, next: "2"), "/x": (#"{"rows": 1}"#, [])]
        try Self.with(Self.list(Self.byNext), documents) { weir, _ in
            let problem = try expectProblem(weir.get("/list"), 502)
            #expect(problem["upstream"]["name"].string == "up")
        }
        let parts = """
            {"path": "/list", "parts": {
                "a": {"upstream": "up", "path": "/rows", "query": {"size": "2"}, "optional": true, \(Self.byNext)},
                "b": {"fetch": [{"upstream": "up", "path": "/x", \(Self.byNext)}, {"value": []}]}}}
            """
        try Self.with(parts, documents) { weir, _ in
            let answer = try weir.get("/list")
            #expect(answer.text == #"{"a":null,"b":[]}"#)
            #expect(answer.header("Weir-Parts") == "a=500")
        }
    }

    @Test("The pages are those of the upstream that has the first one, and a client cannot ask for one")
    func failover() throws {
        let route = """
            {"path": "/list", "otherParameters": "forward", "fetch": [
                {"upstream": "down", "path": "/d", "pages": {"next": "next", "parameter": "n", "items": "rows"}},
                {"upstream": "up", "path": "/rows", "query": {"page": "1"}, \(Self.byNext)}]}
            """
        let documents: [String: Document] = [
            "/rows?page=1": Self.rows(1, next: "2"), "/rows?page=2": Self.rows(3, next: "1"),
        ]
        try Self.with(route, documents) { weir, _ in
            let answer = try weir.get("/list?page=2")
            #expect(answer.text == #"[{"rowId":1},{"rowId":2},{"rowId":3},{"rowId":4}]"#)
        }
    }

    private static let faults = [
        (#"{"next": "n"}"#, "routes[0].fetch.pages.parameter"),
        (#"{"next": "n", "parameter": "p", "maximum": 101}"#, "routes[0].fetch.pages.maximum"),
        (#"{"next": "n[", "parameter": "p"}"#, "routes[0].fetch.pages.next"),
        (
            #"{"next": "$headers.\"X-Next\"", "parameter": "p"}"#,
            "pages.next must name the fields of $headers in lower case"
        ),
        (#"{"next": "n", "parameter": "p"}, "value": []"#, "routes[0].fetch.pages must be left out"),
        (
            #"{"next": "n", "parameter": "p"}, "next": {"parameter": "p", "from": "n"}"#,
            "routes[0].fetch.pages must be left out: there is `next`"
        ),
    ]

    @Test("Faults are named", arguments: faults)
    func check(_ pages: String, _ fault: String) throws {
        let text = Self.configuration(
            "http://127.0.0.1:1", Self.list(#""pages": \#(pages)"#, more: #", "parameters": {"p": {}}"#))
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let result = try WeirProcess.run(["check", "--config", folder.write(text, to: "weir.json")])
        #expect(result.status == 78 && result.errors.contains(fault), "\(result.errors)")
    }
}
