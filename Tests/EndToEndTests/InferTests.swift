import Foundation
import TestSupport
import Testing

/// `weir infer` and `weir diff`.
@Suite(.timeLimit(.minutes(10)))
struct InferTests {
    @Test(
        "The configuration is accepted, and its route answers the document without drift",
        arguments: ["stations/observation", "stations/list", "openMeteo/forecast"])
    func configurations(_ sample: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let document = "\(Checkout.root)/Config/samples/\(sample).json"
        let inferred = try WeirProcess.run(["infer", "--path", "/places/{place}/now", "--name", "now", document])
        #expect(inferred.status == 0, "\(inferred.errors)")
        let configuration = try folder.write(inferred.output, to: "weir.json")
        let check = try WeirProcess.run(["check", "--config", configuration])
        #expect(check.status == 0, "\(check.errors)\(inferred.output)")
        #expect(check.output.contains("/places/{place}/now"))
        let answer = try WeirProcess.run(
            ["normalize", "--config", configuration, "--route", "/places/here/now", document])
        #expect(answer.status == 0)
        #expect(answer.errors == "")
    }

    @Test("A key that looks like a variable stays a key, and the configuration is accepted")
    func variables() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let document = try folder.write(
            #"{"${DATABASE_PASSWORD}": 1, "a": {"${NONE}": {"$": "x"}}, "t": {"time": [1], "${HOME:-x}": [2]}}"#,
            to: "document.json")
        let inferred = try WeirProcess.run(["infer", document])
        #expect(inferred.status == 0, "\(inferred.errors)")
        let configuration = try folder.write(inferred.output, to: "weir.json")
        let environment = ["DATABASE_PASSWORD": "hunter2"]
        let check = try WeirProcess.run(["check", "--config", configuration], environment: environment)
        #expect(check.status == 0, "\(check.errors)\(inferred.output)")
        let answer = try WeirProcess.run(
            ["normalize", "--config", configuration, "--route", "/answer", document], environment: environment)
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(!answer.output.contains("hunter2") && answer.output.contains(":1,"), "\(answer.output)")
    }

    @Test("A route that the configuration would not accept is an error", arguments: ["a", "/-/a", "/a?b", "/a/../b"])
    func unacceptable(_ path: String) throws {
        let result = try WeirProcess.run(["infer", "--path", path], input: Array("{}".utf8))
        #expect(result.status == 65)
        #expect(result.errors.contains("there is no route for these documents"), "\(result.errors)")
    }

    @Test("The route alone has the names of the options")
    func routes() throws {
        let result = try WeirProcess.run(
            ["infer", "--route-only", "--upstream", "nws", "--path", "/a"], input: Array(#"{"rate-limit": [1]}"#.utf8))
        #expect(
            result.output == """
                {
                    "path": "/a",
                    "fetch": {"upstream": "nws", "path": "/a"},
                    "answer": {"properties": {"rateLimit": {"from": "\\"rate-limit\\"", "items": {"type": "number"}}}}
                }

                """)
    }

    @Test("Differences are lines, and a route that reads what is gone sets the exit status")
    func differences() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let old = try folder.write(#"{"list": [{"id": 1, "mag": 2}], "count": 1}"#, to: "old.json")
        let new = try folder.write(#"{"list": [{"id": "1", "magnitude": 2}]}"#, to: "new.json")
        let configuration = try folder.write(
            """
            {
                "upstreams": [{"name": "u", "baseURL": "https://example.org"}],
                "routes": [
                    {"path": "/a", "fetch": {"upstream": "u"}, "answer": {"properties": {"m": "list[*].mag"}}},
                    {"path": "/b", "fetch": {"upstream": "u"}, "edit": {"rename": {"list[*].mag": "m"}}},
                    {"path": "/c", "fetch": {"upstream": "u"}, "edit": {"keep": ["list[*].id"]}},
                    {
                        "path": "/d", "fetch": {"upstream": "u"}, "edit": {"keep": ["list[*].id"]},
                        "parameters": {"page": {}}, "next": {"from": "count", "parameter": "page"}
                    },
                    {
                        "path": "/e",
                        "parts": {
                            "all": {"upstream": "u"}, "more": {"upstream": "u", "path": "/{each}", "each": "all.count"}
                        },
                        "answer": {"properties": {"m": "all.list[*].mag"}}
                    }
                ]
            }
            """, to: "weir.json")
        let lines = """
            gone    count
            type    list[].id: string, was number
            gone    list[].mag
            new     list[].magnitude: number

            """
        let plain = try WeirProcess.run(["diff", old, "--", new])
        #expect(plain.output.split(separator: "\n").sorted() == lines.split(separator: "\n").sorted())
        #expect(plain.status == 0)
        let read = try WeirProcess.run(["diff", "--config", configuration, old, "--", new])
        #expect(read.status == 1)
        #expect(
            read.output.hasSuffix(
                """
                reads   route /a reads list[].mag, which is gone
                reads   route /b reads list[].mag, which is gone
                reads   route /c reads list[].id, whose type changed
                reads   route /d reads list[].id, whose type changed
                reads   route /d reads count, which is gone
                reads   route /e reads list[].mag, which is gone
                reads   route /e reads count, which is gone

                """))
        #expect(try WeirProcess.run(["diff", "--config", configuration, "--route", "/c", old, "--", new]).status == 1)
        let same = try WeirProcess.run(["diff", "--config", configuration, "--json", old, "--", old])
        #expect((same.output, same.status) == ("{\"changes\":[],\"routes\":[]}\n", 0))
        let json = try WeirProcess.run(["diff", "--config", configuration, "--route", "/c", "--json", old, "--", new])
        #expect(json.status == 1)
        #expect(
            json.output.hasSuffix(
                #""routes":[{"change":"type","place":"list[].id","detail":"string, was number","route":"/c"}]}"# + "\n")
        )
        #expect(try WeirProcess.run(["diff", old, "--", old]).output.isEmpty)
    }

    @Test("No name of a document commands the terminal of a comparison")
    func namesThatCommand() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let old = try folder.write(#"{"a\u001b[31m": 1, "b\nreads   route /FAKE reads z": 2}"#, to: "old.json")
        let new = try folder.write("{}", to: "new.json")
        let route = try WeirProcess.run(["infer", old])
        let configuration = try folder.write(route.output, to: "c.json")
        let read = try WeirProcess.run(["diff", "--config", configuration, old, "--", new])
        #expect(read.status == 1)
        #expect(read.output.contains(#"a\u001b[31m"#) && !read.output.contains("\u{1B}"))
        #expect(!read.output.split(separator: "\n").contains { $0.hasPrefix("reads   route /FAKE") })
    }

    @Test(
        "Wrong uses are explained",
        arguments: [
            (["diff", "a.json"], 64 as Int32, "weir: both sets need a file: weir diff OLD… -- NEW…"),
            (["diff", "--route", "/a", "a", "--", "b"], 64, "weir: --route needs --config FILE"),
            (["infer", "/nothing.json"], 66, "weir: cannot read /nothing.json"),
            (["infer"], 65, "weir: standard input: line 1"),
        ])
    func faults(_ arguments: [String], _ status: Int32, _ errors: String) throws {
        let result = try WeirProcess.run(arguments, input: Array("{".utf8))
        #expect(result.status == status)
        #expect(result.errors.hasPrefix(errors), "\(result.errors)")
    }
}
