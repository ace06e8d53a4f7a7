import Foundation
import TestSupport
import Testing

/// What is left of connections that have ended, in whatever way: neither descriptors nor memory nor work.
@Suite("Ended connections", .timeLimit(.minutes(10)))
struct ShortConnectionTests {
    private static let clients = 4
    /// The connections of a test; `WEIR_CONNECTIONS` overrides it.
    private static let count = Int(ProcessInfo.processInfo.environment["WEIR_CONNECTIONS"] ?? "") ?? 5000

    private static let livez = "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Runs `body` `count` times on several threads, and returns the number of times that it did not throw.
    private static func run(_ count: Int, _ body: @escaping @Sendable () throws -> Void) throws -> Int {
        let ended = Watched<[Int]>([])
        for client in 0..<clients {
            Thread.detachNewThread {
                let own = count / clients + (client < count % clients ? 1 : 0)
                let good = (0..<own).count { _ in (try? body()) != nil }
                ended.update { $0.append(good) }
            }
        }
        guard let good = ended.wait(seconds: 580, { $0.count == clients ? $0.reduce(0, +) : nil }) else {
            throw Failure("the connections have not ended in time")
        }
        return good
    }

    /// Returns the number of sockets once it is at most `count`, or what it is after 30 seconds.
    private static func settledSockets(_ weir: WeirProcess, atMost count: Int) throws -> Int {
        let watcher = try weir.client()
        for _ in 0..<600 {
            // The watcher is one itself, as long as it asks.
            _ = try watcher.get("/livez")
            if try weir.socketCount - 1 <= count { break }
            _ = watcher.waitForInput(seconds: 0.05)
        }
        return try weir.socketCount - 1
    }

    /// Checks that `weir` has no more sockets than before, hardly more memory, and nothing to do.
    private static func expectNothingLeft(_ weir: WeirProcess, sockets: Int, memory: Int, _ name: String) throws {
        #expect(try settledSockets(weir, atMost: sockets) <= sockets, "\(name)")
        let growth = try weir.residentMemory - memory
        if !Sanitizer.isPresent { #expect(growth < 16 << 20, "\(name): \(growth >> 10) KiB") }
        let idle = try weir.idleTime()
        #expect(idle < .milliseconds(250), "\(name): \(idle)")
        print("\(name): \(growth >> 10) KiB more, \(idle) in half a second of idleness")
    }

    @Test("Short connections leave nothing behind")
    func short() throws {
        let weir = try WeirProcess.serve(configuration([Checkout.sample]))
        defer { weir.kill() }
        let address = try weir.address()
        let request: @Sendable () throws -> Void = {
            let client = try RawClient(address)
            defer { client.close() }
            guard try client.get("/livez").status == 200 else { throw Failure("no answer") }
        }
        #expect(try Self.run(500, request) == 500)
        let (sockets, memory) = try (weir.socketCount, weir.residentMemory)
        let (took, served) = try seconds { try Self.run(Self.count, request) }
        #expect(served == Self.count)
        try Self.expectNothingLeft(
            weir, sockets: sockets, memory: memory, "\(Self.count) short connections in \(Int(took)) s")
    }

    /// The moments at which a client resets its connection, with what it sends before.
    private static let phases: [(name: String, bytes: String, readsFirst: Bool)] = [
        ("before a request", "", false), ("in a head", "GET /livez HTT", false),
        ("in a body", "POST /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc", false),
        ("after a refusal", "nonsense\r\n\r\n", true), ("after an answer", livez, true),
        ("before an answer", "GET /weather?lat=1&lon=2 HTTP/1.1\r\nHost: a\r\n\r\n", false),
        ("in a long answer", String(repeating: livez, count: 5000), true),
    ]

    @Test("Connections that are reset leave nothing behind, in whatever phase", arguments: phases.indices)
    func resets(_ index: Int) throws {
        let phase = Self.phases[index]
        let folder = try sample(delayMilliseconds: 60_000)
        defer { folder.remove() }
        let weir = try WeirProcess.serve(configuration([folder.path], deadline: 60_000))
        defer { weir.kill() }
        let address = try weir.address()
        let sockets = try weir.socketCount
        let play: @Sendable () throws -> Void = {
            let socket = try Descriptor(family: AF_INET)
            defer { socket.close() }
            try socket.connect(to: address, seconds: 20)
            _ = socket.send(Array(phase.bytes.utf8), seconds: 20)
            if phase.readsFirst { _ = socket.wait(for: POLLIN, seconds: 20) }
            socket.reset()
        }
        // As many as are played later, because the allocator keeps what the first ones needed.
        let count = max(100, Self.count / 10)
        _ = try Self.run(count, play)
        let settled = try Self.settledSockets(weir, atMost: sockets)
        #expect(settled <= sockets, "\(phase.name)")
        let memory = try weir.residentMemory
        #expect(try Self.run(count, play) == count)
        try Self.expectNothingLeft(
            weir, sockets: sockets, memory: memory, "\(count) connections reset \(phase.name)")
    }

    @Test("Without a free descriptor, clients wait without work for the service, and are served when there is one")
    func exhaustion() throws {
        let weir = try WeirProcess.serve(configuration([Checkout.sample]))
        defer { weir.kill() }
        let early = try weir.client()
        #expect(try early.get("/livez").status == 200)
        try weir.limitDescriptors(to: weir.descriptorCount)
        let late = try (0..<20).map { _ in try weir.client() }
        for client in late { client.send(Self.livez) }
        let start = try weir.processorTime
        let hasAnswer = late[19].waitForInput(seconds: 0.5)
        #expect(try weir.processorTime - start < .milliseconds(250))
        #expect(!hasAnswer)
        #expect(try early.get("/livez").status == 200)
        try weir.limitDescriptors(to: 1024)
        for client in late { #expect(try client.read().status == 200) }
        #expect(try weir.terminate() == 0)
        #expect(weir.output.contains(#""error.type":"exhausted""#))
    }
}
