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
        let records = Arrivals<Exchange>()

        func reply(to request: Request, on shard: Shard) -> Reply { Harness.mixed(request) }
        func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
            Response(status: failure.status)
        }
        func finished(_ exchange: Exchange, on shard: Shard) { records.add(exchange) }
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
            for (index, name) in [(0, "one"), (2, "three")] {
                let peer = try Peer(harness.server.addresses[index])
                try await peer.get("/")
                #expect(try await peer.answer().text == name)
            }
            #expect(harness.server.addresses[1].description.hasPrefix("[::1]:"))
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
