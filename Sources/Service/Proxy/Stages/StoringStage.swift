import EventLoop
import HTTPClient
import HTTPCore
import Operations

/// Keeps the document that the rest brings, if it may be kept.
enum StoringStage {
    /// The time from which on an upstream that fails is too slow to be waited for each time.
    private static let stall = Duration.seconds(1)

    static nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        guard let cache = fetch.cache, fetch.isStorable else { return try await next(fetch) }
        let start = fetch.context.now
        do throws(FetchFailure) {
            let answer = try await fetched(fetch, next)
            let document = answer.document
            if let failure = document.failure { log(failure, fetch) }
            if document.freshness == nil { cache.remove(document.key) } else { cache.insert(document) }
            return answer
        } catch {
            if error.allowsStale, fetch.context.now - start > stall { fetch.known?.hasStalled = true }
            log(error, fetch)
            throw error
        }
    }

    /// Runs the rest; without validators, if the upstream confirms another version than the one that is kept.
    nonisolated(nonsending) private static func fetched(
        _ fetch: Fetch, _ next: Next
    ) async throws(FetchFailure) -> Answer {
        do throws(FetchFailure) {
            return try await next(fetch)
        } catch {
            guard error.responseStatus == 304, fetch.validators != nil else { throw error }
            return try await next(fetch.with(known: nil))
        }
    }

    /// Writes to the log that a refresh in the background has failed: no client waits, so no other line names the failure.
    private static func log(_ failure: FetchFailure, _ fetch: Fetch) {
        // A cancellation says nothing about the upstream: the service stops.
        if !fetch.context.isInBackground || Task.isCancelled || failure.isCancellation || failure.isLoggedElsewhere {
            return
        }
        if fetch.state.failures(with: failure, now: fetch.context.now) == nil { return }
        fetch.upstream.log.failedRefresh(failure, fetch.kind, fetch.context.trace.tries.all)
    }
}
