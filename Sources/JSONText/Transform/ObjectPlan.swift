import CScan

/// Which members of an object are written under which names, for an object with keys that stand twice or would
/// become one.
struct ObjectPlan {
    /// A member to be written: the tape indices of its key and its value.
    struct Member {
        var key: Int
        var value: Int
        /// Whether it keeps its key, though others are in camelCase.
        var keepsKey = false
        /// How many members before it had the same key.
        var duplicates = 0
    }

    private(set) var members: [Member] = []
    private(set) var collisions: [Int] = []

    /// The plan of an object; nil where every member gets the name that it would get alone.
    init?(_ object: JSONNode, keepsKeys: Bool, dropsNulls: Bool) {
        members.reserveCapacity(object.count)
        let arena = KeyArena(capacity: object.members.reduce(0) { $0 + 2 * $1.key.length })
        defer { arena.deallocate() }
        // Hashed with the process's own seed: keys cannot be made to meet.
        var known: [KeyArena.Key: Int] = [:]
        known.reserveCapacity(object.count)
        var keys: [KeyArena.Key] = []
        for (key, value) in object.members {
            let text = arena.decoded(key)
            if let first = known[text] {
                members[first].value = value.index
                members[first].duplicates += 1
            } else {
                known[text] = members.count
                keys.append(text)
                members.append(Member(key: key.index, value: value.index))
            }
        }
        if !keepsKeys {
            // A member that is left out takes no name.
            let written = members.indices.filter {
                !dropsNulls || !JSONNode(object, index: members[$0].value).becomesNull
            }
            settleNames(of: written, keys, arena)
        }
        if members.count == object.count, collisions.isEmpty { return nil }
    }

    /// Gives each name to one of the `written` members: to its own key first, then to the first that becomes it.
    private mutating func settleNames(of written: [Int], _ keys: [KeyArena.Key], _ arena: KeyArena) {
        var taken: Set<KeyArena.Key> = []
        taken.reserveCapacity(written.count)
        let names = written.map { arena.camel(keys[$0]) }
        for (index, name) in zip(written, names) where keys[index] == name { taken.insert(name) }
        for (index, name) in zip(written, names) where keys[index] != name && !taken.insert(name).inserted {
            members[index].keepsKey = true
            collisions.append(index)
        }
    }
}

/// Keys of one object, decoded or in camelCase, in memory of their own where they differ from the source.
final class KeyArena {
    /// The bytes of a key.
    struct Key: Hashable {
        let start: UnsafePointer<UInt8>
        let count: Int

        static func == (left: Key, right: Key) -> Bool {
            left.count == right.count && weir_equal(left.start, right.start, left.count)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: count))
        }
    }

    private let memory: UnsafeMutablePointer<UInt8>
    private var used = 0

    /// Room for keys of `capacity` bytes in all.
    init(capacity: Int) { memory = .allocate(capacity: max(capacity, 1)) }

    func deallocate() { memory.deallocate() }

    /// A key without its escapes.
    func decoded(_ key: JSONNode) -> Key {
        guard key.kind == .escapedString else { return Key(start: key.source + key.offset, count: key.length) }
        // No escape is shorter than what it stands for.
        let bytes = key.unescaped
        let start = memory + used
        bytes.withUnsafeBufferPointer { if let base = $0.baseAddress { start.update(from: base, count: $0.count) } }
        used += bytes.count
        return Key(start: start, count: bytes.count)
    }

    /// A key in camelCase.
    func camel(_ key: Key) -> Key {
        let start = memory + used
        let count = CamelCase.convert(key.start, key.count, into: start)
        used += count
        return Key(start: start, count: count)
    }
}
