/// The names of an object's members where the `KeyCache` does not have them all, or some are equal.
struct ObjectPlan {
    /// A member to be written.
    struct Member {
        /// The tape index of the key, the first of equal ones.
        let key: Int
        /// The tape index of the value, the last of those with equal keys.
        var value: Int
        /// The key in camelCase; nil if the key is written as it is.
        var name: [UInt8]?
        /// Whether the key is written as it is because its name in camelCase is taken.
        var isCollision = false
        /// The number of further members with an equal key.
        var duplicates = 0
    }

    private(set) var members: [Member] = []

    /// The plan of an object.
    ///
    /// Hash values of the standard library depend on a seed of the process, so a client cannot choose keys that collide.
    init(_ object: JSONNode, keepsKeys: Bool, dropsNulls: Bool) {
        var keys: [Key] = []
        var indices: [Key: Int] = [:]
        keys.reserveCapacity(object.count)
        indices.reserveCapacity(object.count)
        members.reserveCapacity(object.count)
        for (key, value) in object.members {
            let text = Key(bytes: key.unescaped)
            if let first = indices[text] {
                members[first].value = value.index
                members[first].duplicates += 1
            } else {
                indices[text] = members.count
                keys.append(text)
                members.append(Member(key: key.index, value: value.index))
            }
        }
        if keepsKeys { return }
        // A key that is its own name takes it first, then the first key that becomes it.
        var taken: Set<Key> = []
        taken.reserveCapacity(members.count)
        for index in members.indices where !dropsNulls || !JSONNode(object, index: members[index].value).becomesNull {
            let key = keys[index]
            let name = Key(bytes: CamelCase.convert(key.bytes.span))
            if name == key { taken.insert(name) } else { members[index].name = name.bytes }
        }
        for index in members.indices {
            guard let name = members[index].name, !taken.insert(Key(bytes: name)).inserted else { continue }
            members[index].name = nil
            members[index].isCollision = true
        }
    }

    /// A key by its bytes, which it hashes at once: an array of bytes hashes one by one.
    private struct Key: Hashable {
        let bytes: [UInt8]

        func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
    }
}
