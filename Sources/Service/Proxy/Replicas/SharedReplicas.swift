package import Store
import Dispatch
import EventLoop
import Synchronization
package import Operations

/// The store and the rules that this replica shares with the others, over reloads, with the counts of events.
public final class SharedReplicas: Sendable {
    /// The rule for a shared quota while the store does not answer.
    package enum Rule: String, CaseIterable, Sendable {
        /// Each replica uses its share of the quota: the limit, divided by the number of replicas.
        case share
        /// No request is made.
        case deny
        /// All requests are made.
        case allow
    }

    /// The events between a replica and the store, by the names in the metrics.
    package enum Event: String, CaseIterable, Sendable {
        /// A document of another replica was used, had to be validated, or was not there.
        case hit, stale, miss
        /// A value was damaged, or cannot be read as the document of its upstream.
        case corrupt
        case leaseGranted = "lease_granted", leaseHeld = "lease_held"
        /// A document was written, or is larger than the setting allows.
        case written, tooLarge = "too_large"
        /// A request of a quota was taken, or the quota was spent.
        case allotted, spent
        /// The store did not answer.
        case fault
    }

    let store: any SharedStore
    /// The number of replicas that share the store, this one included.
    let replicas: Int
    package let onLoss: Rule
    /// The most bytes of a document in the store, compressed.
    let maximumDocumentBytes: Int
    private let counts = Mutex<[Event: Int]>([:])
    /// The purges of operators, with their times.
    let purges = Mutex<[(rule: PurgeRule, seconds: Int)]>([])
    /// The work for which no client waits.
    private let work = DispatchGroup()

    package init(
        _ store: any SharedStore, replicas: Int, onLoss: Rule = .share, maximumDocumentBytes: Int = 1 << 20
    ) {
        (self.store, self.replicas, self.onLoss) = (store, max(1, replicas), onLoss)
        self.maximumDocumentBytes = maximumDocumentBytes
    }

    /// Returns what the store answers; nil if it does not.
    nonisolated(nonsending) func ask<Value: Sendable>(
        _ answer: nonisolated(nonsending) @autoclosure () async throws(SharedFault) -> Value
    ) async -> Value? {
        do throws(SharedFault) { return try await answer() } catch {
            // A write that comes too late is no fault of the store, and a client that has left is none either.
            if error != .superseded, error != .cancelled { note(.fault) }
            return nil
        }
    }

    /// Does work for which no client waits; `settle` waits for its end.
    func later(on shard: Shard, _ body: @escaping @Sendable () async -> Void) {
        work.enter()
        Task(executorPreference: shard) { [work] in
            await body()
            work.leave()
        }
    }

    /// Waits until what was begun has been written; each call of the store ends in its time.
    package func settle() async {
        await withCheckedContinuation { continuation in
            work.notify(queue: .global()) { continuation.resume() }
        }
    }

    func note(_ event: Event) { counts.withLock { $0[event, default: 0] += 1 } }

    /// How often each event has occurred.
    package var events: [(event: Event, count: Int)] {
        counts.withLock { counts in Event.allCases.map { ($0, counts[$0] ?? 0) } }
    }

    /// The metric.
    package static let table: [Figure<SharedReplicas>] = [
        Figure(
            "weir_shared_events_total", .counter, ["event"],
            "Documents, leases and quotas of replicas that share a store.",
            note: """
                Events of [documents](scaling.md): `hit`, `stale` (of another replica, and had to be validated), `miss`, \
                `corrupt`, `written`, `too_large`; of leases: `lease_granted`, `lease_held` (by another replica); of quotas: \
                `allotted`, `spent`. `fault`: the store was asked and did not answer; while it is known to be away, nobody asks. \
                Absent without `shared`.
                """
        ) { replicas in replicas.events.map { FigureSample($1, $0.rawValue) } }
    ]
}
