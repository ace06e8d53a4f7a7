package import EventLoop
import HTTPClient
import HTTPCore
import Operations
import Synchronization

/// Lets all fetches that need the same document at the same time share one run of the rest.
enum CoalescingStage {
    /// The time that waiting tasks give a coalesced fetch that ends when they do to report its outcome.
    private static let grace = Duration.milliseconds(20)
    /// The time left that is worth another fetch.
    private static let leastTime = Duration.milliseconds(100)

    static nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        guard let cache = fetch.cache else { return try await next(fetch) }
        if !fetch.isStorable {
            return try fetch.found(await next.result(fetch), .fetched(fetch.reason, isCollapsed: false), in: cache)
        }
        let (key, context) = (fetch.request.key, fetch.context)
        while true {
            let (coalesced, isNew) = cache.coalesced.fetch(for: key, context)
            if isNew { start(coalesced, fetch, cache, next) }
            let waited = await coalesced.wait(until: context.end + grace, on: context.shard)
            if !isNew { context.trace.tries.share(coalesced.trace.tries) }
            // The time of whoever began the coalesced fetch is over, and the time of this task is not.
            if case .failure? = waited, !isNew, coalesced.end <= context.now, context.end - context.now > leastTime {
                continue
            }
            let outcome = waited ?? .failure(.transfer(Task.isCancelled ? .cancelled : .tooSlow))
            return try fetch.found(outcome, .fetched(fetch.reason, isCollapsed: !isNew), in: cache)
        }
    }

    private static func start(_ coalesced: CoalescedFetch, _ fetch: Fetch, _ cache: DocumentCache, _ next: Next) {
        let (key, known) = (fetch.request.key, fetch.known)
        let shared = fetch.with(fetch.context.with(coalesced.trace))
        coalesced.start(on: fetch.context.shard) {
            let outcome: CoalescedFetch.Outcome
            if let current = cache.document(key), current.freshness !== known?.freshness {
                // Another fetch has ended since the cache was asked.
                outcome = current.outcome
            } else {
                outcome = await next.result(shared).flatMap(\.outcome)
            }
            // Before the outcome is known, so that whoever comes later finds the document.
            cache.coalesced.remove(coalesced, for: key)
            coalesced.finish(outcome)
        }
    }
}

/// A request to an upstream under way, for all who wait for its answer.
final class CoalescedFetch: Sendable {
    typealias Outcome = Result<CachedDocument, FetchFailure>

    private struct State {
        var waiters = 1
        var task: Task<Void, Never>?
        var isAbandoned = false
    }

    private let result = Promise<Outcome>()
    private let state = Mutex(State())
    /// When the time of whoever began it is over.
    let end: MonotonicTime
    /// The trace of the coalesced fetch, whose tries are also those of whoever began it.
    let trace: FetchTrace

    /// A coalesced fetch for which the task of `context` waits.
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

/// The coalesced fetches under way, by the documents that they are for.
package final class CoalescedFetches: Sendable {
    private struct State {
        var requests: [DocumentKey: CoalescedFetch] = [:]
        /// Refreshes in the background, each of which waits for a request.
        var refreshes: [DocumentKey: CoalescedFetch] = [:]
        var all: [CoalescedFetch] { Array(refreshes.values) + requests.values }
    }

    private let state = Mutex(State())

    /// The number of requests under way.
    package var count: Int { state.withLock(\.requests.count) }

    /// Returns the coalesced fetch for a key, for which the caller must wait, and whether it is new: then the caller must start it.
    func fetch(for key: DocumentKey, _ context: FetchContext) -> (CoalescedFetch, isNew: Bool) {
        state.withLock { state in
            // A coalesced fetch that is being cancelled makes room for another.
            if let coalesced = state.requests[key], coalesced.join() { return (coalesced, false) }
            let coalesced = CoalescedFetch(context)
            state.requests[key] = coalesced
            return (coalesced, true)
        }
    }

    /// Whether a request for the document is under way.
    func isUnderWay(_ key: DocumentKey) -> Bool { state.withLock { $0.requests[key] != nil } }

    func remove(_ coalesced: CoalescedFetch, for key: DocumentKey) {
        state.withLock { state in
            if state.requests[key] === coalesced { state.requests[key] = nil }
        }
    }

    /// Runs `work`, which replaces a document in the background, unless a request for the document is under way.
    func refresh(
        _ key: DocumentKey, _ context: FetchContext, _ work: @escaping @Sendable () async -> CoalescedFetch.Outcome
    ) {
        let coalesced = state.withLock { state -> CoalescedFetch? in
            guard state.requests[key] == nil, state.refreshes[key] == nil else { return nil }
            let coalesced = CoalescedFetch(context)
            state.refreshes[key] = coalesced
            return coalesced
        }
        coalesced?.start(on: context.shard) { [self] in
            let outcome = await work()
            state.withLock { $0.refreshes[key] = nil }
            coalesced?.finish(outcome)
        }
    }

    /// Waits until what is under way has ended, and cancels what has not at `end`.
    package func settle(until end: MonotonicTime, on shard: Shard) async {
        for coalesced in state.withLock(\.all) { await coalesced.settle(until: end, on: shard) }
    }

    /// Cancels what is under way.
    package func cancel() {
        for coalesced in state.withLock(\.all) { coalesced.cancel() }
    }
}
