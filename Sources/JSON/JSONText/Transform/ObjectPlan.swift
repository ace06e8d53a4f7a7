/// The names of an object's members where the `KeyCache` does not have them all, or some are equal.
struct ObjectPlan {
    /// A member to be written.
    struct Member {
        /// The tape index of the key, the first of equal ones.
        let key: Int
        /// The tape index of the value, the last of those with equal keys.
        var value: Int
        /// The key in camelCase, or the new name; nil if the key is written as it is.
        var name: [UInt8]?
        /// The symbol of the key in an edit.
        var symbol = 0
        /// Whether the key is written as it is because its name in camelCase, or its new name, is taken.
        var isCollision = false
        /// The number of further members with an equal key.
        var duplicates = 0
    }

    private(set) var members: [Member] = []

    /// The plan of an object.
    ///
    /// `edit` gets each key with its last value, and returns its symbol and its new name; nil if the member is left out.
    ///
    /// Hash values of the standard library depend on a seed of the process, so a client cannot choose keys that collide.
    init(
        _ object: JSONNode, keepsKeys: Bool, dropsNulls: Bool,
        edit: (_ key: [UInt8], _ value: JSONNode) -> (symbol: Int, newName: [UInt8]?)? = { _, _ in (0, nil) }
    ) {
        var keys = takeMembers(of: object)
        var count = 0
        var hasNames = false
        for index in members.indices {
            let key = keys[index].bytes
            guard let edit = edit(key, JSONNode(object, index: members[index].value)) else { continue }
            let name = edit.newName ?? (keepsKeys ? key : CamelCase.convert(key.span))
            if name != key {
                members[index].name = name
                hasNames = true
            }
            members[index].symbol = edit.symbol
            (members[count], keys[count]) = (members[index], keys[index])
            count += 1
        }
        members.removeLast(members.count - count)
        if hasNames {
            takeNames(keys) { dropsNulls && JSONNode(object, index: $0.value).becomesNull }
        }
    }

    /// Appends the members with different keys, and returns the keys.
    private mutating func takeMembers(of object: JSONNode) -> [Key] {
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
        return keys
    }

    /// Leaves each name to one member; a member that is left out takes none.
    ///
    /// A key that is its own name takes it first, then the first key that becomes it. A key that has to stay displaces
    /// the member that would have become it.
    private mutating func takeNames(_ keys: [Key], isLeftOut: (Member) -> Bool) {
        var holders: [Key: Int] = [:]
        holders.reserveCapacity(members.count)
        for index in members.indices where members[index].name == nil && !isLeftOut(members[index]) {
            holders[keys[index]] = index
        }
        for index in members.indices {
            guard let name = members[index].name, !isLeftOut(members[index]) else { continue }
            guard holders[Key(bytes: name)] != nil else {
                holders[Key(bytes: name)] = index
                continue
            }
            var displaced: Int? = index
            while let index = displaced {
                members[index].name = nil
                members[index].isCollision = true
                displaced = holders.updateValue(index, forKey: keys[index])
            }
        }
    }

    /// A key by its bytes, which it hashes at once: an array of bytes hashes one by one.
    private struct Key: Hashable {
        let bytes: [UInt8]

        func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
    }
}
