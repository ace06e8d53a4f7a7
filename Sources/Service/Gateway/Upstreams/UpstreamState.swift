import EventLoop
import Synchronization

/// What is known about an upstream, for all shards: its places, its quotas, its keys and how long it takes.
final class UpstreamState: Sendable {
    /// The requests that may be under way at a time, from the transfer until the document is read.
    let places: Admission
    /// Half of the places, for requests for the past: their servers are others, and slower.
    let placesOfPast: Admission
    let quotas: SpentQuotas
    /// One for each endpoint.
    let reported: [ReportedQuota]
    let bodyShare: BodyBudget.Share
    /// Reads its large documents.
    let pool: DocumentPool
    let tokens = BearerTokens()
    let knownKeys = KnownKeys()
    let tweets = TweetMemory()
    private let retries: Mutex<RetryBudget>
    private let latency = Mutex(LatencyHistogram())
    private let tries = Mutex(TryCounts())
    /// How many of the places may be used, if that is found out; nil if all may.
    private let concurrency: Mutex<ConcurrencyLimit?>
    /// One for each endpoint.
    private let breakers: Mutex<[CircuitBreaker]>
    /// When it was last logged that it sends surplus bytes.
    private let surplus = Mutex<MonotonicTime?>(nil)
    /// How far the documents of each endpoint are known to be from what was asked for, and until when.
    private let distances = Mutex<[(most: Double, end: MonotonicTime)]>(
        Upstream.Endpoint.allCases.map { _ in (0, MonotonicTime(nanoseconds: 0)) })
    /// The sizes of bodies to expect at each endpoint, from the latest ones; 0 before the first one.
    private let sizes = Mutex([Int](repeating: 0, count: Upstream.Endpoint.allCases.count))

    /// `bodyShare` is its part of the memory for bodies, `pool` that of the threads for documents; `quotasChanged` is called
    /// when what is saved of the quotas has changed.
    init(
        _ configuration: UpstreamConfiguration, bodyShare: BodyBudget.Share, pool: DocumentPool,
        quotasChanged: @escaping @Sendable () -> Void
    ) {
        (self.bodyShare, self.pool) = (bodyShare, pool)
        quotas = SpentQuotas(configuration.quota, changed: quotasChanged)
        reported = Upstream.Endpoint.allCases.map { _ in
            ReportedQuota(maximumWaiting: configuration.maximumWaiting)
        }
        retries = Mutex(RetryBudget(percent: configuration.retryPercent))
        let limit = configuration.adaptsConcurrency ? ConcurrencyLimit(maximum: configuration.maximumConcurrent) : nil
        concurrency = Mutex(limit)
        let breaker = CircuitBreaker(configuration.breaker.limits)
        breakers = Mutex(Upstream.Endpoint.allCases.map { _ in breaker })
        let capacity = limit?.current ?? configuration.maximumConcurrent
        places = Admission(capacity: capacity, maximumWaiting: configuration.maximumWaiting)
        placesOfPast = Admission(capacity: max(1, capacity / 2), maximumWaiting: configuration.maximumWaiting)
    }

    private func resize(_ capacity: Int, maximumWaiting: Int? = nil) {
        places.resize(capacity: capacity, maximumWaiting: maximumWaiting)
        placesOfPast.resize(capacity: max(1, capacity / 2), maximumWaiting: maximumWaiting)
    }

    /// The number of requests that wait for a place, or for the end of others.
    var waiting: Int {
        reported.reduce(places.figures.waiting + placesOfPast.figures.waiting) { $0 + $1.waiting }
    }

    /// How long its transfers took.
    var latencies: LatencyHistogram { latency.withLock { $0 } }

    /// Notes how long a transfer took, and what it says about the upstream's load, if anything.
    func noteTransfer(_ duration: Duration, _ outcome: ConcurrencyLimit.Outcome?, now: MonotonicTime) {
        latency.withLock { $0.add(duration) }
        guard let outcome else { return }
        concurrency.withLock { limit in
            guard let before = limit?.current else { return }
            limit?.note(outcome, used: places.figures.used, at: now)
            if let current = limit?.current, current != before { resize(current) }
        }
    }

    /// Whether to log that it sends bytes which belong to no answer: once in five minutes.
    func mayReportSurplus(now: MonotonicTime) -> Bool {
        surplus.withLock { latest in
            if let latest, now - latest < .seconds(300) { return false }
            latest = now
            return true
        }
    }

