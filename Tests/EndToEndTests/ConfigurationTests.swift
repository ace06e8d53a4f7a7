import TestSupport
import Testing

/// Errors of configurations, as `weir check` and `weir serve` report them.
@Suite(.timeLimit(.minutes(10)))
struct ConfigurationTests {
    private static func check(_ text: String, _ options: [String] = []) throws -> WeirProcess.Result {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(text, to: "weir.json")
        return try WeirProcess.run(["check", "--config", file] + options, environment: ["WEIR_TEST_KEY": "k"])
    }

    private static let good = configuration(["http://host.invalid"])

    /// A valid configuration with one change, and the error that results.
    @Test(arguments: [
        ("\"listen\"", "\"lisen\"", "lisen is not a setting; did you mean \"listen\"?"),
        ("\"shards\": 2", "\"shards\": \"two\"", "shards must be"),
        ("\"shards\": 2", "\"shards\": 0", "shards must be"),
        ("\"shards\": 2", "\"shards\": 129", "from 1 to 128"),
        ("\"shards\": 2", "\"shards\": 2, \"shards\": 3", "shards appears more than once"),
        (
            "drainTimeoutMill", "drainTimeoutMil",
            "server.drainTimeoutMiliseconds is not a setting; did you mean \"drainTimeoutMil"
        ),
        ("127.0.0.1:0", "somewhere", "listen must be HOST:PORT, unix:PATH or fd:NUMBER, not \"somewhere\""),
        ("upstream-0", "", "upstreams[0].name must not be empty"),
        ("\"name\": \"upstream-0\", ", "", "upstreams[0].name is missing"),
        ("darkSky", "darksky", "upstreams[0].dialect must be one of darkSky, "),
        (
            "darkSky", "darksky",
            "pirateWeather, openMeteo, weatherKit, twitter, twitterV2, mastodon, bluesky, brightSky, metNorway, "
                + "misskey, nws, openWeatherMap, smhi, tomorrowIO, visualCrossing, weatherbit, not \"darksky\"; did you mean \"darkSky\"?"
        ),
        ("15000", "0", "upstreams[0].deadlineMilliseconds must be"),
        ("15000", "1.5", "upstreams[0].deadlineMilliseconds must be"),
        ("http://host.invalid", "host.invalid", "upstreams[0].baseURL must start with http:// or https://"),
        ("http://host.invalid", "http:///path", "upstreams[0].baseURL must name a host"),
        ("http://host.invalid", "http://host.invalid/?a=b", "upstreams[0].baseURL must not have a query"),
        ("\"baseURL\": \"http://host.invalid\", ", "", "upstreams[0] must have a baseURL, or a sample"),
        ("\"baseURL\"", "\"sample\": \"x\", \"baseURL\"", "upstreams[0] must have a baseURL or a sample, not both"),
        ("{\"environment\": \"WEIR_TEST_KEY\"}", "{}", "upstreams[0].key must have either environment or file"),
        (
            "WEIR_TEST_KEY", "WEIR_UNSET_KEY",
            "upstreams[0].key does not exist: the environment variable WEIR_UNSET_KEY is not set"
        ),
        (
            "\"environment\": \"WEIR_TEST_KEY\"", "\"file\": \"/nothing\"",
            "upstreams[0].key does not exist: cannot read /nothing"
        ),
        (
            "WEIR_TEST_KEY\"", "WEIR_UNSET_KEY\", \"optional\": true",
            "weather.upstreams names only upstreams whose keys do not exist"
        ),
        (
            "WEIR_TEST_KEY\"", "WEIR_TEST_KEY\", \"optional\": \"yes\"",
            "upstreams[0].key.optional must be true or false"
        ),
        ("\"upstreams\": [\"", "\"units\": \"SI\", \"upstreams\": [\"", "weather.units must be one of si, us, "),
        ("\"upstreams\": [\"", "\"coordinateDigits\": 8, \"upstreams\": [\"", "weather.coordinateDigits must be"),
        ("\"upstreams\": [\"", "\"coordinateDigits\": -1, \"upstreams\": [\"", "from 0 to 7"),
        (
            "\"dialect\"", "\"redirects\": \"always\", \"dialect\"",
            "upstreams[0].redirects must be one of never, sameHost, not \"always\""
        ),
        (", \"key\": {\"environment\": \"WEIR_TEST_KEY\"}", "", "upstreams[0].key is missing"),
        ("{\"upstreams\": [\"upstream-0\"]}", "{\"upstreams\": []}", "weather.upstreams must name an upstream"),
        (
            "[\"upstream-0\"]", "[\"upstraem-0\"]",
            "names \"upstraem-0\", but there is no such upstream; did you mean \"upstream-0\"?"
        ),
        ("\"weather\"", "// \"weather\"", "line "),
        ("{", "", "line 2, column 13 (byte 13)"),
    ])
    func aFaultIsReportedWithItsPath(_ text: String, _ replacement: String, _ complaint: String) throws {
        let changed = Self.good.replacing(text, with: replacement)
        #expect(changed != Self.good)
        let result = try Self.check(changed)
        #expect(result.status == 78)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(complaint), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }

    @Test func allStructuralFaultsAreReportedAtOnce() throws {
        let text = """
            {
                "lisen": "127.0.0.1:0",
                "shards": 0,
                "server": {"idleTimeoutMilliseconds": "long"},
                "upstreams": [{"dialect": "darkSky"}],
                "weather": 5
            }
            """
        let result = try Self.check(text)
        #expect(result.status == 78)
        for path in ["lisen", "shards", "server.idleTimeoutMilliseconds", "upstreams[0].name", "weather"] {
            #expect(result.errors.contains(": \(path) "), "\(path)")
        }
        #expect(result.errors.split(separator: "\n").count == 5, "\(result.errors)")
    }

    @Test func allSemanticFaultsAreReportedAtOnce() throws {
        let text = """
            {
                "listen": "nowhere",
                "upstreams": [
                    {"name": "a", "dialect": "x", "baseURL": "gopher://h"},
                    {"name": "a", "dialect": "darkSky"}
                ],
                "weather": {"upstreams": ["b"]}
            }
            """
        let result = try Self.check(text)
        #expect(result.status == 78)
        #expect(result.errors.split(separator: "\n").count == 6, "\(result.errors)")
    }

    @Test func aValidConfigurationIsOk() throws {
        let result = try Self.check("// With a comment.\n\(Self.good)")
        #expect(result.status == 0)
        #expect(result.output.hasSuffix("weir.json: ok\n"))
    }

    @Test func checkPrintsAValidConfigurationWithAllDefaults() throws {
        let printed = try Self.check(Self.good, ["--print"])
        #expect(printed.status == 0)
        let settings = try Parsed(printed.output)
        #expect(settings["server"]["maximumConnections"].integer == 10_000)
        #expect(settings["upstreams"][0]["key"]["environment"].string == "WEIR_TEST_KEY")
        let again = try Self.check(printed.output, ["--print"])
        #expect(again.output == printed.output)
    }

    @Test func aMissingSampleIsReportedByName() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(configuration(["nowhere"]), to: "weir.json")
        for command in ["check", "serve"] {
            let result = try WeirProcess.run([command, "--config", file])
            #expect(result.status == 78)
            #expect(
                result.errors.contains(
                    "upstreams[0].sample cannot be used: cannot read \(folder.path("nowhere"))/sample"),
                "\(result.errors)")
        }
    }

    /// Addresses to listen on and for monitoring, and the error that results.
    @Test(
        "Addresses at which one process cannot listen together are refused",
        arguments: [
            (#"["127.0.0.1:8080", "127.0.0.1:8081", "[::1]:8080", "unix:/a"]"#, #""127.0.0.1:8082""#, nil),
            (#"["127.0.0.1:0", "localhost:0", "0.0.0.0:0"]"#, #""127.0.0.1:0""#, nil),
            (#"["0.0.0.0:8080", "host.invalid:8080"]"#, "null", nil),
            (
                #"["127.0.0.1:8080", "127.0.0.1:08080"]"#, "null",
                #"listen[1] must be unique, but "127.0.0.1:08080" overlaps "127.0.0.1:8080""#
            ),
            (#"["localhost:8080", "127.0.0.1:8080", "[::1]:8080"]"#, "null", #"overlaps "localhost:8080""#),
            (
                #"["127.0.0.1:8080", ":8080"]"#, "null",
                #"listen[1] must be unique, but ":8080" overlaps "127.0.0.1:8080""#
            ),
            // A socket at :: takes IPv4 too.
            (
                #"["[::]:8080", "127.0.0.1:8080"]"#, "null",
                #"listen[1] must be unique, but "127.0.0.1:8080" overlaps "[::]:8080""#
            ),
            (#"["fd:3", "fd:03"]"#, "null", #"listen[1] must be unique, but "fd:03" overlaps "fd:3""#),
            (
                #""unix:/a""#, #""unix:/a""#,
                #"server.operationsListen must be unique, but "unix:/a" overlaps "unix:/a" of listen"#
            ),
            (
                #""0.0.0.0:8080""#, #""127.0.0.1:8080""#,
                #"server.operationsListen must be unique, but "127.0.0.1:8080" overlaps "0.0.0.0:8080" of listen"#
            ),
        ])
    func addresses(_ listen: String, _ operations: String, _ complaint: String?) throws {
        let text = Self.good.replacing("\"127.0.0.1:0\"", with: listen).replacing(
            "\"server\": {", with: "\"server\": {\"operationsListen\": \(operations), ")
        let result = try Self.check(text)
        #expect(result.status == (complaint == nil ? 0 : 78), "\(result.errors)")
        if let complaint { #expect(result.errors.contains(complaint), "\(result.errors)") }
        #expect(result.errors.split(separator: "\n").count == (complaint == nil ? 0 : 1), "\(result.errors)")
    }

    @Test(
        "A key in a file that cannot be used is described and not quoted",
        arguments: [
            ("", "upstreams[0].key cannot be used: it is empty"),
            ("\n\r\n", "upstreams[0].key cannot be used: it is empty"),
            ("\u{FEFF}S3CRET", "upstreams[0].key cannot be used: its character 1 is not visible ASCII"),
            ("\n\nS3CRET \n", "upstreams[0].key cannot be used: its character 7 is not visible ASCII"),
            ("S3C\u{7F}RET", "upstreams[0].key cannot be used: its character 4 is not visible ASCII"),
            ("..", "upstreams[0].key cannot be used: it consists of dots"),
        ])
    func keyFiles(_ content: String, _ complaint: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let key = try folder.write(content, to: "key")
        let text = configuration(["http://host.invalid"], key: #"{"file": "\#(key)"}"#)
        let file = try folder.write(text, to: "weir.json")
        let result = try WeirProcess.run(["check", "--config", file])
        #expect(result.status == 78)
        #expect(result.errors.hasSuffix("\(complaint)\n"), "\(result.errors)")
    }

    @Test("A text of the configuration is shown on one line, without control characters")
    func controlCharacters() throws {
        let (ground, forged) = (Self.good, #"x\u001b[2J\u009b\r\nweir: /etc/weir.json: ok\u0000"#)
        let shown = #"x\u{1B}[2J\u{009B}\r\nweir: /etc/weir.json: ok\0"#
        for text in [
            ground.replacing("127.0.0.1:0", with: forged),
            ground.replacing("[\"upstream-0\"]", with: "[\"\(forged)\"]"),
            ground.replacing("\"listen\"", with: "\"\(forged)\""),
            ground.replacing("\"shards\": 2", with: "\"\(forged)\": 2, \"\(forged)\": 2"),
            ground.replacing(#"{"environment": "WEIR_TEST_KEY"}"#, with: #"{"file": "\#(forged.dropLast(6))"}"#),
        ] {
            let result = try Self.check(text)
            #expect(result.status == 78)
            #expect(result.errors.contains(shown.dropLast(2)), "\(result.errors)")
            #expect(result.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("weir: /") && $0.contains("line ") })
            #expect(!result.errors.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        }
        let optional = ground.replacing("WEIR_TEST_KEY\"", with: "WEIR_UNSET_KEY\", \"optional\": true")
            .replacing("upstream-0", with: forged.replacing("\\u0000", with: ""))
            .replacing(
                "\"upstreams\": [{",
                with: #""upstreams": [{"name": "b", "dialect": "openMeteo", "baseURL": "https://host.invalid"}, {"#
            ).replacing("\"weather\": {\"upstreams\": [", with: "\"weather\": {\"upstreams\": [\"b\", ")
        let result = try Self.check(optional)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains(#"the upstream x\u{1B}[2J\u{009B}\r\nweir"#), "\(result.output)")
        #expect(result.output.split(separator: "\n").allSatisfy { $0.hasPrefix("/") && $0.contains("weir.json: ") })
    }
}
