import EventLoop
import HTTPClient
import HTTPCore
import Synchronization
import TestSupport
import Testing

@Suite("Connections of upstreams", .timeLimit(.minutes(10)))
struct ConnectionPolicyTests {
    private static let answering: @Sendable (Upstream.Connection) -> Void = { connection in
        while connection.request() != nil { connection.answer(text: "\(connection.number)") }
    }

    private static func request(_ url: String, _ policy: ConnectionPolicy) -> OutgoingRequest {
        var request = OutgoingRequest(url)
        request.connectTimeout = .seconds(60)
        request.policy = policy
        return request
    }

    @Test("A connection is not reused once it is older than its lifetime")
    func lifetime() async throws {
        try await withUpstream(Self.answering) { client, upstream in
            let request = Self.request(upstream.url, ConnectionPolicy(lifetimeSeconds: 1))
            let end = MonotonicTime.now + .seconds(600)
            while await client.outcome(request).text == "1", .now < end {}
            #expect(upstream.connectionCount == 2)
        }
    }

    @Test("A connection is not reused once it has been unused for longer than its idle time")
    func idleTime() async throws {
        try await withUpstream(Self.answering) { client, upstream in
            let request = Self.request(upstream.url, ConnectionPolicy(idleSeconds: 1))
            #expect(await client.outcome(request).text == "1")
            // The time is the behaviour here; libcurl counts whole seconds.
            try await Task.sleep(for: .milliseconds(2100))
            #expect(await client.outcome(request).text == "2")
        }
    }

