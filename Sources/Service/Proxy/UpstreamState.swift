import Settings
import EventLoop
import HTTPClient
import HTTPCore
import Synchronization

/// What is known about an upstream, for all shards: its slots for requests, its quotas, its keys and how long it takes.
package final class UpstreamState: Sendable {
    /// The requests that may be under way at a time, from the transfer until the document is read.
    let slots: Admission
    /// Half of the slots, for requests to slow servers.
    let slowSlots: Admission
    let quotas: UpstreamLimits
    let bodyShare: BodyBudget.Share
    /// Reads its large documents.
    let pool: BoundedExecutor
    let tokens = BearerTokens()
    let knownKeys = KnownKeys()
    /// The set of parameter names that worked last, for a dialect that has several.
    private let lastVocabulary = Atomic(0)
    /// The index of the look-up endpoint that worked last, for a dialect that has several; -1 before one has.
    private let lastLookup = Atomic(-1)
    /// The extra requests that it may get.
    let retries: Mutex<RetryBudget>
    private let latency = Mutex(LatencyHistogram())
    private let kinds: Mutex<Kinds>
    /// How the requests for tokens ended, and how long they took.
    private let tokenRequests = Mutex(KindFigures(name: "token"))
    /// When the latest request was sent, on the monotonic clock in nanoseconds.
    private let latestUse = Atomic<UInt64>(0)
    /// The result of the latest probe, as a label of a metric.
    private let latestProbe = Mutex("success")
    /// The lines about surplus bytes, and about requests that Weir refused because too many were under way.
    private let surplus = Mutex(LineLimit(interval: .seconds(300))), refusals = Mutex(LineLimit(interval: .seconds(1)))
    private let clock = Mutex<ClockOffset?>(nil)

    /// The states of the kinds of requests that have occurred, and the limits for those that are still to come.
    private struct Kinds {
        var limits: CircuitBreaker.Limits
        var maximumWaiting: Int
        var states: [RequestKind: KindState] = [:]
    }

    /// `bodyShare` is its part of the memory for bodies, `pool` that of the threads for documents; `quotasChanged` is called
    /// when what is saved of the quotas has changed.
    init(
        _ configuration: UpstreamConfiguration, bodyShare: BodyBudget.Share, pool: BoundedExecutor,
        shared: SharedReplicas? = nil, quotasChanged: @escaping @Sendable () -> Void
    ) {
        (self.bodyShare, self.pool) = (bodyShare, pool)
        quotas = UpstreamLimits(
            configuration.quota, shared: shared.map { SharedQuota(replicas: $0, upstream: configuration.name) },
            changed: quotasChanged)
        retries = Mutex(RetryBudget(percent: configuration.retryPercent))
        kinds = Mutex(
            Kinds(limits: configuration.breakerLimits, maximumWaiting: configuration.maximumWaiting))
        let capacity = configuration.maximumConcurrent
        slots = Admission(capacity: capacity, maximumWaiting: configuration.maximumWaiting)
        slowSlots = Admission(capacity: max(1, capacity / 2), maximumWaiting: configuration.maximumWaiting)
    }

    package var vocabulary: Int {
        get { lastVocabulary.load(ordering: .relaxed) }
        set { lastVocabulary.store(newValue, ordering: .relaxed) }
    }

    package var lookup: Int? {
        get { lastLookup.load(ordering: .relaxed) < 0 ? nil : lastLookup.load(ordering: .relaxed) }
        set { lastLookup.store(newValue ?? -1, ordering: .relaxed) }
    }

    /// The state of a kind of requests, which is made when the kind first occurs.
    subscript(kind: RequestKind) -> KindState {
        kinds.withLock { kinds in
            if let state = kinds.states[kind] { return state }
            let state = KindState(kind, kinds.limits, maximumWaiting: kinds.maximumWaiting)
            kinds.states[kind] = state
            return state
        }
    }

    /// The states of the kinds that have occurred, in the order of metrics.
    var kindStates: [(kind: RequestKind, state: KindState)] {
        kinds.withLock { $0.states }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The number of requests that wait for a slot, or for the end of others.
    package var waiting: Int {
        kindStates.reduce(slots.figures.waiting + slowSlots.figures.waiting) { $0 + $1.state.reported.waiting }
    }

    /// How long its transfers took.
    var latencies: LatencyHistogram { latency.withLock { $0 } }

    /// Notes how long a transfer took.
    func noteTransfer(_ duration: Duration) { latency.withLock { $0.add(duration) } }

    /// Whether to log that it sends bytes which belong to no answer: once in five minutes.
    func mayReportSurplus(now: MonotonicTime) -> Bool { surplus.withLock { $0.note(at: now) != nil } }

    /// Returns the failures for which a line of the log stands; nil for no line.
    ///
    /// Requests that Weir refuses because it has too much to do share a line each second: they fail as fast as clients ask.
    func failures(with failure: FetchFailure, now: MonotonicTime) -> Int? {
        switch failure {
        case .transfer(.queueFull), .overloaded: refusals.withLock { $0.note(at: now) }
        default: 1
        }
    }

    /// How far its clock was from the service's in the latest response; nil before one had a Date.
    var clockOffset: ClockOffset? { clock.withLock { $0 } }

    /// Notes that its clock is `seconds` ahead, and returns whether the clock is wrong if that has changed.
    func noteClock(ahead seconds: Int, at now: MonotonicTime) -> Bool? {
        clock.withLock { clock in
            let wasWrong = clock?.isWrong ?? false
            clock = ClockOffset(seconds, at: now, after: clock)
            return clock?.isWrong == wasWrong ? nil : !wasWrong
        }
    }

    /// The figures of the requests for tokens.
    var tokenFigures: KindFigures { tokenRequests.withLock { $0 } }

    /// Counts a request for a token that has ended, with its result as a label of a metric.
    func noteTokenTry(_ result: String) { tokenRequests.withLock { $0.tries.note(result) } }

    /// Notes how long a request for a token took, and how it ended.
    func noteTokenTransfer(_ duration: Duration, _ ending: TransferDurations.Ending) {
        tokenRequests.withLock { $0.durations.add(duration, ending) }
    }

    /// When the latest request was sent.
    var lastUse: MonotonicTime { MonotonicTime(nanoseconds: latestUse.load(ordering: .relaxed)) }

    /// Notes that a request is sent at `now`.
    func noteUse(at now: MonotonicTime) { latestUse.store(now.nanoseconds, ordering: .relaxed) }

    /// Notes the result of a probe, and returns whether the probe before had another one.
    func noteProbe(_ result: String) -> Bool {
        latestProbe.withLock { latest in
            defer { latest = result }
            return latest != result
        }
    }

    /// Ends all pauses and closes all breakers, and returns what was cleared.
    func resume(at now: MonotonicTime) -> (pauses: [(kind: RequestKind, pause: SpentQuota)], closed: [RequestKind]) {
        let closed = kindStates.filter { $0.state.closeBreaker() }.map(\.kind)
        return (quotas.endPauses(now: now), closed)
    }

    /// Returns the time after which a second request is worth it; nil if it is not, or if too little is known.
    func hedgeDelay(left: Duration) -> Duration? { latency.withLock { AttemptPolicy().hedgeDelay($0, left: left) } }

    /// Takes the right to make a second request: from the retries, and only if it need not wait.
    func takeHedge(_ kind: KindState) -> Bool {
        slots.hasRoom && kind.reported.hasRoom && retries.withLock { $0.takeHedge() }
    }

    /// Takes new limits over; what is under way is not affected.
    func update(_ configuration: UpstreamConfiguration) {
        let (capacity, maximumWaiting) = (configuration.maximumConcurrent, configuration.maximumWaiting)
        slots.resize(capacity: capacity, maximumWaiting: maximumWaiting)
        slowSlots.resize(capacity: max(1, capacity / 2), maximumWaiting: maximumWaiting)
        retries.withLock { $0.update(percent: configuration.retryPercent) }
        let limits = configuration.breakerLimits
        let states = kinds.withLock { kinds in
            (kinds.limits, kinds.maximumWaiting) = (limits, maximumWaiting)
            return kinds.states.values
        }
        for state in states { state.update(limits, maximumWaiting: maximumWaiting) }
        quotas.update(configuration.quota)
    }
}

/// How far the clock of an upstream is from the service's.
struct ClockOffset: Sendable {
    /// The seconds by which the upstream's clock is ahead, negative if it is behind: in the latest response, or, for a minute, in the
    /// latest one that was wrong.
    ///
    /// One of several servers of the upstream can have a wrong clock: then each response would begin or end the state.
    let seconds: Int
    private let latestWrong: MonotonicTime?
    /// Whether that is more than clocks may differ.
    var isWrong: Bool { latestWrong != nil }

    init(_ seconds: Int, at now: MonotonicTime, after former: ClockOffset?) {
        if abs(seconds) > Freshness.clockTolerance {
            (self.seconds, latestWrong) = (seconds, now)
        } else if let former, let latest = former.latestWrong, now - latest < .seconds(60) {
            (self.seconds, latestWrong) = (former.seconds, latest)
        } else {
            (self.seconds, latestWrong) = (seconds, nil)
        }
    }

    /// The offset for people.
    static func sentence(_ seconds: Int) -> String {
        "The upstream's clock is \(abs(seconds)) s \(seconds < 0 ? "behind" : "ahead of") the service's."
    }
}

/// Lets one line of the log stand for all events of an interval.
struct LineLimit: Sendable {
    let interval: Duration
    private var latest: MonotonicTime?
    private var count = 0

    init(interval: Duration) { self.interval = interval }

    /// Counts an event, and returns the events since the line before if there is to be another one.
    mutating func note(at now: MonotonicTime) -> Int? {
        count += 1
        if let latest, now - latest < interval { return nil }
        defer { (latest, count) = (now, 0) }
        return count
    }
}
