import EventLoop
import HTTPClient
import HTTPCore
import Synchronization
import TestSupport
import Testing

@Suite("Look-ups of host names", .timeLimit(.minutes(10)))
struct ResolverTests {
    private static let answering: @Sendable (Upstream.Connection) -> Void = { connection in
        while connection.request() != nil { connection.answer(text: "yes") }
    }

    private static func request(_ host: String, port: Int = 1, lifetime: Duration = .seconds(3600)) -> OutgoingRequest {
        var request = OutgoingRequest("http://\(host):\(port)/")
        request.connectTimeout = .seconds(600)
        request.policy = ConnectionPolicy(
            name: ConnectionPolicy.Name(host: host, ports: [port]), nameLifetime: lifetime)
        return request
    }

    private static func port(_ upstream: Upstream) throws -> Int {
        try #require(upstream.url.split(separator: ":").last.flatMap { Int($0) })
    }

    @Test("300 requests wait for one look-up, and later ones use its addresses")
    func oneLookUp() async throws {
        let upstream = try Upstream(Self.answering)
        defer { upstream.stop() }
        let count = Atomic<Int>(0)
        let (gate, begun) = (Gate(), Event())
        let resolver = Resolver { _ in
            count.add(1, ordering: .relaxed)
            begun.occur()
            gate.pass(seconds: 600)
            return ["127.0.0.1"]
        }
        let port = try Self.port(upstream)
        try await withClient(resolver: resolver) { client, _ in
            let tasks = (0..<300).map { _ in
                Task { await client.outcome(Self.request("weather.example", port: port)).text }
            }
            await begun.wait()
            gate.open()
            for task in tasks { #expect(await task.value == "yes") }
            #expect(await client.outcome(Self.request("weather.example", port: port)).text == "yes")
        }
        #expect(count.load(ordering: .relaxed) == 1)
    }

    @Test("Names without an answer take two threads, delay no other name, and fail at the connect timeout")
    func hanging() async throws {
        let upstream = try Upstream(Self.answering)
        defer { upstream.stop() }
        let running = Atomic<Int>(0)
        let maximum = Mutex(0)
        let gate = Gate()
        let resolver = Resolver(maximumThreads: 2) { name in
            let now = running.add(1, ordering: .sequentiallyConsistent).newValue
            maximum.withLock { $0 = max($0, now) }
            if name == "silent.example" { gate.pass(seconds: 600) }
            running.subtract(1, ordering: .sequentiallyConsistent)
            return ["127.0.0.1"]
        }
        let port = try Self.port(upstream)
        try await withClient(resolver: resolver) { client, _ in
            var silent = Self.request("silent.example", port: port)
            silent.connectTimeout = .milliseconds(50)
            for _ in 0..<50 { #expect(await client.outcome(silent).error == .connectTimedOut) }
            silent.deadline = .milliseconds(20)
            #expect(await client.outcome(silent).error == .tooSlow)
            let cancelled = Task { [silent] in
                var patient = silent
                patient.deadline = .seconds(3600)
                patient.connectTimeout = .seconds(3600)
                return await client.outcome(patient).error
            }
            cancelled.cancel()
            #expect(await cancelled.value == .cancelled)
            for number in 0..<20 {
                #expect(await client.outcome(Self.request("\(number).example", port: port)).text == "yes")
            }
            gate.open()
            silent.connectTimeout = .seconds(60)
            silent.deadline = .seconds(3600)
            #expect(await client.outcome(silent).text == "yes")
        }
        #expect(maximum.withLock { $0 } == 2)
    }

    @Test("A name is looked up again after its time; old addresses remain while DNS does not work")
    func renewal() async throws {
        let upstreams = try (0..<2).map { number in
            try Upstream { connection in
                guard connection.request() != nil else { return }
                connection.answer("Connection: close\r\n", text: "\(number)")
            }
        }
        defer { for upstream in upstreams { upstream.stop() } }
        // Both listen on their own port of 127.0.0.1; 127.0.0.3 has no listener.
        let results = Mutex<[Result<[String], Resolver.Failure>]>([
            .success(["127.0.0.3"]), .success(["127.0.0.1"]), .failure(.temporary), .failure(.unknown),
            .failure(.temporary), .success([]), .success(["127.0.0.1"]),
        ])
        let resolver = Resolver { _ throws(Resolver.Failure) in try results.withLock { $0.removeFirst() }.get() }
        let port = try Self.port(upstreams[0])
        try await withClient(resolver: resolver) { client, _ in
            var outcomes: [String] = []
            for _ in 0..<7 {
                let outcome = await client.outcome(Self.request("weather.example", port: port, lifetime: .zero))
                outcomes.append(outcome.text ?? outcome.error.map { "\($0)" } ?? "")
            }
            let unknown = "\(TransferError.unknownHost)"
            let failed = "\(TransferError.noNameServer)"
            #expect(outcomes == ["\(TransferError.unreachable)", "0", "0", unknown, failed, unknown, "0"])
        }
    }

    @Test("Old addresses are used while a name is looked up again")
    func old() async throws {
        let upstream = try Upstream(Self.answering)
        defer { upstream.stop() }
        let count = Atomic<Int>(0)
        let (gate, renewed) = (Gate(), Event())
        defer { gate.open() }
        let resolver = Resolver { _ in
            if count.add(1, ordering: .relaxed).newValue > 1 {
                renewed.occur()
                gate.pass(seconds: 600)
            }
            return ["127.0.0.1"]
        }
        let port = try Self.port(upstream)
        try await withClient(resolver: resolver) { client, _ in
            #expect(await client.outcome(Self.request("weather.example", port: port)).text == "yes")
            let start = MonotonicTime.now
            repeat {
                #expect(await client.outcome(Self.request("weather.example", port: port)).text == "yes")
            } while MonotonicTime.now - start < .seconds(1)
            // The addresses are older than this, but not ten times as old.
            let expired = Self.request("weather.example", port: port, lifetime: (MonotonicTime.now - start) / 2)
            #expect(await client.outcome(expired).text == "yes")
            await renewed.wait()
            for _ in 0..<10 { #expect(await client.outcome(expired).text == "yes") }
            #expect(count.load(ordering: .relaxed) == 2)
        }
    }

    @Test("Old addresses are used if a look-up takes too long, however old they are")
    func late() async throws {
        let upstream = try Upstream(Self.answering)
        defer { upstream.stop() }
        let count = Atomic<Int>(0)
        let gate = Gate()
        defer { gate.open() }
        let resolver = Resolver { _ in
            if count.add(1, ordering: .relaxed).newValue > 1 { gate.pass(seconds: 600) }
            return ["127.0.0.1"]
        }
        let port = try Self.port(upstream)
        try await withClient(resolver: resolver) { client, _ in
            var request = Self.request("weather.example", port: port, lifetime: .zero)
            #expect(await client.outcome(request).text == "yes")
            request.connectTimeout = .seconds(4)
            #expect(await client.outcome(request).text == "yes")
            // Now it is known that the look-up takes long.
            request.connectTimeout = .seconds(600)
            for _ in 0..<10 { #expect(await client.outcome(request).text == "yes") }
        }
    }

    @Test("The next address of a name is tried if those before refuse or do not answer", arguments: [true, false])
    func nextAddress(_ isSilent: Bool) async throws {
        let upstream = try Upstream(Self.answering)
        defer { upstream.stop() }
        let port = try Self.port(upstream)
        let silent = isSilent ? try Upstream.full(at: "127.0.0.2:\(port)") : nil
        defer { silent?.0.stop() }
        let first = isSilent ? ["127.0.0.2"] : (2...17).map { "127.0.0.\($0)" }
        let resolver = Resolver { _ in first + ["127.0.0.1"] }
        try await withClient(resolver: resolver) { client, _ in
            var request = Self.request("weather.example", port: port)
            request.connectTimeout = .seconds(4)
            let outcome = await client.outcome(request)
            #expect(outcome.text == "yes", "\(outcome)")
        }
        withExtendedLifetime(silent) {}
    }

    @Test("A private address is refused, also if another policy has a connection to it")
    func privateConnection() async throws {
        let upstream = try Upstream(Self.answering)
        defer { upstream.stop() }
        let port = try Self.port(upstream)
        try await withClient(resolver: Resolver { _ in ["127.0.0.1"] }) { client, _ in
            var request = Self.request("weather.example", port: port)
            for _ in 0..<2 { #expect(await client.outcome(request).text == "yes") }
            request.policy = ConnectionPolicy(
                name: ConnectionPolicy.Name(host: "weather.example", ports: [port]), nameLifetime: .seconds(3600),
                addresses: .publicOnly)
            for _ in 0..<2 { #expect(await client.outcome(request).error == .privateAddress) }
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("The process's resolver asks the system")
    func system() async throws {
        let upstream = try Upstream(Self.answering)
        defer { upstream.stop() }
        let port = try Self.port(upstream)
        try await withClient { client, _ in
            #expect(await client.outcome(Self.request("localhost", port: port)).text == "yes")
            #expect(await client.outcome(Self.request(String(repeating: "a", count: 70))).error == .unknownHost)
        }
    }
}
