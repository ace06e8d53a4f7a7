import Settings
import EventLoop
import HTTPCore
import API
import Operations
import TestSupport
import Testing

@testable import Store
@testable import Proxy

@Suite("Quotas that replicas share", .timeLimit(.minutes(10)))
struct SharedQuotaTests {
    /// The number of requests of `count` that a replica may make.
    private func admitted(_ count: Int, _ test: ReplicaTest, _ replica: Int) async -> Int {
        await Task(executorPreference: test.replicas[0].shard) {
            var admitted = 0
            for _ in 0..<count {
                let context = test.replicas[replica].fetch().context
                let outcome = await test.replicas[replica].state.quotas.take(.forecast, in: context)
                if case .admitted = outcome { admitted += 1 }
            }
            return admitted
        }.value
    }

    @Test("All replicas together make as many requests as the quota allows, and then ask nobody")
    func together() async throws {
        let test = try ReplicaTest(4) { $0.quota.perDay = 1000 }
        defer { test.stop() }
        var admitted = 0
        for round in 0..<50 { admitted += await self.admitted(30, test, round % 4) }
        #expect(admitted == 1000)
        #expect(test.store.used("sample", .day) == 1000)
        let calls = test.links.reduce(0) { $0 + $1.calls }
        #expect(calls <= 1004, "\(calls)")
        let quota = test.replicas[3].fetch().refusal()
        #expect(quota?.result == "quota used up")
    }

    @Test("An upstream of the same name with another host has counts of its own")
    func owners() async throws {
        let test = try ReplicaTest(1) { $0.quota.perDay = 100 }
        defer { test.stop() }
        let other = try StageTest(
            baseURL: "http://127.0.0.2", shared: test.shared[0], time: test.time, shard: test.replicas[0].shard
        ) { $0.quota.perDay = 100 }
        #expect(await admitted(150, test, 0) == 100)
        let context = other.fetch().context
        let outcome = await Task(executorPreference: other.shard) {
            await other.state.quotas.take(.forecast, in: context)
        }.value
        if case .refused(let quota) = outcome { Issue.record("\(quota)") }
    }

    @Test(
        "While the store does not answer, the rule decides",
        arguments: [(SharedReplicas.Rule.share, 25), (.deny, 0), (.allow, 60)])
    func lost(rule: SharedReplicas.Rule, expected: Int) async throws {
        let test = try ReplicaTest(4, onLoss: rule) { $0.quota.perDay = 100 }
        defer { test.stop() }
        for link in test.links { link.isCut = true }
        #expect(await admitted(60, test, 0) == expected)
        #expect(test.links[0].calls == 3)
        if rule == .deny {
            let context = test.replicas[0].fetch().context
            let outcome = await Task(executorPreference: test.replicas[0].shard) {
                await test.replicas[0].state.quotas.take(.forecast, in: context)
            }.value
            guard case .refused(let quota) = outcome else { return }
            let problem = UpstreamProblem.problem(of: .spent(quota), from: "sample")
            #expect(problem.status == .serviceUnavailable && problem.retryAfter == 5)
            #expect(problem.detail.contains("the store that counts requests does not answer"))
        }
        for link in test.links { link.isCut = false }
        // The store learns of the requests that were made without it.
        test.time.move(seconds: 1)
        let others = await admitted(100, test, 0)
        #expect(others <= max(0, 100 - expected))
        #expect(test.store.used("sample", .day) >= expected + others)
    }

    @Test("A store whose answers come too late counts each request once that was made without asking")
    func lateAnswers() async throws {
        let test = try ReplicaTest { $0.quota.perDay = 1000 }
        defer { test.stop() }
        let quotas = test.replicas[0].state.quotas, shard = test.replicas[0].shard
        test.links[0].losesAnswers = true
        #expect(await admitted(20, test, 0) == 20)
        // What late answers have granted is lost, at most one request for each.
        let most = 20 + 2 * 20
        #expect(test.store.used("sample", .day) <= most)
        for _ in 0..<10 { await quotas.balance(test.time.clock, on: shard) }
        test.links[0].losesAnswers = false
        await quotas.balance(test.time.clock, on: shard)
        #expect((20...most).contains(test.store.used("sample", .day)))
        #expect(quotas.uses(wallClock: test.time.clock.seconds)[0].used == test.store.used("sample", .day))
    }

    @Test("A request of a weight above one takes as much of the quota of all")
    func weights() async throws {
        let test = try ReplicaTest(2) { ($0.quota.perDay, $0.quota.weights) = (100, ["forecast": 30]) }
        defer { test.stop() }
        #expect(await admitted(2, test, 0) == 2)
        #expect(await admitted(5, test, 1) == 1)
        #expect(test.store.used("sample", .day) <= 100)
    }

    @Test("Without limits nobody is asked")
    func unlimited() async throws {
        let test = try ReplicaTest(2)
        defer { test.stop() }
        #expect(await admitted(100, test, 0) == 100)
        #expect(test.links[0].calls == 0)
    }
}
