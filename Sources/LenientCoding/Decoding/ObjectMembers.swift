import JSONText

/// Finds the members of one object for its keyed containers.
///
/// Some methods that change nothing are mutating too, so that they are called in place: a copy would count a reference.
struct ObjectMembers {
    fileprivate let shape: ObjectShape
    private var object: UInt32
    /// The start of the members' positions in the state.
    private var start: Int
    private let isSnakeCase: Bool
    /// Whether the object is being read; false in a decoder that may be used for another object.
    private(set) var isOpen = true

    fileprivate init(_ shape: ObjectShape, of object: JSONNode, isSnakeCase: Bool, _ state: DecodingState) {
        self.shape = shape
        self.isSnakeCase = isSnakeCase
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

    /// Whether some members have the same key.
    var hasDuplicates: Bool {
        mutating get { shape.hasOverriddenNames }
    }

    /// Notes the duplicate keys, and the unknown members if the state reports them.
    func note<Key: CodingKey>(
        _ node: JSONNode, _ decoder: ValueDecoder, keyedBy type: Key.Type, _ state: DecodingState
    ) {
        if shape.hasOverriddenNames { state.repairs.noteDuplicates(shape.overriddenNames, of: object, decoder) }
        if state.reportsUnknownMembers, !decoder.isDictionary {
            state.repairs.unknownMembers.note(codingNames(of: node), readWith: type, in: object, decoder)
        }
    }

    /// Returns the value of the member of `object` that the coding key called `name` matches.
    @inline(__always)
    mutating func value(of name: String, in object: JSONNode, _ state: DecodingState) -> JSONNode? {
        guard let ordinal = shape.ordinal(of: name, in: object) else { return nil }
        if isSnakeCase, state.reportsUnknownMembers { markAsKnown(shape.names(of: object)[ordinal], state) }
        return object.node(at: state.positions[start + ordinal])
    }

    /// Marks a member as known although the type of the coding keys may have no key of its name.
    func markAsKnown(_ name: String, _ state: DecodingState) {
        if state.reportsUnknownMembers { state.repairs.unknownMembers.remove(name, from: object) }
    }

    /// The distinct names of the members, as converted from snake_case and as in the shape.
    func codingNames(of object: JSONNode) -> [(converted: String, spelled: String)] {
        let names = shape.names(of: object)
            .map { (converted: isSnakeCase ? SnakeCase.camelCased($0) : $0, spelled: $0) }
        guard isSnakeCase || shape.hasOverriddenNames else { return names }
        var last: [Name: Int] = [:]
        for (index, name) in names.enumerated() { last[Name(text: name.converted)] = index }
        return names.indices.filter { last[Name(text: names[$0].converted)] == $0 }.map { names[$0] }
    }
}

extension DecodingState {
    /// Finds the members of `object` for coding keys of the given type; no strategy converts the keys of a dictionary.
    ///
    /// Not an initializer, which would count a reference for each argument.
    func members(of object: JSONNode, for decoder: ValueDecoder, keyedBy type: any CodingKey.Type) -> ObjectMembers {
        ObjectMembers(
            shape(of: object, for: decoder, keyedBy: type), of: object,
            isSnakeCase: isSnakeCase && !decoder.isDictionary, self)
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
            return ObjectShape(of: object, KeyTable(type, isSnakeCase: false), isSnakeCase: false)
        }
        guard case .custom(let convert) = configuration.keyDecodingStrategy else {
            return shape(of: object, readWith: type)
        }
        // The closure may convert a key differently at another path, so the shape is not shared.
        let path = decoder.keys
        let names = object.names.map { convert(path + [PathKey(stringValue: $0)]).stringValue }
        let keys = KeyTable(type, isSnakeCase: false)
        return ObjectShape(of: object, keys, isSnakeCase: false, convertedNames: names)
    }
}

extension JSONNode {
    /// The keys of an object.
    var names: [String] { members.map { $0.key.string ?? "" } }
}
