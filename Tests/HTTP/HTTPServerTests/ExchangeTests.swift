import EventLoop
import HTTPCore
import HTTPServer
import TestSupport
import Testing

@Suite("Records of exchanges", .timeLimit(.minutes(10)))
struct ExchangeTests {
    /// Answers as `Harness.mixed` does, and passes on what the server reports.
    private struct Recorder: RequestHandler {
        let records = Arrivals<ExchangeRecord>()
        let open = Counter()
        var begun = Event()

        func reply(to request: Request, from source: RequestSource, on shard: Shard) -> Reply {
            switch request.target.path {
            case "/big": return .now(Response(bytes: 3 << 20))
            case "/stored": return .now(Response.stored(bytes: 5000, age: 7))
            case "/never":
                return .later {
                    begun.occur()
                    await Event().wait()
                    return Response()
                }
            default: return Harness.mixed(request)
            }
        }

        func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
            Response(status: failure.status, body: Array(failure.detail.utf8))
        }

        func finished(_ exchange: ExchangeRecord, on shard: Shard) { records.add(exchange) }
        func connectionsChanged(by change: Int, on shard: Shard) { open.add(change) }
    }

    private static func run(
        _ options: ServerOptions = .patient, _ body: (Recorder, Harness) async throws -> Void
    ) async throws {
        let recorder = Recorder()
        let loopback = SocketAddress.network(host: "127.0.0.1", port: 0)
        try await Harness.run([Listener(loopback, handler: recorder)], options) { harness in
            try await body(recorder, harness)
        }
        #expect(recorder.open.value == 0)
    }

    @Test("An exchange is recorded when its response is sent, with its bytes and times in order")
    func completed() async throws {
        try await Self.run { recorder, harness in
            let peer = try harness.connect()
            let before = MonotonicTime.now.nanoseconds
            for path in ["/now", "/later", "/big", "/stored", "/later"] {
                let request = "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
                try await peer.send(request)
                let answer = try await peer.answer()
                let record = try #require(await recorder.records.next(1).first)
                #expect(record.method == .get)
                #expect(record.version == .http11)
                #expect(record.status == .ok)
                #expect(record.outcome == .completed)
                #expect(record.bytesReceived == request.utf8.count)
                let head = answer.headers.reduce("HTTP/1.1 200 OK\r\n\r\n".utf8.count) {
                    $0 + $1.name.utf8.count + $1.value.utf8.count + 4
                }
                #expect(record.bytesSent == head + answer.body.count)
                #expect(before <= record.start)
                #expect(record.start <= record.headComplete)
                #expect(record.headComplete <= record.answered)
                #expect(record.answered <= record.end)
                #expect(answer.header("Age") == (path == "/stored" ? "7" : nil))
                guard case .v4(0x7F00_0001, let port)? = record.client else {
                    Issue.record("the client is \(String(describing: record.client))")
                    return
                }
                #expect(port > 0)
            }
        }
    }

    @Test("Each of several pipelined exchanges is recorded")
    func pipelined() async throws {
        try await Self.run { recorder, harness in
            let peer = try harness.connect()
            let requests = ["/now", "/big", "/later", "/big", "/now", "/stored"].map { path in
                "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
            }
            try await peer.send(requests.joined())
            var sent: [Int] = []
            for _ in requests { sent.append(try await peer.answer().body.count) }
            let records = await recorder.records.next(requests.count)
            #expect(records.map(\.bytesReceived) == requests.map(\.utf8.count))
            #expect(zip(records, sent).allSatisfy { $0.bytesSent > $1 && $0.bytesSent < $1 + 200 })
            #expect(records.allSatisfy { $0.outcome == .completed && $0.method == .post })
        }
    }

    @Test("The bytes of a body that arrive with the head are counted", arguments: ["/now", "/later"])
    func unreadBody(path: String) async throws {
        try await Self.run { recorder, harness in
            let peer = try harness.connect()
            let request = "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nbody"
            try await peer.send(request)
            #expect(try await peer.answer().isLast)
            let record = try #require(await recorder.records.next(1).first)
            #expect(record.bytesReceived == request.utf8.count && record.outcome == .completed)
        }
    }

    @Test("A request that arrives in pieces begins with its first byte")
    func pieces() async throws {
        try await Self.run { recorder, harness in
            let peer = try harness.connect()
            for piece in ["\r\nPO", "ST /now HTTP/1.1\r\nHost: a\r\nContent-Len", "gth: 0\r\n", "\r", "\n"] {
                try await peer.send(piece)
                await harness.wait(milliseconds: 20)
            }
            #expect(try await peer.answer().status == 200)
            let record = try #require(await recorder.records.next(1).first)
            #expect(
                record.bytesReceived == "\r\nPOST /now HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n".utf8.count)
            #expect(record.headComplete - record.start >= 60_000_000)
        }
    }

    @Test("A client that leaves before the answer, or in the middle of it, is recorded", arguments: [true, false])
    func left(isReset: Bool) async throws {
        try await Self.run { recorder, harness in
            var peer: Peer? = try harness.connect()
            try await peer?.get("/never")
            await recorder.begun.wait()
            let start = MonotonicTime.now.nanoseconds
            if isReset { peer?.reset() }
            peer = nil
            let record = try #require(await recorder.records.next(1).first)
            #expect(record.outcome == .clientLeft)
            #expect(record.method == .get)
            #expect(record.status == nil)
            #expect(record.bytesSent == 0)
            #expect(record.end < start + 100_000_000)

            peer = try harness.connect(receiveBuffer: 4096)
            try await peer?.get("/big")
            _ = try await peer?.take(100)
            if isReset { peer?.reset() }
            peer = nil
            let second = try #require(await recorder.records.next(1).first)
            #expect(second.outcome == .clientLeft)
            #expect(second.status == .ok)
            #expect(100..<3 << 20 ~= second.bytesSent)
        }
    }

    @Test("A client that takes its answer too slowly is recorded")
    func timedOut() async throws {
        try await Self.run(.patient.with { $0.writeTimeout = .milliseconds(100) }) { recorder, harness in
            let peer = try harness.connect(receiveBuffer: 4096)
            try await peer.get("/big")
            let record = try #require(await recorder.records.next(1).first)
            #expect(record.outcome == .timedOut)
            #expect(record.status == .ok)
            withExtendedLifetime(peer) {}
        }
    }

    static let refusals: [(request: String, refusal: Refusal, status: Int, method: Method?)] = [
        ("nonsense\r\n\r\n", .malformed, 400, nil), ("GET / HTTP/2.0\r\n\r\n", .malformed, 505, .get),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", .malformed, 400, .get),
        ("PUT / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n", .malformed, 417, .put),
        ("GET /" + String(repeating: "a", count: 9000), .targetTooLong, 414, .get),
        ("GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 101), .headTooLarge, 431, .get),
        ("GET / HTTP/1.1\r\nX: " + String(repeating: "y", count: 33_000), .headTooLarge, 431, .get),
        ("GET / HTTP", .requestTimeout, 408, .get), ("GE", .requestTimeout, 408, nil),
    ]

    @Test("A refused request is recorded with its reason", arguments: refusals)
    func refused(request: String, refusal: Refusal, status: Int, method: Method?) async throws {
        let options = ServerOptions.patient.with { $0.requestTimeout = .milliseconds(300) }
        try await Self.run(options) { recorder, harness in
            let peer = try harness.connect()
            try await peer.send(request)
            #expect(try await peer.answer().status == status)
            let record = try #require(await recorder.records.next(1).first)
            #expect(record.outcome == .refused(refusal))
            #expect(record.status == Status(status))
            #expect(record.method == method)
            #expect(record.bytesReceived == request.utf8.count)
            #expect(record.bytesSent > 0)
            #expect(record.start > 0)
        }
    }

    @Test("A refused connection is recorded with its reason")
    func refusedConnection() async throws {
        let options = ServerOptions.patient.with {
            $0.maximumConnections = 1
            $0.reservedConnections = 1
        }
        try await Self.run(options) { recorder, harness in
            let first = try harness.connect()
            try await first.get("/now")
            #expect(try await first.answer().status == 200)
            _ = await recorder.records.next(1)
            let peers = try [harness.connect(), harness.connect()]
            for peer in peers {
                #expect(try await peer.answer().status == 503)
                #expect(try await peer.rest().isEmpty)
            }
            let records = await recorder.records.next(2)
            #expect(records.map(\.outcome) == [.refused(.connectionLimit), .refused(.connectionLimit)])
            #expect(records.allSatisfy { $0.status == .serviceUnavailable && $0.bytesSent > 0 && $0.client != nil })
        }
    }
}
