/// Actions by their time: a binary heap.
///
/// Cancelled ones are forgotten when their time comes, or when they are many.
struct TimerQueue {
    /// An action that waits for its time.
    struct Entry {
        let deadline: MonotonicTime
        let timer: ShardTimer
    }

    private static let smallestPruned = 64

    private var heap: [Entry] = []
    private var pruneAt = smallestPruned

    /// When the first action is due.
    var first: MonotonicTime? { heap.first?.deadline }

    /// How many entries are kept, those of cancelled actions included.
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

    /// Drops the cancelled ones.
    ///
    /// Time-outs are nearly always cancelled, and long ones would pile up: a million in a minute of busy upstreams.
    private mutating func prune() {
        heap.removeAll { $0.timer.action == nil }
        // What is in order is a heap too.
        heap.sort { $0.deadline < $1.deadline }
        pruneAt = max(Self.smallestPruned, 2 * heap.count)
    }

    /// Removes and returns the first action if it is due.
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

/// An action that runs on its shard when its time comes.
///
/// Belongs to that shard.
public final class ShardTimer {
    var action: (() -> Void)?

    init(_ action: @escaping () -> Void) { self.action = action }

    /// Forgets the action.
    public func cancel() { action = nil }
}
