import Telemetry
import Routing
import HTTPClient
package import HTTPCore

/// Answers from the cache if the document's freshness and the client's directives allow it, or else runs the rest.
struct CacheStage: FetchStage {
    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument {
        guard let cache = fetch.cache else {
            let found = try await next(fetch)
            if let failure = found.document.failure { throw failure }
            return found
        }
        var fetch = fetch
        fetch.context.cacheNote.value = nil
        fetch.known = cache.document(fetch.order.key)
        let directives = fetch.order.directives
        if let known = fetch.known, let freshness = known.freshness {
            let now = fetch.context.clock.seconds
            switch freshness.decision(for: directives, at: now) {
            case .fresh: return try fetch.found(known.outcome, .hit, in: cache)
            case .staleWhileRevalidate:
                _ = try await next(fetch.refreshing)
                return try fetch.found(known.outcome, .refreshing, in: cache)
            case .mustValidate:
                fetch.reason = freshness.remaining(at: now) > 0 ? .request : .stale
                if fetch.reason == .stale, known.hasStalled, known.mayServe(afterErrorAt: now) {
                    // The stale document serves, unless another upstream has a fresh one.
                    _ = try await next(fetch.refreshing)
                    throw .suspended(seconds: 1)
                }
            }
        }
        if directives.isOnlyIfCached { throw .notInCache }
        if directives.forbidsStoring { (fetch.isShared, fetch.known) = (false, nil) }
        return try await next(fetch)
    }
}

extension Fetch {
    /// The fetch that replaces a kept document while that document serves.
    fileprivate var refreshing: Fetch {
        var fetch = self
        fetch.context = context.forRefresh
        return fetch
    }

    /// Returns the document of an outcome; a failure is noted for the client's answer.
    func found(
        _ outcome: Flight.Outcome, _ finding: Finding, in cache: DocumentCache
    ) throws(FetchFailure) -> FoundDocument {
        do throws(FetchFailure) {
            let document = try outcome.get()
            if let failure = document.failure { throw failure }
            return FoundDocument(document: document, finding: finding)
        } catch {
            let absence = error.isNotFound ? cache.document(order.key) : nil
            context.cacheNote.value = CacheNote(error, finding, absence, now: context.clock.seconds)
            throw error
        }
    }
}

/// The cache, and how an upstream's documents are kept in it.
package struct Caching: Sendable {
    package let cache: DocumentCache
    /// How documents are kept; nil if they are not.
    package let policy: CachePolicy?

    package init(cache: DocumentCache, policy: CachePolicy?) { (self.cache, self.policy) = (cache, policy) }

    /// How the ids of names are kept, whatever the upstream says: a name can change its owner at any time, and a look-up
    /// can cost as much as the document.
    ///
    /// The policy of `documents` says how long a name that does not exist is remembered.
    static func lookups(beside documents: CachePolicy?) -> CachePolicy {
        CachePolicy(
            floor: 3600, ceiling: 3600, defaultLifetime: 3600, usesHeuristics: false,
            negativeLifetime: documents?.negativeLifetime ?? 0, staleIfError: 86_400, obeysUpstream: false)
    }
}
