import Foundation
import TestSupport
import Testing

/// What `weir check` and `weir healthcheck` say of a configuration that is valid.
@Suite("Checks", .timeLimit(.minutes(10)))
struct CheckTests {
    private static func check(
        _ text: String, _ options: [String] = [], environment: [String: String] = [:]
    ) throws -> WeirProcess.Result {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(text, to: "weir.json")
        return try WeirProcess.run(
            ["check", "--config", "weir.json"] + options,
            environment: ["WEIR_TEST_KEY": "test-key-0123"].merging(environment) { $1 }, in: folder.path)
    }

    private static let text = """
        {
            "listen": ["127.0.0.1:8080", "unix:/run/weir.sock"],
            "server": {"operationsListen": "127.0.0.1:9090"},
            "upstreams": [
                {"name": "main", "dialect": "openMeteo", "baseURL": "https://weather.example/KEY-0123456789"},
                {
                    "name": "spare", "dialect": "darkSky", "baseURL": "https://spare.example",
                    "key": {"environment": "WEIR_ABSENT_KEY", "optional": true}
                },
                {"name": "unused", "dialect": "twitterV2", "baseURL": "https://x.example",
                    "key": {"environment": "WEIR_TEST_KEY"}},
                {"name": "alerts", "baseURL": "https://alerts.example"}
            ],
            "weather": {"upstreams": ["main", "spare"]},
            "routes": [{"path": "/alerts/{area}", "fetch": {"upstream": "alerts", "path": "/a/{area}"},
                "parameters": {"area": {"type": "string"}}}]
        }
        """

    @Test("The check says what would be served, what is left out and why, and what is probably not meant")
    func served() throws {
        let result = try Self.check(Self.text)
        #expect(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n").map { $0.dropFirst("weir.json: ".count) }
        for line in [
            "listens at 127.0.0.1:8080", "listens at 127.0.0.1:9090, for operators",
            "asks main (openMeteo) at https://weather.example/***, with no key, 64 requests at a time, 5000 ms each",
            "serves GET /weather", "    upstreams: main, then spare (left out)", "serves GET /alerts/{area}",
            "    upstreams: alerts", "serves GET /readyz",
            "the upstream spare is left out: the environment variable WEIR_ABSENT_KEY is not set",
            "warning: no route uses the upstream unused", "ok",
        ] {
            #expect(lines.contains { $0 == line }, "\(line) in \(result.output)")
        }
        #expect(lines.contains { $0.hasPrefix("    parameters: ") && $0.contains("lat") && $0.contains("[units]") })
        #expect(lines.contains { $0.hasPrefix("    cache: fresh as the upstream says, or else for 300 s") })
        #expect(!lines.contains { $0.contains("/-/") || $0.hasSuffix("/metrics") || $0.contains("KEY-0") })
    }

