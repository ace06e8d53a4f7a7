/// Refuses requests to upstreams while the memory of the container is almost used up.
struct SheddingStage: FetchStage {
    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument {
        guard fetch.upstream.memory.sheds() else { return try await next(fetch) }
        // The stale document serves; a later request refreshes the document.
        if fetch.context.isInBackground, let known = fetch.known {
            return FoundDocument(document: known, finding: .refreshing)
        }
        throw .lowMemory
    }
}
