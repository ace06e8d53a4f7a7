import EventLoop
import HTTPClient

// A second request for the same document, if the first one takes longer than most.
extension Upstream {
    private enum Event<Document: Sendable>: Sendable {
        case first(Result<Document, Failure>, Exchange)
        case second(Result<Document, Failure>, Exchange)
        /// The first request takes longer than most.
        case isLate
    }

    /// Makes a try, and another one beside it if it takes too long; the first document counts.
    nonisolated(nonsending) func hedgedAttempt<Document: Sendable>(
        _ request: DocumentRequest<Document>, _ exchange: inout Exchange, _ context: FetchContext
    ) async throws(Failure) -> Document {
        guard hedges, let delay = state.hedgeDelay(left: context.end - context.now) else {
            return try await attempt(request, &exchange, context)
        }
        let isExtra = exchange.isExtra
        let start = context.now
        let end: (document: Result<Document, Failure>, exchange: Exchange)
        end = await withTaskGroup(of: Event<Document>.self) { group in
            // What is still under way ends with the result.
            defer { group.cancelAll() }
            group.addTask { [self] in
                let (result, exchange) = await outcome(of: request, isExtra: isExtra, context)
                return .first(result, exchange)
            }
            group.addTask {
                try? await Task.sleep(for: delay)
                return .isLate
            }
            var failed: (document: Result<Document, Failure>, exchange: Exchange)?
            var underWay = 1
            while underWay > 0, let event = await group.next() {
                switch event {
                case .isLate:
                    guard state.takeHedge() else { continue }
                    underWay += 1
                    group.addTask { [self] in
                        let (result, exchange) = await outcome(of: request, isExtra: true, context)
                        if !exchange.isAdmitted { state.returnRetry() }
                        return .second(result, exchange)
                    }
                    continue
                case .first(.success(let document), let exchange): return (.success(document), exchange)
                case .second(.success(let document), let exchange):
                    // Without the late one, only fast transfers would count.
                    if underWay == 2 { state.noteTransfer(context.now - start, nil, now: context.now) }
                    return (.success(document), exchange)
                case .first(let failure, let exchange): failed = (failure, exchange)
                case .second(let failure, let exchange): failed = failed ?? (failure, exchange)
                }
                underWay -= 1
            }
            return failed ?? (.failure(.transfer(.cancelled)), Exchange())
        }
        exchange = end.exchange
        return try end.document.get()
    }

    private func outcome<Document: Sendable>(
        of request: DocumentRequest<Document>, isExtra: Bool, _ context: FetchContext
    ) async -> (Result<Document, Failure>, Exchange) {
        var exchange = Exchange(isExtra: isExtra)
        do throws(Failure) {
            return (.success(try await attempt(request, &exchange, context)), exchange)
        } catch {
            return (.failure(error), exchange)
        }
    }
}
