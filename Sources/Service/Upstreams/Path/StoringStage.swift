import EventLoop
import HTTPClient
import HTTPCore
import Telemetry

/// Keeps the document that the rest brings, if it may be kept.
struct StoringStage: FetchStage {
    /// The time from which on an upstream that fails is too slow to be waited for each time.
    private static let stall = Duration.seconds(1)

    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument {
        guard let cache = fetch.cache, fetch.isShared else { return try await next(fetch) }
        let start = fetch.context.now
        do throws(FetchFailure) {
            let found = try await fetched(fetch, next)
            if let failure = found.document.failure { log(failure, fetch) }
            if found.document.freshness == nil { cache.remove(fetch.order.key) } else { cache.insert(found.document) }
            return found
        } catch {
            if error.allowsStale, fetch.context.now - start > Self.stall { fetch.known?.hasStalled = true }
            log(error, fetch)
            throw error
        }
    }

    /// Runs the rest; without validators, if the upstream confirms another version than the one that is kept.
    nonisolated(nonsending) private func fetched(
        _ fetch: Fetch, _ next: Next
    ) async throws(FetchFailure) -> FoundDocument {
        do throws(FetchFailure) {
            return try await next(fetch)
        } catch {
            guard error.responseStatus == 304, fetch.validators != nil else { throw error }
            var whole = fetch
            whole.known = nil
            return try await next(whole)
        }
    }

    /// Writes to the log that a refresh in the background has failed: no client waits, so no other line names the failure.
    private func log(_ failure: FetchFailure, _ fetch: Fetch) {
        // A cancellation says nothing about the upstream: the service stops.
        if !fetch.context.isInBackground || Task.isCancelled || failure.isCancellation || failure.isLoggedElsewhere {
            return
        }
        fetch.upstream.log.failedRefresh(failure, fetch.kind, fetch.context.tries.all)
    }
}
