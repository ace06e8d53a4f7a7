import EventLoop
import Synchronization

/// The bytes that answers may take up at a time: those of upstreams, from their transfer until they are read, and the
/// service's own, as long as clients have not taken them.
final class BodyBudget: Sendable {
    /// The first part of a body, and the least by which a reservation grows.
    static let step = 64 << 10

    /// The parts of a budget that one upstream can reserve.
    final class Share: Sendable {
        /// For bodies that have not arrived.
        fileprivate let expected: Admission
        /// For all of its bodies.
        fileprivate let total: Admission

        /// An upstream that stops to send leaves half of the budget, and always a little to the small answers of others.
        fileprivate init(of capacity: Int) {
            expected = Admission(capacity: capacity / 2)
            total = Admission(capacity: capacity - capacity / 32 / BodyBudget.step * BodyBudget.step)
        }

        /// The bytes that are reserved for bodies that have not arrived, and the number of requests that wait for them.
        var figures: (used: Int, waiting: Int) { expected.figures }
    }

    /// What reading a document takes up beside its body, as a multiple of the body: the tape, and the answer as the answer grows.
    private static let bytesToRead = 3

    private let capacity: Int
    private let bytes: Admission
    /// The parts of answers that are being made: another budget of the same size, so that they leave room for their bodies.
    private let parts: (bytes: Admission, share: Share)
    /// The memory of the documents that are being read, a quarter of the budget; one is read whatever its size is.
    private let readings: Admission

    init(bytes capacity: Int) {
        self.capacity = capacity
        (bytes, readings) = (Admission(capacity: capacity), Admission(capacity: capacity / 4))
        parts = (Admission(capacity: capacity), Share(of: capacity))
    }

    /// The bytes that are reserved now.
    var reserved: Int { bytes.figures.used }

    /// Waits until there is memory to read a document of `count` bytes.
    func memory(
        toRead count: Int, until end: MonotonicTime, on shard: Shard
    ) async throws(Admission.Failure) -> ReadingMemory {
        let amount = count * Self.bytesToRead
        try await readings.take(amount, until: end, on: shard)
        return ReadingMemory(amount, of: readings)
    }

    /// Counts answers of which clients have `change` bytes more, or less, to take: they are in memory already.
    func note(untaken change: Int) {
        if change > 0 { bytes.take(change) } else { bytes.leave(-change) }
    }

    /// Returns what one upstream can reserve.
    func share() -> Share { Share(of: capacity) }

    /// Reserves `expected` bytes of the budget and of a `share` of it if they are free; nil if not.
    func reserveNow(_ expected: Int, in share: Share) -> BodyReservation? {
        let amount = amount(expected)
        guard share.expected.enterNow(amount) else { return nil }
        if share.total.enterNow(amount) {
            if bytes.enterNow(amount) { return BodyReservation(amount, of: bytes, in: share) }
            share.total.leave(amount)
        }
        share.expected.leave(amount)
        return nil
    }

    private func amount(_ expected: Int) -> Int { max(1, min(expected, capacity / 2)) }

    /// Reserves `expected` bytes of the budget and of a `share` of it, for which the task waits until `end`.
    func reserve(
        _ expected: Int, in share: Share, until end: MonotonicTime, on shard: Shard
    ) async throws(Admission.Failure) -> BodyReservation {
        try await reserve(expected, of: bytes, in: share, until: end, on: shard)
    }

    /// Reserves `expected` bytes for the parts of an answer as `reserve` does.
    func reserveParts(
        _ expected: Int, until end: MonotonicTime, on shard: Shard
    ) async throws(Admission.Failure) -> BodyReservation {
        try await reserve(expected, of: parts.bytes, in: parts.share, until: end, on: shard)
    }

    private func reserve(
        _ expected: Int, of bytes: Admission, in share: Share, until end: MonotonicTime, on shard: Shard
    ) async throws(Admission.Failure) -> BodyReservation {
        let amount = amount(expected)
        var entered: [Admission] = []
        do throws(Admission.Failure) {
            for part in [share.expected, share.total, bytes] {
                try await part.take(amount, until: end, on: shard)
                entered.append(part)
            }
        } catch {
            for part in entered { part.leave(amount) }
            throw error
        }
        return BodyReservation(amount, of: bytes, in: share)
    }
}

/// The memory to read a document, which is free again when nothing refers to the object.
final class ReadingMemory: Sendable {
    private let amount: Int
    private let readings: Admission

    fileprivate init(_ amount: Int, of readings: Admission) { (self.amount, self.readings) = (amount, readings) }

    deinit { readings.leave(amount) }
}

/// The part of the budget that one body takes up, until nothing refers to the object.
final class BodyReservation: Sendable {
    private struct State {
        var bytes: Int
        var isRefused = false
    }

    private let budget: Admission
    private let share: BodyBudget.Share
    private let expected: Int
    private let state: Mutex<State>

    fileprivate init(_ bytes: Int, of budget: Admission, in share: BodyBudget.Share) {
        (self.budget, self.share, expected) = (budget, share, bytes)
        state = Mutex(State(bytes: bytes))
    }

    deinit {
        let bytes = state.withLock(\.bytes)
        budget.leave(bytes)
        share.total.leave(bytes)
        share.expected.leave(expected)
    }

    /// Whether the budget was too small for the body.
    var isRefused: Bool { state.withLock { $0.isRefused } }

    /// Reserves enough for `count` bytes in total; false if the budget or the upstream's share does not have it.
    func grow(to count: Int) -> Bool {
        state.withLock { state in
            guard count > state.bytes else { return true }
            // In steps that double, as an array grows; or only what is needed, if that is left.
            for target in [max(count, 2 * state.bytes, BodyBudget.step), count] {
                let growth = target - state.bytes
                guard share.total.grow(by: growth) else { continue }
                if budget.grow(by: growth) {
                    state.bytes = target
                    return true
                }
                share.total.leave(growth)
            }
            state.isRefused = true
            return false
        }
    }
}
