import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Gateway
@testable import Proxy

/// Many clients that want the same document at once.
@Suite("Shared requests to upstreams", .timeLimit(.minutes(10)))
struct CoalescedFetchTests {
    /// Opens connections that send the same request, and returns them.
    private static func ask(_ service: CachedService, _ count: Int, _ target: String = place) throws -> [RawClient] {
        // They ask when all are connected: at nearly the same time.
        let clients = try (0..<count).map { _ in try RawClient(service.address, seconds: 60) }
        for client in clients { client.send("GET \(target) HTTP/1.1\r\nHost: weir.test\r\n\r\n") }
        return clients
    }

    @Test("A thousand clients of a cold document cost one call, and the first may leave")
    func crowd() async throws {
        let gate = Gate()
        let upstream = try CountingUpstream { number, _ in
            gate.pass()
            return .answer(forecast(number))
        }
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL], deadline: 60_000).run { service throws in
            let first = try RawClient(service.address)
            first.send("GET \(place) HTTP/1.1\r\nHost: weir.test\r\n\r\n")
            #expect(upstream.upstream.waitForRequests(1))
            let others = try Self.ask(service, 999)
            // All have arrived when a later request of another kind on each connection's shard is answered.
            for _ in 0..<8 { #expect(try service.get("/livez").status == 200) }
            first.close()
            gate.open()
            var collapsed = 0
            for client in others {
                let answer = try client.read()
                #expect(try answer.temperature == 1)
                if answer.cacheStatus.contains("collapsed") { collapsed += 1 }
                client.close()
            }
            #expect(collapsed > 0)
        }
        #expect(upstream.requests == 1)
    }

    @Test("With a silent upstream, all clients end at their limit after one call, and the next one tries again")
    func silence() async throws {
        let upstream = try CountingUpstream { number, _ in number == 1 ? .stall : nil }
        defer { upstream.stop() }
        // All ask within it.
        let deadline = Sanitizer.isPresent ? 15_000 : 3000
        try await CachedService([upstream.baseURL], deadline: deadline).run { service throws in
            let clients = try Self.ask(service, 50)
            var collapsed = 0
            for client in clients {
                let answer = try client.read()
                #expect(answer.status == 504)
                #expect(answer.cacheStatus.hasPrefix("Weir; fwd=uri-miss"))
                if answer.cacheStatus.contains("collapsed") { collapsed += 1 }
                client.close()
            }
            #expect(collapsed == 49)
            #expect(upstream.requests == 1)
            #expect(try service.get(place).status == 200)
        }
    }

    @Test("Who waits for the request of another client has a limit of its own")
    func ownLimits() async throws {
        let upstream = try CountingUpstream { number, _ in number == 1 ? .stall : nil }
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL], deadline: 5000, shards: 1).run { service throws in
            let first = try RawClient(service.address, seconds: 60)
            first.send("GET \(place) HTTP/1.1\r\nHost: weir.test\r\n\r\n")
            #expect(upstream.upstream.waitForRequests(1))
            let begin = MonotonicTime.now
            // So late that its time ends after that of the first.
            while MonotonicTime.now - begin < .seconds(2) { #expect(try service.get("/livez").status == 200) }
            let second = try RawClient(service.address, seconds: 60)
            second.send("GET \(place) HTTP/1.1\r\nHost: weir.test\r\n\r\n")
            #expect(try first.read().status == 504)
            #expect(try second.read().temperature == 2)
        }
        #expect(upstream.requests == 2)
    }

    @Test("A drain waits for a refresh under way, whose document is in the snapshot")
    func drain() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let gate = Gate()
        let upstream = try CountingUpstream(headers: ["Cache-Control: max-age=60, stale-while-revalidate=600"]) {
            number, _ in
            if number == 2 { gate.pass() }
            return nil
        }
        defer { upstream.stop() }
        let cache = #""snapshotFile": "\#(folder.path)/snapshot""#, server = #""drainTimeoutMilliseconds": 1800000"#
        let service = try CachedService([upstream.baseURL], cache: cache, deadline: 600_000, server: server)
        let result: Result<Void, any Error> = await WorkQueue("cache").run {
            Result { () throws in
                #expect(try service.get(place).temperature == 1)
                service.hands.move(seconds: 70)
                #expect(try service.get(place).temperature == 1)
                #expect(upstream.upstream.waitForRequests(2))
            }
        }
        async let end: Void = service.stop()
        gate.open()
        await end
        try result.get()
        let next = try CachedService([upstream.baseURL], cache: cache, hands: service.hands)
        try await next.run { service throws in #expect(try service.get(place).temperature == 2) }
        #expect(upstream.requests == 2)
    }

    @Test("A failure answers all who wait, and the next request tries again")
    func failure() async throws {
        let gate = Gate()
        let upstream = try CountingUpstream { number, _ in
            gate.pass()
            return number == 1 ? .answer(500, "{}") : nil
        }
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL]).run { service throws in
            let clients = try Self.ask(service, 20)
            #expect(upstream.upstream.waitForRequests(1))
            for _ in 0..<8 { #expect(try service.get("/livez").status == 200) }
            gate.open()
            for client in clients {
                #expect([502, 200].contains(try client.read().status))
                client.close()
            }
            #expect(try service.get(place).status == 200)
            #expect(upstream.requests <= 3)
        }
    }

    @Test("When the last client leaves, the request to the upstream ends")
    func abandoned() async throws {
        let upstream = try CountingUpstream { number, _ in number == 1 ? .stall : nil }
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL], deadline: 60_000).run { service throws in
            let client = try RawClient(service.address)
            client.send("GET \(place) HTTP/1.1\r\nHost: weir.test\r\n\r\n")
            #expect(upstream.upstream.waitForRequests(1))
            client.close()
            #expect(upstream.upstream.waitForNoConnection())
            #expect(try service.get(place).temperature == 2)
        }
    }
}
