import Configuration
import EventLoop
import Synchronization

/// What is known about an upstream, for all shards: its slots for requests, its quotas, its keys and how long it takes.
package final class UpstreamState: Sendable {
    /// The requests that may be under way at a time, from the transfer until the document is read.
    let slots: Admission
    /// Half of the slots, for requests for the past: their servers are others, and slower.
    let slotsOfPast: Admission
    let quotas: SpentQuotas
    /// One for each endpoint.
    let reported: [ReportedQuota]
    let bodyShare: BodyBudget.Share
    /// Reads its large documents.
    let pool: DocumentPool
    let tokens = BearerTokens()
    let knownKeys = KnownKeys()
    /// The set of parameter names that worked last, for a dialect that has several.
    private let lastVocabulary = Atomic(0)
    /// The index of the look-up endpoint that worked last, for a dialect that has several; -1 before one has.
    private let lastLookup = Atomic(-1)
    /// The extra requests that it may get.
    let retries: Mutex<RetryBudget>
    private let latency = Mutex(LatencyHistogram())
    private let tries = Mutex(TryCounts())
    /// One for each endpoint.
    private let breakers: Mutex<[CircuitBreaker]>
    /// When it was last logged that it sends surplus bytes.
    private let surplus = Mutex<MonotonicTime?>(nil)
    /// The sizes of bodies to expect at each endpoint, from the latest ones; 0 before the first one.
    private let sizes = Mutex([Int](repeating: 0, count: Endpoint.allCases.count))

    /// `bodyShare` is its part of the memory for bodies, `pool` that of the threads for documents; `quotasChanged` is called
    /// when what is saved of the quotas has changed.
    init(
        _ configuration: UpstreamConfiguration, bodyShare: BodyBudget.Share, pool: DocumentPool,
        quotasChanged: @escaping @Sendable () -> Void
    ) {
        (self.bodyShare, self.pool) = (bodyShare, pool)
        quotas = SpentQuotas(configuration.quota, changed: quotasChanged)
        reported = Endpoint.allCases.map { _ in
            ReportedQuota(maximumWaiting: configuration.maximumWaiting)
        }
        retries = Mutex(RetryBudget(percent: configuration.retryPercent))
        let breaker = CircuitBreaker(configuration.breaker.limits)
        breakers = Mutex(Endpoint.allCases.map { _ in breaker })
        let capacity = configuration.maximumConcurrent
        slots = Admission(capacity: capacity, maximumWaiting: configuration.maximumWaiting)
        slotsOfPast = Admission(capacity: max(1, capacity / 2), maximumWaiting: configuration.maximumWaiting)
    }

    package var vocabulary: Int {
        get { lastVocabulary.load(ordering: .relaxed) }
        set { lastVocabulary.store(newValue, ordering: .relaxed) }
    }

    package var lookup: Int? {
        get { lastLookup.load(ordering: .relaxed) < 0 ? nil : lastLookup.load(ordering: .relaxed) }
        set { lastLookup.store(newValue ?? -1, ordering: .relaxed) }
    }

    /// The number of requests that wait for a slot, or for the end of others.
    package var waiting: Int {
        reported.reduce(slots.figures.waiting + slotsOfPast.figures.waiting) { $0 + $1.waiting }
    }

    /// How long its transfers took.
    var latencies: LatencyHistogram { latency.withLock { $0 } }

    /// Notes how long a transfer took.
    func noteTransfer(_ duration: Duration) { latency.withLock { $0.add(duration) } }

    /// Whether to log that it sends bytes which belong to no answer: once in five minutes.
    func mayReportSurplus(now: MonotonicTime) -> Bool {
        surplus.withLock { latest in
            if let latest, now - latest < .seconds(300) { return false }
            latest = now
            return true
        }
    }

    /// How its tries ended.
    var tryCounts: TryCounts { tries.withLock { $0 } }

    /// Counts a try that has ended, with its result as a label of a metric.
    func noteTry(_ requests: String, _ result: String) { tries.withLock { $0.note(requests, result) } }

    /// Returns the time after which a second request is worth it; nil if it is not, or if too little is known.
    func hedgeDelay(left: Duration) -> Duration? { latency.withLock { AttemptPolicy().hedgeDelay($0, left: left) } }

    /// Takes the right to make a second request: from the retries, and only if it need not wait.
    func takeHedge(_ endpoint: Endpoint) -> Bool {
        slots.hasRoom && reported[endpoint.index].hasRoom && retries.withLock { $0.takeHedge() }
    }

    /// Returns the size that a body is expected to have.
    func expectedBody(of endpoint: Endpoint) -> Int {
        let size = sizes.withLock { $0[endpoint.index] }
        return size > 0 ? size : BodyBudget.step
    }

    /// Takes a size into account: a large one at once, smaller ones little by little.
    func noteBody(_ bytes: Int, _ endpoint: Endpoint) {
        sizes.withLock { $0[endpoint.index] = max(1, bytes, $0[endpoint.index] * 7 / 8) }
    }

    /// Returns the seconds until `endpoint` may be asked; nil if it may be asked now.
    func refusal(of endpoint: Endpoint, now: MonotonicTime) -> Int? {
        breakers.withLock { $0[endpoint.index].refusal(at: now) }
    }

    /// Returns why quota or breaker refuses a request at `now`, the longest reason; nil if neither does, as far as is known.
    func refusal(
        of endpoint: Endpoint, for purpose: FetchPurpose, now: MonotonicTime, wallClock: Int
    ) -> FetchFailure? {
        let suspended = refusal(of: endpoint, now: now)
        if let quota = quotas.quota(of: endpoint, for: purpose, now: now, wallClock: wallClock),
            quota.seconds >= suspended ?? 0
        {
            return .spent(quota)
        }
        return suspended.map { .suspended(seconds: $0) }
    }

    /// Asks the breaker of `endpoint` for a permit, whose verdict must follow with `note`.
    func admit(_ endpoint: Endpoint, now: MonotonicTime) -> CircuitBreaker.Decision {
        breakers.withLock { $0[endpoint.index].admit(at: now) }
    }

    func note(
        _ verdict: CircuitBreaker.Verdict, _ permit: CircuitBreaker.Permit, _ endpoint: Endpoint,
        now: MonotonicTime
    ) -> CircuitBreaker.Change? {
        breakers.withLock { $0[endpoint.index].note(verdict, permit, at: now) }
    }

    /// Takes new limits over; what is under way is not affected.
    func update(_ configuration: UpstreamConfiguration) {
        let (capacity, maximumWaiting) = (configuration.maximumConcurrent, configuration.maximumWaiting)
        slots.resize(capacity: capacity, maximumWaiting: maximumWaiting)
        slotsOfPast.resize(capacity: max(1, capacity / 2), maximumWaiting: maximumWaiting)
        retries.withLock { $0.update(percent: configuration.retryPercent) }
        breakers.withLock { breakers in
            for index in breakers.indices { breakers[index].update(configuration.breaker.limits) }
        }
        quotas.update(configuration.quota)
        for reported in reported { reported.update(maximumWaiting: configuration.maximumWaiting) }
    }
}
