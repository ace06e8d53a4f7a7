package import EventLoop
package import Operations
package import Settings
import Synchronization

/// The counts of the limits of clients, over reloads; without limits the ledger is empty.
package final class LimitLedger: Sendable {
    private let bytes: Int
    private let log: Log
    /// What the replicas exchange; nil if this one is alone.
    private let shared: SharedLimits?
    private let state = Mutex((table: ClientTable?.none, counts: [String: LimitCounts](), rates: [String: Rate]()))

    /// The rate of a limit, and how many others it has had before.
    private struct Rate {
        var requests: Int, perSeconds: Int, edition = 0
    }

    /// A ledger whose table takes up at most `bytes`, within the bounds of the table.
    package init(bytes: Int = ClientTable.mostBytes, shared: SharedReplicas? = nil, log: Log = .standard) {
        (self.bytes, self.shared, self.log) = (bytes, shared.map { SharedLimits($0) }, log)
    }

    /// Tells the other replicas what clients have used here, and learns what they have used elsewhere.
    package nonisolated(nonsending) func exchange(on shard: Shard) async {
        if let table = state.withLock(\.table) { await shared?.exchange(table, on: shard) }
    }

    /// Returns the limits of a configuration, with what is known of limits with the same names.
    ///
    /// The name of a limit is that of its subject, with a number from the second of a name on.
    package func limits(_ settings: [LimitConfiguration]) -> [ClientLimit] {
        state.withLock { state in
            if state.table == nil, !settings.isEmpty { state.table = ClientTable(bytes: bytes) }
            guard let table = state.table else { return [] }
            return settings.enumerated().map { index, limit in
                let number = settings[...index].count { $0.by.name == limit.by.name }
                let name = limit.by.name + (number == 1 ? "" : "-\(number)")
                let counts = state.counts[name] ?? LimitCounts()
                state.counts[name] = counts
                var rate = state.rates[name] ?? Rate(requests: limit.requests, perSeconds: limit.perSeconds)
                if rate.requests != limit.requests || rate.perSeconds != limit.perSeconds {
                    rate = Rate(requests: limit.requests, perSeconds: limit.perSeconds, edition: rate.edition + 1)
                }
                state.rates[name] = rate
                return ClientLimit(limit, named: name, edition: rate.edition, table, counts, log, shared)
            }
        }
    }

    /// The metrics.
    package static let figures: [Figure<LimitLedger>] = [
        Figure(
            "weir_limited_requests_total", .counter, ["limit", "reason", "action"],
            "Requests beyond a limit of clients.",
            note: """
                The limit is named for `by`, with a number from the second of a name on: `address`, `address-2`, `x-client`. \
                The reasons are `rate`, `miss_cost` (not enough is left for `missCost`) and `misses` (too many at a time). The \
                action is `refused`, or `counted` with `dryRun`. Absent without `server.limits`.
                """
        ) { $0.samples },
        Figure(
            "weir_limit_evictions_total", .counter,
            "Clients that left the full table of limits before they had their whole burst again.",
            note: "Such a client starts anew. Absent without `server.limits`.",
            value: { ledger in ledger.state.withLock { $0.table?.evictions } }),
    ]

    private var samples: [FigureSample]? {
        let counts = state.withLock { $0.counts }
        if counts.isEmpty { return nil }
        return counts.sorted { $0.key < $1.key }.flatMap { name, counts in
            counts.all.map { FigureSample($0.count, name, $0.reason.rawValue, $0.isDry ? "counted" : "refused") }
        }
    }
}

/// The counts of one limit.
final class LimitCounts: Sendable {
    /// Why a request was refused.
    enum Reason: String, CaseIterable {
        case rate, missCost = "miss_cost", misses
    }

    private struct State {
        /// The refusals by reason, apart for a limit that only counts.
        var refusals: [Bool: [Reason: Int]] = [:]
        /// The second of the last line in the log, and the refusals since.
        var second: UInt64?, unlogged = 0
        /// The misses under way, by the hashes of the clients.
        var misses: [UInt64: Int] = [:]
    }

    private let state = Mutex(State())

    /// The refusals that have occurred, by reason.
    var all: [(reason: Reason, isDry: Bool, count: Int)] {
        let refusals = state.withLock(\.refusals)
        return [false, true].flatMap { isDry in
            Reason.allCases.compactMap { reason in refusals[isDry]?[reason].map { (reason, isDry, $0) } }
        }
    }

    /// Counts a refusal; returns the number of refusals since the last line if the log is to get one, once a second.
    func note(_ reason: Reason, isDry: Bool, second: UInt64) -> Int? {
        state.withLock { state in
            state.refusals[isDry, default: [:]][reason, default: 0] += 1
            state.unlogged += 1
            // An event loop whose clock is a little behind comes once more with the second before.
            if let last = state.second, second <= last { return nil }
            defer { (state.second, state.unlogged) = (second, 0) }
            return state.unlogged
        }
    }

    /// Counts a miss of the client that begins, unless `most` are under way.
    @discardableResult
    func begin(_ client: UInt64, atMost most: Int = .max) -> Bool {
        state.withLock { state in
            guard state.misses[client, default: 0] < most else { return false }
            state.misses[client, default: 0] += 1
            return true
        }
    }

    /// Counts a miss of the client that has ended.
    func end(_ client: UInt64) {
        state.withLock { state in
            let left = state.misses[client, default: 1] - 1
            state.misses[client] = left > 0 ? left : nil
        }
    }
}
