import Store

/// The requests of a shared quota that this replica may make without asking the store; a value without a clock.
///
/// Times are milliseconds since 1970: `now` on the clock of this replica, others on the store's.
struct QuotaStock: Sendable {
    /// The decision about a request.
    enum Decision: Sendable, Equatable {
        case decided(QuotaBudget.Outcome)
        /// The rule for the loss of the store decides.
        case alone
        /// The store is to be asked for so many requests.
        case ask(Int)
    }

    /// Requests, and the time of the last allotment that they are from.
    struct Requests: Sendable, Equatable {
        let count: Int, takenAt: Int
    }

    /// How long the store's answer that a quota is spent holds: other replicas give requests back.
    private static let recheck = 1000
    /// The time after a loss of the store in which the other replicas tell of their requests, too.
    private static let settlingTime = 1000
    /// The seconds after which a client may ask again while the store does not answer.
    private static let wait = 5
    /// The part of a window's expected use that is taken at once.
    private static let part = 20.0
    /// The most allotments whose rests are kept until they are given back.
    private static let maximumRests = 16

    private(set) var left = 0
    private var takenAt = 0
    /// When the first window of the stock ends.
    private var end = 0
    /// The requests that were left when a window ended: other windows of the same allotments go on.
    private var rests: [Requests] = []
    /// The requests that were made without asking, and those of them that the store is known to have counted.
    private var unasked: QuotaBudget, counted: QuotaBudget
    /// The requests of all replicas, if each has made as many requests without asking as this one.
    private var projection: QuotaBudget
    private var epoch = 0
    /// Whether the store does not answer, and when the store has answered again.
    private var isLost = false, foundAt: Int?
    /// The store's clock, less the clock of this replica.
    private var offset = 0
    private var askedAt: Int?
    /// Whether a request under way asks for more than it needs.
    private var isAsking = false
    /// Whether the last question had no answer.
    private var isUnanswered = false
    private var rate = RequestRate()
    /// The requests of this replica, each counted for all replicas: the share is used up when the limits are.
    private var own: QuotaBudget
    private let replicas: Int

    init(_ budget: QuotaBudget, replicas: Int) {
        (own, unasked, counted, projection) = (budget, budget, budget, budget)
        self.replicas = replicas
    }

