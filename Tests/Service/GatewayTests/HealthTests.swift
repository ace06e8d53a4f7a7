import Dispatch
import EventLoop
import HTTPClient
import HTTPCore
import HTTPServer
import Operations
import Testing

@testable import Gateway
@testable import API
@testable import Proxy

@Suite("Health", .timeLimit(.minutes(10)))
struct HealthTests {
    @Test("The process is live while all event loops turn, idle ones included", arguments: [false, true])
    func liveness(_ isStuck: Bool) async throws {
        let (shard, other) = (try Shard(index: 0), try Shard(index: 1))
        let end = DispatchSemaphore(value: 0)
        for each in [shard, other] { each.start() }
        defer {
            end.signal()
            for each in [shard, other] { each.stop() }
        }
        if isStuck { other.post { end.wait() } }
        // Both loops have last turned more than a second ago.
        let clock = Clock(now: { .now + .milliseconds(1100) }, milliseconds: { 0 })
        let context = ShardContext(shard, client: Client(on: shard), clock: clock)
        let route = try #require(HealthRoutes.all(Lifecycle(), shards: [shard, other]).first)
        let request = Request(method: .get, target: try RequestTarget("/livez"), headers: HeaderFields([]))
        let call = Route.Call(request, RoutePath(request.target), route, nil, context, trace: nil, edition: 0)
        guard case .later(let answer, _) = route.answer(call) else {
            Issue.record("the loops seem to have turned")
            return
        }
        let response = await Task(executorPreference: shard) { await answer() }.value
        #expect(response.status == (isStuck ? .serviceUnavailable : .ok))
        #expect(String(decoding: response.body, as: UTF8.self).contains(isStuck ? "event loop 1" : "pass"))
    }

    @Test("A loop that has turned within the last second needs no wake-up")
    func recentTurn() throws {
        let shard = try Shard(index: 0)
        shard.start()
        defer { shard.stop() }
        let context = ShardContext(shard, client: Client(on: shard))
        let route = try #require(HealthRoutes.all(Lifecycle(), shards: [shard]).first)
        let request = Request(method: .get, target: try RequestTarget("/livez"), headers: HeaderFields([]))
        let call = Route.Call(request, RoutePath(request.target), route, nil, context, trace: nil, edition: 0)
        guard case .now = route.answer(call) else {
            Issue.record("the probe woke the loop")
            return
        }
    }
}
