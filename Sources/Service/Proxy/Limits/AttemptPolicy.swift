/// Decides whether a request to an upstream that failed is made again, and when.
///
/// Every request to an upstream is a GET, so that repeating it is safe (RFC 9110 §9.2.2).
struct AttemptPolicy: Sendable {
    /// Why a try failed, as far as it matters here.
    enum Failure: Sendable, Equatable {
        /// There is no response, because the connection was refused or broke.
        case connection
        /// A response with this status, and the seconds of its Retry-After.
        case status(Int, retryAfter: Int?)
        /// Anything that another try would not change, or not in time.
        case final
    }

    /// The most tries for one request.
    var maximumTries = 3
    /// The longest pause before the second try; each further try doubles it.
    var firstPause = Duration.milliseconds(100)
    var maximumPause = Duration.seconds(1)
    /// The statuses after which another try can succeed; other 4xx are final.
    private static let temporary: Set<Int> = [408, 429, 500, 502, 503, 504]

    /// Whether a second try may follow a failure in the time that is left.
    func allowsTry(after failure: Failure, left: Duration) -> Bool {
        pause(after: failure, tries: 1, left: left, random: 0) != nil
    }

    /// Returns the pause before the next try; nil if there is none.
    ///
    /// `tries` were made, `left` is the time until the deadline, and `random` is from 0 up to 1. The pause is random
    /// between 0 and its maximum ("full jitter"), so that clients do not return at the same time, and never shorter
    /// than what the upstream demanded.
    func pause(after failure: Failure, tries: Int, left: Duration, random: Double) -> Duration? {
        guard tries < maximumTries else { return nil }
        let demanded: Duration
        switch failure {
        case .connection: demanded = .zero
        case .status(let status, let retryAfter):
            guard Self.temporary.contains(status) else { return nil }
            demanded = .seconds(retryAfter ?? 0)
        case .final: return nil
        }
        let longest = (1..<tries).reduce(firstPause) { longest, _ in min(longest * 2, maximumPause) }
        let pause = max(demanded, longest * random)
        return pause < left ? pause : nil
    }
}

// A second request beside one that takes long ("hedging").
extension AttemptPolicy {
    /// The number of transfers without which it is not known what is long.
    private static let knownTransfers = 100

    /// Returns the time after which a second request is worth it: that of the slowest twentieth of the recent transfers.
    /// - Returns: Nil if too little is known, or if there would be no time for the second request.
    func hedgeDelay(_ latencies: LatencyHistogram, left: Duration) -> Duration? {
        guard latencies.count >= Self.knownTransfers, let delay = latencies.percentile(0.95),
            let usual = latencies.percentile(0.5), delay + usual < left
        else { return nil }
        return delay
    }
}

/// The extra requests that an upstream gets: a part of the others, so that retries cannot multiply its load.
struct RetryBudget: Sendable {
    private static let maximumSaved = 10

    private var percent: Int
    /// Hundredths of a request; negative after retries that were made without asking.
    private var saved = 0

    init(percent: Int) { self.percent = percent }

    mutating func update(percent: Int) {
        self.percent = percent
        if percent == 0 { saved = min(saved, 0) }
    }

    /// Counts a request that is no retry.
    mutating func noteRequest() { saved = min(saved + percent, Self.maximumSaved * 100) }

    /// Takes one retry, if one is left.
    mutating func takeRetry() -> Bool {
        guard saved >= 100 else { return false }
        saved -= 100
        return true
    }

    /// Takes one for a second request beside one that takes long; the first half of what can be saved is for retries.
    mutating func takeHedge() -> Bool { saved > Self.maximumSaved * 50 && takeRetry() }

    /// Gives a retry back that was taken and not made.
    mutating func returnRetry() { saved = min(saved + 100, Self.maximumSaved * 100) }

    /// Counts retries that were made without asking, so that fewer follow.
    mutating func noteRetries(_ count: Int) { saved = max(saved - count * 100, -Self.maximumSaved * 100) }
}
