import EventLoop
import HTTPClient
import Synchronization

/// Repeats the rest after a failure.
enum RetryStage {
    /// Repeats the rest after a failure that may pass, if no other upstream can be asked and the retry budget allows it.
    static nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        let state = fetch.state
        var (tries, wasSent) = (0, false)
        // The failure that the try under way is for.
        var earlier: FetchFailure?
        while true {
            let attempt = Attempt(isExtra: wasSent)
            let failure: FetchFailure
            do throws(FetchFailure) {
                return try await next(fetch.with(attempt))
            } catch {
                failure = error
            }
            let isAdmitted = attempt.record.isAdmitted
            wasSent = wasSent || isAdmitted
            if let earlier, !isAdmitted, failure.attemptFailure == .final {
                state.retries.withLock { $0.returnRetry() }
                // Why Weir makes no retry says less than the upstream's own answer.
                throw failure.isCancellation ? failure : fetch.lasting(earlier)
            }
            tries += 1
            guard let pause = pause(after: failure, tries, fetch) else { throw fetch.lasting(failure) }
            do {
                try await Task.sleep(for: pause)
            } catch {
                state.retries.withLock { $0.returnRetry() }
                throw .transfer(.cancelled)
            }
            earlier = failure
        }
    }

    /// Runs the rest once more with another key or token, if the upstream refuses the first one and there is another.
    static nonisolated(nonsending) func renew(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        do throws(FetchFailure) {
            return try await next(fetch)
        } catch {
            guard error.isUnauthorized, !fetch.isOfClient(error), let refused = fetch.attempt.record.access,
                await fetch.upstream.isReplaced(refused, fetch.context)
            else { throw error }
        }
        return try await next(fetch.with(Attempt(isExtra: true)))
    }

    /// Returns the pause before the next try, or nil if there is none; another upstream is better than another try.
    private static func pause(after failure: FetchFailure, _ tries: Int, _ fetch: Fetch) -> Duration? {
        let context = fetch.context
        guard context.isLast, !Task.isCancelled, !fetch.isOfClient(failure) else { return nil }
        let pause = AttemptPolicy().pause(
            after: failure.attemptFailure, tries: tries, left: context.end - context.now, random: .random(in: 0..<1))
        guard let pause, fetch.refusal(after: pause) == nil else { return nil }
        return fetch.state.retries.withLock { $0.takeRetry() } ? pause : nil
    }
}

extension Fetch {
    /// Returns a failure whose client learns when Weir asks the upstream again, if the upstream names an earlier time.
    fileprivate func lasting(_ failure: FetchFailure) -> FetchFailure {
        guard case .status(let status, let meaning, let message, let retryAfter) = failure,
            [429, 503].contains(meaning ?? status), let seconds = refusal()?.seconds
        else { return failure }
        return .status(status, meaning: meaning, message: message, retryAfter: max(seconds, retryAfter ?? 0))
    }
}
