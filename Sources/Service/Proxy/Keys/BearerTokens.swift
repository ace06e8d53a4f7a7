import EventLoop
import HTTPCore
import Synchronization

/// A token that authorizes requests to an upstream for a while.
struct BearerToken: Sendable {
    let value: Secret
    /// Removes the token and the keys behind it from answers.
    let scrubber: KeyScrubber
    /// The moment from which on another token is fetched; nil for never.
    let renewal: MonotonicTime?
    /// The moment from which on it is not used.
    let end: MonotonicTime?

    /// A token that is valid for `lifetime` seconds from `now`, or without limit.
    ///
    /// It is renewed when a tenth of that time is left, at most a minute, and not used in the last half of that. Any token is
    /// used for a second: some endpoints say 0, and would be asked for each request.
    init(_ value: Secret, scrubber: KeyScrubber, lifetime: Int?, now: MonotonicTime) {
        (self.value, self.scrubber) = (value, scrubber)
        let time = lifetime.map { Duration.seconds($0) }
        let margin = time.map { min($0 / 10, .seconds(60)) } ?? .zero
        renewal = time.map { now + max(.seconds(1), $0 - margin) }
        end = time.map { now + max(.seconds(1), $0 - margin / 2) }
    }

    func isUsable(at now: MonotonicTime) -> Bool { end.map { now < $0 } ?? true }
}

/// The token of an upstream, for all shards; it outlives a configuration that names the same credentials.
final class BearerTokens: Sendable {
    typealias Outcome = Result<BearerToken, TokenFault>
    typealias Renewal = Promise<Outcome>

    /// What a request does for its token.
    enum Step: Sendable {
        case use(BearerToken)
        /// Use the token, and fetch its successor meanwhile.
        case useAndRenew(BearerToken, Renewal)
        /// Wait for the token that another request fetches.
        case wait(Renewal)
        /// Fetch the token, for which others may wait.
        case fetch(Renewal)
        case fail(TokenFault)
    }

    private struct State {
        /// The credentials for which the rest holds.
        var credentials = Credentials.none
        var token: BearerToken?
        var renewal: Renewal?
        /// When the latest renewal began.
        var start = MonotonicTime(nanoseconds: 0)
        /// How many renewals in a row have failed.
        var failures = 0
        /// Whether the renewal may end with other credentials, because it reads their files again.
        var isRenewing = false
        /// What the endpoint answered last if it refused, and the moment until which it is not asked.
        var failure: (fault: TokenFault, end: MonotonicTime)?
        /// Whether the upstream has refused the last token, and when the successor of one that it refused arrived.
        var isRefused = false
        var replacement: MonotonicTime?

        /// The pause after a renewal that ends now as one of several that failed: as long as it took, then twice as long.
        func backoff(at now: MonotonicTime) -> Duration {
            failures < 2 ? .zero : min((now - start) * (1 << min(failures - 2, 12)), BearerTokens.maximumBackoff)
        }
    }

    /// The time in which a token that replaced a refused one is not replaced again.
    private static let replacementInterval = Duration.seconds(1)
    /// The longest time for which a Retry-After is honoured.
    private static let maximumPause = 15 * 60
    /// The longest pause after several failures without a Retry-After.
    private static let maximumBackoff = Duration.seconds(30)

    private let state = Mutex(State())

    /// Decides what a request with `credentials` does.
    func step(for credentials: Credentials, now: MonotonicTime) -> Step {
        state.withLock { state in
            if state.credentials != credentials {
                if let renewal = state.renewal, state.isRenewing { return .wait(renewal) }
                state = State()
                state.credentials = credentials
            }
            let usable = state.token.flatMap { $0.isUsable(at: now) ? $0 : nil }
            let isPaused = state.failure.map { now < $0.end } ?? false
            if let usable, isPaused || state.renewal != nil || usable.renewal.map({ now < $0 }) ?? true {
                return .use(usable)
            }
            // After several failures one request shows whether the endpoint works again.
            if let renewal = state.renewal, state.failures < 2 { return .wait(renewal) }
            if isPaused || state.renewal != nil, let failure = state.failure {
                // A pause of Weir's own counts in the breaker, which then says that the upstream is not asked.
                return .fail(failure.fault.pause == nil ? failure.fault : failure.fault.repeated(failure.end - now))
            }
            let renewal = Renewal()
            (state.renewal, state.start) = (renewal, now)
            return usable.map { .useAndRenew($0, renewal) } ?? .fetch(renewal)
        }
    }

    /// Notes that a renewal is about to read the files of its credentials again: requests with the new ones wait for it.
    func noteRenewal(_ renewal: Renewal) {
        state.withLock { state in
            if state.renewal === renewal { state.isRenewing = true }
        }
    }

    /// Takes the outcome of a renewal, with the credentials that it used in the end, and gives it to those who wait.
    func finish(_ renewal: Renewal, _ outcome: Outcome, _ credentials: Credentials, now: MonotonicTime) {
        state.withLock { state in
            guard state.renewal === renewal else { return }
            (state.renewal, state.isRenewing) = (nil, false)
            state.credentials = credentials
            switch outcome {
            case .success(let token):
                state.token = token
                (state.failure, state.failures) = (nil, 0)
                state.replacement = state.isRefused ? now : nil
                state.isRefused = false
            case .failure(let fault):
                state.failures += 1
                // A token that is still valid is not renewed more than once a second.
                let least = state.token?.isUsable(at: now) == true ? 1 : 0
                let seconds = max(least, min(fault.pause ?? 0, Self.maximumPause))
                state.failure = (fault, now + max(.seconds(seconds), state.backoff(at: now)))
            }
        }
        renewal.finish(outcome)
    }

    /// Notes that the upstream refused a token.
    /// - Returns: Whether another token can be expected.
    func refuse(_ token: Secret, now: MonotonicTime) -> Bool {
        state.withLock { state in
            guard state.token?.value == token else { return true }
            if let replacement = state.replacement, now < replacement + Self.replacementInterval { return false }
            (state.isRefused, state.token) = (true, nil)
            return true
        }
    }

    /// Returns the current token, or stores the one that `make` returns; for tokens that need no transfer.
    func token(
        for credentials: Credentials, now: MonotonicTime, _ make: () -> BearerToken
    ) -> BearerToken {
        state.withLock { state in
            if state.credentials == credentials, let token = state.token, token.renewal.map({ now < $0 }) ?? true {
                return token
            }
            let token = make()
            state = State()
            (state.credentials, state.token) = (credentials, token)
            return token
        }
    }
}
