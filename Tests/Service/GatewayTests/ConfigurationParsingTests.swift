import HTTPCore
import HTTPServer
import Records
import Testing

@testable import Gateway
@testable import API
@testable import Settings
@testable import Proxy

struct ConfigurationParsingTests {
    private static let minimal = """
        {"upstreams": [{"name": "a", "dialect": "darkSky", "sample": "s"}], "weather": {"upstreams": ["a"]}}
        """

    private static func parse(_ text: String) throws -> Configuration {
        try ConfigurationFile(path: "weir.json", bytes: Array(text.utf8)).configuration()
    }

    /// The errors of a configuration, without the file's name.
    private static func messages(_ text: String) -> [String] {
        do {
            _ = try parse(text)
            return []
        } catch {
            return "\(error)".split(separator: "\n").map { line in
                #expect(line.hasPrefix("weir.json: line "), "\(line)")
                return String(line.dropFirst("weir.json: ".count))
            }
        }
    }

    /// The errors of a configuration, without their locations.
    private static func faults(_ text: String) -> [String] {
        messages(text).map { $0.replacing(#/^line \d+, column \d+: /#, with: "") }
    }

    @Test func absentSettingsHaveTheirDefaults() throws {
        let configuration = try Self.parse(Self.minimal)
        #expect(configuration.listen == ListenAddresses("127.0.0.1:8080"))
        #expect(configuration.shards == nil)
        #expect(configuration.server.options.maximumConnections == 10_000)
        #expect(configuration.server.options.drainTimeout == .seconds(30))
        #expect(configuration.upstreams[0].deadlineMilliseconds == 5000)
        #expect(configuration.weather.units == "si")
        #expect(configuration.weather.coordinateDigits == 3)
        #expect(configuration.upstreams[0].maximumBytes == 8 << 20)
    }

    @Test func everyServerSettingReachesTheServer() throws {
        let server = """
            {"server": {"maximumConnections": 1, "idleTimeoutMilliseconds": 16, "drainDelayMilliseconds": 18,
            "drainTimeoutMilliseconds": 600, "maximumConnectionsPerClient": 22}, \(Self.minimal.dropFirst())
            """
        let configuration = try Self.parse(server)
        let options = configuration.server.options
        #expect(options.maximumConnections == 1)
        #expect(options.idleTimeout == .milliseconds(16))
        #expect(configuration.server.drainDelayMilliseconds == 18)
        #expect(options.drainGrace == .milliseconds(20))
        #expect(options.drainTimeout == .milliseconds(600))
        #expect(options.maximumConnectionsPerClient == 22)
    }

    private static func weights(_ weights: String) -> String {
        minimal.replacing("\"s\"", with: "\"s\", \"quota\": {\"weights\": \(weights)}")
    }

    @Test func everyKindThatRequestsAreWeighedAsIsKnown() throws {
        let kinds = Set(RequestKind.builtIn.map(\.weightName))
        #expect(Set(try Self.parse(Self.minimal).weightedKinds) == kinds)
        let all = kinds.map { "\"\($0)\": 1000000" }.joined(separator: ",")
        #expect(try Self.parse(Self.weights("{\(all)}")).upstreams[0].quota.weights?.count == kinds.count)
    }

    @Test(arguments: [
        (#"{"forecast": 0, "search": null}"#, nil), ("{}", nil), ("null", nil), ("[]", " must be an object"),
        (#"{"search": -1}"#, ".search must be an integer from 0 to 1000000"),
        (#"{"search": 1000001}"#, ".search must be an integer from 0 to 1000000"),
        (#"{"search": "1"}"#, ".search must be an integer from 0 to 1000000"),
        (#"{"search": 1.5}"#, ".search must be an integer from 0 to 1000000"),
        (#"{"search": 1, "search": 2}"#, ".search appears more than once; keep one of them"),
        (#"{"serach": 1}"#, #".serach is no kind of requests; did you mean "search"?"#),
        (
            #"{"history": 1}"#,
            ".history is no kind of requests; the kinds are forecast, tweet, timeline, search, lookup, probe"
        ),
    ])
    func aWeightHasAKnownKindAndARange(_ weights: String, _ fault: String?) {
        #expect(Self.faults(Self.weights(weights)) == (fault.map { ["upstreams[0].quota.weights\($0)"] } ?? []))
    }

    @Test func aFaultyWeightIsReportedWithItsLineAndColumn() {
        let messages = Self.messages(Self.weights("{\"search\": 1,\n \"tweets\": 1,\n  \"a.b\": 1}"))
        #expect(
            messages == [
                "line 2, column 2: upstreams[0].quota.weights.tweets is no kind of requests; did you mean \"tweet\"?",
                "line 3, column 3: upstreams[0].quota.weights.a.b is no kind of requests; the kinds are forecast, tweet, "
                    + "timeline, search, lookup, probe",
            ])
        #expect(
            Self.messages(Self.weights("{\n\"search\": 1,\n \"tweet\": []}"))
                == ["line 3, column 2: upstreams[0].quota.weights.tweet must be an integer from 0 to 1000000"])
    }

    @Test func commentsAreAcceptedAndOtherLeniencyIsNot() {
        #expect(Self.faults("// one\n/* two */ \(Self.minimal)") == [])
        #expect(Self.faults("\(Self.minimal.dropLast()),}").count == 1)
        #expect(Self.messages("").first?.contains("line 1, column 1 (byte 0)") == true)
        #expect(Self.messages(Self.minimal.replacing("\"", with: "'")).first?.contains("line 1, column 2") == true)
    }

    /// A text of the smallest configuration, its replacement, and the resulting faults.
    @Test(arguments: [
        (
            "{\"upstreams\": [{", "{\"listen\": 8080, \"upstreams\": [{",
            ["listen must be a string or a list of 1 to 8 strings"]
        ),
        (
            "{\"upstreams\": [{", "{\"listen\": \"8080\", \"upstreams\": [{",
            ["listen must be HOST:PORT, unix:PATH or fd:NUMBER, not \"8080\""]
        ),
        (
            "{\"upstreams\": [{", "{\"listen\": [], \"upstreams\": [{",
            ["listen must be a string or a list of 1 to 8 strings"]
        ),
        (
            "{\"upstreams\": [{", "{\"listen\": [\":1\", \"8080\", \":1\"], \"upstreams\": [{",
            [
                "listen[1] must be HOST:PORT, unix:PATH or fd:NUMBER, not \"8080\"",
                "listen[2] must be unique, but \":1\" is listed twice",
            ]
        ),
        ("\"sample\": \"s\"", "\"sampel\": \"s\"", ["upstreams[0].sampel is not a setting; did you mean \"sample\"?"]),
        ("\"sample\": \"s\"", "\"sample\": \"\"", ["upstreams[0].sample must not be empty"]),
        (
            ", \"sample\": \"s\"", "",
            ["upstreams[0] must have a baseURL, or a sample to be served instead"]
        ),
        ("\"s\"", "\"s\", \"baseURL\": \"http://h\"", ["upstreams[0] must have a baseURL or a sample, not both"]),
        ("\"name\": \"a\"", "\"name\": null", ["upstreams[0].name is missing: it takes a string"]),
        ("\"name\": \"a\"", "\"name\": 1", ["upstreams[0].name must be a string"]),
        ("[\"a\"]", "[\"a\", \"b\"]", ["weather.upstreams[1] names \"b\", but there is no such upstream"]),
        ("[\"a\"]", "[]", ["weather.upstreams must name an upstream, unless there are tweets.upstreams or routes"]),
        ("[\"a\"]", "[7]", ["weather.upstreams[0] must be a string"]),
        ("\"s\"", "\"s\", \"key\": {}", ["upstreams[0].key must have either environment or file"]),
        (
            "\"s\"", "\"s\", \"key\": {\"environment\": \"A\", \"file\": \"b\"}",
            ["upstreams[0].key must have either environment or file"]
        ),
        (
            "darkSky", "openmeteo",
            [
                "upstreams[0].dialect must be one of darkSky, pirateWeather, openMeteo, weatherKit, twitter, twitterV2, "
                    + "mastodon, bluesky, brightSky, metNorway, misskey, nws, openWeatherMap, smhi, tomorrowIO, "
                    + "visualCrossing, weatherbit, not \"openmeteo\"; did you mean \"openMeteo\"?"
            ]
        ),
        (
            "\"s\"", "\"s\", \"redirects\": \"always\"",
            ["upstreams[0].redirects must be one of never, sameHost, not \"always\""]
        ),
        (
            "[\"a\"]", "[\"a\"], \"units\": \"uk\"",
            ["weather.units must be one of si, us, ca, uk2, auto, not \"uk\"; did you mean \"uk2\"?"]
        ),
        ("[\"a\"]", "[\"a\"], \"coordinateDigits\": 2.5", ["weather.coordinateDigits must be an integer from 0 to 7"]),
        (
            "\"s\"", "\"s\", \"key\": {\"file\": \"f\", \"optional\": 1}",
            ["upstreams[0].key.optional must be true or false"]
        ),
    ])
    func aFaultIsReportedWithItsPath(_ text: String, _ replacement: String, _ faults: [String]) {
        let changed = Self.minimal.replacing(text, with: replacement, maxReplacements: 1)
        #expect(changed != Self.minimal)
        #expect(Self.faults(changed) == faults)
    }

    @Test(arguments: [
        ("twitter", "bearer", nil), ("twitterV2", "bearer", nil), ("mastodon", "bearer", nil),
        ("openMeteo", "basic", nil),
        ("twitter", "oauth1", nil), ("twitterV2", "oauth1", nil), ("darkSky", "path", nil),
        (
            "twitter", "baerer",
            ".authorization must be one of bearer, header, query, basic, oauth1, oauth2, jwt; "
                + "did you mean \"bearer\"?"
        ),
        (
            "mastodon", "oauth1",
            ".authorization must be one of bearer, header, query, basic, oauth2, jwt; "
                + "did you mean \"oauth2\"?"
        ),
        (
            "darkSky", "oauth1",
            ".authorization must be one of bearer, header, query, path, basic, oauth2, jwt; "
                + "did you mean \"oauth2\"?"
        ),
        // It could be the key itself, so it is not quoted.
        (
            "mastodon", "Bearer S3CRET0123456789",
            ".authorization must be one of bearer, header, query, basic, oauth2, jwt"
        ),
    ])
    func anAuthorizationThatTheDialectDoesNotSupportIsRefused(
        _ dialect: String, _ authorization: String, _ fault: String?
    ) {
        let upstream = #"{"name": "b", "dialect": "\#(dialect)", "sample": "s", "authorization": "\#(authorization)"}"#
        let text = Self.minimal.replacing("[{", with: "[\(upstream), {", maxReplacements: 1)
        #expect(Self.faults(text) == (fault.map { ["upstreams[0]\($0)"] } ?? []))
    }

    @Test(arguments: [
        ("openMeteo", "https://api.open-meteo.com", ["baseURL must name customer-api.open-meteo.com"]),
        (
            "openMeteo", #"https://API.open-meteo.com/", "authorization": "query", "keyName": "apikey"#,
            ["baseURL must name customer-api.open-meteo.com"]
        ),
        (
            "openMeteo", #"https://customer-api.open-meteo.com", "archiveURL": "https://archive-api.open-meteo.com"#,
            ["archiveURL must name customer-archive-api.open-meteo.com"]
        ),
        ("openMeteo", "https://customer-api.open-meteo.com", []), ("openMeteo", "https://weather.example", []),
        ("mastodon", "https://mastodon.example", []),
    ])
    func aKeyIsAcceptedWhereTheUpstreamTakesOne(_ dialect: String, _ baseURL: String, _ faults: [String]) {
        let upstream = """
            {"name": "b", "dialect": "\(dialect)", "key": {"environment": "KEY"}, "baseURL": "\(baseURL)"}
            """
        let text = Self.minimal.replacing("[{", with: "[\(upstream), {", maxReplacements: 1)
        let found = Self.faults(text)
        #expect(found.count == faults.count)
        for (found, fault) in zip(found, faults) {
            #expect(found.hasPrefix("upstreams[0].\(fault), because there is a key"), "\(found)")
        }
    }

    private static let oauth1 = """
        "oauth1": {"consumerKey": {"file": "a"}, "consumerSecret": {"file": "b"}, "token": {"file": "c"},
            "tokenSecret": {"file": "d"}}
        """
    private static let oauth2 = """
        "authorization": "oauth2", "oauth2": {"tokenURL": "https://a/oauth2/token", "clientID": {"file": "a"},
            "clientSecret": {"environment": "B"}}
        """
    private static let jwt = """
        "authorization": "jwt", "jwt": {"privateKey": {"file": "a"}, "keyID": "k", "issuer": "i", "subject": "s"}
        """
    private static let nameFault =
        ".keyName must be a name of letters, digits, - and _ that has no other use in requests"

    @Test(arguments: [
        ("darkSky", #""authorization": "header", "keyName": "X-Key""#, nil),
        ("darkSky", #""authorization": "query", "keyName": "app_id""#, nil),
        ("twitter", #""authorization": "oauth1", \#(oauth1)"#, nil),
        (
            "darkSky", #""authorization": "header""#,
            ".keyName is missing: it takes the name of the header field or of the parameter"
        ),
        (
            "darkSky", #""authorization": "bearer", "keyName": "X""#,
            ".keyName must be left out, unless authorization is header or query"
        ),
        ("darkSky", #""keyName": "X""#, ".keyName must be left out, unless authorization is header or query"),
        ("darkSky", #""authorization": "query", "keyName": "a=b""#, nameFault),
        ("darkSky", #""authorization": "header", "keyName": "Content-Length""#, nameFault),
        ("darkSky", #""authorization": "header", "keyName": """#, nameFault),
        (
            "twitter", #""authorization": "oauth1", "key": {"file": "f"}"#,
            ".key must be left out: the keys of oauth1 are in oauth1"
        ),
        ("twitter", oauth1, ".oauth1 must be left out, unless authorization is oauth1"),
        (
            "twitter", #""authorization": "oauth1", \#(oauth1.replacing("\"file\": \"d\"", with: ""))"#,
            ".oauth1.tokenSecret must have either environment or file"
        ),
        (
            "twitter", #""authorization": "oauth1", \#(oauth1.replacing("\"token\": {\"file\": \"c\"},", with: ""))"#,
            ".oauth1.token is missing: it takes an object"
        ),
        ("twitter", oauth2, nil), ("openMeteo", oauth2, nil), ("darkSky", jwt, nil),
        ("twitter", oauth2.replacing("}}", with: #"}, "scope": "a b:c"}"#), nil),
        ("twitter", oauth2 + #", "key": {"file": "f"}"#, ".key must be left out: the keys of oauth2 are in oauth2"),
        (
            "twitter", oauth2.replacing(#""authorization": "oauth2","#, with: ""),
            ".oauth2 must be left out, unless authorization is oauth2"
        ),
        (
            "twitter", oauth2.replacing("https://a", with: "https://user:key@a"),
            ".oauth2.tokenURL must not hold a user or a password"
        ),
        (
            "twitter", oauth2.replacing(#""file": "a""#, with: ""),
            ".oauth2.clientID must have either environment or file"
        ),
        (
            "twitter", oauth2.replacing("}}", with: #"}, "scope": "a  b"}"#),
            #".oauth2.scope must be words of visible ASCII without " and \, with a space between them"#
        ),
        ("darkSky", jwt.replacing("\"k\"", with: "\"\""), ".jwt.keyID must not be empty"),
        ("darkSky", jwt.replacing(#""issuer": "i", "#, with: ""), ".jwt.issuer is missing: it takes a string"),
        ("weatherKit", #""timeZone": "Europe/Berlin", "countryCode": "DE""#, nil),
        (
            "weatherKit", #""timeZone": "Europe/Atlantis""#,
            ".timeZone must be an IANA name that the system knows, such as America/New_York"
        ),
        (
            "weatherKit", #""timeZone": "../../etc/passwd""#,
            ".timeZone must be an IANA name that the system knows, such as America/New_York"
        ),
        (
            "weatherKit", #""countryCode": "de""#, ".countryCode must be two capital letters (ISO 3166-1), such as US"
        ),
        ("darkSky", #""timeZone": "Europe/Berlin""#, ".timeZone must be left out, unless dialect is weatherKit"),
        ("openMeteo", #""countryCode": "DE""#, ".countryCode must be left out, unless dialect is weatherKit"),
        ("openMeteo", #""model": "icon_seamless""#, nil),
        (
            "openMeteo", #""model": "icon&x""#,
            ".model must be the name of one of Open-Meteo's weather models, such as icon_seamless"
        ),
        ("darkSky", #""model": "icon_seamless""#, ".model must be left out, unless dialect is openMeteo"),
    ])
    func theSettingsOfAKeyMustFitItsPlace(_ dialect: String, _ settings: String, _ fault: String?) {
        let upstream = #"{"name": "b", "dialect": "\#(dialect)", "sample": "s", \#(settings)}"#
        let text = Self.minimal.replacing("[{", with: "[\(upstream), {", maxReplacements: 1)
        #expect(Self.faults(text) == (fault.map { ["upstreams[0]\($0)"] } ?? []))
    }

    /// Settings of an upstream that is no sample.
    @Test(arguments: [
        (jwt, nil),
        (#""key": {"file": "f"}"#, weatherKitFault),
        (#""authorization": "bearer", "key": {"file": "f"}"#, weatherKitFault),
        (oauth2, weatherKitFault), (#""deadlineMilliseconds": 5"#, weatherKitFault),
    ])
    func weatherKitTakesSignedTokens(_ settings: String, _ fault: String?) {
        let upstream =
            #"{"name": "b", "dialect": "weatherKit", "baseURL": "https://weatherkit.apple.com", \#(settings)}"#
        let text = Self.minimal.replacing("[{", with: "[\(upstream), {", maxReplacements: 1)
        #expect(Self.faults(text) == (fault.map { ["upstreams[0]\($0)"] } ?? []))
    }

    private static let weatherKitFault =
        ".authorization must be jwt: WeatherKit takes only tokens that a key of Apple's developer site signs"

    @Test(arguments: [
        ("http://host", nil), ("HTTPS://host:8443/path/", nil), ("http://[::1]:80", nil),
        ("host", "must start with http:// or https://"), ("ftp://host", "must start with http:// or https://"),
        ("http://", "must name a host"), ("https:///path", "must name a host"),
        ("http://user:password@host", "must not hold a user or a password"),
        ("http://host/a@b", "must not hold a user or a password"),
        ("http://host?a", "must not have a query or a fragment"),
        ("http://host#a", "must not have a query or a fragment"),
        ("http://ho st", "must not hold spaces or characters that are not ASCII"),
        ("http://hôst", "must not hold spaces or characters that are not ASCII"),
    ])
    func aBaseURLIsCheckedAndNeverQuoted(_ url: String, _ fault: String?) {
        let text = Self.minimal.replacing("\"sample\": \"s\"", with: "\"baseURL\": \"\(url)\"")
        #expect(Self.faults(text) == (fault.map { ["upstreams[0].baseURL \($0)"] } ?? []))
    }

    @Test(arguments: [
        ("maximumConnections", 1, 1_000_000), ("maximumConnectionsPerClient", 1, 1_000_000),
        ("idleTimeoutMilliseconds", 10, 3_600_000), ("drainDelayMilliseconds", 0, 3_600_000),
        ("drainTimeoutMilliseconds", 0, 3_600_000),
    ])
    func aServerSettingOutsideItsRangeIsRefused(_ name: String, _ least: Int, _ greatest: Int) {
        func faults(_ value: String) -> [String] {
            Self.faults("{\"server\": {\"\(name)\": \(value)}, \(Self.minimal.dropFirst())")
        }
        #expect(faults("\(least)") == [])
        #expect(faults("\(greatest)") == [])
        for value in ["\(least - 1)", "\(greatest + 1)", "\(greatest).5", "\"\(greatest)\"", "true", "1e99", "[]"] {
            let found = faults(value)
            #expect(found.count == 1, "\(value)")
            #expect(found.first?.hasPrefix("server.\(name) must be ") == true, "\(value): \(found)")
        }
    }

    @Test func allFaultsAreReportedAtOnce() {
        let structure = Self.faults(
            #"{"listen": 1, "shards": 0, "upstreams": [{}, 5], "weather": {"x": 1}, "more": 1}"#)
        for path in ["listen", "shards", "upstreams[0].name", "upstreams[1]", "weather.x", "more"] {
            #expect(structure.contains { $0.hasPrefix("\(path) ") }, "\(path) in \(structure)")
        }
        let meaning = Self.faults(
            """
            {"listen": "", "upstreams": [{"name": "a", "dialect": "x", "sample": "s"}, {"name": "a", "dialect": "y"}],
             "weather": {"upstreams": ["c"]}}
            """)
        #expect(meaning.count == 6, "\(meaning)")
    }

    @Test func everyFaultIsReportedWithItsLineAndColumn() {
        let structure = Self.messages(
            """
            // A comment.
            {
              "lisen": "é", "listen": 1,
              "upstreams": [
                {"name": "a", "name": "b", "dialect": "darkSky", "sample": "s", "key": {"file": 1}},
                5
              ],
              "weather": {"upstreams": ["a", null],
                "coordinateDigits": 9}
            }
            """)
        #expect(
            structure == [
                "line 3, column 3: lisen is not a setting; did you mean \"listen\"?",
                "line 3, column 17: listen must be a string or a list of 1 to 8 strings",
                "line 5, column 19: upstreams[0].name appears more than once; keep one of them",
                "line 5, column 77: upstreams[0].key.file must be a string",
                "line 6, column 5: upstreams[1] must be an object",
                "line 8, column 34: weather.upstreams[1] must be a string",
                "line 9, column 5: weather.coordinateDigits must be an integer from 0 to 7",
            ])
        let meaning = Self.messages(
            Self.minimal.replacing("\"darkSky\"", with: "\n\"gopher\"").replacing("\"s\"", with: "\"\""))
        #expect(meaning.count == 2)
        #expect(meaning.first?.hasPrefix("line 1, column 30: upstreams[0].dialect must be one of ") == true)
        #expect(meaning.last == "line 2, column 11: upstreams[0].sample must not be empty")
    }

    @Test(arguments: [
        ("{", "{\"x\": 1, ", "x"), ("{\"name\"", "{\"x\": 1, \"name\"", "upstreams[0].x"),
        ("\"s\"", "\"s\", \"key\": {\"x\": 1}", "upstreams[0].key.x"),
        ("{\"upstreams\": [\"a\"]", "{\"x\": 1, \"upstreams\": [\"a\"]", "weather.x"),
        ("{", "{\"server\": {\"x\": 1}, ", "server.x"),
        ("{", "{\"tweets\": {\"x\": 1, \"upstreams\": []}, ", "tweets.x"),
    ])
    func anUnknownSettingIsRefusedInEverySection(_ text: String, _ replacement: String, _ path: String) {
        let faults = Self.faults(Self.minimal.replacing(text, with: replacement, maxReplacements: 1))
        #expect(faults.count == 1)
        #expect(faults.first?.hasPrefix("\(path) is not a setting; the settings here are ") == true, "\(faults)")
    }

    @Test func aSignatureIsNotSentToTheTargetOfARedirect() {
        var configuration = UpstreamConfiguration()
        (configuration.dialect, configuration.authorization) = ("twitter", "oauth1")
        for (redirects, paths) in [("never", []), ("sameHost", ["redirects"])] {
            configuration.redirects = redirects
            let note = SettingNotes<UpstreamConfiguration>()
            configuration.checkConnection(note)
            #expect(note.faults.list.map(\.path) == paths)
        }
    }

    @Test(arguments: ["", "a\\u0000b"])
    func aFileToWriteMustHaveAPath(_ path: String) {
        for (section, setting) in [("fetching", "quotaFile"), ("cache", "snapshotFile")] {
            let faults = Self.faults("{\"\(section)\": {\"\(setting)\": \"\(path)\"}, \(Self.minimal.dropFirst())")
            #expect(faults == ["\(section).\(setting) must be a path, without NUL"])
        }
    }

    @Test(arguments: [
        (#""sample": "a\u0000b""#, "sample"),
        (#""sample": "s", "authorization": "bearer", "key": {"file": "a\u0000b"}"#, "key.file"),
        (#""sample": "s", "authorization": "bearer", "key": {"file": "", "optional": true}"#, "key.file"),
        (
            #""sample": "s", "authorization": "jwt", "jwt": {"privateKey": {"file": "a\u0000b"}, "keyID": "k", "issuer": "i", "subject": "s"}"#,
            "jwt.privateKey.file"
        ),
        (#""baseURL": "https://a", "tls": {"caFile": "a\u0000b"}"#, "tls.caFile"),
        (#""baseURL": "https://a", "tls": {"certificateFile": ""}"#, "tls.certificateFile"),
        (#""baseURL": "https://a", "tls": {"certificateFile": "a", "keyFile": "a\u0000b"}"#, "tls.keyFile"),
    ])
    func aPathHasNoNUL(_ settings: String, _ setting: String) {
        let text = Self.minimal.replacing(#""sample": "s""#, with: settings)
        #expect(Self.faults(text) == ["upstreams[0].\(setting) must be a path, without NUL"])
    }

    @Test(arguments: ["certificateFile", "keyFile"])
    func aPathOfTheServiceHasNoNUL(_ setting: String) {
        let files = ["certificateFile", "keyFile"].map { #""\#($0)": "\#($0 == setting ? #"a\u0000b"# : "a")""# }
        let text = "{\"server\": {\"tls\": {\(files.joined(separator: ","))}}, \(Self.minimal.dropFirst())"
        #expect(Self.faults(text) == ["server.tls.\(setting) must be a path, without NUL"])
    }

    @Test func aKeyOfTheLastReleaseIsIgnoredWithAWarning() throws {
        let text = """
            {"server": {"allowsHalfClose": "${NOTHING_OF_THIS_NAME}", "accessLog": {"level": 7, "format": "none"}, "cors": null},
             "cache": {"history": {"ceilingSeconds": []}, "weather": {"negativeSeconds": 5, "defaultSeconds": 60}},
             "upstreams": [
                {"name": "b", "sample": "s", "maximumDepth": 1e99},
                {"name": "a", "dialect": "darkSky", "sample": "s", "breaker": {"windowMilliseconds": 1, "minimumRequests": 3}}],
             "weather": {"upstreams": ["a"]},
             "routes": [{"path": "/b", "fetch": {"upstream": "b"}, "cache": {"floorSeconds": true}}]}
            """
        let configuration = try Self.parse(text)
        let named = configuration.retired.map { $0.prefix { $0 != " " } }
        #expect(
            Set(named) == [
                "server.allowsHalfClose", "server.accessLog.level", "cache.history", "cache.weather.negativeSeconds",
                "upstreams[0].maximumDepth", "upstreams[1].breaker.windowMilliseconds", "routes[0].cache.floorSeconds",
            ])
        #expect(named.count == 7)
        #expect(
            configuration.retired.contains(
                "server.allowsHalfClose is no longer a setting: the value is false. Remove it."))
        #expect(configuration.upstreams[1].breakerRequests == 3)
        #expect(configuration.server.accessLogFormat == "none")
        // The other keys of the same objects are checked as before, at their places.
        let faults = Self.messages(
            text.replacing(#""minimumRequests": 3"#, with: #""minimumRequests": 0"#)
                .replacing(#""level": 7"#, with: #""levels": 7"#))
        #expect(faults.count == 2, "\(faults)")
        #expect(faults.first?.hasPrefix("line 1, column ") == true, "\(faults)")
        #expect(faults.last?.hasPrefix("line 5, column ") == true, "\(faults)")
    }

    @Test func aRetiredSettingIsASettingNoMore() throws {
        let current = Configuration.schema.descriptions
        for setting in RetiredSetting.all {
            var fields = current
            let steps = setting.path.split(separator: ".").map { $0.replacing("[]", with: "") }
            for (index, step) in steps.enumerated() {
                let found = fields.first { $0.name == step }
                #expect((found == nil) == (index == steps.count - 1), "\(setting.path)")
                fields = found?.members ?? []
            }
        }
        #expect(Set(RetiredSetting.all.map(\.path)).count == RetiredSetting.all.count)
    }

    @Test func aRetiredSettingOfTheCommandLineIsIgnoredToo() throws {
        let override = try #require(SettingOverride("--set", "upstreams[0].connections.idleSeconds", "5"))
        let file = ConfigurationFile(path: "weir.json", overrides: [override], bytes: Array(Self.minimal.utf8))
        #expect(try file.configuration().retired.map { $0.prefix { $0 != " " } } == ["upstreams[0].connections"])
    }

    /// Settings of the root and of the upstream that other ones may contradict.
    @Test(arguments: [
        (#""cache": {"weather": {"defaultSeconds": 7200}}"#, ""), ("", #", "breaker": {"openMilliseconds": 3600000}"#),
    ])
    func theDefaultOfAnotherSettingGivesWay(_ root: String, _ upstream: String) throws {
        let settings = root.isEmpty ? "" : "\(root), "
        let text = "{\(settings)\(Self.minimal.dropFirst())".replacing("\"s\"", with: "\"s\"\(upstream)")
        #expect(Self.faults(text) == [])
    }

    @Test func aRouteNamesAnUpstreamOnce() {
        let text = Self.minimal.replacing("[\"a\"]", with: "[\"a\", \"a\"]").replacing(
            "[{", with: #"[{"name": "b", "dialect": "mastodon", "sample": "s"}, {"#)
        let faults = Self.faults("{\"tweets\": {\"upstreams\": [\"b\", \"b\"]}, \(text.dropFirst())")
        #expect(
            faults == [
                "tweets.upstreams[1] names \"b\", which tweets.upstreams[0] names too",
                "weather.upstreams[1] names \"a\", which weather.upstreams[0] names too",
            ])
    }

    @Test(arguments: [(0, true), (1, false), (1_048_575, false), (1_048_576, true)])
    func aCacheHasAtLeastOneMegabyteOrNone(_ bytes: Int, _ isValid: Bool) {
        let faults = Self.faults("{\"cache\": {\"maximumBytes\": \(bytes)}, \(Self.minimal.dropFirst())")
        #expect(faults == (isValid ? [] : ["cache.maximumBytes must be 0, or an integer from 1048576 to 68719476736"]))
    }

    @Test func anEmptyKeyIsNamed() {
        let faults = Self.faults("{\"\": 1, \(Self.minimal.dropFirst())")
        #expect(faults.count == 1)
        #expect(faults.first?.hasPrefix("the document has the key \"\", which is not a setting") == true, "\(faults)")
    }

    @Test func aLongTextIsCut() {
        let long = String(repeating: "x", count: 5000)
        for text in [
            Self.minimal.replacing("[\"a\"]", with: "[\"\(long)\"]"), Self.minimal.replacing("darkSky", with: long),
            "{\"listen\": \"\(long)\", \(Self.minimal.dropFirst())",
            Self.minimal.replacing("\"s\"", with: "\"s\", \"redirects\": \"\(long)\""),
            Self.weights("{\"\(long)\": 1}"),
            Self.minimal.replacing("\"a\"", with: "\"\(long)\"").replacing("[{", with: #"[{"name": "\#(long)"}, {"#),
        ] {
            let faults = Self.faults(text)
            #expect(!faults.isEmpty && faults.allSatisfy { $0.utf8.count < 300 }, "\(faults)")
        }
    }

    @Test func atMost32FaultsAreListedAndTheOthersCounted() throws {
        let members = (0..<50).map { "\"k\($0)\": 1" }.joined(separator: ",")
        let file = ConfigurationFile(path: "weir.json", bytes: Array("{\(members), \(Self.minimal.dropFirst())".utf8))
        let error = try #require(throws: ConfigurationError.self) { try file.configuration() }
        let lines = error.description.split(separator: "\n")
        #expect(lines.count == 33)
        #expect(lines.last == "weir.json: 18 more errors")
    }
}
