import EventLoop
import HTTPClient
import Synchronization

/// Runs the rest a second time beside a try that takes longer than most ("hedging").
///
/// The outcome of the first try counts as without the second. The outcome of the second counts if it is an answer that
/// comes earlier, or soon after a failure of the first try that another try may mend.
enum HedgingStage {
    static nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        let context = fetch.context
        guard fetch.upstream.hedges, let delay = fetch.state.hedgeDelay(left: context.end - context.now) else {
            return try await next(fetch)
        }
        let end = await race(fetch, next, delay)
        let record = end.attempt.record
        fetch.attempt.change { $0 = record }
        return try end.result.get()
    }

    private static func race(_ fetch: Fetch, _ next: Next, _ delay: Duration) async -> Outcome {
        let (state, context) = (fetch.state, fetch.context)
        let start = context.now
        return await withTaskGroup(of: Event.self) { group in
            // What is still under way ends with the result.
            defer { group.cancelAll() }
            let first = fetch.with(Attempt(isExtra: fetch.attempt.isExtra))
            group.addTask { .first(await Outcome(of: first, next)) }
            group.addTask { await Event.isLate.after(delay) }
            var failed: Outcome?
            var underWay = 1
            while underWay > 0, let event = await group.next() {
                switch event {
                case .isLate:
                    guard state.takeHedge(fetch.kindState) else { continue }
                    underWay = 2
                    let second = fetch.with(Attempt(isExtra: true))
                    group.addTask {
                        let outcome = await Outcome(of: second, next)
                        if !outcome.attempt.record.isAdmitted { state.retries.withLock { $0.returnRetry() } }
                        return .second(outcome)
                    }
                case .first(let outcome):
                    guard underWay == 2, outcome.mayBeMended(context) else { return outcome }
                    failed = outcome
                    underWay = 1
                    group.addTask { await Event.isOver.after(delay) }
                case .second(let outcome):
                    if outcome.isAnswer {
                        // Without the late try, only fast transfers would count.
                        if failed == nil { state.noteTransfer(context.now - start) }
                        return outcome
                    }
                    underWay -= 1
                case .isOver: underWay = 0
                }
            }
            return failed ?? Outcome(result: .failure(.transfer(.cancelled)), attempt: Attempt())
        }
    }

    /// What a try has come to.
    private struct Outcome: Sendable {
        let result: Result<Answer, FetchFailure>
        let attempt: Attempt

        init(result: Result<Answer, FetchFailure>, attempt: Attempt) {
            (self.result, self.attempt) = (result, attempt)
        }

        init(of fetch: Fetch, _ next: Next) async {
            attempt = fetch.attempt
            do throws(FetchFailure) {
                result = .success(try await next(fetch))
            } catch {
                result = .failure(error)
            }
        }

        /// Whether it is a document, or a definite answer such as 404, which the breaker counts as a success, too.
        var isAnswer: Bool {
            guard case .failure(let failure) = result else { return true }
            return failure.verdict == .success
        }

        /// Whether it is a failure after which another try may bring a document in the time that is left.
        func mayBeMended(_ context: FetchContext) -> Bool {
            guard case .failure(let failure) = result, context.isLast else { return false }
            return AttemptPolicy().allowsTry(after: failure.attemptFailure, left: context.end - context.now)
        }
    }

    private enum Event: Sendable {
        case first(Outcome), second(Outcome)
        /// The first try takes longer than most.
        case isLate
        /// The first try has failed, and since then the second one takes longer than most.
        case isOver

        /// Returns the event after `delay`, or at once if the task is cancelled.
        func after(_ delay: Duration) async -> Event {
            try? await Task.sleep(for: delay)
            return self
        }
    }
}
