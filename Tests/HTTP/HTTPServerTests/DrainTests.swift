import EventLoop
import Glibc
import HTTPCore
import HTTPServer
import TestSupport
import Testing

@Suite("Draining", .timeLimit(.minutes(10)))
struct DrainTests {
    /// Options whose drain time-out is long by default, so that a test that waits for it fails.
    private static func options(grace: Duration = .milliseconds(50), limit: Duration = .seconds(3600)) -> ServerOptions
    {
        .patient.with {
            $0.drainGrace = grace
            $0.drainTimeout = limit
        }
    }

    /// Answers `/slow` after `event` has happened, and other requests as `Harness.mixed` does.
    private static func waiting(for event: Event, begun: Event) -> @Sendable (Request) -> Reply {
        { request in
            guard request.target.path == "/slow" else { return Harness.mixed(request) }
            return .later {
                begun.occur()
                await event.wait()
                return Response("slow")
            }
        }
    }

    @Test("Draining without connections ends at once, and can be repeated", arguments: [1, 3])
    func noConnections(shards: Int) async throws {
        try await Harness.run(shards: shards, Self.options()) { harness in
            #expect(await harness.server.drain() == 0)
            #expect(await harness.server.drain() == 0)
            #expect(throws: Failure.self) { try harness.connect() }
        }
    }

    @Test("A server can be released right after draining")
    func release() async throws {
        let shard = try Shard(index: 0)
        shard.start()
        let handler = ClosureHandler { request, _ in Harness.echo(request) }
        for _ in 0..<200 {
            let loopback = SocketAddress.network(host: "127.0.0.1", port: 0)
            let server = try Server(loopback, shards: [shard], handler: handler, options: Self.options())
            server.start()
            var peer: Peer? = try Peer(server.address)
            try await peer?.get("/")
            #expect(try await peer?.answer().status == 200)
            let cut = Task { await server.drain() }
            peer = nil
            #expect(await cut.value == 0)
        }
        shard.stop()
    }

    @Test("Idle connections are closed after the grace period")
    func idle() async throws {
        try await Harness.run(Self.options()) { harness in
            let (silent, served) = (try harness.connect(), try harness.connect())
            try await served.get("/")
            #expect(try await served.answer().status == 200)
            #expect(await harness.server.drain() == 0)
            #expect(try await silent.rest().isEmpty)
            #expect(try await served.rest().isEmpty)
        }
    }

