import EventLoop
import Telemetry

/// Refuses requests while the circuit breaker is open, and tells the breaker how the others end.
struct BreakerStage: FetchStage {
    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument {
        let permit: CircuitBreaker.Permit
        switch fetch.kindState.admit(at: fetch.context.now) {
        case .refused(let seconds): throw .suspended(seconds: seconds, last: fetch.kindState.failureManner)
        case .admitted(let admission, let change):
            fetch.upstream.log.changed(change, fetch.kind)
            permit = admission
        }
        do throws(FetchFailure) {
            let found = try await next(fetch)
            fetch.kindState.noteSuccess(at: fetch.context.clock.seconds)
            note(.success, permit, fetch)
            return found
        } catch {
            fetch.kindState.note(error, of: fetch.upstream.name, at: fetch.context.clock.seconds)
            note(error.verdict, permit, fetch)
            throw error
        }
    }

    private func note(_ verdict: CircuitBreaker.Verdict, _ permit: CircuitBreaker.Permit, _ fetch: Fetch) {
        let change = fetch.kindState.note(verdict, permit, at: fetch.context.now)
        fetch.upstream.log.changed(change, fetch.kind, last: fetch.kindState.failureManner)
    }
}
