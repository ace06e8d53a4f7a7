package import EventLoop
import HTTPCore
import Synchronization

/// A request to an upstream under way, for all who wait for its answer.
final class Flight: Sendable {
    typealias Outcome = Result<CachedDocument, FetchFailure>

    private struct State {
        var waiters: Int
        var task: Task<Void, Never>?
        var isAbandoned = false
    }

    private let result = SharedResult<Outcome>()
    private let state: Mutex<State>
    private let isBackground: Bool
    /// When the time of whoever began it is over.
    let end: MonotonicTime
    let tries: UpstreamTries

    /// A flight that one task waits for, whose tries these are, or nobody if it is in the background.
    init(until end: MonotonicTime, _ tries: UpstreamTries?, isBackground: Bool) {
        (self.end, self.isBackground) = (end, isBackground)
        self.tries = UpstreamTries(of: tries)
        state = Mutex(State(waiters: isBackground ? 0 : 1))
    }

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
    /// The request is cancelled when nobody waits for it any longer, unless it is in the background.
    func wait(until end: MonotonicTime, on shard: Shard) async -> Outcome? {
        let outcome = await result.wait(until: end, on: shard)
        let task = state.withLock { state -> Task<Void, Never>? in
            state.waiters -= 1
            guard outcome == nil, state.waiters == 0, !isBackground else { return nil }
            state.isAbandoned = true
            return state.task
        }
        task?.cancel()
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
    private let flights = Mutex<[DocumentKey: Flight]>([:])

    /// The number of requests under way.
    package var count: Int { flights.withLock(\.count) }

    /// Returns the flight for a key, and whether it is new: then the caller must start it.
    ///
    /// Unless the context is in the background, the caller must wait for it.
    func flight(for key: DocumentKey, _ context: FetchContext) -> (Flight, isNew: Bool) {
        let isBackground = context.isInBackground
        return flights.withLock { flights in
            // A flight that is being cancelled makes room for another.
            if let flight = flights[key], isBackground || flight.join() { return (flight, false) }
            let flight = Flight(until: context.end, isBackground ? nil : context.tries, isBackground: isBackground)
            flights[key] = flight
            return (flight, true)
        }
    }

    func remove(_ flight: Flight, for key: DocumentKey) {
        flights.withLock { flights in
            if flights[key] === flight { flights[key] = nil }
        }
    }

    /// Waits until what is under way has ended, and cancels what has not at `end`.
    package func settle(until end: MonotonicTime, on shard: Shard) async {
        for flight in flights.withLock({ Array($0.values) }) { await flight.settle(until: end, on: shard) }
    }

    /// Cancels what is under way.
    package func cancel() {
        for flight in flights.withLock({ Array($0.values) }) { flight.cancel() }
    }
}
