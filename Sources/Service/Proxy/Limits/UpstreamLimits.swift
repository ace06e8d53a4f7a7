import Settings
import EventLoop
import JSONText
import Operations
import Records
import Synchronization

/// The quota of an upstream that allows no more requests for now, or the pause that it demands.
package struct SpentQuota: Sendable, Equatable {
    /// Why there are no requests.
    package enum Cause: String, Sendable {
        /// The configured quota, or the one that the upstream states, is used up.
        case quota
        /// The upstream answered 429 with Retry-After.
        case rateLimit
        /// The upstream answered 503 with Retry-After: no quota is spent.
        case outage
        /// Replicas share the quota, and their store does not answer.
        case unshared
        /// An operator has paused the upstream.
        case command
    }

    /// The number of requests that it allowed, if known.
    package let limit: Int?
    /// The seconds until it allows requests again, at least one.
    package let seconds: Int
    var cause = Cause.quota
    /// The period of a configured quota, and when the next one begins, in unix seconds.
    var period: QuotaBudget.Period?, renewal: Int?

    /// Whether the upstream, or an operator, has demanded that it is not asked.
    var isPause: Bool { [.rateLimit, .outage, .command].contains(cause) }

    package func sentence(of upstream: String) -> String {
        let reason =
            switch cause {
            case .outage: "is unavailable, as it says"
            case .command: "is paused by an operator"
            case .rateLimit: "demands a pause after too many requests"
            case .unshared:
                "has a quota that replicas share, and the store that counts requests does not answer"
            case .quota:
                if let limit, let period, let renewal {
                    "has used up its \(period.text(limit)), renewed at \(timestamp(renewal))"
                } else {
                    "has used up its \(limit.map { "\($0) requests" } ?? "requests")"
                }
            }
        return "The upstream \(upstream) \(reason); it may be asked again in \(seconds) s."
    }
}

/// What an upstream allows, for all shards: the configured budget, and the pauses that its answers demand.
final class UpstreamLimits: Sendable {
    /// The longest time that a kind of requests can be blocked; `RateLimit` decides what a response may demand.
    private static let maximumSeconds = RateLimit.longestReset

    private struct State {
        var budget: QuotaBudget
        /// The weight of a request of each kind in the budget; 1 if absent.
        var weights: [String: Int]
        var pauses: [RequestKind: Pause] = [:]
        /// The share of this replica if the budget is that of all; nil otherwise.
        var share: QuotaShare?

        func weight(of kind: RequestKind) -> Int { weights[kind.weightName] ?? 1 }
    }

    private struct Pause {
        var limit: Int?
        var end: MonotonicTime
        var cause: SpentQuota.Cause
        /// The end in unix seconds, if it comes from a file: it must not move with each restart.
        var until: Int?
    }

    private let state: Mutex<State>
    /// The quota in the store; nil if this process is alone.
    let shared: SharedQuota?
    /// Called when what `saved` returns has changed.
    let changed: @Sendable () -> Void

    init(
        _ configuration: QuotaConfiguration = QuotaConfiguration(), shared: SharedQuota? = nil,
        changed: @escaping @Sendable () -> Void = {}
    ) {
        let budget = configuration.budget
        let share = shared.map { QuotaShare(budget, replicas: $0.replicas.replicas) }
        state = Mutex(State(budget: budget, weights: configuration.weights ?? [:], share: share))
        (self.shared, self.changed) = (shared, changed)
    }

    /// Calls `body` with the share of a shared quota, the budget of all replicas, and the weight of a request of `kind`.
    @discardableResult
    func withShare<Result>(
        _ kind: RequestKind, _ body: (inout QuotaShare, inout QuotaBudget, Int) -> Result
    ) -> Result? {
        state.withLock { state in
            guard var share = state.share.take() else { return nil }
            defer { state.share = share }
            return body(&share, &state.budget, state.weight(of: kind))
        }
    }

    /// Takes a new configuration over, with what has been counted.
    func update(_ configuration: QuotaConfiguration) {
        state.withLock { state in
            var budget = configuration.budget
            budget.restore(state.budget.counts)
            (state.budget, state.weights) = (budget, configuration.weights ?? [:])
            state.share?.update(configuration.budget)
        }
    }

