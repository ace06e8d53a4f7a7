/// Finds the key or the token that authorizes the request.
struct AccessStage: FetchStage {
    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument {
        let access = try await fetch.upstream.access(until: fetch.end, fetch.context)
        fetch.attempt.change { $0.access = access }
        return try await next(fetch)
    }
}