    @Test("Requests that have arrived when the grace period ends are answered, even if they are too many for one turn")
    func endOfGrace() async throws {
        let answer: @Sendable (Request) -> Reply = { request in
            // Together longer than the time to the check of the deadlines.
            let end = MonotonicTime.now + .microseconds(100)
            while MonotonicTime.now < end {}
            return Harness.echo(request)
        }
        let path = "/tmp/weir-grace-\(getpid()).sock"
        defer { unlink(path) }
        try await Harness.run(at: .unix(path: path), Self.options(grace: .zero), answer: answer) { harness in
            let peers = try (0..<800).map { _ in try harness.connect() }
            for peer in peers {
                try await peer.get("/")
                #expect(try await peer.answer().status == 200)
            }
            let gate = Gate()
            harness.shards[0].post { gate.pass() }
            let cut = Task { await harness.server.drain() }
            for peer in peers { try await peer.get("/last") }
            gate.open()
            for peer in peers { #expect(try await peer.answer().status == 200) }
            #expect(await cut.value == 0)
        }
    }

    @Test("A request within the grace period is answered, and the response closes the connection")
    func requestWithinGrace() async throws {
        try await Harness.run(Self.options(grace: .seconds(3600))) { harness in
            let peer = try harness.connect()
            try await peer.get("/")
            #expect(try await !peer.answer().isLast)
            let cut = Task { await harness.server.drain() }
            // A refused connection shows that draining has started.
            while (try? harness.connect()) != nil { await Task.yield() }
            try await peer.get("/")
            #expect(try await peer.answer().isLast)
            #expect(try await peer.rest().isEmpty)
            #expect(await cut.value == 0)
        }
    }

    @Test("A response in progress is completed")
    func inFlight() async throws {
        let (event, begun) = (Event(), Event())
        try await Harness.run(Self.options(), answer: Self.waiting(for: event, begun: begun)) { harness in
            let peer = try harness.connect()
            try await peer.get("/slow")
            await begun.wait()
            let cut = Task { await harness.server.drain() }
            while (try? harness.connect()) != nil { await Task.yield() }
            event.occur()
            let answer = try await peer.answer()
            #expect(answer.text == "slow")
            #expect(answer.isLast)
            #expect(try await peer.rest().isEmpty)
            #expect(await cut.value == 0)
        }
    }

    @Test("Connections that take too long are cut and counted")
    func cutting() async throws {
        let (event, begun) = (Event(), Event())
        let options = Self.options(grace: .milliseconds(10), limit: .milliseconds(100))
        try await Harness.run(options, answer: Self.waiting(for: event, begun: begun)) { harness in
            let (slow, half, idle) = (try harness.connect(), try harness.connect(), try harness.connect())
            try await slow.get("/slow")
            try await half.send("GET / HT")
            try await idle.get("/")
            #expect(try await idle.answer().status == 200)
            await begun.wait()
            #expect(await harness.server.drain() == 2)
            event.occur()
            #expect(try await slow.rest().isEmpty)
        }
    }

    @Test("Draining ends when all connections are cut")
    func cutWhileDraining() async throws {
        let (event, begun) = (Event(), Event())
        try await Harness.run(Self.options(), answer: Self.waiting(for: event, begun: begun)) { harness in
            let peer = try harness.connect()
            try await peer.get("/slow")
            await begun.wait()
            let cut = Task { await harness.server.drain() }
            while (try? harness.connect()) != nil { await Task.yield() }
            harness.server.cut()
            #expect(await cut.value == 1)
            event.occur()
        }
    }

    @Test("Two concurrent drains both complete")
    func concurrentDrains() async throws {
        let (event, begun) = (Event(), Event())
        try await Harness.run(Self.options(), answer: Self.waiting(for: event, begun: begun)) { harness in
            let peer = try harness.connect()
            try await peer.get("/slow")
            await begun.wait()
            let first = Task { await harness.server.drain() }
            while (try? harness.connect()) != nil { await Task.yield() }
            let second = Task { await harness.server.drain() }
            // One turn of the event loop, so that both drains have started.
            await withCheckedContinuation { continuation in
                harness.shards[0].post { continuation.resume() }
            }
            event.occur()
            #expect(try await peer.answer().text == "slow")
            #expect(await first.value == 0)
            #expect(await second.value == 0)
        }
    }

    @Test("A connection closes after its last response, however long that took to send")
    func slowReader() async throws {
        let answer: @Sendable (Request) -> Reply = { request in
            request.target.path == "/big" ? .now(Response(bytes: 10 << 20)) : Harness.mixed(request)
        }
        try await Harness.run(Self.options(), answer: answer) { harness in
            let peer = try harness.connect(receiveBuffer: 4096)
            try await peer.get("/big")
            #expect(try await peer.take(8) == Array("HTTP/1.1".utf8))
            let cut = Task { await harness.server.drain() }
            while (try? harness.connect()) != nil { await Task.yield() }
            #expect(try await peer.rest().utf8.count > 10 << 20)
            #expect(await cut.value == 0)
        }
    }

    @Test("Connections that wait to be accepted are served")
    func acceptQueue() async throws {
        let shards = [try Shard(index: 0)]
        let handler = ClosureHandler { request, _ in Harness.echo(request) }
        let server = try Server(
            .network(host: "127.0.0.1", port: 0), shards: shards, handler: handler, options: Self.options())
        let peers = try (0..<100).map { _ in try Peer(server.address) }
        for peer in peers { try await peer.get("/") }
        shards[0].start()
        let cut = Task { await server.drain() }
        for peer in peers {
            #expect(try await peer.answer().isLast)
            #expect(try await peer.rest().isEmpty)
        }
        #expect(await cut.value == 0)
        server.start()
        #expect(throws: Failure.self) { try Peer(server.address) }
        shards[0].stop()
    }

    @Test("The socket file of a successor is not removed")
    func successor() async throws {
        let (event, begun) = (Event(), Event())
        let address = SocketAddress.unix(path: "/tmp/weir-successor-\(getpid()).sock")
        let answer = Self.waiting(for: event, begun: begun)
        try await Harness.run(at: address, shards: 2, Self.options(), answer: answer) { harness in
            let peer = try harness.connect()
            try await peer.get("/slow")
            await begun.wait()
            let cut = Task { await harness.server.drain() }
            while (try? harness.connect()) != nil { await Task.yield() }
            try await Harness.run(at: address, shards: 2) { successor in
                event.occur()
                #expect(try await peer.answer().text == "slow")
                #expect(await cut.value == 0)
                #expect(await harness.server.drain() == 0)
                let next = try successor.connect()
                try await next.get("/next")
                #expect(try await next.answer().status == 200)
                #expect(await successor.server.drain() == 0)
            }
        }
        #expect(throws: Failure.self) { try Peer(address) }
    }
}