    @Test("No more unused connections stay open than the client may have")
    func maximumConnections() async throws {
        let (asked, closed, gate) = (Event(), Event(), Gate())
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while connection.request() != nil {
                asked.occur()
                gate.pass(seconds: 600)
                connection.answer(text: "yes")
            }
            closed.occur()
        }
        let upstream = try Upstream(serve)
        defer { upstream.stop() }
        let shard = try Shard(index: 0)
        shard.start()
        let client = Client(on: shard, maximumConnections: 3)
        let tasks = (0..<10).map { _ in Task { await client.outcome(OutgoingRequest(upstream.url)).text } }
        await asked.wait(10)
        gate.open()
        for task in tasks { #expect(await task.value == "yes") }
        await closed.wait(7)
        // The three that are left serve the next requests.
        for _ in 0..<10 { #expect(await client.outcome(OutgoingRequest(upstream.url)).text == "yes") }
        #expect(upstream.connectionCount == 10)
        client.stop()
        shard.stop()
    }

    @Test("Transfers beyond the connections that a host may have wait for one of them")
    func maximumHostConnections() async throws {
        let (asked, gate) = (Event(), Gate())
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while connection.request() != nil {
                asked.occur()
                gate.pass(seconds: 600)
                connection.answer(text: "yes")
            }
        }
        let upstream = try Upstream(serve)
        defer { upstream.stop() }
        let shard = try Shard(index: 0)
        shard.start()
        let client = Client(on: shard, maximumHostConnections: 3)
        var request = OutgoingRequest(upstream.url)
        (request.deadline, request.connectTimeout) = (.seconds(600), .seconds(600))
        let tasks = (0..<10).map { [request] _ in Task { await client.outcome(request).text } }
        await asked.wait(3)
        gate.open()
        for task in tasks { #expect(await task.value == "yes") }
        #expect(upstream.connectionCount == 3)
        client.stop()
        shard.stop()
    }

    @Test("A response whose head does not begin in time is too slow, long before the deadline")
    func firstByte() async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while let head = connection.request() {
                if head.hasPrefix("GET /quick") { connection.answer(text: "quick") }
                if head.hasPrefix("GET /hints") { connection.write("HTTP/1.1 103 Early Hints\r\n\r\n") }
            }
        }
        try await withUpstream(serve) { client, upstream in
            var request = OutgoingRequest(upstream.url)
            for path in ["", "/hints"] {
                request.url = Secret(upstream.url + path)
                request.firstByteTimeout = .milliseconds(50)
                #expect(await client.outcome(request).error == .silent)
            }
            request.url = Secret(upstream.url + "/quick")
            request.firstByteTimeout = .seconds(600)
            #expect(await client.outcome(request).text == "quick")
        }
    }

    @Test("A body may take longer than the first byte")
    func slowBody() async throws {
        let gate = Gate()
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.request()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhe")
            gate.pass(seconds: 600)
            connection.write("ad")
            connection.waitForEnd()
        }
        try await withUpstream(serve) { client, upstream in
            var request = OutgoingRequest(upstream.url, deadline: .milliseconds(2300))
            request.firstByteTimeout = .milliseconds(2000)
            let start = MonotonicTime.now
            #expect(await client.outcome(request).error == .unfinished)
            #expect(MonotonicTime.now - start >= .milliseconds(2298))
            gate.open()
        }
    }

    @Test("The minimum rate applies from the head of the response on: an upstream may think before")
    func thinking() async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.request()
            connection.waitForEnd()
        }
        try await withUpstream(serve) { client, upstream in
            var request = OutgoingRequest(upstream.url, deadline: .seconds(4))
            request.minimumRate = 1000
            #expect(await client.outcome(request).error == .tooSlow)
        }
    }

    @Test("A proxy of the policy gets the requests, with the URL or with a tunnel")
    func proxy() async throws {
        let heads = Mutex<[String]>([])
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while let head = connection.request() {
                heads.withLock { $0.append(String(head.prefix { $0 != "\r\n" })) }
                if head.hasPrefix("CONNECT ") {
                    connection.answer(status: 403, "Connection: close\r\n", text: "no")
                    return
                }
                connection.answer(text: "proxied")
            }
        }
        try await withUpstream(serve) { client, proxy in
            let policy = ConnectionPolicy(addresses: .publicOnly, proxy: proxy.url)
            #expect(await client.outcome(Self.request("http://weather.example/a", policy)).text == "proxied")
            let tunnel = Self.request("https://weather.example/b", policy)
            #expect(await client.outcome(tunnel).error == .proxyFailed)
            // A connection of the proxy's is not used without it.
            let direct = Self.request("http://127.0.0.1:1/", ConnectionPolicy())
            #expect(await client.outcome(direct).error == .unreachable)
        }
        #expect(
            heads.withLock { $0 } == [
                "GET http://weather.example/a HTTP/1.1", "CONNECT weather.example:443 HTTP/1.1",
            ])
    }

    @Test("A proxy that is not reachable is an error, and no reason to connect directly")
    func missingProxy() async throws {
        try await withUpstream(Self.answering) { client, upstream in
            let refused = Self.request(upstream.url, ConnectionPolicy(proxy: "http://127.0.0.1:1"))
            #expect(await client.outcome(refused).error == .proxyUnreachable)
            #expect(upstream.connectionCount == 0)
        }
    }

    @Test("A redirect from http to https on the default ports is followed, with the key only to the same host")
    func upgrade() async throws {
        let heads = Mutex<[String]>([])
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while let head = connection.request() {
                heads.withLock { $0.append(head) }
                if head.hasPrefix("CONNECT ") { return connection.answer(status: 403, text: "no") }
                let place = head.contains("/away ") ? "http://other.example/" : "https://weather.example/b"
                connection.answer(status: 302, "Location: \(place)\r\n", text: "")
            }
        }
        try await withUpstream(serve) { client, proxy in
            var request = Self.request("http://weather.example/a", ConnectionPolicy(proxy: proxy.url))
            request.headers = [("X-Key", Secret("key"))]
            #expect(await client.outcome(request).text == "")
            request.redirects = .sameHost
            #expect(await client.outcome(request).error == .proxyFailed)
            request.url = Secret("http://weather.example/away")
            #expect(await client.outcome(request).error == .redirect(.notHTTPS))
            request.url = Secret("http://weather.example:81/a")
            #expect(await client.outcome(request).error == .redirect(.otherHost))
        }
        let seen = heads.withLock { $0 }
        #expect(seen.map { $0.split(separator: " ")[1] }.contains("weather.example:443"))
        #expect(seen.filter { $0.contains("X-Key") }.allSatisfy { $0.hasPrefix("GET http://weather.example") })
        #expect(!seen.contains { $0.contains("other.example") })
    }
}