    /// How far documents of `endpoint` are known to be from what was asked for: the upstream rounds, or has a fixed document.
    func knownDistance(_ endpoint: Upstream.Endpoint, now: MonotonicTime) -> Double {
        distances.withLock { $0[endpoint.index].end > now ? $0[endpoint.index].most : 0 }
    }

    /// Notes for an hour that a document of `endpoint` is as far from what was asked for.
    func noteDistance(_ distance: Double, _ endpoint: Upstream.Endpoint, now: MonotonicTime) {
        distances.withLock { distances in
            let known = distances[endpoint.index]
            distances[endpoint.index] = (max(distance, known.end > now ? known.most : 0), now + .seconds(3600))
        }
    }

    /// How its tries ended.
    var tryCounts: TryCounts { tries.withLock { $0 } }

    /// Counts a try that has ended, with its result as a label of a metric.
    func noteTry(_ requests: String, _ result: String) { tries.withLock { $0.note(requests, result) } }

    /// Returns the time after which a second request is worth it; nil if it is not, or if too little is known.
    func hedgeDelay(left: Duration) -> Duration? { latency.withLock { AttemptPolicy().hedgeDelay($0, left: left) } }

    /// Takes the right to make a second request: from the retries, and only if it need not wait.
    func takeHedge(_ endpoint: Upstream.Endpoint) -> Bool {
        places.hasRoom && reported[endpoint.index].hasRoom && retries.withLock { $0.takeHedge() }
    }

    /// Returns the size that a body is expected to have.
    func expectedBody(of endpoint: Upstream.Endpoint) -> Int {
        let size = sizes.withLock { $0[endpoint.index] }
        return size > 0 ? size : BodyBudget.step
    }

    /// Takes a size into account: a large one at once, smaller ones little by little.
    func noteBody(_ bytes: Int, _ endpoint: Upstream.Endpoint) {
        sizes.withLock { $0[endpoint.index] = max(1, bytes, $0[endpoint.index] * 7 / 8) }
    }

    /// Counts a request that is about to be sent and is no retry.
    func noteRequest() { retries.withLock { $0.noteRequest() } }

    /// Takes one retry from the upstream's budget, if one is left.
    func takeRetry() -> Bool { retries.withLock { $0.takeRetry() } }

    /// Gives a retry back that was taken and not made.
    func returnRetry() { retries.withLock { $0.returnRetry() } }

    /// Counts retries that were made without asking.
    func noteRetries(_ count: Int) { retries.withLock { $0.noteRetries(count) } }

    /// Returns the seconds until `endpoint` may be asked; nil if it may be asked now.
    func refusal(of endpoint: Upstream.Endpoint, now: MonotonicTime) -> Int? {
        breakers.withLock { $0[endpoint.index].refusal(at: now) }
    }

    /// Asks the breaker of `endpoint` for a permit, whose verdict must follow with `note`.
    func admit(_ endpoint: Upstream.Endpoint, now: MonotonicTime) -> CircuitBreaker.Decision {
        breakers.withLock { $0[endpoint.index].admit(at: now) }
    }

    func note(
        _ verdict: CircuitBreaker.Verdict, _ permit: CircuitBreaker.Permit, _ endpoint: Upstream.Endpoint,
        now: MonotonicTime
    ) -> CircuitBreaker.Change? {
        breakers.withLock { $0[endpoint.index].note(verdict, permit, at: now) }
    }

    /// Takes new limits over; what is under way is not affected.
    func update(_ configuration: UpstreamConfiguration) {
        concurrency.withLock { limit in
            if !configuration.adaptsConcurrency {
                limit = nil
            } else if limit == nil {
                limit = ConcurrencyLimit(maximum: configuration.maximumConcurrent)
            } else {
                limit?.update(maximum: configuration.maximumConcurrent)
            }
            resize(
                limit?.current ?? configuration.maximumConcurrent, maximumWaiting: configuration.maximumWaiting)
        }
        retries.withLock { $0.update(percent: configuration.retryPercent) }
        breakers.withLock { breakers in
            for index in breakers.indices { breakers[index].update(configuration.breaker.limits) }
        }
        quotas.update(configuration.quota)
        for reported in reported { reported.update(maximumWaiting: configuration.maximumWaiting) }
    }
}
