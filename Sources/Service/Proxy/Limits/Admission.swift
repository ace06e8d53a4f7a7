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

    private typealias Waiter = CheckedContinuation<Outcome, Never>

    /// What a task and its cancellation, which can come first, know about its place in the queue.
    private final class Ticket: Sendable {
        let number = Atomic<Int>(-1)
        let isCancelled = Atomic<Bool>(false)
    }

    private let queue: Mutex<AdmissionQueue<Waiter>>

    init(capacity: Int, maximumWaiting: Int = .max) {
        queue = Mutex(AdmissionQueue(capacity: capacity, maximumWaiting: maximumWaiting))
    }

    /// The amount in use, and the number of tasks that wait.
    var figures: (used: Int, waiting: Int) { queue.withLock { ($0.used, $0.waitingCount) } }

    /// Takes `amount` if nobody waits and it is free; then the caller must `leave` with it.
    func enterNow(_ amount: Int = 1) -> Bool { queue.withLock { $0.enter(amount) } }

    /// Takes `amount`, for which the task waits until `end`; if it is admitted, the caller must `leave` with it.
    func enter(_ amount: Int = 1, until end: MonotonicTime, on shard: Shard) async -> Outcome {
        if enterNow(amount) { return .admitted }
        let (ticket, timer) = (Ticket(), CrossThreadTimer(on: shard))
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let outcome = arrive(continuation, amount, ticket) { return continuation.resume(returning: outcome) }
                timer.set(at: end) { [self] in stopWaiting(ticket, .tooLate) }
            }
        } onCancel: {
            ticket.isCancelled.store(true, ordering: .relaxed)
            stopWaiting(ticket, .cancelled)
        }
        timer.cancel()
        return outcome
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

    /// Returns the outcome, or nil if the waiter is in the queue now.
    private func arrive(_ waiter: Waiter, _ amount: Int, _ ticket: Ticket) -> Outcome? {
        queue.withLock { queue in
            // `stopWaiting` takes the lock after the flag is set: it finds the number, or this finds the flag.
            if ticket.isCancelled.load(ordering: .relaxed) { return .cancelled }
            switch queue.arrive(waiter, amount) {
            case .admitted: return .admitted
            case .refused: return .refused
            case .waiting(let number):
                ticket.number.store(number, ordering: .relaxed)
                return nil
            }
        }
    }

    private func stopWaiting(_ ticket: Ticket, _ outcome: Outcome) {
        var waiter: Waiter?
        change { waiter = $0.remove(ticket.number.load(ordering: .relaxed)) }
        waiter?.resume(returning: outcome)
    }

    /// Changes the queue and admits those for whom that made room.
    private func change(_ body: (inout AdmissionQueue<Waiter>) -> Void) {
        let admitted = queue.withLock { queue in
            body(&queue)
            return queue.admitWaiting()
        }
        // Outside of the lock, because a waiter can run at once.
        for waiter in admitted { waiter.resume(returning: .admitted) }
    }
}
