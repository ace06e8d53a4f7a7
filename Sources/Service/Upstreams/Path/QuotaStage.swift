import HTTPClient
import EventLoop

/// Refuses a request that quota or breaker does not allow, and waits while the upstream's last answers allow no more
/// requests than are under way.
///
/// The quota itself is taken when the request is sent (`TransferStage`): a request that waits in vain costs nothing.
struct QuotaStage: FetchStage {
    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument {
        if let refusal = fetch.refusal() { throw refusal }
        // Too late for an answer: quota and breaker do not count it.
        if FetchDeadline(end: fetch.context.end).hasPassed(at: fetch.context.now) { throw .transfer(.tooSlow) }
        let reported = fetch.kindState.reported
        if !reported.enterNow(at: fetch.context.now) {
            let (clock, shard) = (fetch.context.clock, fetch.context.shard)
            try fetch.admit(await reported.enter(until: fetch.longestWait, clock, on: shard))
        }
        defer { reported.leave() }
        return try await next(fetch)
    }
}
