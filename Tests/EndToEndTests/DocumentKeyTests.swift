import Foundation
import TestSupport
import Testing

/// Whose document a client gets: all that a document or an answer depends on is in its key.
@Suite("Keys of documents", .timeLimit(.minutes(5)))
struct DocumentKeyTests {
    /// A configuration of one upstream with these fields, and the routes.
    private static func configuration(
        _ upstream: ScriptedUpstream, _ routes: [String], headers: String = "{}", more: String = ""
    ) -> String {
        """
        {"listen": "127.0.0.1:0", "shards": 1, "server": {"drainTimeoutMilliseconds": 3000}, \(more)
         "upstreams": [{"name": "up", "baseURL": "\(upstream.baseURL)", "retryPercent": 0, "headers": \(headers)}],
         "routes": [\(routes.joined(separator: ", "))]}
        """
    }

    /// A route whose answer is the document with the tenant.
    private static let tenants = """
        {"path": "/a", "name": "a", "fetch": {"upstream": "up"}, "edit": {}, "cache": {"defaultSeconds": 600}}
        """

    /// An upstream that answers with the fields that tell tenants and versions apart.
    private static func echo() throws -> ScriptedUpstream {
        try ScriptedUpstream { head in
            func field(_ name: String) -> String {
                head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name): ") }
                    .map { String($0.dropFirst(name.count + 2)) } ?? ""
            }
            return .answer(#"{"tenant":"\#(field("x-tenant"))","version":"\#(field("api-version"))"}"#)
        }
    }

    private static func tenant(_ answer: RawAnswer) throws -> String? { try answer.json()["tenant"].string }

