import Foundation
import TestSupport
import Testing

/// SIGHUP: another configuration for the same process.
@Suite("Reload", .timeLimit(.minutes(10)))
struct ReloadTests {
    /// A service whose configuration file can change.
    private struct Reloading {
        let folder: TemporaryFolder
        let weir: WeirProcess

        init(_ configuration: String) throws {
            folder = try TemporaryFolder()
            let file = try folder.write(configuration, to: "weir.json")
            weir = try WeirProcess(["serve", "--config", file], environment: ["WEIR_TEST_KEY": "test-key-0123"])
            _ = try weir.address()
        }

        /// Replaces the configuration, sends the signal and waits for the log line `message` of the reload `number`.
        @discardableResult
        func reload(_ configuration: String, number: Int = 1, _ message: String = "configuration reloaded") throws
            -> Parsed
        {
            try folder.write(configuration, to: "weir.json")
            weir.send(signal: SIGHUP)
            return try weir.logLine(message) { $0["number"].integer == number }
        }

        /// Replaces the configuration, sends the signal and waits until the log says `reason`.
        func refuse(_ configuration: String, because reason: String) throws {
            try folder.write(configuration, to: "weir.json")
            weir.send(signal: SIGHUP)
            _ = try weir.logLine("configuration refused") { $0["detail"].string?.contains(reason) == true }
        }

        func end() {
            weir.kill()
            folder.remove()
        }
    }

    /// Returns an upstream whose forecasts have the temperature `degrees`.
    private static func upstream(_ degrees: Int) throws -> ScriptedUpstream {
        try ScriptedUpstream { _ in .answer(smallForecast.replacing("10.9", with: "\(degrees)")) }
    }

    private static func degrees(_ answer: RawAnswer) throws -> Int? {
        try answer.json()["currently"]["temperature"].integer
    }

