import JSONText

/// Finds the members of one object for its keyed containers.
///
/// Some methods that change nothing are mutating too, so that they are called in place: a copy would count a reference.
struct ObjectMembers {
    fileprivate let shape: ObjectShape
    private var object: UInt32
    /// The start of the members' positions in the state.
    private var start: Int
    private let matching: KeyMatching
    /// Whether the object is being read; false in a decoder that may be used for another object.
    private(set) var isOpen = true

    fileprivate init(_ shape: ObjectShape, of object: JSONNode, _ matching: KeyMatching, _ state: DecodingState) {
        self.shape = shape
        self.matching = matching
        self.object = object.position
        start = state.addPositions(of: object)
    }

    /// Removes the positions from the state, unless an object that is still open has positions behind them.
    mutating func close(_ state: DecodingState) {
        isOpen = false
        if state.positions.count == start + shape.count { state.positions.removeLast(shape.count) }
    }

    /// Begins to read `object`; returns false if it has another shape or is read with coding keys of another type.
    mutating func reopen(_ object: JSONNode, keyedBy type: any CodingKey.Type, _ state: DecodingState) -> Bool {
        guard shape.isShared, shape.keyType == type, shape.describes(object) else { return false }
        self.object = object.position
        start = state.addPositions(of: object)
        isOpen = true
        return true
    }

    /// Whether some members have the same key, or a key that is not Unicode text.
    var hasFaultyNames: Bool {
        mutating get { shape.hasFaultyNames }
    }

    /// Notes the faulty keys, and the unknown members if the state reports them.
    ///
    /// - Throws: `DecodingError` if a key has a lone surrogate that the decoder does not tolerate.
    func note<Key: CodingKey>(
        _ node: JSONNode, _ decoder: ValueDecoder, keyedBy type: Key.Type, _ state: DecodingState
    ) throws {
        if shape.hasFaultyNames {
            if !state.readsLoneSurrogates, let name = shape.corruptNames.first {
                throw state.corrupt("The key \"\(name)\" has a lone surrogate.", at: decoder)
            }
            state.repairs.note(duplicates: shape.overriddenNames, corrupt: shape.corruptNames, of: object, decoder)
        }
        if state.reportsUnknownMembers, !decoder.isDictionary {
            state.repairs.unknownMembers.note(unknownNames(node, keyedBy: type), in: object, decoder)
        }
    }

    /// Returns the value of the member of `object` that the coding key called `name` matches.
    @inline(__always)
    mutating func value(of name: String, in object: JSONNode, _ state: DecodingState) -> JSONNode? {
        guard let ordinal = shape.ordinal(of: name, in: object) else { return nil }
        return object.node(at: state.positions[start + ordinal])
    }

    /// Returns the names for which the type of the coding keys has no key.
    private func unknownNames<Key: CodingKey>(_ object: JSONNode, keyedBy type: Key.Type) -> UnknownNames {
        if shape.unknownNames == nil { _ = keys(of: object) as [Key] }
        return shape.unknownNames ?? UnknownNames([])
    }

    /// Returns the coding keys of the members, which the objects of a shape share.
    func keys<Key: CodingKey>(of object: JSONNode) -> [Key] {
        if let known = shape.codingKeys as? CodingKeys<Key> { return known.list }
        var keys: [Key] = [], unknown: [String] = []
        for name in codingNames(of: object) {
            if let key = name.key(Key.self) { keys.append(key) } else { unknown.append(name.spelled) }
        }
        shape.codingKeys = CodingKeys(list: keys)
        shape.unknownNames = UnknownNames(unknown)
        return keys
    }

    /// The names of the members, without those that an earlier member overrides.
    private func codingNames(of object: JSONNode) -> [MemberName] {
        let names = shape.names(of: object).map { MemberName($0, matching) }
        if shape.hasDistinctKeys { return names }
        var known = Set<String>()
        return names.filter { known.insert($0.converted).inserted }
    }
}

/// The coding keys of the members of the objects of a shape.
private final class CodingKeys<Key: CodingKey> {
    let list: [Key]

    init(list: [Key]) { self.list = list }
}

extension DecodingState {
    /// Finds the members of `object` for coding keys of the given type; no strategy converts the keys of a dictionary.
    ///
    /// Not an initializer, which would count a reference for each argument.
    func members(of object: JSONNode, for decoder: ValueDecoder, keyedBy type: any CodingKey.Type) -> ObjectMembers {
        ObjectMembers(
            shape(of: object, for: decoder, keyedBy: type), of: object,
            decoder.isDictionary ? .exact : keyMatching, self)
    }

    /// Adds the positions of the members' values and returns their start.
    fileprivate func addPositions(of object: JSONNode) -> Int {
        let start = positions.count
        for (_, value) in object.members { positions.append(value.position) }
        return start
    }

    private func shape(
        of object: JSONNode, for decoder: ValueDecoder, keyedBy type: any CodingKey.Type
    ) -> ObjectShape {
        if decoder.isDictionary {
            // Not cached: the keys are data.
            return ObjectShape(of: object, KeyTable(type, .exact), .exact)
        }
        guard case .custom(let convert) = configuration.keyDecodingStrategy else {
            return shape(of: object, readWith: type)
        }
        // The closure may convert a key differently at another path, so the shape is not shared.
        let path = decoder.keys
        let names = object.names.map { convert(path + [PathKey(stringValue: $0)]).stringValue }
        return ObjectShape(of: object, KeyTable(type, .exact), .exact, convertedNames: names)
    }
}

extension JSONNode {
    /// The keys of an object.
    var names: [String] { members.map { $0.key.string ?? "" } }
}
