import HTTPClient
import EventLoop

/// Waits for memory for as much as the latest bodies had, before anything is sent.
struct MemoryStage: FetchStage {
    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument {
        var fetch = fetch
        let (bodies, state) = (fetch.upstream.bodies, fetch.state)
        let expected = min(fetch.upstream.maximumBytes, fetch.kindState.expectedBody)
        if let free = bodies.reserveNow(expected, in: state.bodyShare) {
            fetch.reservation = free
        } else {
            let end = fetch.end
            switch await bodies.reserve(expected, in: state.bodyShare, until: end, on: fetch.context.shard) {
            case .success(let reservation): fetch.reservation = reservation
            case .failure(.cancelled): throw .transfer(.cancelled)
            case .failure(.tooLate): throw .tooManyBodies
            }
        }
        return try await next(fetch)
    }
}

extension FetchFailure {
    /// The bodies of other answers take up the memory.
    static let tooManyBodies = FetchFailure.overloaded("too many answers are in memory")
}