    @Test(
        "A configuration with tweets alone, or with routes alone, is right",
        arguments: [
            (#""dialect": "mastodon","#, #""tweets": {"upstreams": ["a"]}"#, "GET /tweets/{id}"),
            ("", #""routes": [{"path": "/a", "fetch": {"upstream": "a", "path": "/b"}}]"#, "GET /a"),
        ])
    func alone(_ dialect: String, _ setting: String, _ route: String) throws {
        let upstream = #"{"name": "a", \#(dialect) "baseURL": "https://a.example"}"#
        let result = try Self.check(#"{"upstreams": [\#(upstream)], \#(setting)}"#, ["--strict"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("serves \(route)") && !result.output.contains("GET /weather"))
    }

    @Test("A setting of the last release is a warning of the check and of the service, which starts")
    func retired() throws {
        let old = configuration([Checkout.sample]).replacing(
            #""server": {"#, with: #""server": {"allowsHalfClose": true, "#)
        let warning = "server.allowsHalfClose is no longer a setting: the value is false. Remove it."
        let checked = try Self.check(old)
        #expect(checked.status == 0, "\(checked.errors)")
        #expect(checked.output.contains("weir.json: warning: \(warning)\n"))
        let strict = try Self.check(old, ["--strict"])
        #expect(strict.status == 78 && strict.errors == "weir: weir.json: warning: \(warning)\n")
        let weir = try WeirProcess.serve(old)
        defer { weir.kill() }
        #expect(try weir.logLine("setting retired")["detail"].string == warning)
        #expect(try weir.get(weather).status == 200)
    }

    @Test("A column that filters its elements is a warning")
    func filteredColumn() throws {
        let answer = #"{"from": {"a": "a[*].x", "b": "a[?y].x", "c": "a[?y] | [0].b[*].c"}, "items": {}}"#
        let route = #"{"path": "/r", "fetch": {"upstream": "u", "path": "/"}, "answer": \#(answer)}"#
        let checked = try Self.check(
            #"{"upstreams": [{"name": "u", "baseURL": "https://u.example"}], "routes": [\#(route)]}"#)
        #expect(checked.output.contains("warning: the route /r: the column \"b\" filters its elements"))
        #expect(!checked.output.contains("\"a\"") && !checked.output.contains("\"c\""))
    }

    @Test("A column that is a name of let, whose nulls have left, is a warning")
    func projectionOfLet() throws {
        let answer = """
            {"let": {"x": "a[*].x", "all": "a"},
             "from": {"b": "$x", "c": "$all[*].y", "d": "reverse($x)", "e": "not_null(z, a[*].z)"}, "items": {}}
            """
        let route = #"{"path": "/r", "fetch": {"upstream": "u", "path": "/"}, "answer": \#(answer)}"#
        let checked = try Self.check(
            #"{"upstreams": [{"name": "u", "baseURL": "https://u.example"}], "routes": [\#(route)]}"#)
        for name in ["b", "d"] {
            #expect(checked.output.contains("warning: the route /r: the column \"\(name)\" is a name of `let`"))
        }
        #expect(!checked.output.contains("\"c\"") && !checked.output.contains("\"e\""))
    }

    @Test("Entries of one fetch whose answers have other names or types are a warning, and equal ones are none")
    func entries() throws {
        func warnings(_ first: String, _ second: String) throws -> [String] {
            let text = """
                {"upstreams": [{"name": "a", "baseURL": "https://a.example"}, {"name": "b", "baseURL": "https://b.example"}],
                 "routes": [{"path": "/r", "fetch": [{"upstream": "a", "answer": \(first)}, {"upstream": "b", "answer": \(second)}]}]}
                """
            let checked = try WeirProcess.run(["check", "--config", "/dev/stdin"], input: Array(text.utf8))
            return checked.output.split(separator: "\n").compactMap { line in
                line.firstRange(of: "warning: the route /r: ").map { String(line[$0.upperBound...]) }
            }
        }
        let one =
            #"{"properties": {"id": {"from": "id", "type": "string"}, "at": "time", "rows": {"items": "#
            + #"{"properties": {"n": "n"}}}}}"#
        #expect(try warnings(one, one).isEmpty)
        // A value of any type can be equal to one with a type.
        #expect(
            try warnings(one, one.replacingOccurrences(of: #"{"from": "id", "type": "string"}"#, with: #""id""#))
                .isEmpty)
        #expect(
            try warnings(one, #"{"properties": {"id": {"from": "id", "type": "integer"}, "time": "time"}}"#) == [
                "the entry 1 of fetch, b, answers with names that the first entry lacks: time",
                "the entry 1 of fetch, b, answers with other types than the first entry: id",
                "the entry 1 of fetch, b, answers without names of the first entry: at, rows[].n",
            ])
    }

    @Test("With --strict, a warning is an error")
    func strict() throws {
        let refused = try Self.check(Self.text, ["--strict"])
        #expect(refused.status == 78 && refused.output.isEmpty)
        #expect(refused.errors == "weir: weir.json: warning: no route uses the upstream unused\n")
        let used = try Self.check(Self.text, ["--strict", "--set", #"tweets.upstreams=["unused"]"#])
        #expect(used.status == 0, "\(used.errors)")
    }

    /// Values of the command line, and the settings that result.
    @Test(
        "A value of --set is JSON or a text, as its setting takes it, and has precedence over the file",
        arguments: [
            ("listen=127.0.0.1:1234", "listen", "\"127.0.0.1:1234\""),
            (#"listen=["127.0.0.1:1","127.0.0.1:2"]"#, "listen", #"["127.0.0.1:1","127.0.0.1:2"]"#),
            ("shards=3", "shards", "3"), ("server.socketMode=0660", "server.socketMode", "\"0660\""),
            ("upstreams[1].redirects=sameHost", "upstreams[1].redirects", "\"sameHost\""),
            ("upstreams[3].name=7", nil, "routes[0].fetch.upstream names \"alerts\", but there is no such upstream"),
            (
                "server.acceslog.format=none", nil,
                "--set: server.acceslog is not a setting; did you mean \"accessLog\"?"
            ),
            ("shards=many", nil, "--set: shards must be an integer from 1 to 128"),
            (
                "upstreams[9].name=a", nil,
                "--set: upstreams[9].name must be at most the next element of its "
                    + "list, [4]"
            ),
            ("listen.port=1", nil, "--set: listen.port must not be a part of an array"),
        ])
    func set(_ option: String, _ path: String?, _ expected: String) throws {
        let result = try Self.check(Self.text, ["--print", "--set", option])
        guard let path else {
            #expect(result.status == 78 && result.errors.contains(expected), "\(result.errors)")
            return
        }
        #expect(result.status == 0, "\(result.errors)")
        let name = path.split(separator: ".").last ?? ""
        #expect(result.output.contains("\"\(name)\":\(expected)"), "\(result.output)")
    }

    @Test("--set takes a path and a value", arguments: ["shards", "=3", "a..b=3", "[0]=1", "a[x]=1"])
    func malformedSet(_ option: String) throws {
        let result = try Self.check(Self.text, ["--set", option])
        #expect(result.status == 64 && result.errors.hasPrefix("weir: --set takes PATH=VALUE"), "\(result.errors)")
    }

    /// Texts of the file, and the settings that result.
    @Test(
        "Variables of the environment stand in texts, and alone for numbers and truth values",
        arguments: [
            (#""127.0.0.1:${PORT}""#, "listen", "\"127.0.0.1:8431\""),
            (#""${HOST:-localhost}:${EMPTY:-1}""#, "listen", "\"localhost:1\""),
            (#"["unix:$${a}", "unix:/$${PORT}-${PORT}"]"#, "listen", #"["unix:${a}","unix:/${PORT}-8431"]"#),
            (#""${PORT}""#, nil, "listen must be HOST:PORT, unix:PATH or fd:NUMBER, not \"8431\""),
            (#""a:1", "shards": "${SHARDS}""#, "shards", "3"),
            (#""a:1", "shards": "${ABSENT:-2}""#, "shards", "2"),
            (#""a:1", "shards": "1${ABSENT:-2}""#, nil, "shards must be an integer from 1 to 128"),
            (#""a:1", "shards": "${ABSENT}""#, nil, "shards needs the environment variable ABSENT, which is not set"),
            (#""a:1", "weather": {"answersJSONP": "${YES}"}, "x": ["#, nil, "line"),
        ])
    func variables(_ value: String, _ name: String?, _ expected: String) throws {
        let text = Self.text.replacing(#"["127.0.0.1:8080", "unix:/run/weir.sock"]"#, with: value)
        let result = try Self.check(
            text, ["--print"], environment: ["PORT": "8431", "SHARDS": "3", "EMPTY": "", "YES": "true"])
        guard let name else {
            #expect(result.status == 78 && result.errors.contains(expected), "\(result.errors)")
            return
        }
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("\"\(name)\":\(expected)"), "\(result.output)")
    }

    @Test("A certificate that ends soon is a warning")
    func certificate() throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        try ShellProcess.run(
            "openssl x509 -req -CA ca.pem -CAkey ca.key -in cert.request -out soon.pem -days 5",
            in: certificates.folder.path)
        let server =
            #""tls": {"certificateFile": "\#(certificates.path("soon.pem"))", "#
            + #""keyFile": "\#(certificates.path("cert.key"))"}"#
        let text = Self.text.replacing(#""operationsListen""#, with: #"\#(server), "operationsListen""#)
        let result = try Self.check(text)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("listens at 127.0.0.1:8080, with TLS\n"))
        #expect(
            result.output.contains(
                "warning: server.tls.certificateFile names \(certificates.path("soon.pem")), which expires in 1"
            ), "\(result.output)")
    }

    @Test("A file that may not be read says so, also one of the default files")
    func permission() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(Self.text, to: "Config/weir.json")
        chmod(file, 0)
        // Root reads any file, unless it gives that right up.
        let launcher = getuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
        for arguments in [["check", "--config", file], ["check"]] {
            let weir = try WeirProcess(arguments, in: folder.path, launcher: ["/usr/bin/env"] + launcher)
            defer { weir.kill() }
            #expect(try weir.waitForExit() == 66)
            #expect(weir.errors.hasSuffix("Config/weir.json: Permission denied\n"), "\(weir.errors)")
        }
    }

    @Test("The health check asks the configured address, that for operators first")
    func health() throws {
        let text = configuration([Checkout.sample])
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let socket = folder.path("s")
        try folder.write(text.replacing("127.0.0.1:0", with: "unix:\(socket)"), to: "Config/weir.json")
        let weir = try WeirProcess(["serve"], in: folder.path)
        defer { weir.kill() }
        _ = try weir.address()
        func probe(_ arguments: String...) throws -> WeirProcess.Result {
            try WeirProcess.run(["healthcheck"] + arguments, in: folder.path)
        }
        #expect(try probe().output == "healthy\n")
        let other = try probe("--set", "server.operationsListen=127.0.0.1:1")
        #expect(other.status == 69 && other.errors.hasPrefix("weir: http://127.0.0.1:1/readyz: "), "\(other.errors)")
        let all = try probe("--set", "listen=[\"0.0.0.0:1\"]", "--set", #"server.tls={"certificateFile": "a"}"#)
        #expect(all.errors.hasPrefix("weir: https://127.0.0.1:1/readyz: "), "\(all.errors)")
        #expect(try probe("--set", "listen=:0").status == 64)
        // A configuration that the service has refused leads to the same address.
        try folder.write(
            text.replacing("127.0.0.1:0", with: "unix:\(socket)").replacing("darkSky", with: "none"),
            to: "Config/weir.json")
        #expect(try probe("--config", "Config/weir.json").output == "healthy\n")
    }
}
