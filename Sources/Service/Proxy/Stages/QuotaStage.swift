import EventLoop
import HTTPClient
import Operations
import Synchronization

/// Asks the quota of the upstream, and takes requests from it.
enum QuotaStage {
    /// Refuses a request that quota or breaker does not allow, and waits while the upstream's last answers allow no more
    /// requests than are under way.
    static nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
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

    /// Takes the request that is about to be sent from the quota: a request that has waited in vain costs nothing.
    static nonisolated(nonsending) func take(_ fetch: Fetch) async throws(FetchFailure) {
        switch await fetch.state.quotas.take(fetch.kind, in: fetch.context) {
        case .admitted(let exhausted): log(exhausted, fetch)
        case .refused(let quota): throw .spent(quota)
        }
        fetch.attempt.change { $0.isAdmitted = true }
        if !fetch.attempt.isExtra { fetch.state.retries.withLock { $0.noteRequest() } }
    }

    /// Takes the requests that the client has sent beyond the one that was taken before; redirects are no retries.
    static func takeFurther(_ fetch: Fetch) {
        let record = fetch.attempt.record
        guard record.sent > 1 else { return }
        fetch.state.retries.withLock { $0.noteRetries(record.repetitions) }
        let exhausted = fetch.state.quotas.add(
            record.sent - 1, fetch.kind, wallClock: fetch.context.clock.seconds)
        log(exhausted, fetch)
    }

    private static func log(_ exhausted: SpentQuota?, _ fetch: Fetch) {
        fetch.upstream.log.exhausted(exhausted, fetch.kind)
        fetch.upstream.log.nearlyExhausted(fetch.state.quotas.takeWarnings())
    }
}
