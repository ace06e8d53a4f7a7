import HTTPClient
import HTTPCore
import EventLoop

/// Lets all fetches that need the same document at the same time share one run of the rest.
struct FlightStage: FetchStage {
    /// The time that waiting tasks give a flight that ends when they do to report its outcome.
    private static let grace = Duration.milliseconds(20)
    /// The time left that is worth another flight.
    private static let leastTime = Duration.milliseconds(100)

    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument {
        guard let cache = fetch.cache else { return try await next(fetch) }
        if !fetch.isShared {
            return try fetch.found(await next.result(fetch), .fetched(fetch.reason, isCollapsed: false), in: cache)
        }
        let (key, context) = (fetch.order.key, fetch.context)
        if let known = fetch.known, context.isInBackground {
            let (flight, isNew) = cache.flights.flight(for: key, context)
            if isNew { start(flight, fetch, cache, next) }
            return FoundDocument(document: known, finding: .refreshing)
        }
        while true {
            let (flight, isNew) = cache.flights.flight(for: key, context)
            if isNew { start(flight, fetch, cache, next) }
            let waited = await flight.wait(until: context.end + Self.grace, on: context.shard)
            if !isNew { context.tries.share(flight.tries) }
            // The time of whoever began the flight is over, and the time of this task is not.
            if case .failure? = waited, !isNew, flight.end <= context.now, context.end - context.now > Self.leastTime {
                continue
            }
            let outcome = waited ?? .failure(.transfer(Task.isCancelled ? .cancelled : .tooSlow))
            return try fetch.found(outcome, .fetched(fetch.reason, isCollapsed: !isNew), in: cache)
        }
    }

    private func start(_ flight: Flight, _ fetch: Fetch, _ cache: DocumentCache, _ next: Next) {
        var fetch = fetch
        fetch.context.tries = flight.tries
        if fetch.reason == .stale { fetch.context.purpose = .refresh }
        let (key, shared) = (fetch.order.key, fetch)
        flight.start(on: fetch.context.shard) {
            let outcome: Flight.Outcome
            if let current = cache.document(key), current.freshness !== shared.known?.freshness {
                // Another flight has ended since the cache was asked.
                outcome = current.outcome
            } else {
                outcome = await next.result(shared).flatMap(\.outcome)
            }
            // Before the outcome is known, so that whoever comes later finds the document.
            cache.flights.remove(flight, for: key)
            flight.finish(outcome)
        }
    }
}
