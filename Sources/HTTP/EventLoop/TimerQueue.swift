/// Timers in the order of their deadlines: a binary heap.
///
/// Cancelled timers are removed when their deadline comes, or when there are many.
struct TimerQueue {
    private struct Entry {
        let deadline: MonotonicTime
        let timer: ShardTimer
    }

    private static let minimumPruned = 64

    private var heap: [Entry] = []
    private var pruneAt = minimumPruned

    var first: MonotonicTime? { heap.first?.deadline }

    /// The number of entries, including those of cancelled timers.
    var count: Int { heap.count }

    mutating func insert(_ timer: ShardTimer, at deadline: MonotonicTime) {
        if heap.count >= pruneAt { prune() }
        heap.append(Entry(deadline: deadline, timer: timer))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            if heap[parent].deadline <= heap[child].deadline { break }
            heap.swapAt(parent, child)
            child = parent
        }
    }

    /// Removes the cancelled timers.
    ///
    /// Timeouts are nearly always cancelled, and long ones would accumulate: a million in a minute of busy upstreams.
    private mutating func prune() {
        heap.removeAll { $0.timer.action == nil }
        // A sorted array is a heap.
        heap.sort { $0.deadline < $1.deadline }
        pruneAt = max(Self.minimumPruned, 2 * heap.count)
    }

    mutating func popDue(at now: MonotonicTime) -> ShardTimer? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].deadline < heap[least].deadline { least = child }
            }
            if least == parent { break }
            heap.swapAt(parent, least)
            parent = least
        }
        return first.timer
    }
}

/// An action that runs on its shard at its deadline; used on that shard only.
public final class ShardTimer {
    var action: (() -> Void)?

    init(_ action: @escaping () -> Void) { self.action = action }

    /// Releases the action without running it.
    public func cancel() { action = nil }
}