    @Test("The next request on an open connection follows the new configuration, and one in flight the old one")
    func change() throws {
        let (isAsked, gate) = (Gate(), Gate())
        let slow = try ScriptedUpstream { _ in
            isAsked.open()
            gate.pass()
            return .answer(smallForecast.replacing("10.9", with: "1"))
        }
        let new = try Self.upstream(2)
        defer {
            slow.stop()
            new.stop()
        }
        let service = try Reloading(configuration([slow.baseURL]))
        defer { service.end() }
        let (waiting, client) = (try service.weir.client(), try service.weir.client())
        #expect(try client.get("/livez").status == 200)
        waiting.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(isAsked.pass())
        try service.reload(configuration([new.baseURL], weather: #", "units": "us""#))
        let answer = try client.get(weather)
        #expect(answer.status == 200)
        // The route has other units, and 2 degrees Celsius are 35.6 degrees Fahrenheit.
        #expect(answer.text.contains(#""temperature":35.6"#), "\(answer.text)")
        gate.open()
        #expect(try Self.degrees(try waiting.read()) == 1)
        #expect(try waiting.get(weather).text.contains(#""temperature":35.6"#))
        #expect(slow.requests.count == 1)
        #expect(try service.weir.terminate() == 0)
    }

    @Test("A configuration with a fault is refused as a whole, and the old one stays in use")
    func faults() throws {
        let (old, new) = (try Self.upstream(1), try Self.upstream(2))
        defer {
            old.stop()
            new.stop()
        }
        let service = try Reloading(configuration([old.baseURL]))
        defer { service.end() }
        let client = try service.weir.client()
        let good = configuration([new.baseURL])
        let rows = [
            ("{", "line 1"), (good.replacing("\"shards\": 2", with: "\"shards\": 0"), "shards must be an integer"),
            (good.replacing("WEIR_TEST_KEY", with: "WEIR_TEST_ABSENT"), "WEIR_TEST_ABSENT is not set"),
            (configuration([new.baseURL, "\(Checkout.root)/no-such-sample"]), "no-such-sample"),
        ]
        for (text, reason) in rows {
            try service.refuse(text, because: reason)
            #expect(try Self.degrees(try client.get(weather)) == 1)
        }
        unlink(service.folder.path("weir.json"))
        service.weir.send(signal: SIGHUP)
        _ = try service.weir.logLine("configuration refused") {
            $0["detail"].string?.hasSuffix("No such file or directory") == true
        }
        #expect(try Self.degrees(try client.get(weather)) == 1)
        #expect(new.requests.isEmpty)
        try service.reload(good)
        #expect(try Self.degrees(try client.get(weather)) == 2)
    }

    @Test(
        "After a reload with the key of another account, a document of the first one is no hit, and no secret is a part of it"
    )
    func account() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let keys = ["first-KEY-0123456789", "second-KEY-0123456789"]
        let upstream = try ScriptedUpstream { head in
            .answer(smallForecast.replacing("10.9", with: head.contains(keys[0]) ? "1" : "2"))
        }
        defer { upstream.stop() }
        let (file, documents) = (try folder.write(keys[0], to: "key"), folder.path("documents"))
        let text = configuration(
            [upstream.baseURL], key: #"{"file": "\#(file)"}"#, cache: #""snapshotFile": "\#(documents)""#)
        let service = try Reloading(text)
        defer { service.end() }
        for (number, (key, requests)) in zip([0, 1, 0], [1, 2, 2]).enumerated() {
            try folder.write(keys[key], to: "key")
            if number > 0 { try service.reload(text, number: number) }
            for _ in 0..<2 { #expect(try Self.degrees(try service.weir.get(weather)) == key + 1) }
            #expect(upstream.requests.count == requests)
        }
        #expect(try service.weir.terminate() == 0)
        let snapshot = String(decoding: try Checkout.read(documents), as: UTF8.self)
        #expect(keys.allSatisfy { !snapshot.contains($0) })
        // A restart finds the documents of its account alone.
        try folder.write(keys[1], to: "key")
        let weir = try WeirProcess.serve(text)
        defer { weir.kill() }
        #expect(try Self.degrees(try weir.get(weather)) == 2)
        #expect(upstream.requests.count == 2)
    }

    @Test("No request fails and no connection is closed while the configuration is reloaded under load")
    func load() throws {
        let upstreams = try (0..<2).map { try Self.upstream($0) }
        defer { for upstream in upstreams { upstream.stop() } }
        let service = try Reloading(configuration([upstreams[0].baseURL]))
        defer { service.end() }
        let (clients, isOver) = (8, Watched(false))
        let (results, answered) = (Watched<[[Int]]>([]), Watched(0))
        for _ in 0..<clients {
            Thread.detachNewThread { [weir = service.weir] in
                var list: [Int] = []
                let client = try? weir.client()
                while !isOver.current {
                    let answer = try? client?.get(weather)
                    list.append(answer.flatMap { $0.status == 200 ? try? Self.degrees($0) : nil } ?? -1)
                    answered.update { $0 += 1 }
                }
                results.update { $0.append(list) }
            }
        }
        for number in 1...20 {
            let seen = answered.current
            _ = answered.wait { $0 >= seen + 10 ? true : nil }
            try service.reload(configuration([upstreams[number % 2].baseURL]), number: number)
        }
        isOver.update { $0 = true }
        let all = try #require(results.wait(seconds: 60) { $0.count == clients ? $0.flatMap(\.self) : nil })
        #expect(Set(all) == [0, 1], "\(all)")
        #expect(all.count >= 200)
    }

    @Test("Settings that need a restart are named")
    func restart() throws {
        let upstream = try Self.upstream(1)
        defer { upstream.stop() }
        let service = try Reloading(configuration([upstream.baseURL], server: ["maximumConnections": 100]))
        defer { service.end() }
        let text = configuration([upstream.baseURL], server: ["maximumConnections": 1, "idleTimeoutMilliseconds": 10])
        try service.reload(text.replacing("\"shards\": 2", with: "\"shards\": 3"))
        let line = try service.weir.logLine("settings need a restart")
        #expect(
            line["settings"].string == "shards, server.maximumConnections, server.idleTimeoutMilliseconds")
        let clients = try (0..<3).map { _ in try service.weir.client() }
        for client in clients { #expect(try client.get(weather).status == 200) }
    }

    @Test("A cache stays as it is until a restart", arguments: [true, false])
    func cache(_ isKept: Bool) throws {
        let upstream = try Self.upstream(1)
        defer { upstream.stop() }
        let kept = configuration([upstream.baseURL], cache: "")
        let none = configuration([upstream.baseURL])
        let service = try Reloading(isKept ? kept : none)
        defer { service.end() }
        try service.reload(isKept ? none : kept)
        #expect(try service.weir.logLine("settings need a restart")["settings"].string == "cache.maximumBytes")
        for _ in 1...3 { #expect(try service.weir.get(weather).status == 200) }
        #expect(upstream.requests.count == (isKept ? 1 : 3))
    }

    @Test("Each reload names the settings that differ from those of the process, and no others")
    func restartAgain() throws {
        let upstream = try Self.upstream(1)
        defer { upstream.stop() }
        let running = configuration([upstream.baseURL])
        let service = try Reloading(running)
        defer { service.end() }
        let changed = running.replacing("\"shards\": 2", with: "\"shards\": 3").replacing(
            #""maximumBytes": 0"#, with: #""maximumBytes": 2097152"#)
        let other = configuration([upstream.baseURL], server: ["maximumConnections": 1])
        for (number, text) in [(1, changed), (2, running), (3, other)] { try service.reload(text, number: number) }
        _ = try service.weir.logLine("settings need a restart") {
            $0["settings"].string == "server.maximumConnections"
        }
        let lines = try service.weir.errors.split(separator: "\n").map { try Parsed(String($0)) }
        #expect(
            lines.compactMap { $0["number"].integer.map { "\($0)" } ?? $0["settings"].string } == [
                "1", "shards, cache.maximumBytes", "2", "3", "server.maximumConnections",
            ])
    }

    @Test("A key that has changed in its file is used after the reload, without a 401 before")
    func keys() throws {
        let upstream = try Self.upstream(1)
        defer { upstream.stop() }
        let keys = try TemporaryFolder()
        defer { keys.remove() }
        let file = try keys.write("first-KEY-0123456789", to: "key")
        let text = configuration([upstream.baseURL], key: #"{"file": "\#(file)"}"#)
        let service = try Reloading(text)
        defer { service.end() }
        #expect(try service.weir.get(weather).status == 200)
        try keys.write("second-KEY-0123456789", to: "key")
        try service.reload(text)
        #expect(try service.weir.get(weather).status == 200)
        let paths = upstream.requests.map { $0.split(separator: "/")[2] }
        #expect(paths == ["first-KEY-0123456789", "second-KEY-0123456789"])
    }

    @Test("After a reload with other keys, the former ones are still removed from what the upstream says")
    func formerKeys() throws {
        let names = ["first", "second", "third"]
        let upstream = try ScriptedUpstream { _ in
            .answer(400, #"{"error":"\#(names.map { "\($0)-KEY-0123456789" }.joined(separator: " and "))"}"#)
        }
        defer { upstream.stop() }
        let keys = try TemporaryFolder()
        defer { keys.remove() }
        let file = try keys.write("first-KEY-0123456789", to: "key")
        let text = configuration([upstream.baseURL], key: #"{"file": "\#(file)"}"#)
        let service = try Reloading(text)
        defer { service.end() }
        for (number, name) in names.enumerated() {
            try keys.write("\(name)-KEY-0123456789", to: "key")
            if number > 0 { try service.reload(text, number: number) }
            let problem = try expectProblem(service.weir.get(weather), 502)
            let later = names[(number + 1)...].map { "\($0)-KEY-0123456789" }
            let expected = Array(repeating: "***", count: number + 1) + later
            #expect(problem["upstream"]["error"].string == expected.joined(separator: " and "))
        }
        #expect(try service.weir.terminate() == 0)
    }

    @Test("An open circuit breaker stays open over a reload")
    func breaker() throws {
        let upstream = try ScriptedUpstream { _ in .answer(500, "{}") }
        defer { upstream.stop() }
        let text = configuration([upstream.baseURL]).replacing(
            #""breaker": {"minimumRequests": 1000000}"#,
            with: #""breaker": {"minimumRequests": 2, "openMilliseconds": 60000}"#)
        let service = try Reloading(text)
        defer { service.end() }
        for status in [502, 502, 503] { try expectProblem(service.weir.get(weather), status) }
        try service.reload(text.replacing("15000", with: "14000"))
        let problem = try expectProblem(service.weir.get(weather), 503)
        #expect(problem["type"].string == "urn:weir:problem:upstream-unavailable")
        #expect(upstream.requests.count == 2)
    }

    @Test("What is known about an upstream outlives a reload: its quota and its token")
    func state() throws {
        let upstream = try Self.upstream(1)
        let endpoint = try ScriptedUpstream { _ in
            .answer(#"{"token_type":"bearer","access_token":"token-0123456789"}"#)
        }
        defer {
            upstream.stop()
            endpoint.stop()
        }
        let key = #"{"environment": "WEIR_TEST_KEY"}"#
        func text(_ perMonth: Int) -> String {
            let oauth = #""clientID": \#(key), "clientSecret": \#(key)"#
            return configuration([upstream.baseURL]).replacing(
                #""key": \#(key)"#,
                with: """
                    "authorization": "oauth2", "quota": {"perMonth": \(perMonth)},
                    "oauth2": {"tokenURL": "\(endpoint.baseURL)/token", \(oauth)}
                    """)
        }
        let service = try Reloading(text(2))
        defer { service.end() }
        #expect(try service.weir.get(weather).status == 200)
        try service.reload(text(2).replacing("15000", with: "14000"))
        #expect(try service.weir.get(weather).status == 200)
        try expectProblem(try service.weir.get(weather), 503)
        try service.reload(text(3), number: 2)
        #expect(try service.weir.get(weather).status == 200)
        try expectProblem(try service.weir.get(weather), 503)
        #expect(upstream.requests.count == 3)
        #expect(endpoint.requests.count == 1)
    }

    @Test(
        "What an upstream has got in a month counts after reloads with another limit and with none",
        arguments: [1, nil])
    func quota(_ between: Int?) throws {
        let upstream = try Self.upstream(1)
        defer { upstream.stop() }
        func text(_ perMonth: Int?) -> String {
            let quota = perMonth.map { #""quota": {"perMonth": \#($0)}, "# } ?? ""
            return configuration([upstream.baseURL]).replacing(#""retryPercent""#, with: #"\#(quota)"retryPercent""#)
        }
        let service = try Reloading(text(4))
        defer { service.end() }
        for _ in 1...3 { #expect(try service.weir.get(weather).status == 200) }
        try service.reload(text(between))
        // Without a limit, a request is made and counted.
        #expect(try service.weir.get(weather).status == (between == nil ? 200 : 503))
        try service.reload(text(4), number: 2)
        if between != nil { #expect(try service.weir.get(weather).status == 200) }
        try expectProblem(service.weir.get(weather), 503)
        #expect(upstream.requests.count == 4)
    }

    @Test("A sample of the former configuration is stopped when its last request has ended")
    func samples() throws {
        let slow = try sample(delayMilliseconds: 300)
        let upstream = try Self.upstream(1)
        defer {
            slow.remove()
            upstream.stop()
        }
        let service = try Reloading(configuration([slow.path]))
        defer { service.end() }
        let url = try service.weir.sampleURL()
        let waiting = try service.weir.client()
        waiting.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n")
        // A sample's connection, which ends when the sample stops.
        let observer = try RawClient(String(url.dropFirst("http://".count)))
        try service.reload(configuration([upstream.baseURL]))
        #expect(try waiting.read().status == 200)
        #expect(observer.waitForInput(seconds: 20))
        #expect(try service.weir.get(weather).status == 200)
        #expect(try service.weir.terminate() == 0)
    }
}
