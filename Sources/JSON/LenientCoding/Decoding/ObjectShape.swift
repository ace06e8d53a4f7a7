import JSONText

/// The names of an object's members in order, and the member that each coding key matches.
///
/// Objects of one type mostly have the same keys in the same order. They share a shape, so that a coding key is looked
/// up only once for all of them.
final class ObjectShape {
    /// The names of the members that an earlier member of the same name overrides.
    let overriddenNames: [String]
    /// The names with an escaped lone surrogate, which U+FFFD replaces.
    let corruptNames: [String]
    /// Whether some names are overridden or corrupt.
    let hasFaultyNames: Bool
    let count: Int

    /// The position of an object of this shape.
    private let example: UInt32
    private let matching: KeyMatching
    /// The hashes of the members' names; nil if two are equal, or if a name has escapes or is not ASCII.
    ///
    /// Measured against a `Dictionary` for each shape, together with the numbers of `KeyTable`: 21 % of decoding GitHub
    /// events, whose objects differ.
    private let hashes: MemberHashes?
    /// The coding keys that are looked up.
    private let keys: KeyTable
    /// The names of the members after a custom key strategy.
    private let convertedNames: [String]?
    /// The member that each coding key matches by its number in the table, -1 for none and -2 if it is not known yet.
    @exclusivity(unchecked) private var ordinals: [Int32] = []
    @exclusivity(unchecked) private var index: MemberIndex?
    /// The names of the members that no coding key matches, if a report needs them.
    @exclusivity(unchecked) var unknownNames: UnknownNames?
    /// The coding keys of the members, if they were asked for.
    @exclusivity(unchecked) var codingKeys: AnyObject?

    /// Creates the shape of `object`; `convertedNames` replace the names of its members.
    init(of object: JSONNode, _ keys: KeyTable, _ matching: KeyMatching, convertedNames: [String]? = nil) {
        example = object.position
        self.keys = keys
        count = object.count
        self.matching = matching
        self.convertedNames = convertedNames
        hashes = convertedNames == nil ? MemberHashes(of: object, isSnakeCase: matching.isSnakeCase) : nil
        if hashes == nil {
            let index = MemberIndex(convertedNames ?? object.names, matching)
            self.index = index
            overriddenNames = index.overriddenNames
            corruptNames = object.members.filter(\.key.hasLoneSurrogate).map { $0.key.string ?? "" }
        } else {
            overriddenNames = []
            corruptNames = []
        }
        hasFaultyNames = !overriddenNames.isEmpty || !corruptNames.isEmpty
    }

    /// Whether no two members match one coding key.
    var hasDistinctKeys: Bool { hashes != nil || !matching.isSnakeCase && overriddenNames.isEmpty }
    /// Whether another object may have this shape, because no custom strategy converts its keys.
    var isShared: Bool { convertedNames == nil }
    /// The type of the coding keys.
    var keyType: any CodingKey.Type { keys.type }

    /// Returns the names of the members of `object`, which has this shape.
    func names(of object: JSONNode) -> [String] { convertedNames ?? object.names }

    /// Returns whether `object` has the same keys in the same order.
    func describes(_ object: JSONNode) -> Bool { object.hasKeys(of: object.node(at: example)) }

    /// Returns the index of the member of `object`, which has this shape, that the coding key called `name` matches.
    @inline(__always)
    func ordinal(of name: String, in object: JSONNode) -> Int? {
        let key = keys.number(of: name)
        guard let key, key < ordinals.count else { return find(name, key, object) }
        let ordinal = ordinals.span[key]
        if ordinal == -2 { return find(name, key, object) }
        return ordinal < 0 ? nil : Int(ordinal)
    }

    /// Finds the member for a key that is not looked up yet; `key` is its number.
    @inline(never)
    private func find(_ name: String, _ key: Int?, _ object: JSONNode) -> Int? {
        guard let key = key ?? keys.insert(name) else {
            return found(SnakeCase.hash(name.utf8.span, isSnakeCase: matching.isSnakeCase), name, object)
        }
        let ordinal = found(keys.hash(at: key), name, object)
        while ordinals.count <= key { ordinals.append(-2) }
        ordinals[key] = ordinal.map(Int32.init) ?? -1
        return ordinal
    }

    /// Finds a member and marks it as known, because its name alone may not make a coding key.
    private func found(_ hash: UInt32?, _ name: String, _ object: JSONNode) -> Int? {
        let ordinal = search(name, hash, object)
        if let ordinal, let unknownNames, !unknownNames.isEmpty { unknownNames.remove(names(of: object)[ordinal]) }
        return ordinal
    }

    private func search(_ name: String, _ hash: UInt32?, _ object: JSONNode) -> Int? {
        if let hashes, let hash {
            // All hashes differ, so no other member can match.
            guard let ordinal = hashes.ordinal(of: hash) else { return nil }
            var members = object.members.dropFirst(ordinal).makeIterator()
            guard let (key, _) = members.next(), matching.matches(key, name) else { return nil }
            return ordinal
        }
        let index = index ?? MemberIndex(names(of: object), matching)
        self.index = index
        return index.ordinal(of: name)
    }
}
