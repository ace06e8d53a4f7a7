import Foundation
import HTTPCore
import TestSupport
import Testing

/// How requests to upstreams carry keys, and keys that change.
@Suite("Authorization", .timeLimit(.minutes(10)))
struct AuthorizationTests {
    private static let key = "s3ntinel-KEY_0123456789"

    // The keys of OAuth 1.0a; three come from the environment, one from a file.
    private static let (consumerKey, consumerSecret) = ("c0nsumer-K3Y-0123456789", "c0nsumer+S3CRET/98765%&")
    private static let (token, tokenSecret) = ("12345-T0KEN-abcdefghij", "token-S3CRET=zyxwvuts")
    private static let environment = [
        "WEIR_TEST_CONSUMER": consumerKey, "WEIR_TEST_SECRET": consumerSecret, "WEIR_TEST_TOKEN": token,
    ]

    private static func oauthConfiguration(_ baseURL: String, tokenSecretFile: String) -> String {
        """
        {"listen": "127.0.0.1:0", "shards": 1, "cache": {"maximumBytes": 0}, "upstreams": [
            {"name": "sky", "dialect": "darkSky", "sample": "\(Checkout.sample)"},
            {"name": "twitter", "dialect": "twitter", "baseURL": "\(baseURL)", "retryPercent": 0,
             "authorization": "oauth1", "oauth1": {
                "consumerKey": {"environment": "WEIR_TEST_CONSUMER"},
                "consumerSecret": {"environment": "WEIR_TEST_SECRET"},
                "token": {"environment": "WEIR_TEST_TOKEN"}, "tokenSecret": {"file": "\(tokenSecretFile)"}}}],
         "weather": {"upstreams": ["sky"]}, "tweets": {"upstreams": ["twitter"]}}
        """
    }

    /// Returns a configuration with one upstream, whose key has the settings `settings`.
    private static func configuration(_ upstream: ScriptedUpstream, _ dialect: String, _ settings: String) -> String {
        """
        {"listen": "127.0.0.1:0", "shards": 1, "cache": {"maximumBytes": 0}, "weather": {"upstreams": ["a"]}, "upstreams": [
            {"name": "a", "dialect": "\(dialect)", "baseURL": "\(upstream.baseURL)", "retryPercent": 0,
             "key": {"environment": "WEIR_TEST_KEY"}, \(settings)}]}
        """
    }

    /// Returns a field of a request head; nil if it is absent or there are two.
    private static func field(_ name: String, of head: String) -> String? {
        let lines = head.split(separator: "\r\n").filter { $0.hasPrefix("\(name): ") }
        return lines.count == 1 ? String(lines[0].dropFirst(name.count + 2)) : nil
    }

