import TestSupport
import Testing

@testable import Proxy

@Suite("The stage that reserves memory for bodies", .timeLimit(.minutes(10)))
struct MemoryStageTests {
    /// A test whose upstream has memory for one body of an unknown size at a time.
    private static func test() throws -> StageTest { try StageTest(bodyBytes: 2 * BodyBudget.step) }

    @Test("The memory is as much as the latest body had, and is given back", arguments: [false, true])
    func reserved(fails: Bool) async throws {
        let (test, reserved) = (try StageTest(), Watched<[Int]>([]))
        defer { test.stop() }
        for bytes in [nil, 1000, 200_000] {
            if let bytes { test.state[.forecast].noteBody(bytes) }
            _ = await test.run([.memory], test.fetch()) { fetch throws(FetchFailure) in
                reserved.update { $0.append(test.upstream.bodies.reserved) }
                #expect(fetch.attempt.reservation != nil)
                if fails { throw .answered(500) }
                return test.found("new")
            }
            #expect(test.upstream.bodies.reserved == 0)
        }
        #expect(reserved.current == [BodyBudget.step, 1000, 200_000])
    }

    @Test("A request waits until the document of another one is made")
    func waits() async throws {
        let (test, gate, runs) = (try Self.test(), Signal(), Watched(0))
        defer { test.stop() }
        let both = [1, 2].map { number in
            test.start([.memory], test.fetch()) { fetch in
                runs.increase()
                if number == 1 { await gate.wait(on: test.shard) }
                return test.found("\(number)")
            }
        }
        await test.wait { test.state.bodyShare.figures.waiting == 1 }
        #expect(runs.current == 1)
        gate.send()
        #expect(await both[0].value.text == "1")
        #expect(await both[1].value.text == "2")
    }

    @Test(
        "A request that waits in vain is not sent",
        arguments: [(false, "too many answers are in memory"), (true, "the request was cancelled")])
    func waitsInVain(isCancelled: Bool, text: String) async throws {
        let (test, gate, runs) = (try Self.test(), Signal(), Watched(0))
        defer { test.stop() }
        let first = test.start([.memory], test.fetch()) { _ in
            runs.increase()
            await gate.wait(on: test.shard)
            return test.found("first")
        }
        await test.wait { runs.current == 1 }
        let second = test.start([.memory], test.fetch(seconds: isCancelled ? 600 : 0)) { _ in
            runs.increase()
            return test.found("second")
        }
        if isCancelled { second.cancel() }
        #expect(await second.value.text == text)
        #expect(runs.current == 1)
        gate.send()
        #expect(await first.value.text == "first")
    }
}
