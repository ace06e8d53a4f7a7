import EventLoop
import HTTPCore
import HTTPServer
import TestSupport
import Testing

@Suite("Bodies sent while they are made", .timeLimit(.minutes(10)))
struct StreamTests {
    /// Streams what `next` returns, and passes the records of exchanges on.
    private static func run(
        _ options: ServerOptions = .patient, next: @escaping @Sendable () async -> [UInt8]?,
        _ body: (Harness, Arrivals<ExchangeRecord>) async throws -> Void
    ) async throws {
        let records = Arrivals<ExchangeRecord>()
        let handler = ClosureHandler { _, _ in
            .streamed(Response(headers: [("Content-Type", "text/plain")]), next: next)
        } whenFinished: {
            records.add($0)
        }
        try await Harness.run([Listener(.network(host: "127.0.0.1", port: 0), handler: handler)], options) {
            try await body($0, records)
        }
    }

    /// Returns the pieces one after another, then nil.
    private static func list(_ pieces: [String]) -> @Sendable () async -> [UInt8]? {
        let number = Counter()
        return {
            let index = number.add(1) - 1
            return index < pieces.count ? Array(pieces[index].utf8) : nil
        }
    }

    @Test("Pieces are chunks, the last one is empty, and the connection closes")
    func chunks() async throws {
        try await Self.run(next: Self.list(["first", "", "second, of 20 bytes."])) { harness, records in
            let peer = try harness.connect()
            try await peer.get("/")
            let text = try await peer.rest()
            #expect(text.hasSuffix("\r\n\r\n5\r\nfirst\r\n14\r\nsecond, of 20 bytes.\r\n0\r\n\r\n"), "\(text)")
            #expect(text.contains("Transfer-Encoding: chunked\r\nConnection: close\r\n"))
            #expect(!text.contains("Content-Length"))
            let record = try #require(await records.next(1).first)
            #expect(record.status == .ok && record.outcome == .completed)
            #expect(record.bytesSent == text.utf8.count)
        }
    }

    @Test("A client of HTTP/1.0 gets the pieces alone, and HEAD no piece")
    func others() async throws {
        try await Self.run(next: Self.list(["first", "second"])) { harness, records in
            let head = try harness.connect()
            try await head.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await head.rest().hasSuffix("Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"))
            let old = try harness.connect()
            try await old.send("GET / HTTP/1.0\r\n\r\n")
            let text = try await old.rest()
            #expect(text.hasSuffix("Connection: close\r\n\r\nfirstsecond") && !text.contains("chunked"), "\(text)")
            #expect(await records.next(2).map(\.outcome) == [.completed, .completed])
        }
    }

    @Test("A client gets each piece when it is made")
    func live() async throws {
        let pieces = Arrivals<String>()
        try await Self.run(next: { await pieces.next(1).first.flatMap { $0.isEmpty ? nil : Array($0.utf8) } }) {
            harness, _ in
            let peer = try harness.connect()
            try await peer.get("/")
            _ = try await peer.answer(to: "HEAD")
            for piece in ["one", "two"] {
                pieces.add(piece)
                #expect(try await peer.take(8) == Array("3\r\n\(piece)\r\n".utf8))
            }
            pieces.add("")
            #expect(try await peer.rest() == "0\r\n\r\n")
        }
    }

    @Test("A client that does not read gets no further piece, and is cut")
    func stalled() async throws {
        let made = Counter()
        let options = ServerOptions.patient.with { $0.writeTimeout = .milliseconds(200) }
        try await Self.run(options) {
            made.add(1)
            return [UInt8](repeating: 0, count: 1 << 20)
        } _: { harness, records in
            let peer = try harness.connect(receiveBuffer: 4096)
            try await peer.get("/")
            let record = try #require(await records.next(1).first)
            #expect(record.outcome == .timedOut && record.status == .ok)
            // The kernel takes some megabytes.
            #expect(record.bytesSent < made.value << 20 && made.value < 16)
        }
    }

    @Test("A client that takes nothing of small pieces is cut, although the kernel has room, and one that reads is not")
    func small() async throws {
        let options = ServerOptions.patient.with { $0.writeTimeout = .milliseconds(200) }
        try await Self.run(options) {
            try? await Task.sleep(for: .milliseconds(5))
            return [UInt8](repeating: 0, count: 1000)
        } _: { harness, records in
            let reader = try harness.connect()
            try await reader.get("/")
            let peer = try harness.connect(receiveBuffer: 4096)
            try await peer.get("/")
            async let record = records.next(1).first
            // More pieces than are made within the time.
            _ = try await reader.take(100_000)
            let cut = try #require(await record)
            #expect(cut.outcome == .timedOut && cut.status == .ok && cut.bytesSent < 1 << 20)
            _ = try await reader.take(10_000)
        }
    }

    @Test("A stream ends when its client leaves")
    func left() async throws {
        let ended = Event()
        let begun = Event()
        try await Self.run {
            begun.occur()
            await withTaskCancellationHandler {
                await ended.wait()
            } onCancel: {
                ended.occur()
            }
            return [1]
        } _: { harness, records in
            let peer = try harness.connect()
            try await peer.get("/")
            await begun.wait()
            peer.reset()
            await ended.wait()
            #expect(await records.next(1).map(\.outcome) == [.clientLeft])
        }
    }
}
