/// A rule for what a cache of a fixed number of places keeps.
protocol Policy {
    /// The name in the table of figures.
    static var name: String { get }
    /// An empty cache of `capacity` places of the `trace`.
    init(capacity: Int, trace: AccessTrace)
    /// Asks for a place, and keeps it if the policy wants to; returns whether it was there.
    mutating func access(_ place: UInt32, at index: Int) -> Bool
}

extension Policy {
    /// Returns the share of hits among all requests of the trace.
    static func hitRatio(capacity: Int, trace: AccessTrace) -> Double {
        var policy = Self(capacity: capacity, trace: trace)
        var hits = 0
        for (index, place) in trace.requests.enumerated() where policy.access(place, at: index) { hits += 1 }
        return Double(hits) / Double(trace.requests.count)
    }
}

/// Linked lists over places, in arrays; a place is in one list at most.
struct PlaceLists {
    private var next: [UInt32]
    private var previous: [UInt32]
    /// The number of the list that has the place, or `none`.
    private(set) var list: [UInt8]
    private(set) var counts: [Int]
    private let places: Int

    static let none = UInt8.max

    init(lists: Int, places: Int) {
        // The ends of list n are linked to a node of its own, at places + n.
        next = Array(0..<UInt32(places + lists))
        previous = next
        list = Array(repeating: Self.none, count: places)
        counts = Array(repeating: 0, count: lists)
        self.places = places
    }

    func oldest(_ list: Int) -> UInt32 { previous[places + list] }

    /// Returns the place that came next to the same list; nil for the newest one.
    func newer(_ place: UInt32) -> UInt32? {
        let newer = previous[Int(place)]
        return newer < places ? newer : nil
    }

    mutating func append(_ place: UInt32, to list: Int) {
        let (end, first) = (UInt32(places + list), next[places + list])
        (next[Int(place)], previous[Int(place)]) = (first, end)
        previous[Int(first)] = place
        next[Int(end)] = place
        self.list[Int(place)] = UInt8(list)
        counts[list] += 1
    }

    mutating func remove(_ place: UInt32) {
        let (after, before) = (next[Int(place)], previous[Int(place)])
        previous[Int(after)] = before
        next[Int(before)] = after
        counts[Int(list[Int(place)])] -= 1
        list[Int(place)] = Self.none
    }

    mutating func move(_ place: UInt32, to list: Int) {
        remove(place)
        append(place, to: list)
    }

    /// Removes the oldest place of a list, which has one.
    mutating func removeOldest(_ list: Int) -> UInt32 {
        let place = oldest(list)
        remove(place)
        return place
    }
}
