import Foundation
import TestSupport
import Testing

/// Credentials of clients that routes of the configuration pass on.
@Suite(.timeLimit(.minutes(10)))
struct ClientCredentialTests {
    private static let (ada, bob) = ("ada-s3ntinel-0123456789", "bob-s3ntinel-9876543210")

    private static let routes = [
        // A header field of the client, which the upstream gets.
        #"""
        {"path": "/field/{n}", "parameters": {"n": {}, "token": {"header": "PRIVATE-TOKEN", "credential": true}},
         "fetch": {"upstream": "up", "path": "/{n}", "headers": {"PRIVATE-TOKEN": "{token}"}}}
        """#,
        // Authorization.
        #"""
        {"path": "/basic/{n}", "parameters": {"n": {}, "access": {"header": "Authorization", "credential": true}},
         "fetch": {"upstream": "up", "path": "/{n}", "headers": {"Authorization": "{access}"}}}
        """#,
        // A member of the query, and a header field of another name.
        #"""
        {"path": "/member/{n}", "parameters": {"n": {}, "page": {"type": "integer"}, "key": {"credential": true, "required": true, "pattern": "^[a-z0-9-]+$"}},
         "fetch": {"upstream": "up", "path": "/{n}", "query": {"api_key": "{key}"}, "headers": {"X-Key": "{key}"}},
         "next": {"parameter": "page", "from": "next"}}
        """#,
        // Parts, of which one is everybody's.
        #"""
        {"path": "/parts", "parameters": {"token": {"header": "PRIVATE-TOKEN", "credential": true}},
         "parts": {"mine": {"upstream": "up", "path": "/mine", "headers": {"PRIVATE-TOKEN": "{token}"}},
                   "all": {"upstream": "up", "path": "/all"}}}
        """#,
        #"{"path": "/open/{n}", "parameters": {"n": {}}, "fetch": {"upstream": "up", "path": "/{n}"}}"#,
    ]

    private static func with(
        hasKey: Bool = true, breaker: Int = 2,
        react: @escaping @Sendable (String) -> ScriptedUpstream.Reaction = answer,
        _ body: (WeirProcess, ScriptedUpstream) throws -> Void
    ) throws {
        let upstream = try ScriptedUpstream(react)
        defer { upstream.stop() }
        let cache = hasKey ? #", "cache": {"credentialKey": {"environment": "WEIR_TEST_CACHE_KEY"}}"# : ""
        let weir = try WeirProcess.serve(
            """
            {"listen": "127.0.0.1:0", "shards": 2, "server": {"drainTimeoutMilliseconds": 3000}\(cache),
             "upstreams": [{"name": "up", "baseURL": "\(upstream.baseURL)", "retryPercent": 0, "breaker": {"minimumRequests": \(breaker)}}],
             "routes": [\(routes.joined(separator: ", "))]}
            """, environment: ["WEIR_TEST_CACHE_KEY": "sixteen-letters-of-a-key"])
        defer { weir.kill() }
        try body(weir, upstream)
    }

    /// Whose credential is in a request.
    private static func name(_ head: String) -> String {
        head.contains(ada) ? "ada" : head.contains(bob) ? "bob" : "nobody"
    }

    /// Answers with the name of the client.
    private static func answer(_ head: String) -> ScriptedUpstream.Reaction {
        .answer(#"{"name": "\#(name(head))", "next": 2}"#, headers: ["Cache-Control: public, max-age=60"])
    }

    private static func token(_ value: String) -> [String] { ["PRIVATE-TOKEN: \(value)"] }

    @Test("The upstream gets the credential as the templates say")
    func passedOn() throws {
        try Self.with { weir, upstream in
            #expect(try weir.get("/field/a", headers: Self.token(Self.ada)).status == 200)
            #expect(try weir.get("/basic/a", headers: ["Authorization: Basic \(Self.ada)"]).status == 200)
            #expect(try weir.get("/member/a?key=\(Self.ada)").status == 200)
            #expect(try weir.get("/open/a", headers: Self.token(Self.ada)).status == 200)
            #expect(try weir.get("/field/b").json()["name"].string == "nobody")
            let heads = upstream.requests
            try #require(heads.count == 5)
            #expect(heads[0].hasPrefix("GET /a HTTP/1.1\r\n"))
            #expect(heads[0].contains("\r\nPRIVATE-TOKEN: \(Self.ada)\r\n"))
            #expect(heads[1].contains("\r\nAuthorization: Basic \(Self.ada)\r\n"))
            #expect(heads[2].hasPrefix("GET /a?api_key=\(Self.ada) HTTP/1.1\r\n"))
            #expect(heads[2].contains("\r\nX-Key: \(Self.ada)\r\n"))
            #expect(Self.name(heads[3]) == "nobody" && !heads[4].contains("PRIVATE-TOKEN"))
        }
    }

    @Test(
        "Each client gets its own answers, and only a digest under a key lets these be kept", arguments: [true, false])
    func own(_ hasKey: Bool) throws {
        try Self.with(hasKey: hasKey) { weir, upstream in
            for _ in 1...2 {
                for (name, value) in [("ada", Self.ada), ("bob", Self.bob)] {
                    let field = try weir.get("/field/a", headers: Self.token(value))
                    #expect(try field.json()["name"].string == name)
                    #expect(field.header("Cache-Control")?.contains("private") == true)
                    #expect(field.header("Cache-Control")?.contains("public") == false)
                    #expect(field.header("Vary")?.contains("PRIVATE-TOKEN") == true)
                    let member = try weir.get("/member/a?key=\(value)")
                    #expect(try member.json()["name"].string == name)
                    #expect(member.header("Cache-Control")?.contains("private") == true)
                    #expect(member.header("Link")?.contains("?page=2>") == true)
                    let parts = try weir.get("/parts", headers: Self.token(value))
                    #expect(try parts.json()["mine"]["name"].string == name)
                    #expect(try parts.json()["all"]["name"].string == "nobody")
                    #expect(parts.header("Cache-Control")?.contains("private") == true)
                }
                #expect(try weir.get("/field/a").json()["name"].string == "nobody")
            }
            let heads = upstream.requests
            // What needs no credential is one document for all.
            #expect(heads.count { Self.name($0) == "nobody" } == 2)
            for name in ["ada", "bob"] { #expect(heads.count { Self.name($0) == name } == (hasKey ? 3 : 6)) }
            let known = try weir.get("/field/a").header("Cache-Control")
            #expect(known?.contains("private") == false)
        }
    }

    @Test("Clients at the same time share no request", arguments: [true, false])
    func atTheSameTime(_ hasKey: Bool) throws {
        let gate = Gate()
        let body: @Sendable (String) -> ScriptedUpstream.Reaction = { head in
            .play { connection in
                gate.pass(seconds: 60)
                if case .bytes(let bytes, _) = Self.answer(head) { _ = connection.send(bytes, seconds: 60) }
            }
        }
        try Self.with(hasKey: hasKey, react: body) { weir, upstream in
            let names = Watched<[String]>([])
            for (name, value) in [("ada", Self.ada), ("bob", Self.bob)] {
                for target in ["/field/a", "/member/a?key=\(value)"] {
                    Thread.detachNewThread { [weir] in
                        let answer = try? weir.get(target, headers: Self.token(value)).json()["name"].string
                        names.update { $0.append("\(name) \(answer ?? "none")") }
                    }
                }
            }
            #expect(upstream.waitForRequests(4))
            gate.open()
            let all = names.wait { $0.count == 4 ? $0 : nil }
            #expect(all?.sorted() == ["ada ada", "ada ada", "bob bob", "bob bob"])
        }
    }

    @Test("401, 403 and 429 pass to the client, and concern no other one", arguments: [401, 403, 429])
    func refusals(_ status: Int) throws {
        let fields = ["Retry-After: 50", "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 50"]
        try Self.with(
            react: { head in
                Self.name(head) == "ada"
                    ? .answer(status, #"{"message": "not \#(Self.ada)"}"#, headers: fields) : Self.answer(head)
            }
        ) { weir, upstream in
            for round in 1...6 {
                let problem = try expectProblem(weir.get("/field/a", headers: Self.token(Self.ada)), status)
                #expect(problem["upstream"]["error"].string == "not ***")
                _ = try expectProblem(weir.get("/member/a?key=\(Self.ada)"), status)
                #expect(try weir.get("/field/\(round)", headers: Self.token(Self.bob)).status == 200)
                #expect(try weir.get("/open/\(round)").status == 200)
            }
            #expect(upstream.requests.count == 24)
            let everything = try Self.shown(by: weir)
            #expect(!everything.contains(Self.ada) && !everything.contains(Self.bob))
        }
    }

    @Test("A document serves stale to its own client alone")
    func stale() throws {
        let isBroken = Watched(false)
        try Self.with(react: { head in
            isBroken.current
                ? .answer(500, #"{"message": "\#(Self.name(head)) is ill"}"#)
                : .answer(#"{"name": "\#(Self.name(head))"}"#, headers: ["Cache-Control: max-age=0"])
        }) { weir, _ in
            #expect(try weir.get("/field/a", headers: Self.token(Self.ada)).status == 200)
            isBroken.update { $0 = true }
            #expect(try weir.get("/field/a", headers: Self.token(Self.ada)).json()["name"].string == "ada")
            let problem = try weir.get("/field/a", headers: Self.token(Self.bob))
            #expect(problem.status >= 500 && !problem.everything.contains("ada"))
            #expect(try !Self.shown(by: weir).contains("is ill"))
        }
    }

    /// What operators see.
    private static func shown(by weir: WeirProcess) throws -> String {
        try ["/metrics", "/-/status", "/-/drift", "/-/config", "/openapi.json"].map { try weir.get($0).everything }
            .joined()
    }

    @Test("A credential is in no answer, log line, metric, error or link")
    func hidden() throws {
        let reactions: [@Sendable (String) -> ScriptedUpstream.Reaction] = [
            { .answer(#"{"name": "\#($0)", "next": 2}"#) }, { .answer(403, #"{"message": "\#($0)"}"#) },
            { .answer(500, #"{"message": "\#($0)"}"#) }, { .answer("<p>\($0)") },
            { .answer(404, #"{"message": "\#($0)"}"#) }, { .answer(302, "", headers: ["Location: /\($0)"]) },
            { .answer(429, #"{"message": "\#($0)"}"#) }, { .answer(#"{"\#($0)": "#) },
        ]
        let number = Watched(0)
        try Self.with(
            breaker: 1_000_000,
            react: { head in
                let index = number.update { number in
                    defer { number += 1 }
                    return number
                }
                return reactions[index % reactions.count](Self.name(head) == "ada" ? Self.ada : Self.bob)
            }
        ) { weir, upstream in
            var seen = ""
            for round in 0..<reactions.count * 2 {
                let more = round % 3 == 0 ? "?explain=1" : "?fields=name"
                seen += try weir.get("/field/\(round)\(more)", headers: Self.token(Self.ada)).everything
                seen += try weir.get("/basic/\(round)", headers: ["Authorization: Bearer \(Self.ada)"]).everything
                seen += try weir.get("/member/\(round)\(more)&key=\(Self.ada)").everything
            }
            // Wrong, repeated and unknown ones.
            seen += try weir.get("/member/x?key=\(Self.ada)!").everything
            seen += try weir.get("/member/x?key=\(Self.ada)&key=\(Self.ada)").everything
            seen += try weir.get("/member/x?key=\(String(repeating: Self.ada, count: 200))&x=1").everything
            seen += try Self.shown(by: weir)
            #expect(seen.contains(#"rel="next""#) && seen.contains("***"))
            #expect(upstream.requests.count > 30)
            #expect(try weir.terminate() == 0)
            #expect(weir.errors.contains("upstream failed") && weir.output.contains("/member/1"))
            let places = [seen, weir.errors, weir.output].map { $0.contains("s3ntinel") }
            #expect(places == [false, false, false])
        }
    }

    @Test(arguments: [
        (
            #"{"path": "/a/{t}", "parameters": {"t": {"credential": true}}, "fetch": {"upstream": "up", "headers": {"X": "{t}"}}}"#,
            "routes[0].parameters.t.credential must be left out: the parameter is in the path or has a default"
        ),
        (
            #"{"path": "/a", "parameters": {"t": {"credential": true}}, "fetch": {"upstream": "up", "path": "/{t}"}}"#,
            "routes[0].parameters.t.credential needs {t} in `headers` or `query` of a request"
        ),
        (
            #"{"path": "/a", "parameters": {"t": {"header": "Cookie", "credential": true}}, "fetch": {"upstream": "up", "headers": {"X": "{t}"}}}"#,
            "routes[0].parameters.t.header must be the name of a header field"
        ),
        (
            #"{"path": "/a", "parameters": {"t": {}}, "fetch": {"upstream": "up", "headers": {"Authorization": "{t}"}}}"#,
            "routes[0].fetch.headers.Authorization is no header field"
        ),
        (
            #"{"path": "/a", "parameters": {"t": {"credential": true}}, "fetch": {"upstream": "up", "query": {"t": "{t}"}}, "statuses": [402]}"#,
            "routes[0].statuses[0] must not be 402"
        ),
    ])
    func aFaultIsNamedAtItsPlace(_ route: String, _ text: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(
            #"{"upstreams": [{"name": "up", "baseURL": "http://127.0.0.1:1"}], "routes": [\#(route)]}"#, to: "weir.json"
        )
        let result = try WeirProcess.run(["check", "--config", file])
        #expect(result.status == 78 && result.errors.contains(text), "\(result.errors)")
    }
}
