import EventLoop
import Synchronization

/// The bytes that the answers of upstreams may take up at a time, from their transfer until they are read.
final class BodyBudget: Sendable {
    /// The first part of a body, and the least by which a reservation grows.
    static let step = 64 << 10

    private let capacity: Int
    private let bytes: Admission

    init(bytes capacity: Int) {
        self.capacity = capacity
        bytes = Admission(capacity: capacity)
    }

    /// The bytes that are reserved now.
    var reserved: Int { bytes.figures.used }

    /// Returns the part of the budget that one upstream can reserve for bodies that have not arrived.
    ///
    /// It is half of it: an upstream that stops to send leaves the other half.
    func share() -> Admission { Admission(capacity: capacity / 2) }

    /// Reserves `expected` bytes of the budget and of a `share` of it if they are free; nil if not.
    func reserveNow(_ expected: Int, in share: Admission) -> BodyReservation? {
        let amount = amount(expected)
        guard share.enterNow(amount) else { return nil }
        if bytes.enterNow(amount) { return BodyReservation(amount, of: bytes, in: share) }
        share.leave(amount)
        return nil
    }

    private func amount(_ expected: Int) -> Int { max(1, min(expected, capacity / 2)) }

    /// Reserves `expected` bytes of the budget and of a `share` of it, for which the task waits until `end`.
    /// - Returns: The reservation, or why there is none.
    func reserve(
        _ expected: Int, in share: Admission, until end: MonotonicTime, on shard: Shard
    ) async -> Result<BodyReservation, Refusal> {
        let amount = amount(expected)
        if let refusal = Refusal(await share.enter(amount, until: end, on: shard)) { return .failure(refusal) }
        if let refusal = Refusal(await bytes.enter(amount, until: end, on: shard)) {
            share.leave(amount)
            return .failure(refusal)
        }
        return .success(BodyReservation(amount, of: bytes, in: share))
    }

    enum Refusal: Error {
        case tooLate, cancelled

        fileprivate init?(_ outcome: Admission.Outcome) {
            switch outcome {
            case .admitted: return nil
            case .cancelled: self = .cancelled
            case .tooLate, .refused: self = .tooLate
            }
        }
    }
}

/// The part of the budget that one body takes up, until it is released.
final class BodyReservation: Sendable {
    private struct State {
        var bytes: Int
        var isRefused = false
    }

    private let budget: Admission
    private let share: Admission
    private let expected: Int
    private let state: Mutex<State>

    fileprivate init(_ bytes: Int, of budget: Admission, in share: Admission) {
        (self.budget, self.share, expected) = (budget, share, bytes)
        state = Mutex(State(bytes: bytes))
    }

    deinit { release() }

    /// Whether the budget was too small for the body.
    var isRefused: Bool { state.withLock { $0.isRefused } }

    /// Reserves enough for `count` bytes in total; false if the budget does not have it.
    func grow(to count: Int) -> Bool {
        state.withLock { state in
            guard count > state.bytes else { return true }
            // In steps that double, as an array grows; or only what is needed, if that is left.
            for target in [max(count, 2 * state.bytes, BodyBudget.step), count] {
                if budget.grow(by: target - state.bytes) {
                    state.bytes = target
                    return true
                }
            }
            state.isRefused = true
            return false
        }
    }

    /// Gives the bytes back, when the document has been read.
    func release() {
        let bytes = state.withLock { state in
            defer { state.bytes = 0 }
            return state.bytes
        }
        guard bytes > 0 else { return }
        budget.leave(bytes)
        share.leave(expected)
    }
}