    /// Takes over new limits.
    mutating func update(_ budget: QuotaBudget) {
        for counter in [\QuotaStock.own, \.unasked, \.counted, \.projection] {
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
        for purpose: FetchPurpose, of budget: QuotaBudget, at now: Int
    ) -> (windows: [SharedWindow], epoch: Int) {
        let time = (now + offset) / 1000
        let uses = [budget, unasked, counted].map { $0.uses(at: time) }
        let windows = budget.limits(for: purpose).enumerated().compactMap { index, limit -> SharedWindow? in
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

    /// Takes a request of `weight` from the stock, or says how many to ask for; `budget` is what all replicas have used.
    mutating func take(
        _ weight: Int, for purpose: FetchPurpose, of budget: QuotaBudget, at now: Int
    ) -> Decision {
        let weight = budget.possible(weight, for: purpose)
        let time = now + offset
        if time >= end { putAside() }
        if left >= weight { return .decided(.admitted(exhausted: use(weight, for: purpose, of: budget, at: time))) }
        if isSettling(at: now) { return .alone }
        if let quota = spent(weight, for: purpose, of: budget, at: now) { return .decided(.refused(quota)) }
        // The part of a limit that is for refreshing must not come into the stock, from which clients take.
        // An answer that does not come may have granted requests, which are lost.
        let isAlone = isAsking || isUnanswered || (purpose == .refresh && budget.refreshPercent > 0)
        isAsking = true
        askedAt = now
        return .ask(max(weight - left, isAlone ? 0 : batch(of: budget, at: time)))
    }

    /// Puts an allotment into the stock and takes the request from there.
    mutating func take(
        _ weight: Int, for purpose: FetchPurpose, from allotment: SharedAllotment, of windows: [SharedWindow],
        _ budget: inout QuotaBudget, at now: Int
    ) -> QuotaBudget.Outcome {
        let weight = budget.possible(weight, for: purpose), time = allotment.milliseconds
        isAsking = false
        add(allotment, of: windows, to: &budget, at: now)
        if left >= weight { return .admitted(exhausted: use(weight, for: purpose, of: budget, at: time)) }
        let spent = budget.spent(weight, for: purpose, at: time / 1000)
        return .refused(spent ?? SpentQuota(limit: nil, seconds: 1))
    }

    /// Puts the answer to a question into the stock, and into `budget` what all replicas have used.
    mutating func add(
        _ allotment: SharedAllotment, of windows: [SharedWindow], to budget: inout QuotaBudget, at now: Int
    ) {
        let time = allotment.milliseconds
        if isLost || (epoch != 0 && epoch != allotment.epoch) { foundAt = now }
        (isLost, isUnanswered, epoch, offset) = (false, false, allotment.epoch, time - now)
        budget.note(allotment.used, at: time / 1000)
        counted.note(windows.map(\.unasked), at: windows.map(\.start).max() ?? 0)
        if !isSettling(at: now) { projection.note(allotment.used, at: time / 1000) }
        guard allotment.granted > 0 else { return }
        if time >= end { putAside() }
        left += allotment.granted
        takenAt = time
        end = budget.ends(at: time).min() ?? time
    }

    /// Notes that the store does not answer, and that replicas make requests of which the store does not know.
    mutating func lose() { isLost = true }

    private func isSettling(at now: Int) -> Bool {
        foundAt.map { (0..<Self.settlingTime).contains(now - $0) } ?? false
    }

    /// Decides about a request while the store does not answer.
    mutating func take(
        _ weight: Int, for purpose: FetchPurpose, without rule: SharedReplicas.Rule, of budget: QuotaBudget,
        at now: Int
    ) -> QuotaBudget.Outcome {
        (isAsking, isUnanswered) = (false, true)
        let time = now + offset, seconds = time / 1000, share = weight * replicas
        let refusal = SpentQuota(limit: nil, seconds: Self.wait, cause: .unshared)
        switch rule {
        case .deny: return .refused(refusal)
        case .share:
            if let spent = budget.spent(weight, for: purpose, at: seconds) { return .refused(spent) }
            let isPossible = budget.possible(share, for: purpose) == share
            guard isPossible, own.spent(share, for: purpose, at: seconds) == nil,
                projection.spent(share, for: purpose, at: seconds) == nil
            else { return .refused(refusal) }
        case .allow: break
        }
        add(weight, for: purpose, of: budget, at: now)
        return .admitted(exhausted: nil)
    }

    /// Counts requests that were made already.
    mutating func add(_ weight: Int, for purpose: FetchPurpose, of budget: QuotaBudget, at now: Int) {
        let time = now + offset
        if left >= weight, time < end {
            left -= weight
        } else {
            _ = unasked.add(1, of: weight, for: purpose, at: time / 1000)
            _ = projection.add(1, of: weight * replicas, for: purpose, at: time / 1000)
        }
        note(weight, for: purpose, at: time)
    }

    /// Returns the quota that has no room for a request; nil if the stock has, or if the store is to be asked.
    func spent(_ weight: Int, for purpose: FetchPurpose, of budget: QuotaBudget, at now: Int) -> SpentQuota? {
        let time = now + offset
        if left >= budget.possible(weight, for: purpose), time < end { return nil }
        // A clock that goes back must not keep the store from being asked.
        guard let askedAt, abs(now - askedAt) < Self.recheck else { return nil }
        return budget.spent(weight, for: purpose, at: time / 1000)
    }

    /// Removes the unused requests from the stock: after or near the end of a window, where other replicas may need them, or
    /// at the end of the process.
    mutating func surplus(of budget: QuotaBudget, at now: Int, isEnding: Bool) -> [Requests] {
        let time = now + offset
        if isEnding || time >= end || budget.isNearEnd(at: time) { putAside() }
        defer { rests = [] }
        return rests
    }

    private mutating func putAside() {
        if left > 0, rests.count < Self.maximumRests { rests.append(Requests(count: left, takenAt: takenAt)) }
        left = 0
    }

    private mutating func use(
        _ weight: Int, for purpose: FetchPurpose, of budget: QuotaBudget, at time: Int
    ) -> SpentQuota? {
        left -= weight
        note(weight, for: purpose, at: time)
        return left >= weight ? nil : budget.spent(weight, for: purpose, at: time / 1000)
    }

    private mutating func note(_ weight: Int, for purpose: FetchPurpose, at time: Int) {
        rate.note(weight, at: time)
        _ = own.add(1, of: weight * replicas, for: purpose, at: time / 1000)
    }

    /// The requests to ask for: a 20th of what this replica would use until a window ends, and a part of what is left that
    /// leaves 24 of 25 requests to be used if all other replicas have as much and use none.
    private func batch(of budget: QuotaBudget, at time: Int) -> Int {
        let sizes = zip(budget.uses(at: time / 1000), budget.ends(at: time)).map { use, end in
            let expected = rate.perSecond(at: time) * Double(end - time) / 1000 / Self.part
            return min(expected, Double(use.left) / Double(25 * replicas))
        }
        return Int(sizes.min() ?? 0)
    }
}

/// The requests of the last minutes, by the second: a mean whose weights fall to a third in five minutes.
private struct RequestRate: Sendable {
    private static let milliseconds = 300_000.0

    private var sum = 0.0
    private var latest = 0

    mutating func note(_ weight: Int, at time: Int) {
        sum = decayed(at: time) + Double(weight)
        latest = time
    }

    func perSecond(at time: Int) -> Double { decayed(at: time) / Self.milliseconds * 1000 }

    private func decayed(at time: Int) -> Double {
        sum / (1 + Double(max(0, time - latest)) / Self.milliseconds)
    }
}
