import EventLoop
import HTTPClient

// A second request for the same document, if the first one takes longer than most.
extension Upstream {
    /// What a try came to.
    private struct Outcome<Document: Sendable>: Sendable {
        let result: Result<Document, Failure>
        let exchange: Exchange

        /// How much a failure says: more if the upstream has answered, and less if it was not asked.
        var weight: Int {
            guard case .failure(let failure) = result else { return 3 }
            return failure.responseStatus != nil ? 2 : exchange.isAdmitted ? 1 : 0
        }

        /// Whether the upstream says that it has no such document, or refuses to give it.
        var isDefinite: Bool {
            guard case .failure(.status(let status, let meaning, _, _)) = result else { return false }
            return 400..<500 ~= meaning ?? status && !AttemptPolicy.temporary.contains(meaning ?? status)
        }

        /// Whether another try may bring a document in the time that is left.
        func mayBeMended(_ context: FetchContext) -> Bool {
            guard case .failure(let failure) = result, context.isLast else { return false }
            return AttemptPolicy().allowsTry(after: failure.attemptFailure, left: context.end - context.now)
        }
    }

    private enum Event<Document: Sendable>: Sendable {
        case first(Outcome<Document>), second(Outcome<Document>)
        /// The first request takes longer than most.
        case isLate
        /// The first request has failed, and the second one takes longer than most.
        case isOver
    }

    /// Makes a try, and another one beside it if it takes too long; the first document counts, or definite answer.
    ///
    /// Nothing is worse than with the first try alone: another failure of the second one changes nothing, and one of the first
    /// counts, at once or, if another try may mend it, after the time that most take.
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
            group.addTask {
                try? await Task.sleep(for: delay)
                return .isLate
            }
            var failed: Outcome<Document>?
            var underWay = 1
            while underWay > 0, let event = await group.next() {
                switch event {
                case .isLate:
                    guard state.takeHedge() else { continue }
                    underWay += 1
                    group.addTask { [self] in
                        let outcome = await outcome(of: request, isExtra: true, context)
                        if !outcome.exchange.isAdmitted { state.returnRetry() }
                        return .second(outcome)
                    }
                case .isOver: underWay = 0
                case .first(let outcome), .second(let outcome):
                    underWay -= 1
                    let isSecond = if case .second = event { true } else { false }
                    if outcome.weight == 3 || outcome.isDefinite {
                        // Without the late one, only fast transfers would count.
                        if isSecond, underWay == 1 { state.noteTransfer(context.now - start, nil, now: context.now) }
                        return outcome
                    }
                    if outcome.weight + (isSecond ? 0 : 1) > failed?.weight ?? -1 { failed = outcome }
                    guard underWay == 1, !isSecond, outcome.exchange.isAdmitted else { continue }
                    guard outcome.mayBeMended(context) else { return outcome }
                    group.addTask {
                        try? await Task.sleep(for: delay)
                        return .isOver
                    }
                }
            }
            return failed ?? Outcome(result: .failure(.transfer(.cancelled)), exchange: Exchange())
        }
        exchange = end.exchange
        return try end.result.get()
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
