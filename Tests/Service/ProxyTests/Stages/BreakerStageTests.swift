import Settings
import HTTPClient
import TestSupport
import Testing

@testable import Proxy

@Suite("The stage of the circuit breaker", .timeLimit(.minutes(10)))
struct BreakerStageTests {
    /// A test whose upstream has failed so often that the breaker is open for a second.
    private static func open() async throws -> StageTest {
        let test = try StageTest { $0.breakerRequests = 4 }
        await fail(test, .answered(500), times: 4)
        return test
    }

    private static func fail(_ test: StageTest, _ failure: FetchFailure, times: Int) async {
        for _ in 0..<times {
            let result = await test.run([.breaker], test.fetch()) { _ throws(FetchFailure) in throw failure }
            #expect(result.text == failure.result)
        }
    }

    private static func states(_ test: StageTest) -> [Substring] {
        test.logLines.compactMap { $0.firstMatch(of: /"message":"circuit breaker".*"state":"([a-z-]+)"/)?.1 }
    }

    @Test(
        "The breaker opens after failures of the upstream, and not after answers or for reasons of the service",
        arguments: [
            (FetchFailure.transfer(.tooSlow), true), (.transfer(.unreachable), true), (.unusable("it is HTML"), true),
            (.answered(500), true), (.answered(429), true), (.answered(404), false), (.answered(401), false),
            (.answered(304), false),
            (.transfer(.cancelled), false), (.transfer(.queueFull), false), (.overloaded("no memory"), false),
            (.unread, false),
        ])
    func opens(failure: FetchFailure, isOpen: Bool) async throws {
        let (test, runs) = (try StageTest { $0.breakerRequests = 4 }, Watched(0))
        defer { test.stop() }
        await Self.fail(test, failure, times: 4)
        let result = await test.run([.breaker], test.fetch()) { _ in
            runs.increase()
            return test.found("new")
        }
        #expect(result.text == (isOpen ? "suspended" : "new"))
        #expect(runs.current == (isOpen ? 0 : 1))
        #expect(Self.states(test) == (isOpen ? ["open"] : []))
    }

    @Test("After a while one probe is made, and its success closes the breaker")
    func probe() async throws {
        let (test, gate, runs) = (try await Self.open(), Signal(), Watched(0))
        defer { test.stop() }
        test.time.move(seconds: 1)
        let probe = test.start([.breaker], test.fetch()) { _ in
            runs.increase()
            await gate.wait(on: test.shard)
            return test.found("probe")
        }
        await test.wait { runs.current == 1 }
        #expect(await test.run([.breaker], test.fetch()) { _ in test.found("other") }.text == "suspended")
        gate.send()
        #expect(await probe.value.text == "probe")
        #expect(await test.run([.breaker], test.fetch()) { _ in test.found("other") }.text == "other")
        #expect(Self.states(test) == ["open", "half-open", "closed"])
    }

    @Test("A probe that fails opens the breaker for longer, and another request takes over from one that is cancelled")
    func failedProbe() async throws {
        let test = try await Self.open()
        defer { test.stop() }
        test.time.move(seconds: 1)
        await Self.fail(test, .transfer(.cancelled), times: 1)
        await Self.fail(test, .answered(500), times: 1)
        test.time.move(seconds: 1)
        #expect(await test.run([.breaker], test.fetch()) { _ in test.found("new") }.text == "suspended")
        test.time.move(seconds: 1)
        #expect(await test.run([.breaker], test.fetch()) { _ in test.found("new") }.text == "new")
    }
}
