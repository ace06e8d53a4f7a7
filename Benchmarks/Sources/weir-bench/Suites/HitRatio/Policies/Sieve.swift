/// SIEVE (Zhang and others, NSDI 2024): a queue, along which a hand goes that passes over what was used once.
struct Sieve: Policy {
    static let name = "sieve"

    private var isUsed: [Bool]
    private var lists: PlaceLists
    private let capacity: Int
    private var hand: UInt32?

    init(capacity: Int, trace: AccessTrace) {
        lists = PlaceLists(lists: 1, places: trace.places)
        isUsed = Array(repeating: false, count: trace.places)
        self.capacity = capacity
    }

    mutating func access(_ place: UInt32, at index: Int) -> Bool {
        if lists.list[Int(place)] != PlaceLists.none {
            isUsed[Int(place)] = true
            return true
        }
        if lists.counts[0] == capacity { evict() }
        lists.append(place, to: 0)
        isUsed[Int(place)] = false
        return false
    }

    private mutating func evict() {
        var place = hand ?? lists.oldest(0)
        while isUsed[Int(place)] {
            isUsed[Int(place)] = false
            place = lists.newer(place) ?? lists.oldest(0)
        }
        hand = lists.newer(place)
        lists.remove(place)
    }
}
