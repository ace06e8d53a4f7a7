import Dispatch
import EventLoop
import Synchronization
import Operations

/// Tells the reader of a document whether anybody still waits for it; readers of long documents ask now and then.
final class ReadingLimit: Sendable {
    let clock: Clock
    private let end: MonotonicTime
    /// The end of a reading on the event loop, on the system's clock; nil for a reading in the pool.
    private let turnEnd: MonotonicTime?
    private let isAbandoned = Atomic<Bool>(false), isTurnOver = Atomic<Bool>(false)

    /// How long a reading may hold the event loop; the checks of readers are about as far apart.
    private static let turn = Duration.milliseconds(1)

    init(end: MonotonicTime, clock: Clock, isTurn: Bool = false) {
        (self.end, self.clock, turnEnd) = (end, clock, isTurn ? Clock.system.now() + Self.turn : nil)
    }

    var hasPassed: Bool {
        if isAbandoned.load(ordering: .relaxed) || end <= clock.now() { return true }
        guard let turnEnd, turnEnd <= Clock.system.now() else { return false }
        isTurnOver.store(true, ordering: .relaxed)
        return true
    }

    /// Whether a reader was stopped because it held the event loop too long: the pool reads the document again.
    var wasTooLong: Bool { isTurnOver.load(ordering: .relaxed) }

    func abandon() { isAbandoned.store(true, ordering: .relaxed) }
}

/// Threads that read large documents: as many as there are processors, so that documents do not slow each other down, but
/// at least two.
///
/// Further documents wait in order. A document that nobody waits for any longer is not read, or not to its end.
final class BoundedExecutor: Sendable {
    private let count: Int
    private let threads: Admission
    /// The pool of which this is a part.
    private let whole: BoundedExecutor?
    private let clock: Clock
    /// Where the work runs; nil for the work pool, where nothing may block.
    private let queue: DispatchQueue?

    init(
        threads count: Int = max(2, Processors.available), of whole: BoundedExecutor? = nil, clock: Clock = .system,
        queue: DispatchQueue? = nil
    ) {
        (self.count, threads) = (count, Admission(capacity: count))
        (self.whole, self.clock, self.queue) = (whole, clock, queue)
    }

    /// All threads but one, for the documents of one upstream: those of others do not wait behind them.
    func share() -> BoundedExecutor { BoundedExecutor(threads: max(1, count - 1), of: self, clock: clock) }

    /// Returns the result of `read` as soon as it is there, unless the task is cancelled or `end` comes first.
    ///
    /// `read` goes on until it notices that its limit has passed; its thread is in use until then.
    func run<Value: Sendable>(
        until end: MonotonicTime, on shard: Shard, _ read: @escaping @Sendable (ReadingLimit) -> Value
    ) async throws(Admission.Failure) -> Value {
        try await enter(until: end, on: shard)
        let (limit, answer) = (ReadingLimit(end: end, clock: clock), Promise<Value?>())
        start { [self] in
            let value = limit.hasPassed ? nil : read(limit)
            // The reader of a limit that has passed may have stopped anywhere.
            answer.finish(limit.hasPassed ? nil : value)
            leave()
        }
        if let value = await answer.wait(until: end, on: shard) ?? nil { return value }
        limit.abandon()
        throw Task.isCancelled ? .cancelled : .tooLate
    }

    private func start(_ work: @escaping @Sendable () -> Void) {
        if let queue { queue.async(execute: work) } else { WorkPool.start(work) }
    }

    private func enter(until end: MonotonicTime, on shard: Shard) async throws(Admission.Failure) {
        try await threads.take(until: end, on: shard)
        do throws(Admission.Failure) {
            try await whole?.enter(until: end, on: shard)
        } catch {
            threads.leave()
            throw error
        }
    }

    private func leave() {
        whole?.leave()
        threads.leave()
    }
}
