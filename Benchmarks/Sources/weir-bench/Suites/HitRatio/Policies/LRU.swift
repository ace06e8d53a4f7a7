/// The least recently used place leaves.
struct LRU: Policy {
    static let name = "lru"

    private var lists: PlaceLists
    private let capacity: Int

    init(capacity: Int, trace: AccessTrace) {
        lists = PlaceLists(lists: 1, places: trace.places)
        self.capacity = capacity
    }

    mutating func access(_ place: UInt32, at index: Int) -> Bool {
        if lists.list[Int(place)] != PlaceLists.none {
            lists.move(place, to: 0)
            return true
        }
        if lists.counts[0] == capacity { _ = lists.removeOldest(0) }
        lists.append(place, to: 0)
        return false
    }
}
