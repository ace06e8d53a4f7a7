import Configuration
import EventLoop
import Synchronization

/// The state of one kind of requests to an upstream, for all shards.
final class KindState: Sendable {
    private struct State {
        var breaker: CircuitBreaker
        /// The size to expect of a body, from the latest ones; 0 before the first one.
        var bodySize = 0
        var tries = TryCounts()
    }

    /// The requests that the upstream's last answers allow.
    let reported: ReportedQuota
    private let state: Mutex<State>

    init(_ limits: CircuitBreaker.Limits, maximumWaiting: Int) {
        reported = ReportedQuota(maximumWaiting: maximumWaiting)
        state = Mutex(State(breaker: CircuitBreaker(limits)))
    }

    /// Takes new limits over; what is under way is not affected.
    func update(_ limits: CircuitBreaker.Limits, maximumWaiting: Int) {
        state.withLock { $0.breaker.update(limits) }
        reported.update(maximumWaiting: maximumWaiting)
    }

    /// Returns the seconds until the breaker admits a request; nil if it would admit one at `now`.
    func refusal(at now: MonotonicTime) -> Int? { state.withLock { $0.breaker.refusal(at: now) } }

    /// Asks the breaker for a permit, whose verdict must follow with `note`.
    func admit(at now: MonotonicTime) -> CircuitBreaker.Decision { state.withLock { $0.breaker.admit(at: now) } }

    func note(
        _ verdict: CircuitBreaker.Verdict, _ permit: CircuitBreaker.Permit, at now: MonotonicTime
    ) -> CircuitBreaker.Change? {
        state.withLock { $0.breaker.note(verdict, permit, at: now) }
    }

    /// The size that a body is expected to have.
    var expectedBody: Int {
        let size = state.withLock { $0.bodySize }
        return size > 0 ? size : BodyBudget.step
    }

    /// Takes a size into account: a large one at once, smaller ones little by little.
    func noteBody(_ bytes: Int) { state.withLock { $0.bodySize = max(1, bytes, $0.bodySize * 7 / 8) } }

    /// How the tries ended.
    var tries: TryCounts { state.withLock { $0.tries } }

    /// Counts a try that has ended, with its result as a label of a metric.
    func noteTry(_ result: String) { state.withLock { $0.tries.note(result) } }
}
