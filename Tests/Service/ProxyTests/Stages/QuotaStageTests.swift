import Settings
import EventLoop
import HTTPClient
import HTTPCore
import TestSupport
import Testing

@testable import Proxy

@Suite("The stage that observes quotas", .timeLimit(.minutes(10)))
struct QuotaStageTests {
    /// The upstream has answered that it allows this number of requests until a reset.
    private static func report(remaining: Int, reset: Int = 600, in test: StageTest) {
        let fields = [
            ("RateLimit-Limit", "100"), ("RateLimit-Remaining", "\(remaining)"), ("RateLimit-Reset", "\(reset)"),
        ]
        test.state[.forecast].reported.note(
            RateLimit(HeaderFields(fields), now: MovedTime.start), since: test.time.now, at: test.time.now)
    }

    private static func waiting(in test: StageTest) -> Int { test.state[.forecast].reported.waiting }

    @Test("A request is refused while the quota is spent, and the client learns for how long")
    func spent() async throws {
        let (test, runs) = (try StageTest(), Watched(0))
        defer { test.stop() }
        _ = test.state.quotas.note(limit: 10, seconds: 30, of: .forecast, now: test.time.now)
        test.time.move(seconds: 10)
        let rest: @Sendable (Fetch) async -> Answer = { _ in
            runs.increase()
            return test.found("new")
        }
        let refused = await test.run([.quota], test.fetch(), rest: rest)
        #expect(refused.text == "quota used up")
        #expect(refused.failure?.seconds == 20)
        #expect(runs.current == 0)
        // Another endpoint has a quota of its own.
        #expect(await test.run([.quota], test.fetch(.search), rest: rest).text == "new")
        test.time.move(seconds: 20)
        #expect(await test.run([.quota], test.fetch(), rest: rest).text == "new")
    }

    @Test("A request is refused while the circuit breaker is open")
    func suspended() async throws {
        let (test, runs) = (try StageTest { $0.breakerRequests = 1 }, Watched(0))
        defer { test.stop() }
        guard case .admitted(let permit, _) = test.state[.forecast].admit(at: test.time.now) else {
            Issue.record("The breaker is open.")
            return
        }
        _ = test.state[.forecast].note(.failure, permit, at: test.time.now)
        let result = await test.run([.quota], test.fetch()) { _ in
            runs.increase()
            return test.found("new")
        }
        #expect(result.text == "suspended")
        #expect(runs.current == 0)
    }

    @Test("A request without time for an answer is not made")
    func tooLate() async throws {
        let (test, runs) = (try StageTest(), Watched(0))
        defer { test.stop() }
        let result = await test.run([.quota], test.fetch(seconds: 0)) { _ in
            runs.increase()
            return test.found("new")
        }
        #expect(result.status == 504)
        #expect(runs.current == 0)
    }

    @Test("While the requests that the upstream still allows are under way, another one waits for the end of one")
    func waits() async throws {
        let (test, gate, runs) = (try StageTest(), Signal(), Watched(0))
        defer { test.stop() }
        Self.report(remaining: 1, in: test)
        let both = [1, 2].map { _ in
            test.start([.quota], test.fetch()) { _ throws(FetchFailure) in
                if runs.increase() > 1 { return test.found("second") }
                await gate.wait(on: test.shard)
                throw .answered(500)
            }
        }
        await test.wait { Self.waiting(in: test) == 1 }
        #expect(runs.current == 1)
        gate.send()
        #expect(await both[0].value.text == "500")
        #expect(await both[1].value.text == "second")
    }

    @Test(
        "A request waits no longer than a try may, or than the client does",
        arguments: [(600, "too many requests wait for it"), (0, "it did not answer in time")])
    func waitsInVain(seconds: Int, text: String) async throws {
        let (test, gate) = (try StageTest { $0.maximumWaitMilliseconds = 1 }, Signal())
        defer { test.stop() }
        Self.report(remaining: 1, in: test)
        let first = test.start([.quota], test.fetch()) { _ in
            await gate.wait(on: test.shard)
            return test.found("new")
        }
        await test.wait { !test.state[.forecast].reported.hasRoom }
        let fetch = test.fetch()
        fetch.attempt.end = test.time.now + .seconds(seconds)
        let second = await test.run([.quota], fetch) { _ in test.found("second") }
        #expect(second.text == text)
        gate.send()
        #expect(await first.value.text == "new")
    }
}
