package import EventLoop
public import Operations
package import Records
import Settings
import Synchronization

/// The states of the upstreams by their names, and what all upstreams share; it outlives a configuration.
public final class UpstreamRegistry: Sendable {
    let pool: BoundedExecutor
    let bodies: BodyBudget
    package let memory = MemoryPressure()
    package let cache: DocumentCache
    package let drift: DriftBook
    private let states = Mutex<[String: UpstreamState]>([:])
    private let used = Mutex<[String: Bool]>([:])
    private let quotaFile: StateFile<[String: UpstreamLimits.Saved]>?
    /// How the writes of the quotas have ended; nil without a file.
    package var quotaWrites: FileWrites? { quotaFile?.writes }
    /// The quotas in the file by the names of their upstreams, for those that are not configured now.
    private let formerQuotas: [String: UpstreamLimits]
    package let clock: Clock
    /// The store and the rules that replicas share; nil if this replica is alone.
    package let shared: SharedReplicas?

    /// The least memory of the cache, for the ids of users.
    private static let leastCacheBytes = 1 << 20
    /// The most upstreams whose quotas are kept without being configured, so that the file stays small.
    private static let maximumFormer = 100
    /// The longest name of such an upstream, in bytes.
    private static let longestFormerName = 100

    /// A registry that knows no upstream, for answers of up to `maximumBodyBytes` in total at a time, and for up to
    /// `maximumCacheBytes` of documents that are kept.
    ///
    /// The quotas continue from those in the file at `quotaPath`, if it is given, and are kept there. With `shared`, the
    /// registry is that of a replica, which shares documents and quotas with others.
    public init(
        shared: SharedReplicas? = nil, maximumBodyBytes: Int = 128 << 20, maximumCacheBytes: Int = 64 << 20,
        quotaPath: String? = nil, log: Log = .standard, clock: Clock = .system
    ) {
        (self.clock, self.shared, pool) = (clock, shared, BoundedExecutor(clock: clock))
        drift = DriftBook(log: log, clock: clock)
        bodies = BodyBudget(bytes: maximumBodyBytes)
        cache = DocumentCache(maximumBytes: max(maximumCacheBytes, Self.leastCacheBytes))
        quotaFile = quotaPath.map { UpstreamLimits.Saved.file($0, log: log, clock: clock) }
        let (now, wallClock) = (clock.now(), clock.seconds)
        formerQuotas = (quotaFile?.content ?? [:]).mapValues { saved in
            let quotas = UpstreamLimits()
            quotas.restore(saved, now: now, wallClock: wallClock)
            return quotas
        }
    }

    /// Writes the quotas to their file, and how long the transfers took to the log.
    package func finish(_ log: Log) {
        quotaFile?.write { savedQuotas }
        for (name, state) in allStates {
            let latencies = state.latencies
            guard latencies.count > 0 else { continue }
            func milliseconds(_ duration: Duration?) -> Int { (duration ?? .zero).wholeMilliseconds }
            log.write(
                .info, "upstream figures",
                [
                    "upstream": name, "transfers": latencies.count,
                    "meanMilliseconds": milliseconds(latencies.mean), "p50": milliseconds(latencies.percentile(0.5)),
                    "p95": milliseconds(latencies.percentile(0.95)), "p99": milliseconds(latencies.percentile(0.99)),
                ])
        }
    }

    /// Tells the store of the requests of shared quotas, and learns those of the other replicas.
    ///
    /// At the end of the process, once documents are written.
    package func balanceQuotas(isEnding: Bool = false, on shard: Shard) async {
        if isEnding { await shared?.settle() }
        for (_, state) in allStates { await state.quotas.balance(clock, on: shard) }
    }

