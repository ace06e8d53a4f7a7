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
        let (clock, shard) = (context.clock, context.shard)
        guard let shared, hasLimits else {
            return take(kind, now: context.now, wallClock: clock.seconds)
        }
        if pauses(now: context.now).contains(where: { $0.kind == kind || $0.kind == .every }),
            let quota = quota(of: kind, now: context.now, wallClock: clock.seconds)
        {
            return .refused(quota)
        }
        var answer: (allotment: SharedAllotment, windows: [SharedWindow])?
        let question = withShare(kind) { share, budget, weight in
            let now = clock.milliseconds()
            let spent = share.spent(weight, of: budget, at: now)
            return (spent, share.asksStore(at: now) ? budget.possible(weight) : nil)
        }
        if let spent = question?.0 { return .refused(spent) }
        if let count = question?.1 { answer = await allot(count, clock, on: shard) }
        let outcome = withShare(kind) { share, budget, weight in
            let now = clock.milliseconds()
            guard let (allotment, windows) = answer else {
                return share.take(weight, without: shared.replicas.onLoss, of: budget, at: now)
            }
            return share.take(weight, from: allotment, of: windows, &budget, at: now)
        }
        changed()
        if answer != nil, case .refused? = outcome { shared.replicas.note(.spent) }
        if answer?.allotment.granted ?? 0 > 0 { shared.replicas.note(.allotted) }
        return outcome ?? .admitted(exhausted: nil)
    }

    /// Takes requests from the store, and tells the store of those that were made without asking; nil without an answer.
    nonisolated(nonsending) private func allot(
        _ count: Int, _ clock: Clock, on shard: Shard
    ) async -> (allotment: SharedAllotment, windows: [SharedWindow])? {
        guard let shared else { return nil }
        guard shared.replicas.store.isReachable(on: shard) else {
            // With `deny`, there are no requests of which the store does not know; with `allow`, they may exceed the quota.
            if shared.replicas.onLoss == .share { withShare(.probe) { share, _, _ in share.lose() } }
            return nil
        }
        let question = withShare(.probe) { share, budget, _ in
            share.question(of: budget, at: clock.milliseconds())
        }
        guard let (windows, epoch) = question else { return nil }
        let allotment = await shared.replicas.ask(
            try await shared.replicas.store.allot(count, of: shared.name, windows: windows, epoch: epoch, on: shard))
        return allotment.map { ($0, windows) }
    }

    /// Tells the store of requests that were made without asking, and learns what the others have used.
    nonisolated(nonsending) func balance(_ clock: Clock, on shard: Shard) async {
        guard hasLimits, let (allotment, windows) = await allot(0, clock, on: shard) else { return }
        withShare(.probe) { share, budget, _ in
            share.add(allotment, of: windows, to: &budget, at: clock.milliseconds())
        }
    }

    private var hasLimits: Bool { withShare(.probe) { _, budget, _ in !budget.limits.isEmpty } ?? false }
}
