/// S3-FIFO (Yang and others, SOSP 2023) as its authors' simulator has it: exact ghosts, and no limit on a search.
///
/// `Cache` has the same algorithm with a table of hashes as ghosts, limited searches and stripes.
struct S3FIFO: Policy {
    static let name = "s3FIFO"

    private let small = 0
    private let main = 1
    private let ghosts = 2
    private var lists: PlaceLists
    private var uses: [UInt8]
    private let (capacity, smallSize): (Int, Int)

    init(capacity: Int, trace: AccessTrace) {
        lists = PlaceLists(lists: 3, places: trace.places)
        uses = Array(repeating: 0, count: trace.places)
        (self.capacity, smallSize) = (capacity, max(1, capacity / 10))
    }

    mutating func access(_ place: UInt32, at index: Int) -> Bool {
        let list = Int(lists.list[Int(place)])
        if list == small || list == main {
            uses[Int(place)] = min(3, uses[Int(place)] + 1)
            return true
        }
        while lists.counts[small] + lists.counts[main] >= capacity { evict() }
        if list == ghosts, lists.list[Int(place)] != PlaceLists.none {
            lists.move(place, to: main)
        } else {
            lists.append(place, to: list == ghosts ? main : small)
        }
        uses[Int(place)] = 0
        return false
    }

    private mutating func evict() {
        if lists.counts[small] >= smallSize || lists.counts[main] == 0 {
            let place = lists.removeOldest(small)
            if uses[Int(place)] >= 2 {
                uses[Int(place)] = 0
                lists.append(place, to: main)
            } else {
                if lists.counts[ghosts] >= capacity - smallSize { _ = lists.removeOldest(ghosts) }
                lists.append(place, to: ghosts)
            }
        } else {
            let place = lists.removeOldest(main)
            guard uses[Int(place)] > 0 else { return }
            uses[Int(place)] -= 1
            lists.append(place, to: main)
        }
    }
}