    /// The states by the names of the upstreams, in order.
    package var allStates: [(name: String, state: UpstreamState)] {
        states.withLock { $0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Counts answers of which clients have `change` bytes more, or less, to take, with the bodies of upstreams.
    package func note(untaken change: Int) { bodies.note(untaken: change) }

    /// Returns the state of the upstream with this name, with its new limits if it exists already.
    func state(for configuration: UpstreamConfiguration) -> UpstreamState {
        states.withLock { states in
            if let state = states[configuration.name] {
                state.update(configuration)
                return state
            }
            let state = UpstreamState(
                configuration, bodyShare: bodies.share(), pool: pool.share(), shared: shared
            ) { [weak self] in self?.quotasChanged() }
            if let saved = quotaFile?.content?[configuration.name] {
                state.quotas.restore(saved, now: clock.now(), wallClock: clock.seconds)
            }
            states[configuration.name] = state
            return state
        }
    }

    /// The upstreams of the configuration by their names, and whether each is used or left out for lack of a key.
    package var configured: [(name: String, isUsed: Bool)] {
        get { used.withLock { $0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
        set { used.withLock { $0 = Dictionary(newValue.map { ($0.name, $0.isUsed) }) { first, _ in first } } }
    }

    private func quotasChanged() {
        quotaFile?.noteChange { [weak self] in self?.savedQuotas }
    }

    private var savedQuotas: [String: UpstreamLimits.Saved] {
        let (now, wallClock) = (clock.now(), clock.seconds)
        let known = states.withLock { $0.mapValues { $0.quotas.saved(now: now, wallClock: wallClock) } }
        let former = formerQuotas.filter { known[$0.key] == nil && $0.key.utf8.count <= Self.longestFormerName }
            .mapValues { $0.saved(now: now, wallClock: wallClock) }
            .filter { !$0.value.isEmpty }
        let kept = former.sorted { $0.key < $1.key }.prefix(Self.maximumFormer)
        return known.merging(kept.map { ($0.key, $0.value) }) { known, _ in known }
    }
}

/// The pauses and breakers of an upstream that an operator has ended.
package struct ResumedUpstream: Record {
    /// A pause that has ended before its time.
    package struct Pause: Record {
        var requests = "", cause = "", until = ""

        package init() {}

        package static let schema = Schema<Pause> {
            Field(\.requests, .note("The kind of requests that were not made; `*` for all."))
            Field(\.cause, .note("`quota`, `rateLimit` (429), `outage` (503) or `command` (of an operator)."))
            Field(\.until, .note("The end that the pause would have had."))
        }
    }

    package var upstream = "", pauses: [Pause] = [], breakers: [String] = []

    package init() {}

    package static let schema = Schema<ResumedUpstream> {
        Field(\.upstream, .note("The name of the upstream."))
        Field(\.pauses, .note("The pauses that have ended."))
        Field(\.breakers, .note("The kinds of requests whose circuit breakers were open."))
    }
}

extension UpstreamRegistry {
    /// Pauses an upstream until `end`, or ends that pause with nil.
    package func hold(_ name: String, until end: MonotonicTime?) {
        states.withLock { $0[name] }?.quotas.hold(until: end)
    }

    /// Removes documents from the cache of this replica, which takes them from no store either; returns their number.
    package func purge(_ rule: @escaping PurgeRule) async -> Int {
        shared?.note(rule, at: clock.seconds)
        return await WorkPool.run { [cache] in cache.remove(rule) }
    }

    /// Ends the pauses of an upstream and closes its breakers, and returns what was cleared; nil for an unknown upstream.
    ///
    /// The count of a configured quota stays.
    package func resume(_ name: String) -> ResumedUpstream? {
        guard let state = allStates.first(where: { $0.name == name })?.state else { return nil }
        let (pauses, closed) = state.resume(at: clock.now())
        var resumed = ResumedUpstream()
        (resumed.upstream, resumed.breakers) = (name, closed.map(\.name))
        resumed.pauses = pauses.map { kind, pause in
            var entry = ResumedUpstream.Pause()
            (entry.requests, entry.cause) = (kind.name, pause.cause.rawValue)
            entry.until = timestamp(clock.seconds + pause.seconds)
            return entry
        }
        return resumed
    }
}
