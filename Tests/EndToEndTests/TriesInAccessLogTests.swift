import TestSupport
import Testing

/// The tries that the line of a request in the access log names.
@Suite("Tries in the access log", .timeLimit(.minutes(10)))
struct TriesInAccessLogTests {
    /// Ends the service, and returns the lines of the access log about `/weather`.
    private static func lines(of weir: WeirProcess) throws -> [Parsed] {
        #expect(try weir.terminate() == 0)
        #expect(!weir.output.contains("test-key"))
        return try weir.output.split(separator: "\n").map { try Parsed(String($0)) }
            .filter { $0["http.route"].string == "/weather" }
    }

    private static func texts(_ tries: Parsed, _ name: String) -> [String?] {
        tries.elements.map { $0[name].string }
    }

    @Test("After a failover, each upstream has a try")
    func failover() throws {
        let bad = try ScriptedUpstream { _ in .answer(500, "{}") }
        defer { bad.stop() }
        let good = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { good.stop() }
        let refusing = try RefusingPort()
        defer { refusing.release() }
        let weir = try WeirProcess.serve(
            configuration([bad.baseURL, refusing.baseURL, good.baseURL]))
        defer { weir.kill() }
        #expect(try weir.get(weather).status == 200)
        let lines = try Self.lines(of: weir)
        #expect(lines.count == 1)
        let tries = lines[0]["weir.tries"]
        #expect(Self.texts(tries, "upstream") == ["upstream-0", "upstream-1", "upstream-2"])
        #expect(Self.texts(tries, "requests") == ["forecast", "forecast", "forecast"])
        #expect(Self.texts(tries, "result") == ["500", "it does not accept connections", "200"])
        #expect(Self.texts(tries, "connection") == ["new", nil, "new"])
        #expect(tries.elements.map { $0["bytes"].integer } == [2, 0, smallForecast.utf8.count])
        #expect(tries.elements.allSatisfy { $0["milliseconds"].integer != nil })
    }

    @Test(
        "The address of a failed try has templates in place of a client's values",
        arguments: [
            ("twitterV2", "/timelines/jack", "/2/users/by/username/{…}"), ("twitterV2", "/tweets/2", "/{…}/tweets/{…}"),
            ("twitterV2", "/search?q=jack", "/2/tweets/search/recent"),
            ("mastodon", "/search?q=%23jack", "/api/v1/timelines/tag/{…}"),
            ("mastodon", "/tweets/77", "/api/v1/statuses/{…}"), ("twitter", "/tweets/77", "/1.1/statuses/show.json"),
            ("darkSky", "/weather?lat=1&lon=2&time=1767290437", "/forecast/***/{…}"),
            ("openMeteo", "/weather?lat=1&lon=2", "/v1/forecast"), ("", "/list/jack?b=77", "/items/{a}/of"),
        ])
    func templates(dialect: String, target: String, path: String) throws {
        let upstream = try ScriptedUpstream { _ in .answer(500, "{}") }
        defer { upstream.stop() }
        let text =
            switch dialect {
            case "twitter", "twitterV2", "mastodon": TweetRouteTests.configuration([(dialect, upstream.baseURL)])
            case "":
                """
                {"listen": "127.0.0.1:0", "upstreams": [{"name": "up", "baseURL": "\(upstream.baseURL)"}],
                 "routes": [{"path": "/list/{a}", "name": "list",
                             "parameters": {"a": {}, "b": {}},
                             "fetch": {"upstream": "up", "path": "/items/{a}/of", "query": {"b": "{b}"}}}]}
                """
            default: configuration([upstream.baseURL], dialect: dialect)
            }
        let weir = try WeirProcess.serve(text)
        defer { weir.kill() }
        try expectProblem(weir.get(target), 502)
        #expect(try weir.logLine("fetched")["tries"][0]["url"].string == upstream.baseURL + path)
        #expect(!weir.errors.contains("jack"))
    }

