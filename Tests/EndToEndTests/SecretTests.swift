import TestSupport
import Testing

/// Keys are sent to their upstreams and appear nowhere else.
@Suite(.timeLimit(.minutes(10)))
struct SecretTests {
    /// A key, in both forms in which an upstream may repeat it.
    struct Key: Sendable, CustomTestStringConvertible {
        let text: String
        /// The key as it is written in the URL.
        let encoded: String
        var testDescription: String { text }
    }

    private static let keys = [
        Key(text: "s3ntinel-KEY_0123456789", encoded: "s3ntinel-KEY_0123456789"),
        Key(text: "s3ntinel/KEY?a=b&c%20#d+e\"f", encoded: "s3ntinel%2FKEY%3Fa=b&c%2520%23d+e%22f"),
    ]

    /// Answers of an upstream that repeat `key`.
    private static func echoes(of key: String) -> [ScriptedUpstream.Reaction] {
        let quoted = key.replacing("\"", with: "\\\"")
        return [
            .answer(403, #"{"code":403,"error":"the key \#(quoted) is not valid"}"#),
            .answer(500, #"{"error":"\#(quoted)"}"#),
            .answer(400, #"{"error":"twice: \#(quoted) \#(quoted)"}"#),
            // The key crosses the end of the truncated message.
            .answer(400, #"{"error":"\#(String(repeating: "x", count: 190))\#(quoted)"}"#),
            .answer(404, #"{"error":"/forecast/\#(quoted)/1,2 is not there"}"#),
            .answer(429, #"{"error":"\#(quoted)"}"#),
            .answer(302, "", headers: ["Location: /forecast/\(key)/1,2"]),
            .answer("<html>No such key: \(key)</html>", type: "text/html"),
            .answer("<html>No such key: \(key)</html>"),
            .answer(#"{"latitude":1,"key":"\#(quoted)"#),
            .answer(#"{"latitude":1,"key": \#(key)"#),
            .answer(#"{"latitude":"\#(quoted)","longitude":"\#(quoted)"}"#),
            .answer(#"{"\#(quoted)":1}"#),
            .answer(#"["\#(quoted)"]"#),
            .answer("\(key)"),
            .bytes(Array("\(key)\r\n".utf8)),
            .bytes(Array("HTTP/1.1 200 \(key)\r\n\(key)".utf8)),
        ]
    }

    /// Whether `text` contains any eight consecutive characters of `key`.
    private static func isSeen(_ key: Key, in text: String) -> Bool {
        [key.text, key.encoded].contains { word in
            let letters = Array(word)
            return (0...letters.count - 8).contains { text.contains(String(letters[$0..<$0 + 8])) }
        }
    }

    @Test(arguments: keys)
    func aKeyThatAnUpstreamRepeatsIsScrubbed(_ key: Key) throws {
        let reactions = [.answer(smallForecast)] + Self.echoes(of: key.text) + Self.echoes(of: key.encoded)
        let next = Watched(0)
        let upstream = try ScriptedUpstream { _ in
            let index = next.update { index in
                defer { index += 1 }
                return index
            }
            return index < reactions.count ? reactions[index] : .answer(smallForecast)
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            configuration([upstream.baseURL]), environment: ["WEIR_TEST_KEY": key.text])
        defer { weir.kill() }
        let client = try weir.client()
        for index in reactions.indices {
            let isSeen = Self.isSeen(key, in: try client.get(weather).everything)
            #expect(!isSeen, "after answer \(index) of the upstream")
        }
        let isCounted = Self.isSeen(key, in: try client.get("/metrics").everything)
        #expect(!isCounted)
        #expect(try client.get(weather).status == 200)
        #expect(upstream.requests.count == reactions.count + 1)
        for head in upstream.requests {
            #expect(head.hasPrefix("GET /forecast/\(key.encoded)/37.827,-122.423?units=si HTTP/1.1\r\n"))
        }
        #expect(try weir.terminate() == 0)
        #expect(weir.errors.contains("upstream failed"))
        let isLogged = Self.isSeen(key, in: weir.errors + weir.output)
        #expect(!isLogged)
    }

    /// The number of requests that an upstream allows is its key.
    @Test(arguments: [(429, "87654321"), (200, "87654321"), (429, "8.7654321E7")])
    func aKeyOfDigitsIsNoLimit(_ status: Int, _ limit: String) throws {
        let key = "87654321"
        let fields = ["X-RateLimit-Limit: \(limit)", "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 30"]
        let upstream = try ScriptedUpstream { _ in .answer(status, smallForecast, headers: fields) }
        defer { upstream.stop() }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write("{}", to: "quotas.json")
        let text = configuration([upstream.baseURL])
            .replacing(#""fetching": {"#, with: #""fetching": {"quotaFile": "\#(file)", "#)
        let weir = try WeirProcess.serve(text, environment: ["WEIR_TEST_KEY": key])
        defer { weir.kill() }
        let answers = try [weir.get(weather), weir.get(weather), weir.get("/metrics")]
        #expect(answers.map(\.status) == [status, 503, 200])
        #expect(answers[1].text.contains("has used up its requests;"))
        #expect(try weir.terminate() == 0)
        let saved = String(decoding: try Checkout.read(file), as: UTF8.self)
        #expect(saved.contains("until"))
        let seen = answers.map(\.everything) + [weir.errors, weir.output, saved]
        let isSeen = seen.map { $0.contains(key) }
        #expect(isSeen == [false, false, false, false, false, false])
    }

    @Test(arguments: keys)
    func aKeyInAHeaderIsNotInTheURL(_ key: Key) throws {
        let reactions = [.answer(smallForecast)] + Self.echoes(of: key.text)
        let next = Watched(0)
        let upstream = try ScriptedUpstream { _ in
            reactions[
                next.update { index in
                    defer { index += 1 }
                    return index % reactions.count
                }]
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            configuration([upstream.baseURL], dialect: "pirateWeather"), environment: ["WEIR_TEST_KEY": key.text])
        defer { weir.kill() }
        let client = try weir.client()
        for target in reactions.indices.map({ $0 % 2 == 0 ? weather : darkSkyWeather }) {
            let isSeen = Self.isSeen(key, in: try client.get(target).everything)
            #expect(!isSeen)
        }
        // After the 500, Pirate Weather is asked once more without version 2.
        #expect(upstream.requests.count == reactions.count + 1)
        for head in upstream.requests {
            let lines = head.split(separator: "\r\n")
            #expect(lines.filter { $0 == "apikey: \(key.text)" }.count == 1)
            let isElsewhere = Self.isSeen(key, in: lines.filter { !$0.hasPrefix("apikey: ") }.joined())
            #expect(!isElsewhere)
        }
        #expect(try weir.terminate() == 0)
        #expect(weir.errors.contains("upstream failed"))
        let isLogged = Self.isSeen(key, in: weir.errors + weir.output)
        #expect(!isLogged)
    }

    /// Answers that repeat `key`, the content of a JSON string, in every member that has room for it.
    private static func forecast(_ key: String) -> String {
        let point =
            #"{"time":1767290437,"summary":"\#(key)","icon":"\#(key)","precipType":"\#(key)","\#(key)":"\#(key)","temperature":"\#(key)"}"#
        return """
            {"latitude":37.8267,"longitude":-122.4233,"timezone":"\(key)","currently":\(point),"\(key)":{"a":1},
            "hourly":{"summary":"\(key)","icon":"\(key)","data":[\(point),"\(key)",{"\(key)":1}]},
            "daily":{"data":[{"time":1767290437,"\(key)":["\(key)"]}]},
            "alerts":[{"title":"\(key)","regions":["\(key)"],"severity":"\(key)","time":1767290437,"expires":1767290438,
            "description":"a \(key) b","uri":"https://a.example/\(key)?\(key)"}],
            "flags":{"sources":["\(key)"],"units":"\(key)","\(key)-stations":["\(key)"],"\(key)":"\(key)"}}
            """
    }

    private static func tweet(_ key: String) -> String {
        """
        {"id":1,"created_at":"Thu Jan 01 18:00:37 +0000 2026","full_text":"a \(key) #\(key)","lang":"\(key)",
        "source":"<a href=\\"https://a.example/\(key)\\">\(key)</a>","in_reply_to_screen_name":"\(key)","\(key)":1,
        "entities":{"urls":[{"url":"https://t.co/\(key)","expanded_url":"\(key)","display_url":"\(key)","indices":[0,1]}],
        "hashtags":[{"text":"\(key)","indices":[2,9]}]},"place":{"full_name":"\(key)","\(key)":"\(key)"},
        "user":{"id":2,"name":"\(key)","screen_name":"\(key)","description":"\(key)","url":"\(key)","entities":{}},
        "quoted_status":{"id":3,"created_at":"Thu Jan 01 18:00:37 +0000 2026","full_text":"\(key)"}}
        """
    }

    private static func errors(_ key: String) -> [ScriptedUpstream.Reaction] {
        [
            .answer(403, #"{"code":403,"error":"the key \#(key) is not valid"}"#),
            .answer(400, #"{"errors":[{"code":32,"message":"\#(key)"}]}"#),
            .answer(400, #"{"error":"\#(String(repeating: "x", count: 190))\#(key)"}"#),
            .answer(404, #"{"error":"/forecast/\#(key)/1,2 is not there"}"#),
            .answer(429, "no more requests for \(key)"),
        ]
    }

    /// Requests, and the dialects of the upstreams that answer them, with the key in a path, in a field and as a token.
    private static let requests = [
        ("\(weather)&explain=1", "darkSky"), (darkSkyWeather, "darkSky"), ("\(weather)&explain=1", "pirateWeather"),
        ("/tweets/1?explain=1", "twitter"),
    ]

    @Test("No form of a key leaves an upstream's answer", arguments: keys, requests)
    func spellings(_ key: Key, _ request: (target: String, dialect: String)) throws {
        let isTweet = request.dialect == "twitter"
        let headers = ["Link: <https://a.example/?max_id=\(key.text)>; rel=\"next\"", "X-Key: \(key.text)"]
        let spellings = KeySpelling.all(of: key.text)
        let answers = spellings.flatMap { spelling in
            [
                (
                    spelling.name,
                    ScriptedUpstream.Reaction.answer(
                        isTweet ? Self.tweet(spelling.text) : Self.forecast(spelling.text), headers: headers)
                )
            ]
                + Self.errors(spelling.text).map { (spelling.name, $0) }
        }
        let next = Watched(0)
        let upstream = try ScriptedUpstream { _ in
            answers[
                next.update { index in
                    defer { index += 1 }
                    return min(index, answers.count - 1)
                }
            ].1
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            isTweet
                ? TweetRouteTests.configuration([("twitter", upstream.baseURL)])
                : configuration([upstream.baseURL], dialect: request.dialect), environment: ["WEIR_TEST_KEY": key.text])
        defer { weir.kill() }
        let client = try weir.client()
        for (index, (name, _)) in answers.enumerated() {
            let answer = try client.get(request.target)
            let isFirst = index % (answers.count / spellings.count) == 0
            if isFirst { #expect(answer.status == 200, "\(name): \(answer.text)") }
            let isSeen = KeySpelling.isSeen(key.text, in: answer.everything)
            #expect(!isSeen, "\(name), answer \(index)")
        }
        #expect(try weir.terminate() == 0)
        let isLogged = KeySpelling.isSeen(key.text, in: weir.errors + weir.output)
        #expect(!isLogged)
    }

    @Test(
        "A key in a base URL's path is not printed",
        arguments: [
            ("/KEY", "/***"), ("/api/KEY/v1", "/api/***/v1"), ("/v1/KEY%2F", "/v1/***"), ("/a-KEY-b", "/***"),
            ("/hunter-two", "/***"), ("/v2.5/v2018091731/forecast", "/v2.5/***/forecast"),
        ])
    func printedPaths(_ path: String, _ printed: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let key = Self.keys[0]
        let url = "http://host.invalid" + path.replacing("KEY", with: key.text)
        let file = try folder.write(configuration([url], dialect: "openMeteo"), to: "weir.json")
        for environment in ["k", key.text] {
            let result = try WeirProcess.run(
                ["check", "--config", file, "--print"], environment: ["WEIR_TEST_KEY": environment])
            #expect(result.status == 0)
            #expect(result.output.contains("\"http://host.invalid\(printed)\""), "\(result.output)")
            #expect(!Self.isSeen(key, in: result.output + result.errors), "\(result.output)")
        }
    }

    @Test("A key in a base URL's path is removed from the upstream's answers")
    func pathsOfBaseURLs() throws {
        let key = Self.keys[0]
        let upstream = try ScriptedUpstream { _ in .answer(400, #"{"error":"no such path: /\#(key.text)/forecast"}"#) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL + "/\(key.text)"]))
        defer { weir.kill() }
        let answer = try weir.get(weather)
        try expectProblem(answer, 502)
        #expect(answer.text.contains("no such path: /***/forecast"))
        #expect(upstream.requests.first?.hasPrefix("GET /\(key.text)/forecast/test-key/") == true)
        #expect(try weir.terminate() == 0)
        #expect(!Self.isSeen(key, in: answer.everything + weir.errors + weir.output))
    }

    @Test("A key of fewer than eight characters is a note of `weir check`")
    func shortKeys() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(configuration(["http://host.invalid"]), to: "weir.json")
        for (key, isNoted) in [("7-chars", true), ("8-chars.", false)] {
            let result = try WeirProcess.run(["check", "--config", file], environment: ["WEIR_TEST_KEY": key])
            #expect(result.status == 0)
            #expect(result.output.contains("the key of the upstream upstream-0 has fewer than 8 characters") == isNoted)
            #expect(!(result.output + result.errors).contains(key))
        }
    }

    /// Requests whose clients send a key as Dark Sky's did, and whose heads are malformed.
    @Test(arguments: [
        " GET /forecast/KEY/1,2 HTTP/1.1\r\nHost: a\r\n\r\n", "/forecast/KEY/1,2 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /forecast/KEY/1,2\r\nHost: a\r\n\r\n", "GET  /forecast/KEY/1,2 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /forecast/ KEY/1,2 HTTP/1.1\r\nHost: a\r\n\r\n", "GET /forecast/KEY/1,2 HTTP/1.1 KEY\r\nHost: a\r\n\r\n",
        "GET /forecast/KEY/\t1,2 HTTP/1.1\r\nHost: a\r\n\r\n", "GET /forecast/KEY/%zz HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /weather?key=KEY%zz HTTP/1.1\r\nHost: a\r\n\r\n", "GET /weather?KEY%zz HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET forecast/KEY/1,2 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /forecast/KEY/1,2 HTTP/1.1\r\nAuthorization KEY\r\n\r\n",
        "GET /forecast/KEY/1,2 HTTP/1.1\r\nHost: a\r\nKEY\r\n\r\n", "GET /forecast/KEY HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /forecast/KEY/../1,2 HTTP/1.1\r\nHost: a\r\n\r\n", "GET /forecasts/KEY/1,2 HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nKEY\r\n", "KEY\r\n\r\n",
    ])
    func aClientsKeyIsNotRepeatedInErrors(_ request: String) throws {
        let key = Self.keys[0]
        let weir = try WeirProcess.darkSkySample()
        defer { weir.kill() }
        let client = try weir.client()
        let isSent = client.send(request.replacing("KEY", with: key.text))
        #expect(isSent)
        let answer = try client.read()
        #expect((400...499).contains(answer.status), "\(answer.text)")
        #expect(try weir.terminate() == 0)
        #expect(!Self.isSeen(key, in: answer.everything + weir.errors + weir.output), "\(answer.text)")
    }

    @Test func aRetryAfterThatContainsTheKeyIsNotForwarded() throws {
        let key = Self.keys[0]
        let upstream = try ScriptedUpstream { _ in .answer(429, "", headers: ["Retry-After: \(key.text)"]) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            configuration([upstream.baseURL]), environment: ["WEIR_TEST_KEY": key.text])
        defer { weir.kill() }
        let answer = try weir.get(weather)
        try expectProblem(answer, 429)
        #expect(answer.header("Retry-After") == nil)
    }

    @Test(arguments: ["\(keys[0].text)", "\(keys[0].text)\n", "\(keys[0].text)\r\n# the key of the demo\n"])
    func aKeyIsReadFromAFile(_ text: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let key = try folder.write(text, to: "key")
        let upstream = try ScriptedUpstream { _ in .answer(401, #"{"error":"\#(Self.keys[0].text)"}"#) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL], key: #"{"file": "\#(key)"}"#))
        defer { weir.kill() }
        let answer = try weir.get(weather)
        try expectProblem(answer, 502)
        #expect(upstream.requests.first?.hasPrefix("GET /forecast/\(Self.keys[0].text)/37.827,") == true)
        #expect(try weir.terminate() == 0)
        #expect(!Self.isSeen(Self.keys[0], in: answer.everything + weir.errors + weir.output))
    }

    @Test func checkPrintsTheSourceOfAKeyAndNotTheKey() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let key = try folder.write(Self.keys[0].text, to: "key")
        for (place, name) in [(#"{"environment":"WEIR_TEST_KEY"}"#, "WEIR_TEST_KEY"), (#"{"file":"\#(key)"}"#, key)] {
            let file = try folder.write(configuration(["http://host.invalid"], key: place), to: "weir.json")
            let result = try WeirProcess.run(
                ["check", "--config", file, "--print"], environment: ["WEIR_TEST_KEY": Self.keys[0].text])
            #expect(result.status == 0)
            #expect(result.output.contains(name))
            #expect(!Self.isSeen(Self.keys[0], in: result.output + result.errors))
        }
    }

    /// Configurations with a secret in the wrong place.
    @Test(arguments: [
        #""baseURL": "http://user:SECRET@host.invalid", "key": {"environment": "WEIR_TEST_KEY"}"#,
        #""baseURL": "http://host.invalid/?key=SECRET", "key": {"environment": "WEIR_TEST_KEY"}"#,
        #""baseURL": "ftp://SECRET", "key": {"environment": "WEIR_TEST_KEY"}"#,
        #""baseURL": "http://host.invalid", "key": "SECRET""#,
        #""baseURL": "http://host.invalid", "key": {"text": "SECRET"}"#,
        #""baseURL": "http://host.invalid", "apiKey": "SECRET""#,
        #""baseURL": "http://host.invalid", "key": SECRET"#,
        #""baseURL": "http://host.invalid", "key": {"environment": "WEIR_BAD_KEY"}"#,
        #""baseURL": "http://host.invalid", "key": {"file": "FILE"}"#,
    ])
    func aMisplacedSecretIsNotRepeatedInTheError(_ settings: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let key = Self.keys[0]
        let keyFile = try folder.write("two words: \(key.text)", to: "key")
        let settings = settings.replacing("SECRET", with: key.text).replacing("FILE", with: keyFile)
        let file = try folder.write(
            """
            {"upstreams": [{"name": "a", "dialect": "darkSky", \(settings)}], "weather": {"upstreams": ["a"]}}
            """, to: "weir.json")
        let environment = ["WEIR_TEST_KEY": "k", "WEIR_BAD_KEY": "two words: \(key.text)"]
        for command in [["check"], ["check", "--print"], ["serve", "--listen", "127.0.0.1:0"]] {
            let result = try WeirProcess.run(command + ["--config", file], environment: environment)
            #expect(result.status == 78)
            #expect(result.errors.contains(file))
            #expect(!Self.isSeen(key, in: result.output + result.errors), "\(result.errors)")
        }
    }
}
