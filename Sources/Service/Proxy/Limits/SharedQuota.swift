import Store
import EventLoop
import Operations
import Synchronization

/// The quota of one upstream in the store, which counts for a host and an account.
final class SharedQuota: Sendable {
    let replicas: SharedReplicas
    private let upstream: String
    /// The host, and the account, which a new key can change.
    private let owner = Mutex<(host: String, account: AccountChecksum?)>(("", nil))

    init(replicas: SharedReplicas, upstream: String) { (self.replicas, self.upstream) = (replicas, upstream) }

    /// The name of the counts: with another host or account, of which the name has a checksum, a service of the same name has
    /// counts of its own.
    var name: String {
        let (host, account) = owner.withLock(\.self)
        return "\(upstream) \(String(DocumentKey.address(host) ^ (account?.value ?? 0), radix: 16))"
    }

    /// Counts for the host and the account of the upstream as it is configured now.
    func count(for host: String, _ account: AccountChecksum) { owner.withLock { $0 = (host, account) } }
}

// Quotas that replicas share.
extension UpstreamLimits {
    /// Counts a request of `kind` at all replicas, unless it is refused.
    nonisolated(nonsending) func take(_ kind: RequestKind, in context: FetchContext) async -> QuotaBudget.Outcome {
        let (purpose, clock, shard) = (context.purpose, context.clock, context.shard)
        guard let shared, hasLimits else {
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
        var answer: (allotment: SharedAllotment, windows: [SharedWindow])?
        switch decision {
        case .decided(let outcome)?: return outcome
        case .ask(let count)?: answer = await allot(count, for: purpose, clock, on: shard)
        case .alone?, nil: break
        }
        let outcome = withStock(kind) { stock, budget, weight in
            let now = clock.milliseconds()
            guard let (allotment, windows) = answer else {
                return stock.take(weight, for: purpose, without: shared.replicas.onLoss, of: budget, at: now)
            }
            return stock.take(weight, for: purpose, from: allotment, of: windows, &budget, at: now)
        }
        changed()
        if answer != nil, case .refused? = outcome { shared.replicas.note(.spent) }
        if answer?.allotment.granted ?? 0 > 0 { shared.replicas.note(.allotted) }
        return outcome ?? .admitted(exhausted: nil)
    }

    /// Takes requests from the store, and tells the store of those that were made without asking; nil without an answer.
    nonisolated(nonsending) private func allot(
        _ count: Int, for purpose: FetchPurpose, _ clock: Clock, on shard: Shard
    ) async -> (allotment: SharedAllotment, windows: [SharedWindow])? {
        guard let shared else { return nil }
        guard shared.replicas.store.isReachable(on: shard) else {
            // With `deny`, there are no requests of which the store does not know; with `allow`, they may exceed the quota.
            if shared.replicas.onLoss == .share { withStock(.probe) { stock, _, _ in stock.lose() } }
            return nil
        }
        let question = withStock(.probe) { stock, budget, _ in
            stock.question(for: purpose, of: budget, at: clock.milliseconds())
        }
        guard let (windows, epoch) = question else { return nil }
        let allotment = await shared.replicas.ask(
            try await shared.replicas.store.allot(count, of: shared.name, windows: windows, epoch: epoch, on: shard))
        return allotment.map { ($0, windows) }
    }

    /// Tells the store of requests that were made without asking, learns what the others have used, and gives unused
    /// requests back: near the end of a window, or all at the end of the process.
    nonisolated(nonsending) func balance(isEnding: Bool, _ clock: Clock, on shard: Shard) async {
        guard let shared, hasLimits,
            let (allotment, windows) = await allot(0, for: .refresh, clock, on: shard)
        else { return }
        let surplus = withStock(.probe) { stock, budget, _ in
            let now = clock.milliseconds()
            stock.add(allotment, of: windows, to: &budget, at: now)
            return stock.surplus(of: budget, at: now, isEnding: isEnding)
        }
        for requests in surplus ?? [] {
            let isDone: Void? = await shared.replicas.ask(
                try await shared.replicas.store.giveBack(
                    requests.count, of: shared.name, windows: windows, takenAt: requests.takenAt, on: shard))
            if isDone != nil { shared.replicas.note(.givenBack) }
        }
    }

    private var hasLimits: Bool { withStock(.probe) { _, budget, _ in !budget.limits(for: .client).isEmpty } ?? false }
}
