import TestSupport
import Testing

/// Documents whose bytes are not those of RFC 8259, on a route of the configuration.
@Suite(.timeLimit(.minutes(10)))
struct UpstreamTextTests {
    private static func configuration(_ baseURL: String) -> String {
        """
        {"listen": "127.0.0.1:0", "shards": 1, "server": {"drainTimeoutMilliseconds": 3000},
         "upstreams": [{"name": "up", "baseURL": "\(baseURL)", "retryPercent": 0}],
         "routes": [{"path": "/names", "fetch": {"upstream": "up", "path": "/names"}, "cache": {"defaultSeconds": 60},
                     "answer": {"properties": {"name": "name", "price": {"from": "price", "type": "number"}}}},
                    {"path": "/all", "fetch": {"upstream": "up", "path": "/names"}, "edit": {"rename": {"price": "cost"}}}]}
        """
    }

    @Test(
        "A document in the charset of its Content-Type is converted, and every form of the document says so",
        arguments: [
            ("ISO-8859-1", [0x7B] + Array(#""name":"Z"#.utf8) + [0xFC] + Array(#"rich","price":1}"#.utf8)),
            ("\"windows-1252\"", Array(#"{"name":"Z"#.utf8) + [0xFC] + Array(#"rich","price":1}"#.utf8)),
            (
                "utf-16",
                [0xFF, 0xFE] + #"{"name":"Zürich","price":1}"#.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
            ),
            ("UTF-16BE", #"{"name":"Zürich","price":1}"#.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }),
        ] as [(String, [UInt8])])
    func charset(name: String, body: [UInt8]) throws {
        let upstream = try ScriptedUpstream { _ in
            .bytes(
                Array(
                    """
                    HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=\(name)\r\nConnection: close\r
                    Content-Length: \(body.count)\r\n\r\n
                    """.utf8) + body)
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration(upstream.baseURL))
        defer { weir.kill() }
        let report = #""drift":[{"kind":"coerced","path":"","reason":"otherCharset","count":1,"example":""}]"#
        for _ in 1...2 {
            let answer = try weir.get("/names")
            #expect(answer.text == #"{"name":"Zürich","price":1}"#)
            #expect(answer.header("Weir-Drift") == "coerced=1")
            #expect(try weir.get("/names?explain=1").text.contains(report))
            #expect(try weir.get("/names?fields=name").text == #"{"name":"Zürich"}"#)
        }
        #expect(upstream.requests.count == 1)
    }

    @Test("An upstream cannot write the field that stays with a converted document")
    func forgedField() throws {
        let upstream = try ScriptedUpstream { _ in
            .answer(
                #"{"name": "a", "price": 1}"#,
                headers: ["Cache-Control: no-store", "Weir-Charset: \(Int.max)", "weir-charset: 7"])
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration(upstream.baseURL))
        defer { weir.kill() }
        for _ in 1...3 {
            let answer = try weir.get("/names")
            #expect(answer.text == #"{"name":"a","price":1}"#)
            #expect(answer.header("Weir-Drift") == nil)
        }
    }

    @Test("NaN in a document reads as null and is reported")
    func notANumber() throws {
        let upstream = try ScriptedUpstream { _ in
            .answer(#"{"name": ["a", nan, +inf, {"b": -Infinity}, "NaN"], "price": NaN}"#)
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration(upstream.baseURL))
        defer { weir.kill() }
        let names = #"["a",null,null,{"b":null},"NaN"]"#
        for (path, text) in [("/names", #"{"name":\#(names)}"#), ("/all", #"{"name":\#(names),"cost":null}"#)] {
            let answer = try weir.get(path)
            #expect(answer.status == 200)
            #expect(answer.text == text)
            #expect(answer.header("Weir-Drift") == "defaulted=4")
        }
    }

    @Test("A lenient upstream may send scripts, and every form of the document says so; others may not")
    func lenientSyntax() throws {
        let body = "/* made by hand */ callback({\"name\": None, \"price\": [1, True,],});\n"
        let upstream = try ScriptedUpstream { _ in .answer(body, headers: ["Weir-Syntax: 99"]) }
        defer { upstream.stop() }
        let text = Self.configuration(upstream.baseURL)
        let weir = try WeirProcess.serve(
            text.replacing("\"retryPercent\"", with: "\"syntax\": \"lenient\", \"retryPercent\""))
        defer { weir.kill() }
        let report = #""drift":[{"kind":"coerced","path":"","reason":"lenientSyntax","count":6,"example":""}]"#
        for _ in 1...2 {
            let answer = try weir.get("/all")
            #expect(answer.text == #"{"name":null,"cost":[1,true]}"#)
            #expect(answer.header("Weir-Drift") == "coerced=6")
            #expect(try weir.get("/all?explain=1").text.contains(report))
        }
        #expect(upstream.requests.count == 1)
        let strict = try WeirProcess.serve(text)
        defer { strict.kill() }
        try expectProblem(strict.get("/all"), 502)
    }

    @Test("A segment of the address stays in answers; a key that the configuration names does not")
    func segments() throws {
        let key = "s3ntinel-KEY-0123456789"
        let upstream = try ScriptedUpstream { head in
            let path = head.split(separator: " ").dropFirst().first ?? ""
            return .answer(
                #"{"name": "https://x\#(path)", "price": 1, "other": "https://x/inventory-service/items/1"}"#)
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            Self.configuration(upstream.baseURL + "/inventory-service").replacing(
                "\"retryPercent\"",
                with:
                    #""key": {"environment": "WEIR_TEST_KEY"}, "authorization": "query", "keyName": "k", "retryPercent""#
            ),
            environment: ["WEIR_TEST_KEY": key])
        defer { weir.kill() }
        let answer = try weir.get("/all")
        #expect(answer.text.contains(#""other":"https://x/inventory-service/items/1""#))
        #expect(answer.text.contains(#""name":"https://x/inventory-service/names?k=***""#))
        #expect(!answer.everything.contains(key))
        #expect(upstream.requests.first?.contains("k=\(key)") == true)
    }
}