    /// Returns the spent quota or the pause of `kind` that lasts longest; nil if requests are allowed.
    func quota(
        of kind: RequestKind, now: MonotonicTime, wallClock: Int
    ) -> SpentQuota? {
        state.withLock { Self.longest(of: kind, in: $0, now, wallClock) }
    }

    /// Counts a request of `kind`, unless it is refused.
    func take(
        _ kind: RequestKind, now: MonotonicTime, wallClock: Int
    ) -> QuotaBudget.Outcome {
        let outcome = state.withLock { state in
            if Self.pause(of: kind, in: state, now) != nil,
                let quota = Self.longest(of: kind, in: state, now, wallClock)
            {
                return QuotaBudget.Outcome.refused(quota)
            }
            return state.budget.take(state.weight(of: kind), at: wallClock)
        }
        if case .admitted = outcome { changed() }
        return outcome
    }

    /// Counts requests of `kind` that were made already.
    /// - Returns: The quota that they have used up, if it was not before.
    func add(
        _ count: Int, _ kind: RequestKind, wallClock: Int
    ) -> SpentQuota? {
        let exhausted = state.withLock { state -> SpentQuota? in
            let weight = state.weight(of: kind)
            if state.share == nil { return state.budget.add(count, of: weight, at: wallClock) }
            state.share?.add(count * weight, at: wallClock * 1000)
            return nil
        }
        changed()
        return exhausted
    }

    /// Blocks `kind` for `seconds`.
    /// - Returns: The spent quota if the kind was not blocked before, so that the caller logs it once.
    func note(
        limit: Int?, seconds: Int, cause: SpentQuota.Cause = .quota, of kind: RequestKind, now: MonotonicTime
    ) -> SpentQuota? {
        let end = now + .seconds(min(seconds, Self.maximumSeconds))
        let isNew = state.withLock { state in
            let known = state.pauses[kind]?.end ?? now
            // Responses arrive in any order: the longest pause counts.
            if known < end { state.pauses[kind] = Pause(limit: limit, end: end, cause: cause) }
            return known <= now
        }
        changed()
        return isNew ? state.withLock { Self.pause(of: kind, in: $0, now) } : nil
    }

    private static func longest(
        of kind: RequestKind, in state: State, _ now: MonotonicTime,
        _ wallClock: Int
    ) -> SpentQuota? {
        let weight = state.weight(of: kind)
        let spent =
            if let share = state.share {
                share.spent(weight, of: state.budget, at: wallClock * 1000)
            } else { state.budget.spent(weight, at: wallClock) }
        guard let pause = pause(of: kind, in: state, now), pause.seconds >= spent?.seconds ?? 0 else {
            return spent
        }
        return pause
    }

    /// Returns the pause of `kind` or of all kinds that lasts longest.
    private static func pause(of kind: RequestKind, in state: State, _ now: MonotonicTime) -> SpentQuota? {
        if state.pauses.isEmpty { return nil }
        let pauses = [state.pauses[kind], state.pauses[.every]].compactMap(\.self)
        guard let pause = pauses.max(by: { $0.end < $1.end }), now < pause.end else { return nil }
        let seconds = Int(((pause.end - now) / .seconds(1)).rounded(.up))
        return SpentQuota(limit: pause.limit, seconds: seconds, cause: pause.cause)
    }
}

// Figures and commands for operators.
extension UpstreamLimits {
    /// Returns what has been used of each configured limit, with requests of which other replicas do not know.
    func uses(wallClock: Int) -> [QuotaUse] {
        state.withLock { uses(of: $0, at: wallClock) }
    }

    private func uses(of state: State, at wallClock: Int) -> [QuotaUse] {
        let uses = state.budget.uses(at: wallClock)
        guard let share = state.share else { return uses }
        return zip(uses, share.uncounted(at: wallClock * 1000)).map { $0.adding($1) }
    }

    /// Returns the limits that are nearly used up, each once in its period.
    func takeWarnings() -> [QuotaUse] { state.withLock { $0.budget.takeWarnings() } }

    /// Pauses all kinds until `end`, as an operator says; nil ends that.
    func hold(until end: MonotonicTime?) {
        state.withLock { $0.pauses[.every] = end.map { Pause(end: $0, cause: .command) } }
    }

    /// Returns the pauses that last at `now`, by the names of the kinds.
    func pauses(now: MonotonicTime) -> [(kind: RequestKind, pause: SpentQuota)] {
        state.withLock { state in
            state.pauses.keys.sorted().compactMap { kind in
                Self.pause(of: kind, in: state, now).map { (kind, $0) }
            }
        }
    }

