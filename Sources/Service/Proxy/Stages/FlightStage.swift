package import EventLoop
import HTTPClient
import HTTPCore
import Operations
import Synchronization

/// Lets all fetches that need the same document at the same time share one run of the rest.
enum FlightStage {
    /// The time that waiting tasks give a flight that ends when they do to report its outcome.
    private static let grace = Duration.milliseconds(20)
    /// The time left that is worth another flight.
    private static let leastTime = Duration.milliseconds(100)

    static nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        guard let cache = fetch.cache else { return try await next(fetch) }
        if !fetch.isShared {
            return try fetch.found(await next.result(fetch), .fetched(fetch.reason, isCollapsed: false), in: cache)
        }
        let (key, context) = (fetch.request.key, fetch.context)
        while true {
            let (flight, isNew) = cache.flights.flight(for: key, context)
            if isNew { start(flight, fetch, cache, next) }
            let waited = await flight.wait(until: context.end + grace, on: context.shard)
            if !isNew { context.trace.tries.share(flight.trace.tries) }
            // The time of whoever began the flight is over, and the time of this task is not.
            if case .failure? = waited, !isNew, flight.end <= context.now, context.end - context.now > leastTime {
                continue
            }
            let outcome = waited ?? .failure(.transfer(Task.isCancelled ? .cancelled : .tooSlow))
            return try fetch.found(outcome, .fetched(fetch.reason, isCollapsed: !isNew), in: cache)
        }
    }

    private static func start(_ flight: Flight, _ fetch: Fetch, _ cache: DocumentCache, _ next: Next) {
        let (key, known) = (fetch.request.key, fetch.known)
        let purpose = fetch.reason == .stale ? FetchPurpose.refresh : nil
        let shared = fetch.with(fetch.context.with(flight.trace, purpose))
        flight.start(on: fetch.context.shard) {
            let outcome: Flight.Outcome
            if let current = cache.document(key), current.freshness !== known?.freshness {
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

/// A request to an upstream under way, for all who wait for its answer.
final class Flight: Sendable {
    typealias Outcome = Result<CachedDocument, FetchFailure>

    private struct State {
        var waiters = 1
        var task: Task<Void, Never>?
        var isAbandoned = false
    }

    private let result = SharedResult<Outcome>()
    private let state = Mutex(State())
    /// When the time of whoever began it is over.
    let end: MonotonicTime
    /// The trace of the flight, whose tries are also those of whoever began it.
    let trace: FetchTrace

    /// A flight for which the task of `context` waits.
    init(_ context: FetchContext) { (end, trace) = (context.end, FetchTrace(of: context.trace)) }

    /// Runs `work` in a task of its own.
    func start(on shard: Shard, _ work: @escaping @Sendable () async -> Void) {
        let task = Task(executorPreference: shard, operation: work)
        let isAbandoned = state.withLock { state in
            state.task = task
            return state.isAbandoned
        }
        if isAbandoned { task.cancel() }
    }

    /// Counts one more task that waits; returns false if everybody has gone and the request is being cancelled.
    func join() -> Bool {
        state.withLock { state in
            if state.isAbandoned { return false }
            state.waiters += 1
            return true
        }
    }

    /// Waits for the outcome, until `end` at most; nil then, or if the task is cancelled.
    ///
    /// The request is cancelled when nobody waits for it any longer.
    func wait(until end: MonotonicTime, on shard: Shard) async -> Outcome? {
        let outcome = await result.wait(until: end, on: shard)
        let isLast = state.withLock { state in
            state.waiters -= 1
            return outcome == nil && state.waiters == 0
        }
        if isLast { cancel() }
        return outcome
    }

    func finish(_ outcome: Outcome) { result.finish(outcome) }

    /// Waits until the request has ended, and cancels it at `end`.
    func settle(until end: MonotonicTime, on shard: Shard) async {
        if await result.wait(until: end, on: shard) == nil { cancel() }
        await state.withLock { $0.task }?.value
    }

    /// Cancels the request.
    func cancel() {
        let task = state.withLock { state in
            state.isAbandoned = true
            return state.task
        }
        task?.cancel()
    }
}

/// The flights under way, by the documents that they are for.
package final class Flights: Sendable {
    private struct State {
        var requests: [DocumentKey: Flight] = [:]
        /// Refreshes in the background, each of which waits for a request.
        var refreshes: [DocumentKey: Flight] = [:]
        var all: [Flight] { Array(refreshes.values) + requests.values }
    }

    private let flights = Mutex(State())

    /// The number of requests under way.
    package var count: Int { flights.withLock(\.requests.count) }

    /// Returns the flight for a key, for which the caller must wait, and whether it is new: then the caller must start it.
    func flight(for key: DocumentKey, _ context: FetchContext) -> (Flight, isNew: Bool) {
        flights.withLock { flights in
            // A flight that is being cancelled makes room for another.
            if let flight = flights.requests[key], flight.join() { return (flight, false) }
            let flight = Flight(context)
            flights.requests[key] = flight
            return (flight, true)
        }
    }

    func remove(_ flight: Flight, for key: DocumentKey) {
        flights.withLock { flights in
            if flights.requests[key] === flight { flights.requests[key] = nil }
        }
    }

    /// Runs `work`, which replaces a document in the background, unless a request for the document is under way.
    func refresh(
        _ key: DocumentKey, _ context: FetchContext, _ work: @escaping @Sendable () async -> Flight.Outcome
    ) {
        let flight = flights.withLock { flights -> Flight? in
            guard flights.requests[key] == nil, flights.refreshes[key] == nil else { return nil }
            let flight = Flight(context)
            flights.refreshes[key] = flight
            return flight
        }
        flight?.start(on: context.shard) { [self] in
            let outcome = await work()
            flights.withLock { $0.refreshes[key] = nil }
            flight?.finish(outcome)
        }
    }

    /// Waits until what is under way has ended, and cancels what has not at `end`.
    package func settle(until end: MonotonicTime, on shard: Shard) async {
        for flight in flights.withLock(\.all) { await flight.settle(until: end, on: shard) }
    }

    /// Cancels what is under way.
    package func cancel() {
        for flight in flights.withLock(\.all) { flight.cancel() }
    }
}
