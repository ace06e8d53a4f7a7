import API
import HTTPClient
package import HTTPCore
import Operations

/// Answers from the cache if the document's freshness and the client's directives allow it, or else runs the rest.
enum CacheStage {
    static nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        if let keys = fetch.context.trace.keys { return try keys.follow(fetch) }
        if let replayed = fetch.context.trace.replayed { return try await replayed.answer(fetch) }
        guard let cache = fetch.cache else {
            let answer = try await next(fetch)
            if let failure = answer.document.failure { throw failure }
            return answer
        }
        fetch.context.trace.cacheNote = nil
        var (known, reason) = (cache.document(fetch.request.key), CacheStatus.Reason.uriMiss)
        if let known, let freshness = known.freshness {
            let now = fetch.context.clock.seconds
            switch freshness.decision(for: fetch.directives, at: now) {
            case .fresh: return try fetch.found(known.outcome, .hit, in: cache)
            case .staleWhileRevalidate:
                refresh(fetch.with(known: known), next, in: cache)
                return try fetch.found(known.outcome, .refreshing, in: cache)
            case .mustValidate:
                reason = freshness.remaining(at: now) > 0 ? .request : .stale
                if reason == .stale, known.hasStalled, known.mayServe(afterErrorAt: now) {
                    // The stale document serves, unless another upstream has a fresh one.
                    refresh(fetch.with(known: known, reason), next, in: cache)
                    throw .suspended(seconds: 1)
                }
            }
        }
        if fetch.directives.isOnlyIfCached { throw .notInCache }
        let isStorable = !fetch.directives.forbidsStoring
        if !isStorable { known = nil }
        return try await next(fetch.with(known: known, reason, isStorable: isStorable))
    }

    /// Replaces a kept document in the background while that document serves, unless a request for it is under way.
    private static func refresh(_ fetch: Fetch, _ next: Next, in cache: DocumentCache) {
        let fetch = fetch.with(fetch.context.forRefresh)
        // Its failure is logged by `StoringStage`.
        cache.coalesced.refresh(fetch.request.key, fetch.context) { await next.result(fetch) }
    }
}

extension CachePolicy {
    /// How the ids of names are kept, whatever the upstream says: a name can change its owner at any time, and a look-up
    /// can cost as much as the document.
    ///
    /// The policy of `documents` says how long a name that does not exist is remembered.
    package static func lookups(beside documents: CachePolicy?, seconds: Int = 3600) -> CachePolicy {
        CachePolicy(
            floor: seconds, ceiling: seconds, defaultLifetime: seconds, usesHeuristics: false,
            negativeLifetime: documents?.negativeLifetime ?? 0, staleIfError: 86_400, obeysUpstream: false)
    }
}
