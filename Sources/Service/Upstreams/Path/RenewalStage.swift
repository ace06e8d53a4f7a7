import EventLoop

/// Runs the rest once more with another key or token, if the upstream refuses the first one and there is another.
struct RenewalStage: FetchStage {
    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument {
        do throws(FetchFailure) {
            return try await next(fetch)
        } catch {
            guard error.isUnauthorized, let refused = fetch.attempt.record.access,
                await fetch.upstream.isReplaced(refused, fetch.context)
            else { throw error }
        }
        return try await next(fetch.with(Attempt(isExtra: true)))
    }
}
