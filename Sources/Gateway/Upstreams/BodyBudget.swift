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

    /// Reserves `expected` bytes for a body that has not arrived, for which the task waits until `end`.
    ///
    /// It reserves less if as many transfers as `transfers` would take more than half of the budget: an upstream that
    /// announces much and sends nothing leaves the other half.
    /// - Returns: The reservation, or why there is none.
    func reserve(
        _ expected: Int, transfers: Int, until end: MonotonicTime, on shard: Shard
    ) async -> Result<BodyReservation, Refusal> {
        let amount = max(1, min(expected, capacity / 2 / max(1, transfers)))
        switch await bytes.enter(amount, until: end, on: shard) {
        case .admitted: return .success(BodyReservation(amount, of: bytes))
        case .cancelled: return .failure(.cancelled)
        case .tooLate, .refused: return .failure(.tooLate)
        }
    }

    enum Refusal: Error {
        case tooLate, cancelled
    }
}

/// The part of the budget that one body takes up, until it is released.
final class BodyReservation: Sendable {
    private struct State {
        var bytes: Int
        var isRefused = false
    }

    private let budget: Admission
    private let state: Mutex<State>

    fileprivate init(_ bytes: Int, of budget: Admission) {
        self.budget = budget
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
        if bytes > 0 { budget.leave(bytes) }
    }
}
