/// The adaptive replacement cache (Megiddo and Modha, FAST 2003).
///
/// Places that were asked for once and more often have a list each; ghosts of both say which list is too short.
struct ARC: Policy {
    static let name = "arc"

    private let once = 0
    private let often = 1
    private let onceGhosts = 2
    private let oftenGhosts = 3
    private var lists: PlaceLists
    private var target = 0.0
    private let capacity: Int

    init(capacity: Int, trace: AccessTrace) {
        lists = PlaceLists(lists: 4, places: trace.places)
        self.capacity = capacity
    }

    mutating func access(_ place: UInt32, at index: Int) -> Bool {
        let (b1, b2) = (Double(lists.counts[onceGhosts]), Double(lists.counts[oftenGhosts]))
        switch Int(lists.list[Int(place)]) {
        case once, often:
            lists.move(place, to: often)
            return true
        case onceGhosts:
            target = min(Double(capacity), target + max(1, b2 / b1))
            replace(isOftenGhost: false)
            lists.move(place, to: often)
        case oftenGhosts:
            target = max(0, target - max(1, b1 / b2))
            replace(isOftenGhost: true)
            lists.move(place, to: often)
        default:
            makeRoom()
            lists.append(place, to: once)
        }
        return false
    }

    private mutating func makeRoom() {
        let recent = lists.counts[once] + lists.counts[onceGhosts]
        let all = lists.counts.reduce(0, +)
        if recent == capacity {
            guard lists.counts[once] < capacity else {
                _ = lists.removeOldest(once)
                return
            }
            _ = lists.removeOldest(onceGhosts)
            replace(isOftenGhost: false)
        } else if all >= capacity {
            if all == 2 * capacity { _ = lists.removeOldest(oftenGhosts) }
            replace(isOftenGhost: false)
        }
    }

    private mutating func replace(isOftenGhost: Bool) {
        let count = lists.counts[once]
        guard count + lists.counts[often] >= capacity else { return }
        if count >= 1, isOftenGhost && Double(count) == target.rounded(.down) || Double(count) > target {
            lists.append(lists.removeOldest(once), to: onceGhosts)
        } else if lists.counts[often] > 0 {
            lists.append(lists.removeOldest(often), to: oftenGhosts)
        } else {
            lists.append(lists.removeOldest(once), to: onceGhosts)
        }
    }
}
