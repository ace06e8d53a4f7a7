import Store
import EventLoop
import HTTPClient
import HTTPCore
import Operations

/// Looks for the document at the other replicas, and lets one of them run the rest for all.
///
/// Only the first fetch of a flight comes here. Without a store, or while the store does not answer, the rest runs at
/// once: each replica asks for itself.
enum SharedStage {
    static nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        guard let shared = fetch.upstream.shared, let cache = fetch.cache, fetch.isStorable,
            shared.store.isReachable(on: fetch.context.shard)
        else { return try await next(fetch) }
        var fetch = fetch
        let (key, context) = (SharedValue.key(fetch.request.key), fetch.context)
        var fence: UInt64?
        var waits = Waits.none
        // When the latest document of the store was received, in unix seconds.
        var seen: Int?
        do throws(FetchFailure) {
            while true {
                switch await shared.look(key, fetch, seen: seen, hasWaited: waits != .none) {
                case .alone: if fence == nil { return try await next(fetch) }
                case .nothing: if fence == nil { shared.note(.miss) }
                case .document(let document, let isNew, let serves):
                    seen = document.freshness?.responseTime
                    // Also a stale document, which may serve if the upstream fails.
                    if isNew { cache.insert(document) }
                    if serves {
                        shared.note(.hit)
                        if let fence { shared.release(key, fence: fence, on: context.shard) }
                        return Answer(document, of: fetch.upstream)
                    }
                    if fence == nil { shared.note(.stale) }
                    if isNew, document.failure == nil { fetch = fetch.with(known: document) }
                }
                if let fence {
                    let renewal = shared.renewLease(key, fence: fence, on: context.shard)
                    defer { renewal.cancel() }
                    let answer = try await next(fetch)
                    shared.keep(answer.document, key, fence: fence, fetch)
                    return answer
                }
                switch await shared.lease(key, on: context.shard) {
                case nil: return try await next(fetch)
                // Another replica may have written the document since this one has looked.
                case .granted(let number)?: fence = number
                // The upstream has failed for another replica: waiting for the next one would take as long again.
                case .held? where waits == .vain || context.now >= context.end: return try await next(fetch)
                case .held(let milliseconds)?:
                    let end = min(context.end, context.now + .milliseconds(milliseconds))
                    let change = await shared.ask(
                        try await shared.store.change(of: key, until: end, on: context.shard))
                    guard let change else { return try await next(fetch) }
                    // The other replica may have died: then one of the others takes over.
                    waits = change ? .vain : .timeOut
                }
            }
        } catch {
            // If the clients have left, the upstream has not failed: after the time of the lease, another replica asks.
            if let fence, !Task.isCancelled { shared.release(key, fence: fence, on: context.shard) }
            throw error
        }
    }

    /// The end of the last wait for another replica, if there is no document then.
    private enum Waits {
        case none, vain, timeOut
    }
}

extension Fetch {
    /// Whether a document is newer than the one that the cache has.
    func hasNothing(asNewAs freshness: CachedResponse) -> Bool {
        known?.freshness.map { $0.responseTime < freshness.responseTime } ?? true
    }

    /// Whether a document is fresh, and new enough for the client.
    func accepts(_ freshness: CachedResponse) -> Bool {
        if case .fresh = freshness.decision(for: directives, at: context.clock.seconds) { return true }
        return false
    }
}
