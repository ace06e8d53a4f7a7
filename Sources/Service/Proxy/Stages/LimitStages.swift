import EventLoop
import HTTPClient
import Operations

/// The stages that admit a request: each asks one limit, and holds what it was given until the rest has ended.
enum LimitStages {
    /// Counts the client's request as one for which an upstream is asked, unless a call for another request brings the document.
    static nonisolated(nonsending) func pay(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        if let miss = fetch.context.miss,
            !fetch.isStorable || fetch.cache?.coalesced.isUnderWay(fetch.request.key) != true,
            let problem = miss.begin(at: fetch.context.shard.now)
        {
            throw .limited(problem)
        }
        return try await next(fetch)
    }

    /// Refuses requests to upstreams while the memory of the container is almost used up.
    static nonisolated(nonsending) func shed(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        if fetch.upstream.memory.sheds() { throw .lowMemory }
        return try await next(fetch)
    }

    /// Waits for a slot among the requests that may be under way at the upstream, and holds the slot until the document is
    /// read; refuses a request that would wait too long.
    ///
    /// Requests of a slow kind get half of the slots.
    static nonisolated(nonsending) func queue(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        let (slots, half) = (fetch.state.slots, fetch.kind.isSlow ? fetch.state.slowSlots : nil)
        if let half { try await enter(half, fetch) }
        defer { half?.leave() }
        try await enter(slots, fetch)
        defer { slots.leave() }
        fetch.attempt.mark(fetch.context) { $0.admitted = $1 }
        return try await next(fetch)
    }

    nonisolated(nonsending) private static func enter(
        _ slots: Admission, _ fetch: Fetch
    ) async throws(FetchFailure) {
        if slots.enterNow() { return }
        let end = fetch.longestWait
        // An early refusal costs the client less than a late one.
        if fetch.context.now + slots.expectedWait > end { throw .transfer(.queueFull) }
        try fetch.admit(await slots.enter(until: end, on: fetch.context.shard))
    }

    /// Refuses requests while the circuit breaker is open, and tells the breaker how the others end.
    static nonisolated(nonsending) func breaker(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        let permit: CircuitBreaker.Permit
        switch fetch.kindState.admit(at: fetch.context.now) {
        case .refused(let seconds): throw .suspended(seconds: seconds, last: fetch.kindState.failureManner)
        case .admitted(let admission, let change):
            fetch.upstream.log.changed(change, fetch.kind)
            permit = admission
        }
        do throws(FetchFailure) {
            let answer = try await next(fetch)
            fetch.kindState.noteSuccess(at: fetch.context.clock.seconds)
            note(.success, permit, fetch)
            return answer
        } catch {
            let isOfClient = fetch.isOfClient(error)
            if !isOfClient {
                fetch.kindState.note(fetch.shown(error), of: fetch.upstream.name, at: fetch.context.clock.seconds)
            }
            note(isOfClient ? .none : error.verdict, permit, fetch)
            throw error
        }
    }

    private static func note(_ verdict: CircuitBreaker.Verdict, _ permit: CircuitBreaker.Permit, _ fetch: Fetch) {
        guard let change = fetch.kindState.note(verdict, permit, at: fetch.context.now) else { return }
        fetch.upstream.log.changed(change, fetch.kind, last: fetch.kindState.failureManner)
    }

    /// Finds the key or the token that authorizes the request.
    static nonisolated(nonsending) func access(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        var access = try await fetch.upstream.access(until: fetch.end, fetch.context)
        if let client = fetch.request.content.credentials {
            access.scrubber = fetch.upstream.credentials.scrubber(also: client.secrets)
        }
        fetch.attempt.change { $0.access = access }
        return try await next(fetch)
    }

    /// Waits for memory for as much as the latest bodies had, before anything is sent, and holds the memory until the answer
    /// is made of the document.
    static nonisolated(nonsending) func memory(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        let (bodies, share) = (fetch.upstream.bodies, fetch.state.bodyShare)
        let expected = min(fetch.upstream.maximumBytes, fetch.kindState.expectedBody)
        if let free = bodies.reserveNow(expected, in: share) {
            fetch.attempt.reservation = free
        } else {
            do throws(Admission.Failure) {
                fetch.attempt.reservation = try await bodies.reserve(
                    expected, in: share, until: fetch.end, on: fetch.context.shard)
            } catch {
                throw error == .cancelled ? .transfer(.cancelled) : .tooManyBodies
            }
        }
        // A reading that has not ended yet, though nobody waits for it, keeps the memory.
        defer { fetch.attempt.reservation = nil }
        return try await next(fetch)
    }
}

extension Fetch {
    /// When the try under way must end.
    var end: MonotonicTime { attempt.end ?? context.end }

    /// Until when the try may wait for others to end.
    var longestWait: MonotonicTime {
        min(end, context.now + min(upstream.maximumWait, context.maximumQueue ?? upstream.maximumWait))
    }

    /// Throws unless the try was admitted to what it has waited for.
    func admit(_ outcome: Admission.Outcome) throws(FetchFailure) {
        switch outcome {
        case .admitted: return
        case .refused: throw .transfer(.queueFull)
        case .tooLate: throw .transfer(end <= context.now ? .tooSlow : .queueFull)
        case .cancelled: throw .transfer(.cancelled)
        }
    }
}

extension FetchFailure {
    /// The bodies of other answers take up the memory.
    static let tooManyBodies = FetchFailure.overloaded("too many answers are in memory")
}
