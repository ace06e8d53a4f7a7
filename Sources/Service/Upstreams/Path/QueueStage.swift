package import EventLoop
import HTTPClient

/// Waits for a slot among the requests that may be under way at the upstream, and holds the slot until the document is read.
struct QueueStage: FetchStage {
    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument {
        let state = fetch.state
        guard fetch.kind == .history else { return try await queued(fetch, state.slots, next) }
        try await enter(state.slotsOfPast, fetch)
        defer { state.slotsOfPast.leave() }
        return try await queued(fetch, state.slots, next)
    }

    nonisolated(nonsending) private func queued(
        _ fetch: Fetch, _ slots: Admission, _ next: Next
    ) async throws(FetchFailure) -> FoundDocument {
        try await enter(slots, fetch)
        defer { slots.leave() }
        return try await next(fetch)
    }

    nonisolated(nonsending) private func enter(_ slots: Admission, _ fetch: Fetch) async throws(FetchFailure) {
        if slots.enterNow() { return }
        try fetch.admit(await slots.enter(until: fetch.longestWait, on: fetch.context.shard))
    }
}

extension Fetch {
    /// Until when the try may wait for others to end.
    package var longestWait: MonotonicTime { min(end, context.now + upstream.maximumWait) }

    /// Throws unless the try was admitted to what it has waited for.
    func admit(_ outcome: Admission.Outcome) throws(FetchFailure) {
        switch outcome {
        case .admitted: return
        case .refused: throw .transfer(.queueFull)
        case .tooLate: throw .transfer(end <= context.now ? .tooSlow : .queueFull)
        case .cancelled: throw .transfer(.cancelled)
        }
    }
}
