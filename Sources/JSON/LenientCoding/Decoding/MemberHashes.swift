import JSONText

/// The hashes of the names of an object's members, if all differ, so that no two names match one key.
struct MemberHashes {
    /// The largest object whose hashes are searched in order; larger ones have a table.
    private static let maximumSearched = 16
    /// The most slots that a search looks at, so that a document made for it does not slow it down.
    private static let maximumProbes = 64

    private let hashes: [UInt32]
    /// The ordinals by their hashes, -1 for an empty slot; at least half of the slots are empty.
    private var slots: [Int32] = []

    /// Returns nil if two hashes are equal, or if a name has escapes or is not ASCII.
    init?(of object: JSONNode, isSnakeCase: Bool) {
        var hashes: [UInt32] = []
        hashes.reserveCapacity(object.count)
        let isSearched = object.count <= Self.maximumSearched
        for (key, _) in object.members {
            guard key.kind == .string, let hash = SnakeCase.hash(key.text.span, isSnakeCase: isSnakeCase),
                !isSearched || !hashes.contains(hash)
            else { return nil }
            hashes.append(hash)
        }
        self.hashes = hashes
        if !isSearched, !fillSlots() { return nil }
    }

    private mutating func fillSlots() -> Bool {
        var count = 64
        while count < hashes.count * 2 { count *= 2 }
        slots = [Int32](repeating: -1, count: count)
        for ordinal in hashes.indices {
            var slot = Self.slot(of: hashes[ordinal], count), probes = 0
            while slots[slot] >= 0 {
                if hashes[Int(slots[slot])] == hashes[ordinal] || probes == Self.maximumProbes { return false }
                slot = (slot + 1) & (count - 1)
                probes += 1
            }
            slots[slot] = Int32(truncatingIfNeeded: ordinal)
        }
        return true
    }

    /// Returns the member whose name has the hash.
    func ordinal(of hash: UInt32) -> Int? {
        if slots.isEmpty { return hashes.firstIndex(of: hash) }
        var slot = Self.slot(of: hash, slots.count)
        while slots[slot] >= 0 {
            if hashes[Int(slots[slot])] == hash { return Int(slots[slot]) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private static func slot(of hash: UInt32, _ count: Int) -> Int {
        Int(truncatingIfNeeded: (hash ^ hash >> 15) &* 0x9E37_79B9 >> 7) & (count - 1)
    }
}
