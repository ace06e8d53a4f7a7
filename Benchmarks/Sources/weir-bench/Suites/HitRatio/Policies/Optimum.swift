/// Belady's optimum, which no cache can reach, because it takes the rest of the trace.
///
/// Of the places that are kept and the one that is asked for, the one whose next request is the furthest away is not kept.
struct Optimum: Policy {
    static let name = "optimum"

    private static let never = UInt32.max
    /// For each request the next one for the same place, or `never`.
    private let nextUse: [UInt32]
    /// The next request of each place that is kept; 0 for others.
    private var kept: [UInt32]
    /// Next requests and their places, furthest first; those that differ from `kept` are out of date.
    private var heap: [UInt64] = []
    private var count = 0
    private let capacity: Int

    init(capacity: Int, trace: AccessTrace) {
        var nextUse = [UInt32](repeating: Self.never, count: trace.requests.count)
        var last = [UInt32](repeating: Self.never, count: trace.places)
        for index in trace.requests.indices.reversed() {
            let place = Int(trace.requests[index])
            nextUse[index] = last[place]
            last[place] = UInt32(index)
        }
        self.nextUse = nextUse
        kept = Array(repeating: 0, count: trace.places)
        self.capacity = capacity
    }

    mutating func access(_ place: UInt32, at index: Int) -> Bool {
        let isHit = kept[Int(place)] != 0
        let next = nextUse[index]
        if isHit { count -= 1 }
        kept[Int(place)] = 0
        guard next != Self.never else { return isHit }
        kept[Int(place)] = next
        count += 1
        push(UInt64(next) << 32 | UInt64(place))
        while count > capacity {
            let top = pop()
            let victim = Int(UInt32(truncatingIfNeeded: top))
            guard UInt64(kept[victim]) == top >> 32 else { continue }
            kept[victim] = 0
            count -= 1
        }
        return isHit
    }

    private mutating func push(_ value: UInt64) {
        heap.append(value)
        var index = heap.count - 1
        while index > 0, heap[(index - 1) / 2] < value {
            heap[index] = heap[(index - 1) / 2]
            index = (index - 1) / 2
        }
        heap[index] = value
    }

    private mutating func pop() -> UInt64 {
        let top = heap[0]
        let value = heap.removeLast()
        guard !heap.isEmpty else { return top }
        var index = 0
        while 2 * index + 1 < heap.count {
            var child = 2 * index + 1
            if child + 1 < heap.count, heap[child + 1] > heap[child] { child += 1 }
            if heap[child] <= value { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = value
        return top
    }
}