    @Test("A try whose answer is cut has the bytes that have arrived, and its connection")
    func cut() throws {
        let upstream = try ScriptedUpstream { _ in
            .play { connection in
                let head = "HTTP/1.1 200 OK\r\nContent-Length: \(smallForecast.utf8.count)\r\n\r\n"
                guard connection.send(Array((head + smallForecast).utf8), seconds: 60),
                    case .bytes = connection.receive(seconds: 60)
                else { return }
                _ = connection.send(Array((head + smallForecast.prefix(10)).utf8), seconds: 60)
            }
        }
        defer { upstream.stop() }
        // Each event loop has connections of its own.
        let text = configuration([upstream.baseURL]).replacing(#""shards": 2"#, with: #""shards": 1"#)
        let weir = try WeirProcess.serve(text)
        defer { weir.kill() }
        #expect(try weir.get(weather).status == 200)
        try expectProblem(weir.get(weather), 502)
        let tries = try Self.lines(of: weir).map { $0["weir.tries"] }
        #expect(tries.map(\.count) == [1, 1])
        #expect(Self.texts(tries[1], "result") == ["the answer ended before its Content-Length"])
        #expect(Self.texts(tries[1], "connection") == ["reused"])
        #expect(tries[1][0]["bytes"].integer == 10)
    }

    @Test("A document that the upstream confirms has its status")
    func confirmed() throws {
        let count = Watched(0)
        let upstream = try ScriptedUpstream { _ in
            count.increase() == 1
                ? .answer(200, smallForecast, headers: ["ETag: \"v1\""]) : .answer(304, "", headers: ["ETag: \"v1\""])
        }
        defer { upstream.stop() }
        let cache = #""weather": {"defaultSeconds": 0, "staleWhileRevalidateSeconds": 0}"#
        // Each event loop writes its own lines.
        let text = configuration([upstream.baseURL], cache: cache)
        let weir = try WeirProcess.serve(text.replacing(#""shards": 2"#, with: #""shards": 1"#))
        defer { weir.kill() }
        for _ in 1...2 { #expect(try weir.get(weather).status == 200) }
        #expect(try Self.lines(of: weir).map { Self.texts($0["weir.tries"], "result") } == [["200"], ["304"]])
    }

    @Test("A retry is a second try, on the connection of the first one; a request without an answer has tries as well")
    func retry() throws {
        let fails = Watched(false)
        let upstream = try ScriptedUpstream { _ in
            .play { connection in
                repeat {
                    let status = fails.current ? "503 Service Unavailable" : "200 OK"
                    let head = "HTTP/1.1 \(status)\r\nContent-Length: \(smallForecast.utf8.count)\r\n\r\n"
                    guard connection.send(Array((head + smallForecast).utf8), seconds: 60) else { return }
                    guard case .bytes = connection.receive(seconds: 60) else { return }
                } while true
            }
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            configuration([upstream.baseURL]).replacing(#""retryPercent": 0"#, with: #""retryPercent": 20"#)
                .replacing(#""shards": 2"#, with: #""shards": 1"#))
        defer { weir.kill() }
        for _ in 1...5 { #expect(try weir.get(weather).status == 200) }
        fails.update { $0 = true }
        try expectProblem(weir.get(weather), 502)
        let lines = try Self.lines(of: weir)
        #expect(lines.map { $0["weir.tries"].count } == [1, 1, 1, 1, 1, 2])
        #expect(Self.texts(lines[5]["weir.tries"], "result") == ["503", "503"])
        #expect(Self.texts(lines[5]["weir.tries"], "connection") == ["reused", "reused"])
        #expect(Self.texts(lines[0]["weir.tries"], "connection") == ["new"])
    }

    @Test("The request of a client that leaves names the try that was under way")
    func leaving() throws {
        let upstream = try ScriptedUpstream { _ in .stall }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL]))
        defer { weir.kill() }
        let client = try weir.client()
        client.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(upstream.waitForRequests(1))
        client.close()
        #expect(upstream.waitForNoConnection())
        let lines = try Self.lines(of: weir)
        #expect(lines.map { $0["error.type"].string } == ["client_left"])
        #expect(Self.texts(lines[0]["weir.tries"], "result") == ["under way"])
        #expect(Self.texts(lines[0]["weir.tries"], "upstream") == ["upstream-0"])
        #expect(lines[0]["weir.tries"][0]["milliseconds"].integer != nil)
    }

    @Test("Who waits for another client's request has its try too, marked as shared; an answer of the cache has none")
    func shared() throws {
        let gate = Gate()
        let upstream = try ScriptedUpstream { _ in
            gate.pass()
            return .answer(smallForecast)
        }
        defer { upstream.stop() }
        defer { gate.open() }
        let weir = try WeirProcess.serve(
            configuration([upstream.baseURL], cache: #""maximumBytes": 1048576"#)
                .replacing(#""shards": 2"#, with: #""shards": 1"#))
        defer { weir.kill() }
        let clients = try (0..<3).map { _ in try weir.client() }
        for client in clients { client.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n") }
        #expect(upstream.waitForRequests(1))
        // Sent after the others and answered at once by the only event loop, which has read theirs by then.
        #expect(try weir.get("/livez").status == 200)
        gate.open()
        for client in clients { #expect(try client.read().status == 200) }
        #expect(try weir.get(weather).header("Cache-Status")?.hasPrefix("Weir; hit") == true)
        let lines = try Self.lines(of: weir)
        #expect(lines.map { $0["weir.cache"].string ?? "" }.sorted() == ["collapsed", "collapsed", "hit", "miss"])
        for line in lines {
            let tries = line["weir.tries"]
            switch line["weir.cache"].string {
            case "hit": #expect(tries.count == 0)
            case "miss": #expect(Self.texts(tries, "result") == ["200"] && tries[0]["shared"].isAbsent)
            default: #expect(Self.texts(tries, "result") == ["200"] && tries[0]["shared"].integer == 1)
            }
        }
        #expect(!weir.errors.contains("\"fetched\""))
    }
}
