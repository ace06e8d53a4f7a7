/// Actions by their time: a binary heap.
///
/// Cancelled ones are forgotten when their time comes.
struct TimerQueue {
    /// An action that waits for its time.
    struct Entry {
        let deadline: MonotonicTime
        let timer: ShardTimer
    }

    private var heap: [Entry] = []

    /// When the first action is due.
    var first: MonotonicTime? { heap.first?.deadline }

    mutating func insert(_ timer: ShardTimer, at deadline: MonotonicTime) {
        heap.append(Entry(deadline: deadline, timer: timer))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            if heap[parent].deadline <= heap[child].deadline { break }
            heap.swapAt(parent, child)
            child = parent
        }
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
