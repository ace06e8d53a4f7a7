import Settings
import HTTPClient
import TestSupport
import Testing

@testable import Proxy

@Suite("The stage that limits the requests under way", .timeLimit(.minutes(10)))
struct QueueStageTests {
    /// How a request ends that holds the slot.
    enum End: Sendable, CaseIterable {
        case success, failure, cancellation
    }

    @Test("A request is refused if too many wait")
    func full() async throws {
        let (test, gate) = (try StageTest { ($0.maximumConcurrent, $0.maximumWaiting) = (1, 0) }, Signal())
        defer { test.stop() }
        let first = test.start([.queue], test.fetch()) { _ in
            await gate.wait(on: test.shard)
            return test.found("first")
        }
        await test.wait { test.state.slots.figures.used == 1 }
        let second = await test.run([.queue], test.fetch()) { _ in test.found("second") }
        #expect(second.text == "too many requests wait for it")
        #expect(second.status == 503)
        gate.send()
        #expect(await first.value.text == "first")
    }

    @Test(
        "A request waits no longer than a try may, or than the client does",
        arguments: [(600, 503), (0, 504)])
    func tooLate(seconds: Int, status: Int) async throws {
        let test = try StageTest { ($0.maximumConcurrent, $0.maximumWaitMilliseconds) = (1, 1) }
        let gate = Signal()
        defer { test.stop() }
        let first = test.start([.queue], test.fetch()) { _ in
            await gate.wait(on: test.shard)
            return test.found("first")
        }
        await test.wait { test.state.slots.figures.used == 1 }
        let second = await test.run([.queue], test.fetch(seconds: seconds)) { _ in test.found("second") }
        #expect(second.status == status)
        gate.send()
        #expect(await first.value.text == "first")
    }

    @Test("A request that would wait too long is refused at once, unless nobody else waits", .timeLimit(.minutes(1)))
    func early() async throws {
        let test = try StageTest { ($0.maximumConcurrent, $0.maximumWaitMilliseconds) = (1, 600_000) }
        let gate = Signal()
        defer { test.stop() }
        let first = test.start([.queue], test.fetch()) { _ in
            await gate.wait(on: test.shard)
            return test.found("first")
        }
        await test.wait { test.state.slots.figures.used == 1 }
        test.state.slots.note(.seconds(1200), for: 2)
        let second = test.start([.queue], test.fetch()) { _ in test.found("second") }
        await test.wait { test.state.slots.figures.waiting == 1 }
        let third = await test.run([.queue], test.fetch()) { _ in test.found("third") }
        #expect(third.text == "too many requests wait for it")
        #expect(third.status == 503)
        gate.send()
        #expect(await first.value.text == "first")
        #expect(await second.value.text == "second")
        // The second one has waited less than those before.
        #expect(test.state.slots.expectedWait == .zero)
    }

    @Test("The slot is given back to the request that waits, however the one before ends", arguments: End.allCases)
    func givenBack(end: End) async throws {
        let (test, gate) = (try StageTest { $0.maximumConcurrent = 1 }, Signal())
        defer { test.stop() }
        let first = test.start([.queue], test.fetch()) { _ throws(FetchFailure) in
            guard await gate.wait(on: test.shard) else { throw .transfer(.cancelled) }
            if end == .failure { throw .answered(500) }
            return test.found("first")
        }
        await test.wait { test.state.slots.figures.used == 1 }
        let second = test.start([.queue], test.fetch()) { _ in test.found("second") }
        await test.wait { test.state.slots.figures.waiting == 1 }
        if end == .cancellation { first.cancel() } else { gate.send() }
        #expect(await second.value.text == "second")
        _ = await first.value
        #expect(test.state.slots.figures == (0, 0))
    }

    @Test("A request that waits leaves the queue when its client does")
    func cancelled() async throws {
        let (test, gate) = (try StageTest { $0.maximumConcurrent = 1 }, Signal())
        defer { test.stop() }
        let first = test.start([.queue], test.fetch()) { _ in
            await gate.wait(on: test.shard)
            return test.found("first")
        }
        await test.wait { test.state.slots.figures.used == 1 }
        let second = test.start([.queue], test.fetch()) { _ in test.found("second") }
        await test.wait { test.state.slots.figures.waiting == 1 }
        second.cancel()
        #expect(await second.value.failure?.isCancellation == true)
        #expect(test.state.slots.figures == (1, 0))
        gate.send()
        #expect(await first.value.text == "first")
    }

    @Test("Requests for the past leave half of the slots to others")
    func past() async throws {
        let (test, gate, runs) = (try StageTest { $0.maximumConcurrent = 2 }, Signal(), Watched(0))
        defer { test.stop() }
        let past = (0..<2).map { _ in
            test.start([.queue], test.fetch(.history)) { _ in
                runs.increase()
                await gate.wait(on: test.shard)
                return test.found("past")
            }
        }
        await test.wait { test.state.slowSlots.figures.waiting == 1 }
        #expect(await test.run([.queue], test.fetch()) { _ in test.found("new") }.text == "new")
        #expect(runs.current == 1)
        gate.send()
        for fetch in past { #expect(await fetch.value.text == "past") }
        #expect(test.state.slowSlots.figures == (0, 0))
    }
}
