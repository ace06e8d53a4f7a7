import EventLoop
import HTTPClient

// A second request for the same document, if the first one takes longer than most.
extension Upstream {
    private enum Event<Document: Sendable>: Sendable {
        case first(Result<Document, Failure>)
        case second(Result<Document, Failure>)
        /// The first request takes longer than most.
        case isLate
    }

    /// Makes a try, and another one beside it if it takes too long; the first document counts.
    func hedgedAttempt<Document: Sendable>(
        _ request: DocumentRequest<Document>, _ access: CredentialStore.Current, _ context: FetchContext
    ) async throws(Failure) -> Document {
        guard hedges, let delay = state.hedgeDelay(left: context.end - .now) else {
            return try await attempt(request, access, context)
        }
        let start = MonotonicTime.now
        let outcome: Result<Document, Failure> = await withTaskGroup(of: Event<Document>.self) { group in
            // What is still under way ends with the result.
            defer { group.cancelAll() }
            group.addTask { .first(await result(of: request, access, context)) }
            group.addTask {
                try? await Task.sleep(for: delay)
                return .isLate
            }
            var failure: Failure?
            var underWay = 1
            for await event in group {
                switch event {
                case .isLate:
                    guard state.takeHedge() else { continue }
                    underWay += 1
                    group.addTask { .second(await result(of: request, access, context)) }
                    continue
                case .first(.success(let document)): return .success(document)
                case .second(.success(let document)):
                    // Without the late one, only fast transfers would count.
                    if underWay == 2 { state.noteTransfer(.now - start, nil) }
                    return .success(document)
                case .first(.failure(let error)): failure = error
                case .second(.failure(let error)): failure = failure ?? error
                }
                underWay -= 1
                if underWay == 0 { return .failure(failure ?? .transfer(.cancelled)) }
            }
            return .failure(failure ?? .transfer(.cancelled))
        }
        return try outcome.get()
    }

    private func result<Document: Sendable>(
        of request: DocumentRequest<Document>, _ access: CredentialStore.Current, _ context: FetchContext
    ) async -> Result<Document, Failure> {
        do throws(Failure) {
            return .success(try await attempt(request, access, context))
        } catch {
            return .failure(error)
        }
    }
}
