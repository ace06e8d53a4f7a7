import Cache
import EventLoop
import Telemetry

/// The quota of one upstream in the store.
struct SharedQuota: Sendable {
    let replicas: SharedReplicas
    /// The name of the upstream.
    let name: String

    /// Asks the store for requests; nil if the store does not answer.
    nonisolated(nonsending) func allot(
        _ count: Int, _ windows: [SharedWindow], on shard: Shard
    ) async -> SharedAllotment? {
        guard replicas.isReachable(on: shard) else { return nil }
        return await replicas.ask { store throws(SharedFault) in
            try await store.allot(count, of: name, windows: windows, on: shard)
        }
    }

    nonisolated(nonsending) func giveBack(
        _ requests: QuotaStock.Requests, _ windows: [SharedWindow], on shard: Shard
    ) async {
        guard replicas.isReachable(on: shard) else { return }
        let isDone: Void? = await replicas.ask { store throws(SharedFault) in
            try await store.giveBack(
                requests.count, of: name, windows: windows, takenAt: requests.takenAt, on: shard)
        }
        if isDone != nil { replicas.note(.givenBack) }
    }
}

// Quotas that replicas share.
extension SpentQuotas {
    /// Counts a request of `kind` at all replicas, unless it is refused.
    nonisolated(nonsending) func take(_ kind: RequestKind, in context: FetchContext) async -> QuotaBudget.Outcome {
        let (purpose, clock, shard) = (context.purpose, context.clock, context.shard)
        guard let shared, let windows = sharedWindows(for: purpose) else {
            return take(kind, for: purpose, now: context.now, wallClock: clock.seconds)
        }
        if pauses(now: context.now).contains(where: { $0.kind == kind }),
            let quota = quota(of: kind, for: purpose, now: context.now, wallClock: clock.seconds)
        {
            return .refused(quota)
        }
        let decision = withStock(kind) { stock, budget, weight in
            stock.take(weight, for: purpose, of: budget, at: clock.milliseconds())
        }
        guard case .ask(let count)? = decision else {
            if case .decided(let outcome)? = decision { return outcome }
            return take(kind, for: purpose, now: context.now, wallClock: clock.seconds)
        }
        await payDebt(clock, on: shard)
        let allotment = await shared.allot(count, windows, on: shard)
        let outcome = withStock(kind) { stock, budget, weight in
            let now = clock.milliseconds()
            guard let allotment else {
                return stock.take(weight, for: purpose, without: shared.replicas.onLoss, of: budget, at: now)
            }
            return stock.take(weight, for: purpose, from: allotment, of: &budget, at: now)
        }
        changed()
        if allotment != nil, case .refused? = outcome { shared.replicas.note(.spent) }
        if allotment?.granted ?? 0 > 0 { shared.replicas.note(.allotted) }
        return outcome ?? .admitted(exhausted: nil)
    }

    /// Tells the store of requests that were made without asking: those of windows that are not over soon.
    nonisolated(nonsending) private func payDebt(_ clock: Clock, on shard: Shard) async {
        guard let shared, let windows = sharedWindows(for: .refresh), shared.replicas.isReachable(on: shard) else {
            return
        }
        let debt = withStock(.probe) { stock, _, _ in stock.payDebt(at: clock.milliseconds()) } ?? 0
        let longest = windows.filter { $0.period != .second && $0.period != .minute }
        guard debt > 0, !longest.isEmpty, await shared.allot(debt, longest, on: shard) == nil else { return }
        _ = withStock(.probe) { stock, budget, _ in stock.owe(debt, of: budget, at: clock.milliseconds()) }
    }

    /// Gives unused requests back: near the end of a window, or all at the end of the process.
    nonisolated(nonsending) func giveBack(isEnding: Bool, _ clock: Clock, on shard: Shard) async {
        guard let shared, let windows = sharedWindows(for: .refresh) else { return }
        let surplus = withStock(.probe) { stock, budget, _ in
            stock.surplus(of: budget, at: clock.milliseconds(), isEnding: isEnding)
        }
        for requests in surplus ?? [] { await shared.giveBack(requests, windows, on: shard) }
        if isEnding { await payDebt(clock, on: shard) }
    }

    /// The windows in the store for the requests of a purpose; nil without limits.
    private func sharedWindows(for purpose: FetchPurpose) -> [SharedWindow]? {
        let windows = withStock(.probe) { _, budget, _ in
            budget.limits(for: purpose).compactMap { period, limit in
                SharedWindow.Period(rawValue: period.rawValue).map { SharedWindow($0, limit: limit) }
            }
        }
        return windows.flatMap { $0.isEmpty ? nil : $0 }
    }
}