    /// Ends all pauses, and returns those that lasted; what has been counted stays.
    func endPauses(now: MonotonicTime) -> [(kind: RequestKind, pause: SpentQuota)] {
        let ended = pauses(now: now)
        state.withLock { $0.pauses = [:] }
        changed()
        return ended
    }
}

// What outlives the process.
extension UpstreamLimits {
    /// What has been counted and which pauses last, with moments in unix seconds.
    struct Saved: Record, Equatable {
        struct Window: Record, Equatable {
            var period = QuotaBudget.Period.second, start = 0, used = 0

            static let schema = Schema<Window> {
                Field(\.period, .required)
                Field(\.start, .required)
                Field(\.used, .required)
            }
        }

        struct Pause: Record, Equatable {
            var requests = "", limit: Int?, until = 0
            /// Absent is false.
            var isOutage: Bool?, isRateLimit: Bool?

            static let schema = Schema<Pause> {
                Field(\.requests, .required)
                Field(\.limit)
                Field(\.until, .required)
                Field(\.isOutage)
                Field(\.isRateLimit)
            }
        }

        var windows: [Window] = [], pauses: [Pause] = []

        var isEmpty: Bool { windows.isEmpty && pauses.isEmpty }

        static let schema = Schema<Saved> {
            Field(\.windows, .required)
            Field(\.pauses, .required)
        }

        /// The quotas by the names of the upstreams, as the file at `path` keeps them over restarts.
        static func file(_ path: String, log: Log, clock: Clock) -> StateFile<[String: Saved]> {
            StateFile(
                path: path, maximumBytes: 1 << 20,
                StateFileMessages(
                    name: "quota file", unread: "quota file not read", unwritten: "quota file not written",
                    file: "quotas",
                    ifShared: "Another process writes its own counts there. Give each process a file."),
                keepsUnread: true, log: log, clock: clock
            ) { root in
                guard root.kind == .object else { throw NoQuotas() }
                do {
                    return try Dictionary(root.members.map { ($0.string ?? "", try Saved.read($1).record) }) { $1 }
                } catch {
                    throw NoQuotas()
                }
            }
        }
    }

    /// What lasts at `now`, which is `wallClock` in unix seconds.
    func saved(now: MonotonicTime, wallClock: Int) -> Saved {
        state.withLock { state in
            // Pauses by hand end with the process.
            let pauses = state.pauses.filter { $0.value.end > now && $0.key != .every }.sorted {
                $0.key.name < $1.key.name
            }
            let uses = Dictionary(uniqueKeysWithValues: uses(of: state, at: wallClock).map { ($0.period, $0.used) })
            let counts = state.budget.counts.filter { $0.period.lasts(from: $0.start, at: wallClock) }
            return Saved(
                windows: counts.map {
                    Saved.Window(period: $0.period, start: $0.start, used: uses[$0.period] ?? $0.used)
                },
                pauses: pauses.map { kind, pause in
                    let seconds = Int(((pause.end - now) / .seconds(1)).rounded(.up))
                    return Saved.Pause(
                        requests: kind.name, limit: pause.limit, until: pause.until ?? wallClock + seconds,
                        isOutage: pause.cause == .outage ? true : nil,
                        isRateLimit: pause.cause == .rateLimit ? true : nil)
                })
        }
    }

    func restore(_ saved: Saved, now: MonotonicTime, wallClock: Int) {
        state.withLock { state in
            let counts = saved.windows.map { ($0.period, $0.start, $0.used) }
            state.budget.restore(counts)
            state.share?.restore(counts)
            for pause in saved.pauses {
                guard let kind = RequestKind(saved: pause.requests), pause.until > wallClock else {
                    continue
                }
                let seconds = min(pause.until - wallClock, Self.maximumSeconds)
                let cause: SpentQuota.Cause =
                    pause.isOutage == true ? .outage : pause.isRateLimit == true ? .rateLimit : .quota
                state.pauses[kind] = Pause(
                    limit: pause.limit, end: now + .seconds(seconds), cause: cause, until: wallClock + seconds)
            }
        }
    }
}

/// The error for a file whose content is something else.
private struct NoQuotas: Error, CustomStringConvertible {
    let description = "it is damaged, or no file of quotas"
}
