import Settings
package import EventLoop

/// Decides whether an upstream is sent requests of one kind, by how many of the recent requests failed.
///
///     closed -- too many failures --> open -- its time is over --> half-open (one probe is under way)
///     half-open -- the probe succeeds --> closed; -- no verdict --> open, its time is over
///     half-open -- the probe fails --> open for twice the time
///
/// An upstream that refuses connections opens it for a moment only: asking it costs nothing, and it may be back at any time.
///
/// A value without I/O: requests ask `admit`, and report to `note` with the permit that they got.
package struct CircuitBreaker: Sendable {
    package struct Limits: Sendable, Equatable {
        /// The breaker opens if at least this part of the requests in the window failed, in percent.
        package var failurePercent = 50
        /// It does not open for fewer requests than these.
        package var minimumRequests = 20
        package var window = Duration.seconds(10)
        /// The time for which it opens first; each probe that fails doubles it.
        package var openTime = Duration.seconds(1)
        package var maximumOpenTime = Duration.seconds(60)
    }

    enum Verdict: Sendable, Equatable {
        case success, failure
        /// The upstream has refused the connection.
        case unreachable
        /// The request says nothing about the upstream, as one that was cancelled.
        case none
    }

    /// A change of state, for the log; of an upstream that refuses connections, the first and the last.
    enum Change: Sendable, Equatable {
        case opened(seconds: Int)
        case halfOpened
        case closed
    }

    /// The right to make one request.
    struct Permit: Sendable, Equatable {
        /// The number of state changes before it; the breaker ignores verdicts from earlier states.
        fileprivate let generation: Int
    }

    enum Decision: Sendable, Equatable {
        case admitted(Permit, Change?)
        /// The request may be made after this number of seconds, at least one.
        case refused(seconds: Int)
    }

    private enum State {
        case closed
        case open(until: MonotonicTime, Opening)
        /// A probe is under way, after this opening.
        case halfOpen(Opening)
    }

    private struct Opening {
        /// For how long the breaker opens.
        let time: Duration
        /// Whether connections were refused, so that it opens for a moment instead.
        let isMoment: Bool
    }

    /// The time between two probes of an upstream that refuses connections.
    private static let moment = Duration.milliseconds(50)

    private var limits: Limits
    private var state = State.closed
    // Outside of the state: an array in an enum's payload is copied when it is taken out and changed.
    private var window: FailureWindow
    private var generation = 0

    package init(_ limits: Limits) {
        self.limits = limits
        window = FailureWindow(limits.window)
    }

    /// Takes new limits over; a breaker that is open stays open.
    mutating func update(_ limits: Limits) {
        guard limits != self.limits else { return }
        self.limits = limits
        window = FailureWindow(limits.window)
    }

    /// Returns the seconds until a request may be made; nil if one may be made now.
    package func refusal(at now: MonotonicTime) -> Int? {
        switch state {
        case .closed: nil
        case .open(let until, _): until <= now ? nil : Self.seconds(until - now)
        case .halfOpen: 1
        }
    }

    mutating func admit(at now: MonotonicTime) -> Decision {
        if let seconds = refusal(at: now) { return .refused(seconds: seconds) }
        guard case .open(_, let opening) = state else { return .admitted(Permit(generation: generation), nil) }
        enter(.halfOpen(opening))
        return .admitted(Permit(generation: generation), opening.isMoment ? nil : .halfOpened)
    }

    /// Notes the outcome of a request that was admitted with `permit`; call it once for each.
    mutating func note(_ verdict: Verdict, _ permit: Permit, at now: MonotonicTime) -> Change? {
        guard permit.generation == generation else { return nil }
        switch state {
        case .open: return nil
        case .closed:
            guard verdict != .none else { return nil }
            window.add(isFailure: verdict != .success, at: now)
            let (requests, failures) = window.totals
            guard requests >= limits.minimumRequests, failures * 100 >= limits.failurePercent * requests else {
                return nil
            }
            return open(Opening(time: limits.openTime, isMoment: verdict == .unreachable), at: now)
        case .halfOpen(let opening):
            switch verdict {
            case .failure:
                let time = min(opening.time * 2, limits.maximumOpenTime)
                return open(Opening(time: time, isMoment: false), at: now)
            case .unreachable:
                let change = open(Opening(time: limits.openTime, isMoment: true), at: now)
                return opening.isMoment ? nil : change
            case .success:
                window = FailureWindow(limits.window)
                enter(.closed)
                return .closed
            case .none:
                // The next request is the probe.
                enter(.open(until: now, opening))
                return nil
            }
        }
    }

    /// Whether requests are made without a probe before them.
    var isClosed: Bool { if case .closed = state { true } else { false } }

    /// Closes the breaker without a probe, and returns whether it was open; verdicts from before do not count.
    mutating func close() -> Bool {
        if isClosed { return false }
        window = FailureWindow(limits.window)
        enter(.closed)
        return true
    }

    private mutating func open(_ opening: Opening, at now: MonotonicTime) -> Change {
        let time = opening.isMoment ? min(Self.moment, opening.time) : opening.time
        enter(.open(until: now + time, opening))
        return .opened(seconds: Self.seconds(time))
    }

    private mutating func enter(_ state: State) {
        self.state = state
        generation += 1
    }

    private static func seconds(_ time: Duration) -> Int { max(1, Int((time / .seconds(1)).rounded(.up))) }
}

/// The requests and failures of the last seconds, in ten parts that are dropped one after another.
private struct FailureWindow: Sendable {
    private static let parts = 10

    private let partTime: UInt64
    private var counts = [(requests: Int, failures: Int)](repeating: (0, 0), count: parts)
    /// The number of the latest part, since the start of the clock.
    private var latest: UInt64 = 0

    init(_ window: Duration) {
        partTime = UInt64(max(1, window / .nanoseconds(1))) / UInt64(Self.parts) + 1
    }

    mutating func add(isFailure: Bool, at now: MonotonicTime) {
        advance(to: now)
        let index = Int(latest % UInt64(Self.parts))
        counts[index].requests += 1
        if isFailure { counts[index].failures += 1 }
    }

    /// The counts in the window that ends with the latest part.
    var totals: (requests: Int, failures: Int) {
        counts.reduce((0, 0)) { ($0.0 + $1.requests, $0.1 + $1.failures) }
    }

    private mutating func advance(to now: MonotonicTime) {
        let part = now.nanoseconds / partTime
        guard part > latest else { return }
        for step in 1...min(part - latest, UInt64(Self.parts)) {
            counts[Int((part - step + 1) % UInt64(Self.parts))] = (0, 0)
        }
        latest = part
    }
}

extension UpstreamConfiguration {
    var breakerLimits: CircuitBreaker.Limits {
        var limits = CircuitBreaker.Limits()
        limits.minimumRequests = breakerRequests
        limits.openTime = .milliseconds(breakerMilliseconds)
        limits.maximumOpenTime = max(limits.maximumOpenTime, limits.openTime)
        return limits
    }
}
