import EventLoop
import Store
import Synchronization

/// The requests of clients under limits that replicas share: each replica decides alone, and soon tells the others.
///
/// A replica that did not know of the others' requests has admitted a client's burst once more at most.
final class SharedLimits: Sendable {
    /// The clients of one exchange; the requests of others count for this replica alone.
    private static let mostClients = 10_000
    /// The clients of one command: Redis does nothing else for about half a millisecond.
    private static let batch = 200

    /// What a client has used since the last exchange, and what it can use at once, as times.
    private struct Use {
        let name: String
        var nanoseconds: UInt64
        let room: UInt64
    }

    private let replicas: SharedReplicas
    private let uses = Mutex<[UInt64: Use]>([:])
    private let isLost = Atomic(false)

    init(_ replicas: SharedReplicas) { self.replicas = replicas }

    /// How many requests a request counts as: while the store does not answer, each replica allows its part, unless the rule is
    /// to allow all.
    var weight: Int { isLost.load(ordering: .relaxed) && replicas.onLoss != .allow ? replicas.replicas : 1 }

    /// Notes that a client has used `cost` requests; the other replicas know the client by `name`.
    func note(_ cost: Int, of rate: RequestRate, _ client: UInt64, _ name: () -> String) {
        let nanoseconds = rate.time(for: cost)
        uses.withLock { uses in
            if uses[client] == nil, uses.count < Self.mostClients {
                uses[client] = Use(name: name(), nanoseconds: 0, room: rate.room)
            }
            uses[client]?.nanoseconds += nanoseconds
        }
    }

    /// Takes `cost` requests back, unless the other replicas know of them already.
    func giveBack(_ cost: Int, of rate: RequestRate, _ client: UInt64) {
        let nanoseconds = rate.time(for: cost)
        uses.withLock { uses in
            if let known = uses[client]?.nanoseconds { uses[client]?.nanoseconds = known - min(known, nanoseconds) }
        }
    }

    /// Tells the other replicas what clients have used here, and notes in `table` what they have used elsewhere.
    nonisolated(nonsending) func exchange(_ table: ClientTable, on shard: Shard) async {
        isLost.store(!replicas.store.isReachable(on: shard), ordering: .relaxed)
        let all = uses.withLock { uses in
            defer { uses = [:] }
            return Array(uses)
        }
        for start in stride(from: 0, to: all.count, by: Self.batch) {
            let batch = all[start..<min(start + Self.batch, all.count)]
            let spendings = batch.map { _, use in
                SharedSpending(
                    name: use.name, microseconds: Int(use.nanoseconds / 1000),
                    most: Int(use.room / 1000) * (replicas.replicas + 1))
            }
            let ends = await replicas.ask(try await replicas.store.spend(spendings, on: shard))
            guard let ends else { return }
            let now = shard.now.nanoseconds
            for ((client, _), left) in zip(batch, ends) { table.raise(client, to: now + UInt64(left) * 1000) }
        }
    }
}
