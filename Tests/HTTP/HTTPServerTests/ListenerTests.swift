import EventLoop
import Glibc
import HTTPCore
import HTTPServer
import TestSupport
import Testing

@Suite("Listeners", .timeLimit(.minutes(10)))
struct ListenerTests {
    /// Passes on what the server reports.
    private struct Recorder: RequestHandler {
        let records = Arrivals<ExchangeRecord>()

        func reply(to request: Request, from source: RequestSource, on shard: Shard) -> Reply { Harness.mixed(request) }
        func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
            Response(status: failure.status)
        }
        func finished(_ exchange: ExchangeRecord, on shard: Shard) { records.add(exchange) }
    }

    private static let loopback = SocketAddress.network(host: "127.0.0.1", port: 0)

    @Test("Each listener has its own application")
    func several() async throws {
        let path = "/tmp/weir-listeners-\(getpid()).sock"
        let names: [(SocketAddress, String)] = [
            (Self.loopback, "one"), (.network(host: "::1", port: 0), "two"), (.unix(path: path), "three"),
        ]
        let listeners = names.map { address, name in
            Listener(address, handler: ClosureHandler { _, _ in .now(Response(name)) })
        }
        try await Harness.run(listeners, shards: 2) { harness in
            for (index, (_, name)) in names.enumerated() {
                let peer = try Peer(harness.server.addresses[index])
                try await peer.get("/")
                #expect(try await peer.answer().text == name)
            }
            #expect(harness.server.addresses[1].description.hasPrefix("[::1]:"))
        }
    }

    @Test("A listener at [::] answers clients of IPv4 and IPv6, and knows their addresses")
    func dualStack() async throws {
        let recorder = Recorder()
        try await Harness.run([Listener(.network(host: "::", port: 0), handler: recorder)], shards: 2) { harness in
            guard case .network(_, let port) = harness.address else { throw Failure("\(harness.address)") }
            for host in ["127.0.0.1", "::1"] {
                let peer = try Peer(.network(host: host, port: port))
                try await peer.get("/now")
                #expect(try await peer.answer().text == "/now")
                switch await recorder.records.next(1).first?.client {
                case .v4(let address, _): #expect(host == "127.0.0.1" && address == 0x7F00_0001)
                case .v6(let address, _): #expect(host == "::1" && address == 1)
                case let other: Issue.record("\(host): \(String(describing: other))")
                }
            }
        }
    }

    @Test("A socket that another process has opened is served, and its file stays")
    func inherited() async throws {
        let path = "/tmp/weir-inherited-\(getpid()).sock"
        defer { unlink(path) }
        let opened = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(opened, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound && listen(opened, 16) == 0)
        try await Harness.run(at: .inherited(opened), shards: 2, answer: Harness.mixed) { harness in
            for path in ["/now", "/later"] {
                let peer = try Peer(.unix(path: "/tmp/weir-inherited-\(getpid()).sock"))
                try await peer.get(path)
                #expect(try await peer.answer().text == path)
            }
        }
        #expect(access(path, F_OK) == 0)
    }

    @Test("The client is the one that the PROXY header names, in whatever pieces it arrives", arguments: [1, 3, 1000])
    func proxyHeader(size: Int) async throws {
        let recorder = Recorder()
        var listener = Listener(Self.loopback, handler: recorder)
        listener.readsProxyHeader = true
        try await Harness.run([listener]) { harness in
            let requests = "GET /now HTTP/1.1\r\nHost: a\r\n\r\nGET /later HTTP/1.1\r\nHost: a\r\n\r\n"
            let bytes = Array("PROXY TCP4 192.0.2.7 10.0.0.1 4660 80\r\n\(requests)".utf8)
            let peer = try harness.connect()
            for start in stride(from: 0, to: bytes.count, by: size) {
                try await peer.send(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(try await peer.answer().text == "/now")
            #expect(try await peer.answer().text == "/later")
            let records = await recorder.records.next(2)
            #expect(records.allSatisfy { $0.client == .v4(0xC000_0207, port: 0x1234) })
            #expect(records.map(\.bytesReceived).reduce(0, +) == requests.utf8.count)
        }
    }

    /// Headers of version 2: a command, a family, the addresses and ports, extensions, and the client that they name.
    private static let blocks: [(command: UInt8, family: UInt8, addresses: [UInt8], client: ClientAddress?)] = [
        (0x21, 0x11, [192, 0, 2, 7, 10, 0, 0, 1, 0x12, 0x34, 0, 80], .v4(0xC000_0207, port: 0x1234)),
        (
            0x21, 0x21,
            [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [7] + [UInt8](repeating: 1, count: 16)
                + [0x12, 0x34, 0, 80],
            .v6(0x2001_0DB8 << 96 | 7, port: 0x1234)
        ),
        (0x20, 0x00, [], nil), (0x20, 0x11, [192, 0, 2, 7, 10, 0, 0, 1, 0x12, 0x34, 0, 80], nil),
    ]

    @Test("A header of version 2 names the client, with extensions, or says that the connection is the proxy's own")
    func proxyBlock() async throws {
        let recorder = Recorder()
        var listener = Listener(Self.loopback, handler: recorder)
        listener.readsProxyHeader = true
        let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10] + Array("QUIT\n".utf8)
        // An authority (2) and padding (4), whose lengths have two bytes.
        let extensions: [UInt8] = [2, 0, 9] + Array("a.example".utf8) + [4, 0, 3, 0, 0, 0]
        let request = "GET /now HTTP/1.1\r\nHost: a\r\n\r\n"
        try await Harness.run([listener]) { harness in
            for (command, family, addresses, client) in Self.blocks {
                for (suffix, size) in [([], 1000), (extensions, 1000), (extensions, 1)] {
                    let rest = addresses + suffix
                    let header = signature + [command, family, 0, UInt8(rest.count)] + rest
                    let bytes = header + Array(request.utf8)
                    let peer = try harness.connect()
                    for start in stride(from: 0, to: bytes.count, by: size) {
                        try await peer.send(Array(bytes[start..<min(start + size, bytes.count)]))
                    }
                    #expect(try await peer.answer().text == "/now")
                    let record = try #require(await recorder.records.next(1).first)
                    if let client {
                        #expect(record.client == client)
                    } else if case .v4(let address, _) = record.client {
                        #expect(address == 0x7F00_0001)
                    } else {
                        Issue.record("\(String(describing: record.client))")
                    }
                    #expect(record.bytesReceived == request.utf8.count)
                }
            }
        }
    }

    @Test("A connection without a valid PROXY header is dropped without an answer")
    func withoutProxyHeader() async throws {
        let recorder = Recorder()
        var listener = Listener(Self.loopback, handler: recorder)
        listener.readsProxyHeader = true
        try await Harness.run([listener], .patient.with { $0.requestTimeout = .milliseconds(200) }) { harness in
            let plain = try harness.connect()
            try await plain.get("/now")
            let record = try #require(await recorder.records.next(1).first)
            #expect(record.outcome == .refused(.malformed))
            #expect(record.status == nil)
            let slow = try harness.connect()
            try await slow.send("PROXY TCP4 ")
            #expect(try await slow.rest().isEmpty)
        }
    }

    @Test("The client is the one that a trusted proxy names")
    func forwarded() async throws {
        let recorder = Recorder()
        var listener = Listener(Self.loopback, handler: recorder)
        listener.trustedProxies = try TrustedProxies([#require(ClientNetwork("127.0.0.0/8"))])
        try await Harness.run([listener]) { harness in
            let peer = try harness.connect()
            try await peer.send("GET /now HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 1.1.1.1, 192.0.2.7\r\n\r\n")
            #expect(try await peer.answer().status == 200)
            #expect(await recorder.records.next(1).first?.client == .v4(0xC000_0207, port: 0))
        }
    }
}
