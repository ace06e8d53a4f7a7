/// W-TinyLFU (Einziger, Friedman and Manes, 2017) with the sizes of Caffeine's first setting.
///
/// A window of 1 % takes what is new. What leaves it is admitted to the rest if a sketch has counted it more often than
/// what would leave there. The rest is a segmented LRU, 80 % of which is for places that were asked for again.
struct WTinyLFU: Policy {
    static let name = "wTinyLFU"

    private let window = 0
    private let probation = 1
    private let protected = 2
    private var lists: PlaceLists
    private var sketch: FrequencySketch
    private let (windowSize, mainSize, protectedSize): (Int, Int, Int)

    init(capacity: Int, trace: AccessTrace) {
        lists = PlaceLists(lists: 3, places: trace.places)
        sketch = FrequencySketch(capacity: capacity)
        windowSize = max(1, capacity / 100)
        mainSize = capacity - windowSize
        protectedSize = mainSize * 4 / 5
    }

    mutating func access(_ place: UInt32, at index: Int) -> Bool {
        sketch.add(place)
        switch Int(lists.list[Int(place)]) {
        case window: lists.move(place, to: window)
        case protected: lists.move(place, to: protected)
        case probation:
            lists.move(place, to: protected)
            if lists.counts[protected] > protectedSize { lists.append(lists.removeOldest(protected), to: probation) }
        default:
            lists.append(place, to: window)
            if lists.counts[window] > windowSize { admit(lists.removeOldest(window)) }
            return false
        }
        return true
    }

    private mutating func admit(_ candidate: UInt32) {
        if lists.counts[probation] + lists.counts[protected] >= mainSize {
            let victim = lists.oldest(lists.counts[probation] > 0 ? probation : protected)
            guard sketch.frequency(candidate) > sketch.frequency(victim) else { return }
            lists.remove(victim)
        }
        lists.append(candidate, to: probation)
    }
}

/// A count-min sketch of counters up to 15, which are halved after ten additions per place of the cache.
private struct FrequencySketch {
    private var counters: [UInt8]
    private let mask: UInt64
    private let period: Int
    private var additions = 0

    init(capacity: Int) {
        var width = 16
        while width < capacity { width *= 2 }
        // A row for each of four hashes; as many counters per place as Caffeine has.
        width *= 4
        counters = Array(repeating: 0, count: 4 * width)
        mask = UInt64(width - 1)
        period = 10 * capacity
    }

    func frequency(_ place: UInt32) -> UInt8 { (0..<4).reduce(15) { min($0, counters[slot(place, $1)]) } }

    mutating func add(_ place: UInt32) {
        var isAdded = false
        for row in 0..<4 {
            let slot = slot(place, row)
            guard counters[slot] < 15 else { continue }
            counters[slot] += 1
            isAdded = true
        }
        guard isAdded else { return }
        additions += 1
        if additions == period {
            for index in counters.indices { counters[index] /= 2 }
            additions /= 2
        }
    }

    private func slot(_ place: UInt32, _ row: Int) -> Int {
        var mixed = (UInt64(place) + 1) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(row) &* 0xD1B5_4A32_D192_ED03
        mixed = (mixed ^ mixed >> 32) &* 0xBF58_476D_1CE4_E5B9
        return row * Int(mask + 1) + Int((mixed ^ mixed >> 29) & mask)
    }
}
