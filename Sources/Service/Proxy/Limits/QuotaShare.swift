import Store

/// What a replica knows of a quota that replicas share, and its share while the store does not answer; a value without a clock.
///
/// Times are milliseconds since 1970: `now` on the clock of this replica, others on the store's.
struct QuotaShare: Sendable {
    /// The time after a loss of the store in which the other replicas tell of their requests, too.
    private static let settlingTime = 1000
    /// The seconds after which a client may ask again while the store does not answer.
    private static let wait = 5

    /// The requests that were made without asking, and those of them that the store is known to have counted.
    private var unasked: QuotaBudget, counted: QuotaBudget
    /// The requests of all replicas, if each has made as many requests without asking as this one.
    private var projection: QuotaBudget
    /// The requests of this replica, each counted for all replicas: the share is used up when the limits are.
    private var own: QuotaBudget
    private var epoch = 0
    /// Whether replicas make requests of which the store does not know, and when the store has answered again.
    private var isLost = false, foundAt: Int?
    /// Whether the last question had no answer.
    private var isUnanswered = false
    /// The store's clock, less the clock of this replica.
    private var offset = 0
    private let replicas: Int

    init(_ budget: QuotaBudget, replicas: Int) {
        (own, unasked, counted, projection) = (budget, budget, budget, budget)
        self.replicas = replicas
    }

    /// Takes over new limits.
    mutating func update(_ budget: QuotaBudget) {
        for counter in [\QuotaShare.own, \.unasked, \.counted, \.projection] {
            let counts = self[keyPath: counter].counts
            self[keyPath: counter] = budget
            self[keyPath: counter].restore(counts)
        }
    }

    /// Takes over what a former process has counted.
    mutating func restore(_ counts: [(period: QuotaBudget.Period, start: Int, used: Int)]) {
        projection.restore(counts)
    }

    /// Returns what to ask the store with: the windows with what this replica knows of them.
    func question(
        of budget: QuotaBudget, at now: Int
    ) -> (windows: [SharedWindow], epoch: Int) {
        let time = (now + offset) / 1000
        let uses = [budget, unasked, counted].map { $0.uses(at: time) }
        let windows = budget.limits.enumerated().compactMap { index, limit -> SharedWindow? in
            guard let period = SharedWindow.Period(rawValue: limit.period.rawValue) else { return nil }
            var window = SharedWindow(period, limit: limit.limit)
            window.start = limit.period.window(at: time).lowerBound
            (window.known, window.unasked, window.counted) = (
                uses[0][index].used, uses[1][index].used, uses[2][index].used
            )
            return window
        }
        return (windows, epoch)
    }

    /// Returns the requests of each limit of which the store is not known to know.
    func uncounted(at now: Int) -> [Int] {
        let time = (now + offset) / 1000
        return zip(unasked.uses(at: time), counted.uses(at: time)).map { $0.used - $1.used }
    }

    /// Whether the store decides about a request, and not the rule for its loss.
    func asksStore(at now: Int) -> Bool {
        foundAt.map { !(0..<Self.settlingTime).contains(now - $0) } ?? true
    }

    /// Returns the quota that has no room for a request; nil if the store is to be asked.
    func spent(_ weight: Int, of budget: QuotaBudget, at now: Int) -> SpentQuota? {
        isUnanswered || !asksStore(at: now) ? nil : budget.spent(weight, at: (now + offset) / 1000)
    }

    /// Takes a request, or refuses it, as the store has answered.
    mutating func take(
        _ weight: Int, from allotment: SharedAllotment, of windows: [SharedWindow],
        _ budget: inout QuotaBudget, at now: Int
    ) -> QuotaBudget.Outcome {
        add(allotment, of: windows, to: &budget, at: now)
        let seconds = allotment.milliseconds / 1000
        let spent = budget.spent(weight, at: seconds)
        guard allotment.granted >= budget.possible(weight) else {
            return .refused(spent ?? SpentQuota(limit: nil, seconds: 1))
        }
        _ = own.add(1, of: weight * replicas, at: seconds)
        return .admitted(exhausted: spent)
    }

    /// Takes over the answer to a question, and puts into `budget` what all replicas have used.
    mutating func add(
        _ allotment: SharedAllotment, of windows: [SharedWindow], to budget: inout QuotaBudget, at now: Int
    ) {
        let time = allotment.milliseconds
        if isLost || (epoch != 0 && epoch != allotment.epoch) { foundAt = now }
        (isLost, isUnanswered, epoch, offset) = (false, false, allotment.epoch, time - now)
        budget.note(allotment.used, at: time / 1000)
        counted.note(windows.map(\.unasked), at: windows.map(\.start).max() ?? 0)
        if asksStore(at: now) { projection.note(allotment.used, at: time / 1000) }
    }

    /// Notes that the store does not answer, and that replicas make requests of which the store does not know.
    mutating func lose() { isLost = true }

    /// Decides about a request while the store does not answer.
    mutating func take(
        _ weight: Int, without rule: SharedReplicas.Rule, of budget: QuotaBudget,
        at now: Int
    ) -> QuotaBudget.Outcome {
        isUnanswered = true
        let seconds = (now + offset) / 1000, share = weight * replicas
        let refusal = SpentQuota(limit: nil, seconds: Self.wait, cause: .unshared)
        switch rule {
        case .deny: return .refused(refusal)
        case .share:
            if let spent = budget.spent(weight, at: seconds) { return .refused(spent) }
            let isPossible = budget.possible(share) == share
            guard isPossible, own.spent(share, at: seconds) == nil,
                projection.spent(share, at: seconds) == nil
            else { return .refused(refusal) }
        case .allow: break
        }
        add(weight, at: now)
        return .admitted(exhausted: nil)
    }

    /// Counts requests that were made without asking.
    mutating func add(_ weight: Int, at now: Int) {
        let seconds = (now + offset) / 1000
        _ = unasked.add(1, of: weight, at: seconds)
        for counter in [\QuotaShare.own, \.projection] {
            _ = self[keyPath: counter].add(1, of: weight * replicas, at: seconds)
        }
    }
}