    @Test(
        "Fields of upstreams[].headers that a reload changes, and those of a restart with the snapshot, count at once")
    func fields() throws {
        let upstream = try Self.echo()
        let folder = try TemporaryFolder()
        defer {
            upstream.stop()
            folder.remove()
        }
        func write(_ headers: String) throws -> String {
            try folder.write(
                Self.configuration(
                    upstream, [Self.tenants], headers: headers, more: #""cache": {"snapshotFile": "documents"},"#),
                to: "weir.json")
        }
        let red = #"{"X-Tenant": "red"}"#
        let weir = try WeirProcess(["serve", "--config", try write(red)])
        defer { weir.kill() }
        #expect(try Self.tenant(weir.get("/a")) == "red")
        let others = [
            (#"{"X-Tenant": "blue"}"#, "blue", ""), (#"{"X-Tenant": "K"}"#, "K", ""),
            (#"{"X-Tenant": "\u212A"}"#, "\u{212A}", ""),
            (#"{"X-Tenant": "blue", "Api-Version": "2"}"#, "blue", "2"), ("{}", "", ""),
        ]
        for (number, (headers, tenant, version)) in others.enumerated() {
            _ = try write(headers)
            weir.send(signal: SIGHUP)
            _ = try weir.logLine("configuration reloaded") { $0["number"].integer == number + 1 }
            let answer = try weir.get("/a").json()
            #expect(answer["tenant"].string?.unicodeScalars.elementsEqual(tenant.unicodeScalars) == true)
            #expect(answer["version"].string == version)
        }
        let requests = upstream.requests.count
        #expect(try weir.terminate() == 0)
        for (headers, tenant, isNew) in [(red, "red", false), (#"{"X-Tenant": "green"}"#, "green", true)] {
            let next = try WeirProcess(["serve", "--config", try write(headers)])
            defer { next.kill() }
            #expect(try Self.tenant(next.get("/a")) == tenant)
            #expect(upstream.requests.count == requests + (isNew ? 1 : 0))
            #expect(try next.terminate() == 0)
        }
    }

    @Test(
        "A replica with other fields of its upstream takes no document of the first one",
        .enabled(if: RedisServer.isInstalled))
    func replicas() throws {
        let (upstream, server) = (try Self.echo(), try RedisServer())
        defer {
            upstream.stop()
            server.stop()
        }
        let shared = #""shared": {"redis": "unix:\#(server.socket)", "timeoutMilliseconds": 2000},"#
        var requests = 0
        for (tenant, isNew) in [("red", true), ("blue", true), ("red", false)] {
            let weir = try WeirProcess.serve(
                Self.configuration(
                    upstream, [Self.tenants], headers: #"{"X-Tenant": "\#(tenant)"}"#, more: shared))
            defer { weir.kill() }
            #expect(try Self.tenant(weir.get("/a")) == tenant)
            requests += isNew ? 1 : 0
            #expect(upstream.requests.count == requests)
            // The document is written before the end.
            #expect(try weir.terminate() == 0)
        }
    }

    @Test(
        "A 404 that is remembered shows the text of its own route's error alone, also at a second replica",
        arguments: RedisServer.isInstalled ? [false, true] : [false])
    func errors(isShared: Bool) throws {
        let upstream = try ScriptedUpstream { _ in
            .answer(404, #"{"message":"no such item","internal":"row 7 of db-3"}"#)
        }
        let server = isShared ? try RedisServer() : nil
        defer {
            upstream.stop()
            server?.stop()
        }
        let routes = [("staff", #", "error": "internal""#), ("plain", ""), ("none", #", "error": "nothing""#)].map {
            #"{"path": "/\#($0)", "name": "\#($0)", "fetch": {"upstream": "up", "path": "/x"}\#($1), "edit": {}}"#
        }
        let shared = server.map { #""shared": {"redis": "unix:\#($0.socket)", "timeoutMilliseconds": 2000},"# } ?? ""
        let text = Self.configuration(upstream, routes, more: shared)
        for asked in 0..<(isShared ? 2 : 1) {
            let weir = try WeirProcess.serve(text)
            defer { weir.kill() }
            for _ in 0..<2 {
                for (route, message) in [("staff", "row 7 of db-3"), ("plain", "no such item"), ("none", nil)] {
                    let problem = try expectProblem(weir.get("/\(route)"), 404)
                    #expect(problem["upstream"]["error"].string == message, "\(route) \(asked)")
                }
            }
            #expect(upstream.requests.count == 3)
            #expect(try weir.terminate() == 0)
        }
    }

    @Test("The Link of a client is made of the parameters of this client alone")
    func links() throws {
        let upstream = try ScriptedUpstream { _ in .answer(#"{"next":"7","items":[1]}"#) }
        defer { upstream.stop() }
        let route = """
            {"path": "/items", "name": "items", "fetch": {"upstream": "up"}, "edit": {},
             "parameters": {"page": {}, "user": {"header": "X-User"}, "team": {"header": "X-Team"}},
             "next": {"parameter": "page", "from": "join('-', [$user || 'nobody', let $t = $team in $t || 'none', next])"}}
            """
        let weir = try WeirProcess.serve(Self.configuration(upstream, [route]))
        defer { weir.kill() }
        let clients: [(headers: [String], page: String)] = [
            (["X-User: alice"], "alice-none-7"), (["X-User: bob"], "bob-none-7"), ([], "nobody-none-7"),
            (["X-User: K"], "K-none-7"), (["X-User: \u{212A}"], "%E2%84%AA-none-7"),
            (["X-User: bob", "X-Team: red"], "bob-red-7"), (["X-User: alice"], "alice-none-7"),
        ]
        for (headers, page) in clients {
            let answer = try weir.get("/items", headers: headers)
            #expect(answer.header("Link") == "</items?page=\(page)>; rel=\"next\"", "\(headers) \(answer.text)")
        }
        #expect(upstream.requests.count == 1)
    }

    @Test("A client's own key is neither in the snapshot nor in Redis", .enabled(if: RedisServer.isInstalled))
    func clientKeys() throws {
        let (upstream, server) = (try ScriptedUpstream { _ in .answer(#"{"a":1}"#) }, try RedisServer())
        let folder = try TemporaryFolder()
        defer {
            upstream.stop()
            server.stop()
            folder.remove()
        }
        let route = """
            {"path": "/items/{part}", "name": "items", "edit": {},
             "parameters": {"token": {"header": "X-Token"}, "apikey": {}, "word": {}, "part": {}},
             "fetch": {"upstream": "up", "path": "/of/{part}", "query": {"k": "{apikey}"}, "headers": {"X-Key": "{token}"},
                       "body": {"password": "{word}"}}}
            """
        let text = Self.configuration(
            upstream, [route],
            more: """
                "shared": {"redis": "unix:\(server.socket)", "timeoutMilliseconds": 2000},
                "cache": {"snapshotFile": "documents"},
                """)
        let file = try folder.write(text, to: "weir.json")
        let secrets = ["header-secret-1", "query-secret-2", "body-secret-3", "path-secret-4"]
        for _ in 0..<2 {
            let weir = try WeirProcess(["serve", "--config", file])
            defer { weir.kill() }
            let target = "/items/\(secrets[3])?apikey=\(secrets[1])&word=\(secrets[2])"
            #expect(try weir.get(target, headers: ["X-Token: \(secrets[0])"]).text == #"{"a":1}"#)
            #expect(try weir.terminate() == 0)
        }
        #expect(upstream.requests.count == 1)
        let request = try #require(upstream.requests.first)
        #expect(secrets.allSatisfy { request.contains($0) })
        let names = try server.run("--scan").split(separator: "\n")
        let values = try names.map { try server.run("--raw get '\($0)'") + server.run("--raw hgetall '\($0)'") }
        #expect(!names.isEmpty)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "weir.json" }
        #expect(files.contains("documents"))
        let kept = try files.map { String(decoding: try Checkout.read(folder.path($0)), as: UTF8.self) }
        for text in names.map(String.init) + values + kept {
            #expect(secrets.allSatisfy { !text.contains($0) }, "\(text.prefix(300))")
        }
    }
}
