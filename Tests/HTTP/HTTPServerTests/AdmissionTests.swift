import EventLoop
import Foundation
import Glibc
import HTTPCore
import HTTPServer
import TestSupport
import Testing

@Suite("Admission of connections", .timeLimit(.minutes(10)))
struct AdmissionTests {
    /// Reserves `/health`, and answers `/refused` with the numbers that it was asked to note.
    private struct Handler: RequestHandler {
        func reply(to request: Request, from source: RequestSource, on shard: Shard) -> Reply { Harness.mixed(request) }
        func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
            Response(status: failure.status, body: Array(failure.detail.utf8))
        }
        func isReserved(_ request: Request, on shard: Shard) -> Bool { request.target.path == "/health" }
    }

    private static let loopback = SocketAddress.network(host: "127.0.0.1", port: 0)

    @Test("At the maximum of connections, reserved requests are answered and others get 503")
    func reserved() async throws {
        let options = ServerOptions.patient.with { $0.maximumConnections = 2 }
        try await Harness.run([Listener(Self.loopback, handler: Handler())], options) { harness in
            let open = try [harness.connect(), harness.connect()]
            for peer in open {
                try await peer.get("/a")
                #expect(try await peer.answer().status == 200)
            }
            for (path, status) in [("/health", 200), ("/a", 503), ("/later", 503), ("/health", 200)] {
                let peer = try harness.connect()
                try await peer.get(path)
                let answer = try await peer.answer()
                #expect(answer.status == status)
                #expect(answer.isLast)
                #expect(try await peer.rest().isEmpty)
            }
            try await open[0].get("/a")
            #expect(try await open[0].answer().status == 200)
        }
    }

    @Test("A connection beyond the maximum that sends nothing gets 503 within two seconds")
    func silentReserved() async throws {
        let options = ServerOptions.patient.with { $0.maximumConnections = 1 }
        try await Harness.run([Listener(Self.loopback, handler: Handler())], options) { harness in
            let open = try harness.connect()
            try await open.get("/a")
            #expect(try await open.answer().status == 200)
            let start = MonotonicTime.now
            let (silent, slow) = try (harness.connect(), harness.connect())
            try await slow.send("GET /health HTTP/1.1\r\n")
            #expect(try await silent.answer().status == 503)
            #expect(try await silent.rest().isEmpty)
            #expect(try await slow.answer().status == 408)
            // Far below the limits of patient options: a busy machine needs its time.
            #expect(MonotonicTime.now - start < .seconds(60))
        }
    }

    // In a process of its own, because other tests open descriptors too.
    @Test("Connections beyond the reserved ones get 503 at once and hold no descriptor")
    func flood() async throws {
        await #expect(processExitsWith: .success) {
            let options = ServerOptions.patient.with {
                $0.maximumConnections = 2
                $0.reservedConnections = 3
            }
            try await Harness.run([Listener(AdmissionTests.loopback, handler: Handler())], options) { harness in
                let open = try [harness.connect(), harness.connect()]
                for peer in open {
                    try await peer.get("/a")
                    #expect(try await peer.answer().status == 200)
                }
                let before = try AdmissionTests.descriptors
                let more = try (0..<100).map { _ in try harness.connect() }
                for peer in more { #expect(try await peer.answer().status == 503) }
                // Each client of this test has a descriptor too.
                let growth = try AdmissionTests.descriptors - before
                #expect(growth <= 100 + 3)
                if growth > 103 { exit(1) }
            }
        }
    }

    // In a process of its own, because other tests open descriptors too.
    @Test("A probe is answered at the limit, however many silent or refused connections stay open")
    func probesInAFlood() async throws {
        await #expect(processExitsWith: .success) {
            for (shards, isSilent) in [(1, true), (1, false), (2, true), (2, false)] {
                let options = ServerOptions.patient.with {
                    $0.maximumConnections = 2
                    $0.reservedConnections = 4
                }
                let listeners = [Listener(AdmissionTests.loopback, handler: Handler())]
                try await Harness.run(listeners, shards: shards, options) { harness in
                    let open = try [harness.connect(), harness.connect()]
                    for peer in open {
                        try await peer.get("/a")
                        #expect(try await peer.answer().status == 200)
                    }
                    let before = try AdmissionTests.descriptors
                    var flood: [Peer] = []
                    func connect() async throws {
                        let peer = try harness.connect()
                        flood.append(peer)
                        if isSilent { return }
                        try await peer.get("/a")
                        #expect(try await peer.answer().status == 503)
                    }
                    for _ in 0..<50 {
                        for _ in 0..<6 { try await connect() }
                        let probe = try harness.connect()
                        try await probe.get("/health")
                        // Its request is there, so that these do not take its place.
                        for _ in 0..<6 { try await connect() }
                        let status = try await probe.answer().status
                        #expect(status == 200, "shards: \(shards), silent: \(isSilent)")
                        if status != 200 { exit(1) }
                    }
                    // The last probe's place is free when the server has seen its end.
                    let start = MonotonicTime.now
                    while try AdmissionTests.descriptors - before > flood.count + 4 {
                        try #require(MonotonicTime.now - start < .seconds(60))
                        await harness.wait(milliseconds: 5)
                    }
                    try await open[0].get("/a")
                    #expect(try await open[0].answer().status == 200)
                }
            }
        }
    }

    private static var descriptors: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    }

    @Test("Operators are answered on a listener of their own when the other has no room, and until it has drained")
    func operators() async throws {
        let (event, begun) = (Event(), Event())
        let slow = ClosureHandler { _, _ in
            .later {
                begun.occur()
                await event.wait()
                return Response("slow")
            }
        }
        let options = ServerOptions.patient.with {
            $0.maximumConnections = 1
            $0.reservedConnections = 1
        }
        let listeners = [
            Listener(Self.loopback, handler: slow), Listener(Self.loopback, handler: Handler(), isForOperators: true),
        ]
        try await Harness.run(listeners, options) { harness in
            let client = try harness.connect()
            try await client.get("/")
            await begun.wait()
            let second = try harness.connect()
            let drained = Task { await harness.server.drain() }
            while (try? harness.connect()) != nil { await Task.yield() }
            for _ in 0..<5 {
                let peer = try Peer(harness.server.addresses[1])
                try await peer.get("/ops")
                #expect(try await peer.answer().text == "/ops")
            }
            event.occur()
            #expect(try await client.answer().text == "slow")
            #expect(await drained.value == 0)
            #expect(throws: Failure.self) { try Peer(harness.server.addresses[1]) }
            withExtendedLifetime(second) {}
        }
    }

    @Test("A client has at most its share of the connections")
    func perClient() async throws {
        let options = ServerOptions.patient.with { $0.maximumConnectionsPerClient = 2 }
        try await Harness.run([Listener(Self.loopback, handler: Handler())], shards: 2, options) { harness in
            var first: Peer? = try harness.connect()
            let second = try harness.connect()
            for peer in [first, second] {
                try await peer?.get("/a")
                #expect(try await peer?.answer().status == 200)
            }
            let third = try harness.connect()
            let refusal = try await third.answer()
            #expect(refusal.status == 503)
            #expect(refusal.text == "More than 2 connections of one client are open.")
            first = nil
            try await harness.connectUntilServed()
        }
    }

    @Test("The client that a PROXY header names has at most its share, and a connection without one is the proxy's")
    func perProxiedClient() async throws {
        var listener = Listener(Self.loopback, handler: Handler())
        listener.readsProxyHeader = true
        let options = ServerOptions.patient.with { $0.maximumConnectionsPerClient = 2 }
        try await Harness.run([listener], shards: 2, options) { harness in
            func status(_ header: String) async throws -> (status: Int, peer: Peer) {
                let peer = try harness.connect()
                try await peer.send("PROXY \(header)\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n")
                return (try await peer.answer().status, peer)
            }
            func client(_ address: String) -> String { "TCP4 \(address) 10.0.0.1 4660 80" }
            var open: [Peer] = []
            for header in [client("192.0.2.1"), client("192.0.2.2"), "TCP6 2001:db8::1 2001:db8::2 1 2", "UNKNOWN"] {
                for expected in [200, 200, 503, 503] {
                    let (status, peer) = try await status(header)
                    #expect(status == expected, "\(header)")
                    if expected == 200 { open.append(peer) } else { #expect(try await peer.rest().isEmpty) }
                }
            }
            open.removeFirst()
            // The server notices the end of the connection a little later.
            while try await status(client("192.0.2.1")).status != 200 {}
            #expect(try await status(client("192.0.2.2")).status == 503)
            withExtendedLifetime(open) {}
        }
    }

    @Test("Connections of a trusted proxy are not counted as one client's, those of others are")
    func perClientBehindTrustedProxy() async throws {
        for (network, statuses) in [("127.0.0.0/8", [200, 200, 200]), ("10.0.0.0/8", [200, 503, 503])] {
            var listener = Listener(Self.loopback, handler: Handler())
            listener.trustedProxies = try TrustedProxies([#require(ClientNetwork(network))])
            let options = ServerOptions.patient.with { $0.maximumConnectionsPerClient = 1 }
            try await Harness.run([listener], options) { harness in
                let peers = try statuses.map { _ in try harness.connect() }
                for (peer, status) in zip(peers, statuses) {
                    if status == 200 { try await peer.get("/a") }
                    #expect(try await peer.answer().status == status, "\(network)")
                }
            }
        }
    }

    @Test("The maximum of connections leaves descriptors for everything else")
    func openFiles() async throws {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 512, rlim_max: 512)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            try await Harness.run(shards: 2, .patient) { harness in
                #expect(300...352 ~= harness.server.maximumConnections)
                if harness.server.maximumConnections > 352 { exit(1) }
            }
            limit.rlim_cur = 64
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            do {
                try await Harness.run { _ in }
                exit(1)
            } catch let error as SystemError {
                #expect("\(error)".hasPrefix("cannot serve with at most 64 open files"))
            }
        }
    }
}
