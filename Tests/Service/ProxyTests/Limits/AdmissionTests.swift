import EventLoop
import TestSupport
import Testing

@testable import Proxy

/// A queue whose changing methods can be called within an expectation.
private final class Queue {
    private var queue: AdmissionQueue<String>

    init(capacity: Int, maximumWaiting: Int) {
        queue = AdmissionQueue(capacity: capacity, maximumWaiting: maximumWaiting)
    }

    var used: Int { queue.used }
    var waitingCount: Int { queue.waitingCount }
    func enter(_ amount: Int) -> Bool { queue.enter(amount) }
    func grow(by amount: Int) -> Bool { queue.grow(by: amount) }
    func arrive(_ name: String, _ amount: Int = 1) -> AdmissionQueue<String>.Arrival { queue.arrive(name, amount) }
    func remove(_ number: Int) -> String? { queue.remove(number) }
    func leave(_ amount: Int = 1) { queue.leave(amount) }
    func admitWaiting() -> [String] { queue.admitWaiting() }
    func resize(capacity: Int, maximumWaiting: Int) { queue.resize(capacity: capacity, maximumWaiting: maximumWaiting) }
}

struct AdmissionQueueTests {
    @Test func waitersAreAdmittedInTheirOrder() {
        let queue = Queue(capacity: 2, maximumWaiting: 3)
        #expect([queue.arrive("a"), queue.arrive("b")] == [.admitted, .admitted])
        #expect([queue.arrive("c"), queue.arrive("d"), queue.arrive("e")] == [.waiting(0), .waiting(1), .waiting(2)])
        #expect(queue.arrive("f") == .refused)
        #expect(queue.admitWaiting() == [])
        queue.leave()
        #expect(queue.admitWaiting() == ["c"])
        queue.leave(2)
        #expect(queue.admitWaiting() == ["d", "e"])
        #expect((queue.used, queue.waitingCount) == (2, 0))
    }

    @Test func aRemovedWaiterIsPassedOver() {
        let queue = Queue(capacity: 1, maximumWaiting: 9)
        for name in ["a", "b", "c", "d"] { _ = queue.arrive(name) }
        #expect(queue.remove(1) == "c")
        #expect(queue.remove(1) == nil)
        #expect(queue.remove(0) == "b")
        #expect(queue.remove(77) == nil)
        queue.leave()
        #expect(queue.admitWaiting() == ["d"])
        #expect(queue.remove(2) == nil)
    }

    /// A newcomer that needs little does not overtake one that needs much.
    @Test func nobodyEntersAheadOfAWaiter() {
        let queue = Queue(capacity: 10, maximumWaiting: 9)
        #expect(queue.enter(6))
        #expect(queue.arrive("large", 8) == .waiting(0))
        #expect(!queue.enter(1))
        #expect(queue.grow(by: 4))
        #expect(!queue.grow(by: 1))
        #expect(queue.arrive("small", 1) == .waiting(1))
        queue.leave(10)
        #expect(queue.admitWaiting() == ["large", "small"])
        #expect(queue.used == 9)
    }

    @Test func anAmountAboveTheCapacityIsAdmittedAlone() {
        let queue = Queue(capacity: 10, maximumWaiting: 9)
        #expect(queue.arrive("huge", 11) == .admitted)
        #expect(queue.arrive("huge too", 12) == .waiting(0))
        #expect(!queue.grow(by: 1))
        queue.leave(11)
        #expect(queue.admitWaiting() == ["huge too"])
    }

    @Test func newLimitsCountAtOnce() {
        let queue = Queue(capacity: 1, maximumWaiting: 2)
        for name in ["a", "b", "c"] { _ = queue.arrive(name) }
        queue.resize(capacity: 2, maximumWaiting: 1)
        #expect(queue.admitWaiting() == ["b"])
        #expect(queue.arrive("d") == .refused)
        queue.resize(capacity: 1, maximumWaiting: 1)
        queue.leave()
        #expect(queue.admitWaiting() == [])
        queue.leave()
        #expect(queue.admitWaiting() == ["c"])
    }
}

@Suite(.timeLimit(.minutes(10)))
struct AdmissionTests {
    private static let far = MonotonicTime.now + .seconds(3600)

    @Test func aTaskWaitsUntilAnotherLeaves() async throws {
        try await withShard { shard in
            let places = Admission(capacity: 1)
            #expect(await places.enter(until: Self.far, on: shard) == .admitted)
            let second = Task { await places.enter(until: Self.far, on: shard) }
            await untilWaiting(1, places)
            places.leave()
            #expect(await second.value == .admitted)
            let figures = places.figures
            #expect(figures == (1, 0))
        }
    }

    @Test func aFullQueueRefuses() async throws {
        try await withShard { shard in
            let places = Admission(capacity: 1, maximumWaiting: 0)
            #expect(await places.enter(until: Self.far, on: shard) == .admitted)
            #expect(await places.enter(until: Self.far, on: shard) == .refused)
        }
    }

    @Test func waitingEndsAtItsEnd() async throws {
        try await withShard { shard in
            let places = Admission(capacity: 1)
            #expect(places.grow(by: 1))
            #expect(await places.enter(until: .now, on: shard) == .tooLate)
            #expect(await places.enter(until: .now + .milliseconds(20), on: shard) == .tooLate)
            let figures = places.figures
            #expect(figures == (1, 0))
        }
    }

    @Test func aCancelledTaskLeavesTheQueue() async throws {
        try await withShard { shard in
            let places = Admission(capacity: 1)
            #expect(places.grow(by: 1))
            let task = Task { await places.enter(until: Self.far, on: shard) }
            await untilWaiting(1, places)
            task.cancel()
            #expect(await task.value == .cancelled)
            let cancelled = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await places.enter(until: Self.far, on: shard)
            }
            #expect(await cancelled.value == .cancelled)
            let figures = places.figures
            #expect(figures == (1, 0))
        }
    }

    /// Entering, leaving, cancelling and timing out on many threads at a time loses no place.
    @Test func noPlaceIsLostUnderLoad() async throws {
        try await withShard { shard in
            let places = Admission(capacity: 3, maximumWaiting: 500)
            await withTaskGroup { group in
                for number in 0..<2000 {
                    group.addTask {
                        let end = number % 5 == 0 ? MonotonicTime.now + .microseconds(number) : Self.far
                        let task = Task {
                            let outcome = await places.enter(until: end, on: shard)
                            guard outcome == .admitted else { return }
                            await Task.yield()
                            places.leave()
                        }
                        for _ in 0..<(number % 20) { await Task.yield() }
                        if number % 3 == 0 { task.cancel() }
                        await task.value
                    }
                }
            }
            #expect(places.figures == (0, 0))
        }
    }

    private func untilWaiting(_ count: Int, _ places: Admission) async {
        for _ in 0..<1_000_000 where places.figures.waiting < count { await Task.yield() }
        #expect(places.figures.waiting == count)
    }
}

/// Runs `body` with an event loop.
func withShard<Result>(_ body: (Shard) async throws -> Result) async throws -> Result {
    let shard = try Shard(index: 0)
    shard.start()
    defer { shard.stop() }
    return try await body(shard)
}
