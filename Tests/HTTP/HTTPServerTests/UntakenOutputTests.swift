import HTTPCore
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// The memory of answers that clients do not take.
@Suite("Answers that clients do not take", .timeLimit(.minutes(10)))
struct UntakenOutputTests {
    private static let big = 8 << 20

    @Test(
        "The slowest connections close when clients leave too much untaken; one that reads has its answer",
        arguments: [1, 2])
    func slowest(shards: Int) async throws {
        let counted = Atomic(0)
        let untaken = UntakenOutput(maximum: 3 * Self.big) { counted.add($0, ordering: .relaxed) }
        let answer: @Sendable (Request) -> Reply = { _ in .now(Response(bytes: Self.big)) }
        let refused = Watched(0)
        try await Harness.run(shards: shards, untaken: untaken, answer: answer) {
            if case .refused(.exhausted) = $0.outcome { refused.increase() }
        } body: { harness in
            var idle: [Peer] = []
            for _ in 0..<8 {
                let peer = try harness.connect(receiveBuffer: 4096)
                try await peer.get("/")
                #expect(try await peer.take(8) == Array("HTTP/1.1".utf8))
                idle.append(peer)
            }
            #expect(refused.wait { $0 >= 5 ? true : nil } == true)
            let reader = try harness.connect()
            try await reader.get("/")
            #expect(try await reader.answer().body.count == Self.big)
            #expect(untaken.bytes <= 3 * Self.big && untaken.bytes > 0)
            // Their sockets stay open until here.
            withExtendedLifetime(idle) {}
        }
        #expect(untaken.bytes == 0 && counted.load(ordering: .relaxed) == 0)
    }

    @Test("Connections that wait to send one body count it once")
    func sharedBody() {
        let untaken = UntakenOutput()
        let body = [UInt8](repeating: 1, count: 1000)
        for _ in 0..<3 { untaken.change(body, holders: 1) }
        untaken.change(by: 10)
        #expect(untaken.bytes == 1010)
        for _ in 0..<2 { untaken.change(body, holders: -1) }
        #expect(untaken.bytes == 1010)
        untaken.change(body, holders: -1)
        #expect(untaken.bytes == 10)
    }

    @Test("Room is asked for once, until connections have made some")
    func room() {
        let untaken = UntakenOutput(maximum: 5)
        untaken.change(by: 6)
        untaken.change(connections: 1)
        // A large answer of one connection is none too many.
        #expect(!untaken.needsRoom())
        untaken.change(connections: 1)
        #expect(untaken.needsRoom())
        #expect(!untaken.needsRoom())
        untaken.madeRoom()
        #expect(untaken.needsRoom())
        untaken.madeRoom()
        untaken.change(by: -1)
        #expect(!untaken.needsRoom())
    }
}