    @Test(
        "A key without an authorization is where the dialect has it",
        arguments: [
            ("darkSky", "", nil), ("pirateWeather", "apikey", key), ("openMeteo", "X-Api-Key", key),
            ("twitter", "Authorization", "Bearer " + key), ("mastodon", "Authorization", "Bearer " + key),
        ])
    func defaultPlaces(_ dialect: String, _ name: String, _ value: String?) throws {
        let upstream = try ScriptedUpstream { _ in .answer(500, "{}") }
        defer { upstream.stop() }
        let text =
            ["twitter", "mastodon"].contains(dialect)
            ? TweetRouteTests.configuration([("twitter", upstream.baseURL)])
                .replacing(#""dialect": "twitter""#, with: #""dialect": "\#(dialect)""#)
            : EndToEndTests.configuration([upstream.baseURL], dialect: dialect)
        let weir = try WeirProcess.serve(text, environment: ["WEIR_TEST_KEY": Self.key])
        defer { weir.kill() }
        for path in [weather, "/tweets/1"] { _ = try weir.get(path) }
        let head = try #require(upstream.requests.first)
        #expect(Self.field(name, of: head) == value, "\(head)")
        #expect(head.components(separatedBy: Self.key).count == 2)
    }

    @Test("Requests with OAuth 1.0a carry a signature that the upstream can compute too, and never the same nonce")
    func signatures() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(Self.tokenSecret, to: "secret")
        let upstream = try ScriptedUpstream { head in
            let isSearch = head.contains("/search/")
            let tweet = TweetRouteTests.tweet
            return .answer(isSearch ? #"{"statuses":[\#(tweet)]}"# : head.contains("/show.json") ? tweet : "[\(tweet)]")
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            Self.oauthConfiguration(upstream.baseURL + "/api%20x", tokenSecretFile: file), environment: Self.environment
        )
        defer { weir.kill() }
        let targets = [
            "/tweets/2006790000000000001", "/timelines/weir?count=5&maxId=9", "/search?q=a%20b%26c%3Dd%2Be%25%C3%A9*~",
            "/tweets/2006790000000000001",
        ]
        let start = Int(Date().timeIntervalSince1970)
        for target in targets { #expect(try weir.get(target).status == 200, "\(target)") }
        let oauth = OAuth1(
            consumerKey: Secret(Self.consumerKey), consumerSecret: Secret(Self.consumerSecret),
            token: Secret(Self.token), tokenSecret: Secret(Self.tokenSecret))
        let other = OAuth1(
            consumerKey: Secret(Self.consumerKey), consumerSecret: Secret(Self.consumerSecret),
            token: Secret(Self.token), tokenSecret: Secret("another"))
        var nonces: Set<String> = []
        for head in upstream.requests {
            let field = try #require(Self.field("Authorization", of: head))
            let nonce = String(try #require(field.firstMatch(of: /oauth_nonce="([^"]+)"/)).1)
            let seconds = try #require(field.firstMatch(of: /oauth_timestamp="([0-9]+)"/)).1
            let timestamp = try #require(Int(seconds))
            nonces.insert(nonce)
            #expect((start...Int(Date().timeIntervalSince1970)).contains(timestamp))
            let url = upstream.baseURL + head.split(separator: " ")[1]
            #expect(oauth.authorization(url: url, nonce: nonce, timestamp: timestamp) == Secret(field), "\(url)")
            #expect(other.authorization(url: url, nonce: nonce, timestamp: timestamp) != Secret(field))
        }
        #expect(upstream.requests.count == targets.count)
        #expect(nonces.count == targets.count)
    }

    @Test("None of the four keys of OAuth 1.0a leaves an upstream's answer or is printed")
    func secrets() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let keys = [Self.consumerKey, Self.consumerSecret, Self.token, Self.tokenSecret]
        let spellings = keys.flatMap(KeySpelling.all).map(\.text)
        let text = spellings.joined(separator: " ")
        let answers: [ScriptedUpstream.Reaction] = [
            .answer(TweetRouteTests.tweet.replacing("a &amp; b", with: text)),
            .answer(403, #"{"errors":[{"code":32,"message":"\#(keys.joined(separator: " "))"}]}"#),
            .answer(401, #"{"errors":[{"code":89,"message":"\#(keys.reversed().joined(separator: " "))"}]}"#),
        ]
        let next = Watched(0)
        let upstream = try ScriptedUpstream { _ in
            answers[
                next.update { index in
                    defer { index += 1 }
                    return min(index, answers.count - 1)
                }]
        }
        defer { upstream.stop() }
        let file = try folder.write(Self.tokenSecret, to: "secret")
        let configuration = Self.oauthConfiguration(upstream.baseURL, tokenSecretFile: file)
        let weir = try WeirProcess.serve(configuration, environment: Self.environment)
        defer { weir.kill() }
        var shown = ""
        for status in [200, 401, 401] {
            let answer = try weir.get("/tweets/2006790000000000001?explain=1")
            #expect(answer.status == status, "\(answer.text)")
            shown += answer.everything
        }
        #expect(try weir.terminate() == 0)
        let path = try folder.write(configuration, to: "weir.json")
        let check = try WeirProcess.run(["check", "--config", path, "--print"], environment: Self.environment)
        #expect(check.status == 0, "\(check.errors)")
        #expect(check.output.contains(#""consumerSecret":{"environment":"WEIR_TEST_SECRET""#))
        shown += weir.errors + weir.output + check.output + check.errors
        for key in keys {
            let isSeen = KeySpelling.isSeen(key, in: shown)
            #expect(!isSeen, "\(keys.firstIndex(of: key) ?? -1)")
        }
    }

    @Test("Each missing key of OAuth 1.0a is an error that names it, or leaves out the upstream")
    func missingKeys() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let text = Self.oauthConfiguration("http://host.invalid", tokenSecretFile: folder.path("none"))
        let file = try folder.write(text, to: "weir.json")
        let check = try WeirProcess.run(["check", "--config", file], environment: ["WEIR_TEST_TOKEN": Self.token])
        #expect(check.status == 78)
        #expect(check.errors.contains("oauth1.consumerKey does not exist: the environment variable WEIR_TEST_CONSUMER"))
        #expect(check.errors.contains("oauth1.consumerSecret does not exist"))
        #expect(check.errors.contains("oauth1.tokenSecret does not exist"))
        #expect(!check.errors.contains("oauth1.token does not exist"))
        let sources = text.replacing(/"(environment|file)"/) { "\"optional\": true, \($0.0)" }
        let optional = try folder.write(sources, to: "optional.json")
        let other = try WeirProcess.run(["check", "--config", optional], environment: ["WEIR_TEST_TOKEN": Self.token])
        #expect(other.status == 0, "\(other.errors)")
        #expect(other.output.contains("the upstream twitter is left out"))
    }

    /// A dialect, settings, the key, and the line of the request head that must have it.
    @Test(arguments: [
        ("darkSky", #""authorization": "path""#, key, "GET /forecast/\(key)/37.827,-122.423?units=si HTTP/1.1"),
        ("darkSky", #""authorization": "header", "keyName": "X-RapidAPI-Key""#, key, "X-RapidAPI-Key: \(key)"),
        ("pirateWeather", #""authorization": "bearer""#, key, "Authorization: Bearer \(key)"),
        (
            "darkSky", #""authorization": "query", "keyName": "apikey""#, "\(key)&a=b",
            "GET /forecast/-/37.827,-122.423?units=si&apikey=\(key)%26a%3Db HTTP/1.1"
        ),
        (
            "openMeteo", #""authorization": "basic""#, "Aladdin:open-sesame",
            "Authorization: Basic QWxhZGRpbjpvcGVuLXNlc2FtZQ=="
        ),
    ])
    func theKeyIsWhereTheConfigurationSays(_ dialect: String, _ settings: String, _ key: String, _ line: String) throws
    {
        let upstream = try ScriptedUpstream { _ in .answer(403, #"{"error":"not \#(key)","reason":"not \#(key)"}"#) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            Self.configuration(upstream, dialect, settings), environment: ["WEIR_TEST_KEY": key])
        defer { weir.kill() }
        let answer = try weir.get(weather)
        try expectProblem(answer, 502)
        #expect(!answer.everything.contains(key))
        let lines = try #require(upstream.requests.first).split(separator: "\r\n").map(String.init)
        #expect(lines.contains(line), "\(lines)")
        #expect(!lines.filter { $0 != line }.joined().contains(key))
        #expect(try weir.terminate() == 0)
        #expect(!weir.errors.contains(key))
    }

    @Test("The password of Basic authentication is removed from answers, with and without the user")
    func passwords() throws {
        let upstream = try ScriptedUpstream { head in
            .answer(403, #"{"error":"open-sesame is wrong, \#(Self.field("Authorization", of: head) ?? "absent")"}"#)
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            Self.configuration(upstream, "darkSky", #""authorization": "basic""#),
            environment: ["WEIR_TEST_KEY": "Aladdin:open-sesame"])
        defer { weir.kill() }
        let answer = try weir.get(weather)
        try expectProblem(answer, 502)
        #expect(answer.text.contains("*** is wrong, Basic "))
        let isSeen = ["open-sesame", "QWxhZGRpbjpvcGVuLXNlc2FtZQ"].contains { answer.text.contains($0) }
        #expect(!isSeen, "\(answer.text)")
    }
}
