import EventLoop
import Synchronization

/// What is known about an upstream, for all shards: its places, its quotas and how long it takes.
final class UpstreamState: Sendable {
    /// The requests that may be under way at a time, from the transfer until the document is read.
    let places: Admission
    let quotas: SpentQuotas
    let bodyShare: Admission
    private let retries: Mutex<RetryBudget>
    private let latency = Mutex(LatencyHistogram())
    /// One for each endpoint.
    private let breakers: Mutex<[CircuitBreaker]>
    /// The sizes of bodies to expect at each endpoint, from the latest ones; 0 before the first one.
    private let sizes = Mutex([Int](repeating: 0, count: Upstream.Endpoint.allCases.count))

    /// `bodyShare` is its part of the memory for bodies; `quotasChanged` is called when what is saved of the quotas has changed.
    init(
        _ configuration: UpstreamConfiguration, bodyShare: Admission,
        quotasChanged: @escaping @Sendable () -> Void
    ) {
        self.bodyShare = bodyShare
        quotas = SpentQuotas(configuration.quota, changed: quotasChanged)
        retries = Mutex(RetryBudget(percent: configuration.retryPercent))
        let breaker = CircuitBreaker(configuration.breaker.limits)
        breakers = Mutex(Upstream.Endpoint.allCases.map { _ in breaker })
        places = Admission(
            capacity: configuration.maximumConcurrent, maximumWaiting: configuration.maximumWaiting)
    }

    /// How long its transfers took.
    var latencies: LatencyHistogram { latency.withLock { $0 } }

    func noteTransfer(_ duration: Duration) { latency.withLock { $0.add(duration) } }

    /// Returns the size that a body is expected to have.
    func expectedBody(of endpoint: Upstream.Endpoint) -> Int {
        let size = sizes.withLock { $0[endpoint.index] }
        return size > 0 ? size : BodyBudget.step
    }

    /// Takes a size into account: a large one at once, smaller ones little by little.
    func noteBody(_ bytes: Int, _ endpoint: Upstream.Endpoint) {
        sizes.withLock { $0[endpoint.index] = max(1, bytes, $0[endpoint.index] * 7 / 8) }
    }

    /// Counts a request that is no retry.
    func noteRequest() { retries.withLock { $0.noteRequest() } }

    /// Takes one retry from the upstream's budget, if one is left.
    func takeRetry() -> Bool { retries.withLock { $0.takeRetry() } }

    /// Returns the seconds until `endpoint` may be asked; nil if it may be asked now.
    func refusal(of endpoint: Upstream.Endpoint, now: MonotonicTime = .now) -> Int? {
        breakers.withLock { $0[endpoint.index].refusal(at: now) }
    }

    /// Asks the breaker of `endpoint` for a permit, whose verdict must follow with `note`.
    func admit(_ endpoint: Upstream.Endpoint, now: MonotonicTime = .now) -> CircuitBreaker.Decision {
        breakers.withLock { $0[endpoint.index].admit(at: now) }
    }

    func note(
        _ verdict: CircuitBreaker.Verdict, _ permit: CircuitBreaker.Permit, _ endpoint: Upstream.Endpoint,
        now: MonotonicTime = .now
    ) -> CircuitBreaker.Change? {
        breakers.withLock { $0[endpoint.index].note(verdict, permit, at: now) }
    }

    /// Takes new limits over; what is under way is not affected.
    func update(_ configuration: UpstreamConfiguration) {
        places.resize(capacity: configuration.maximumConcurrent, maximumWaiting: configuration.maximumWaiting)
        retries.withLock { $0.update(percent: configuration.retryPercent) }
        breakers.withLock { breakers in
            for index in breakers.indices { breakers[index].update(configuration.breaker.limits) }
        }
        quotas.update(configuration.quota)
    }
}
