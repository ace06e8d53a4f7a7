import EventLoop
import HTTPClient

// A second request for the same document, if the first one takes longer than most.
extension Upstream {
    /// What a try came to.
    private struct Outcome<Document: Sendable>: Sendable {
        let result: Result<Document, Failure>
        let exchange: Exchange

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

    private enum Event<Document: Sendable>: Sendable {
        case first(Outcome<Document>), second(Outcome<Document>)
        /// The first request takes longer than most.
        case isLate
        /// The first request has failed, and since then the second one takes longer than most.
        case isOver
    }

    /// Makes a try, and another one beside it if it takes too long.
    ///
    /// The outcome of the first one counts as without the second one. The second one's counts if it is an answer that comes
    /// earlier, or soon after a failure of the first one that another try may mend.
    nonisolated(nonsending) func hedgedAttempt<Document: Sendable>(
        _ request: DocumentRequest<Document>, _ exchange: inout Exchange, _ context: FetchContext
    ) async throws(Failure) -> Document {
        guard hedges, let delay = state.hedgeDelay(left: context.end - context.now) else {
            return try await attempt(request, &exchange, context)
        }
        let isExtra = exchange.isExtra
        let start = context.now
        let end = await withTaskGroup(of: Event<Document>.self) { group in
            // What is still under way ends with the result.
            defer { group.cancelAll() }
            group.addTask { [self] in .first(await outcome(of: request, isExtra: isExtra, context)) }
            group.addTask { await Self.after(delay, .isLate) }
            var failed: Outcome<Document>?
            var underWay = 1
            while underWay > 0, let event = await group.next() {
                switch event {
                case .isLate:
                    guard state.takeHedge(request.endpoint) else { continue }
                    underWay = 2
                    group.addTask { [self] in
                        let outcome = await outcome(of: request, isExtra: true, context)
                        if !outcome.exchange.isAdmitted { state.returnRetry() }
                        return .second(outcome)
                    }
                case .first(let outcome):
                    guard underWay == 2, outcome.mayBeMended(context) else { return outcome }
                    failed = outcome
                    underWay = 1
                    group.addTask { await Self.after(delay, .isOver) }
                case .second(let outcome):
                    if outcome.isAnswer {
                        // Without the late one, only fast transfers would count.
                        if failed == nil { state.noteTransfer(context.now - start, nil, now: context.now) }
                        return outcome
                    }
                    underWay -= 1
                case .isOver: underWay = 0
                }
            }
            return failed ?? Outcome(result: .failure(.transfer(.cancelled)), exchange: Exchange())
        }
        exchange = end.exchange
        return try end.result.get()
    }

    /// Returns `event` after `delay`, or at once if it is cancelled.
    private static func after<Document>(_ delay: Duration, _ event: Event<Document>) async -> Event<Document> {
        try? await Task.sleep(for: delay)
        return event
    }

    private func outcome<Document: Sendable>(
        of request: DocumentRequest<Document>, isExtra: Bool, _ context: FetchContext
    ) async -> Outcome<Document> {
        var exchange = Exchange(isExtra: isExtra)
        do throws(Failure) {
            let document = try await attempt(request, &exchange, context)
            return Outcome(result: .success(document), exchange: exchange)
        } catch {
            return Outcome(result: .failure(error), exchange: exchange)
        }
    }
}
