import Store
import EventLoop
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Gateway
@testable import Proxy

/// A store that grants every lease, and counts one window.
private final class SimpleStore: SharedStore {
    private let values = Mutex<[String: [UInt8]]>([:])
    private let count = Mutex(0)

    /// The requests of all quotas that were taken.
    var used: Int { count.withLock { $0 } }

    func isReachable(on shard: Shard) -> Bool { true }

    func value(_ key: String, on shard: Shard) async throws(SharedFault) -> [UInt8]? { values.withLock { $0[key] } }

    func keep(
        _ value: [UInt8], _ key: String, milliseconds: Int, fence: UInt64, on shard: Shard
    ) async throws(SharedFault) { values.withLock { $0[key] = value } }

    func lease(
        _ key: String, milliseconds: Int, fence: UInt64?, on shard: Shard
    ) async throws(SharedFault) -> SharedLease {
        .granted(fence: 1)
    }

    func release(_ key: String, fence: UInt64, on shard: Shard) async throws(SharedFault) {}

    func change(of key: String, until end: MonotonicTime, on shard: Shard) async throws(SharedFault) -> Bool { true }

    func allot(
        _ count: Int, of quota: String, windows: [SharedWindow], epoch: Int, on shard: Shard
    ) async throws(SharedFault) -> SharedAllotment {
        let used = self.count.withLock { used in
            used += count
            return used
        }
        return SharedAllotment(
            granted: count, used: windows.map { _ in used }, milliseconds: CachedService.Hands().now * 1000, epoch: 1)
    }

    func spend(_ spendings: [SharedSpending], on shard: Shard) async throws(SharedFault) -> [Int] {
        spendings.map { _ in 0 }
    }
}

@Suite("Services that share a store", .timeLimit(.minutes(10)))
struct SharedCacheTests {
    @Test("A service answers with the document of another one, and the upstream is asked once")
    func shared() async throws {
        let upstream = try CountingUpstream { number, _ in .answer(forecast(number)) }
        defer { upstream.stop() }
        let store = SimpleStore()
        let quota = #", "quota": {"perDay": 100000}"#
        func service() throws -> CachedService {
            let shared = SharedReplicas(store, replicas: 2)
            return try CachedService([upstream.baseURL], upstream: quota, shared: shared)
        }
        // The first one has written the document when it has ended.
        try await service().run { service throws in
            let answer = try service.get(place)
            #expect(try answer.temperature == 1)
            #expect(answer.cacheStatus.hasPrefix("Weir; fwd=uri-miss;"))
        }
        #expect(store.used == 1, "unused requests went back")
        try await service().run { service throws in
            let answer = try service.get(place)
            #expect(try answer.temperature == 1)
            #expect(answer.cacheStatus.hasPrefix("Weir; hit;"))
            let metrics = try service.get("/metrics").text
            #expect(metrics.contains("weir_shared_events_total{event=\"hit\"} 1\n"))
            #expect(metrics.contains("weir_shared_events_total{event=\"fault\"} 0\n"))
        }
        #expect(upstream.requests == 1 && store.used == 1)
    }
}
