import EventLoop
import Synchronization

/// A limited amount of something, shared by all shards, for which tasks wait in order.
final class Admission: Sendable {
    enum Outcome: Sendable, Equatable {
        case admitted
        /// Too many tasks wait already.
        case refused
        /// The time to wait is over.
        case tooLate
        /// The task was cancelled.
        case cancelled
    }

    /// Why a task did not get in the time that it had what it waited for.
    enum Failure: Error {
        case tooLate, cancelled
    }

    private let queue: Mutex<AdmissionQueue<Waiter<Outcome>>>
    /// How long tasks have waited of late for each task before them and for themselves.
    private let pace = Mutex((wait: Duration.zero, noted: MonotonicTime.now))
    /// How long a wait tells of later ones.
    private static let longestMemory = Duration.seconds(1)

    init(capacity: Int, maximumWaiting: Int = .max) {
        queue = Mutex(AdmissionQueue(capacity: capacity, maximumWaiting: maximumWaiting))
    }

    /// The amount in use, and the number of tasks that wait.
    var figures: (used: Int, waiting: Int) { queue.withLock { ($0.used, $0.waitingCount) } }

    /// How long a task that arrives now would wait, as those of the last second have; zero if nobody has or waits, so that one
    /// finds out.
    var expectedWait: Duration {
        let count = queue.withLock(\.waitingCount)
        let (wait, noted) = pace.withLock(\.self)
        return count == 0 || MonotonicTime.now > noted + Self.longestMemory ? .zero : wait * (count + 1)
    }

    /// Takes `amount` if nobody waits and it is free; then the caller must `leave` with it.
    func enterNow(_ amount: Int = 1) -> Bool { queue.withLock { $0.enter(amount) } }

    /// Takes `amount`, for which the task waits until `end`; if it is admitted, the caller must `leave` with it.
    func enter(_ amount: Int = 1, until end: MonotonicTime, on shard: Shard) async -> Outcome {
        if enterNow(amount) { return .admitted }
        let waiter = Waiter<Outcome>(), number: Int
        let (arrival, count) = queue.withLock { ($0.arrive(waiter, amount), $0.waitingCount) }
        switch arrival {
        case .admitted: return .admitted
        case .refused: return .refused
        case .waiting(let place): number = place
        }
        let start = MonotonicTime.now
        let outcome = await waiter.wait(until: end, on: shard) { [self] isCancelled in
            var stopped: Waiter<Outcome>?
            change { stopped = $0.remove(number) }
            stopped?.finish(isCancelled ? .cancelled : .tooLate)
        }
        if outcome != .cancelled { note(MonotonicTime.now - start, for: count) }
        return outcome
    }

    /// Takes over how long the last of `count` tasks has waited.
    func note(_ wait: Duration, for count: Int) {
        let latest = wait / max(count, 1)
        let now = MonotonicTime.now
        pace.withLock { pace in
            let isKnown = pace.wait > .zero && now <= pace.noted + Self.longestMemory
            // A queue that has become faster is believed sooner than one that has become slower.
            let share = latest < pace.wait ? 2 : 4
            pace = (isKnown ? pace.wait + (latest - pace.wait) / share : latest, now)
        }
    }

    /// Takes `amount` as `enter` does, where no number of tasks is too great.
    func take(_ amount: Int = 1, until end: MonotonicTime, on shard: Shard) async throws(Failure) {
        switch await enter(amount, until: end, on: shard) {
        case .admitted: return
        case .cancelled: throw .cancelled
        case .tooLate, .refused: throw .tooLate
        }
    }

    /// Takes `amount` if it is free, ahead of the tasks that wait.
    func grow(by amount: Int) -> Bool { queue.withLock { $0.grow(by: amount) } }

    /// Takes `amount`, even if it is not free.
    func take(_ amount: Int) { queue.withLock { $0.take(amount) } }

    /// Gives `amount` back.
    func leave(_ amount: Int = 1) {
        change { $0.leave(amount) }
    }

    /// Whether one could be taken now.
    var hasRoom: Bool { queue.withLock { $0.hasRoom } }

    /// Changes the limits; without `maximumWaiting`, only the capacity.
    func resize(capacity: Int, maximumWaiting: Int? = nil) {
        change { $0.resize(capacity: capacity, maximumWaiting: maximumWaiting) }
    }

    /// Changes the queue and admits those for whom that made room.
    private func change(_ body: (inout AdmissionQueue<Waiter<Outcome>>) -> Void) {
        let admitted = queue.withLock { queue in
            body(&queue)
            return queue.admitWaiting()
        }
        // Outside of the lock, because a waiter can run at once.
        for waiter in admitted { waiter.finish(.admitted) }
    }
}

/// Who may use a limited amount, such as places or bytes, and who waits for it, in order.
///
/// A value without time or threads: `Admission` adds them.
struct AdmissionQueue<Waiter> {
    enum Arrival: Equatable {
        case admitted
        /// The number under which the waiter can be removed.
        case waiting(Int)
        case refused
    }

    private var capacity: Int
    private var maximumWaiting: Int
    private(set) var used = 0
    private var waiting: [Int: (waiter: Waiter, amount: Int)] = [:]
    /// The numbers of the first waiter and of the next to arrive; those in between can have been removed.
    private var first = 0, next = 0

    init(capacity: Int, maximumWaiting: Int) {
        (self.capacity, self.maximumWaiting) = (capacity, maximumWaiting)
    }

    var waitingCount: Int { waiting.count }

    /// Whether one could enter now.
    var hasRoom: Bool { waiting.isEmpty && used < capacity }

    /// Takes `amount` if nobody waits and it is free.
    mutating func enter(_ amount: Int = 1) -> Bool { waiting.isEmpty && grow(by: amount) }

    /// Takes `amount` if it is free, ahead of those who wait; an amount above the capacity is free if nothing is in use.
    mutating func grow(by amount: Int) -> Bool {
        guard amount <= capacity - used || used == 0 else { return false }
        used += amount
        return true
    }

    /// Takes `amount`, even if it is not free.
    mutating func take(_ amount: Int) { used += amount }

    /// Takes `amount`, or else lets `waiter` wait for it.
    mutating func arrive(_ waiter: Waiter, _ amount: Int = 1) -> Arrival {
        if enter(amount) { return .admitted }
        guard waiting.count < maximumWaiting else { return .refused }
        defer { next += 1 }
        waiting[next] = (waiter, amount)
        return .waiting(next)
    }

    /// Removes a waiter that does not want to wait any longer; nil if it has been admitted or removed already.
    mutating func remove(_ number: Int) -> Waiter? { waiting.removeValue(forKey: number)?.waiter }

    /// Gives `amount` back.
    mutating func leave(_ amount: Int = 1) { used -= amount }

    /// Admits waiters in their order, as long as there is enough for the first one.
    ///
    /// Call it after `leave`, `remove` and `resize`.
    mutating func admitWaiting() -> [Waiter] {
        var admitted: [Waiter] = []
        while !waiting.isEmpty {
            if let entry = waiting[first] {
                guard grow(by: entry.amount) else { break }
                waiting[first] = nil
                admitted.append(entry.waiter)
            }
            first += 1
        }
        return admitted
    }

    /// Changes the limits; what is in use beyond them stays in use until it is given back.
    mutating func resize(capacity: Int, maximumWaiting: Int? = nil) {
        (self.capacity, self.maximumWaiting) = (capacity, maximumWaiting ?? self.maximumWaiting)
    }
}
