import JSONText

/// Finds the members of one object for its keyed containers.
struct ObjectMembers {
    fileprivate let shape: ObjectShape
    fileprivate let object: UInt32
    /// The start of the members' positions in the state.
    fileprivate let start: Int
    fileprivate let isSnakeCase: Bool

    /// Removes the positions from the state, unless an object that is still open has positions behind them.
    func close(_ state: DecodingState) {
        if state.positions.count == start + shape.count { state.positions.removeLast(shape.count) }
    }

    /// Returns the value of the member of `object` that the coding key called `name` matches.
    ///
    /// Mutating, so that it is called in place: a copy would count a reference for each member.
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
    func members<Key: CodingKey>(
        of object: JSONNode, for decoder: ValueDecoder, keyedBy type: Key.Type
    ) -> ObjectMembers {
        let start = positions.count
        for (_, value) in object.members { positions.append(value.position) }
        let members = ObjectMembers(
            shape: shape(of: object, for: decoder, keyedBy: type), object: object.position, start: start,
            isSnakeCase: isSnakeCase && !decoder.isDictionary)
        if members.shape.hasOverriddenNames {
            repairs.noteDuplicates(members.shape.overriddenNames, of: object.position, decoder)
        }
        if reportsUnknownMembers, !decoder.isDictionary {
            repairs.unknownMembers.note(members.codingNames(of: object), readWith: type, in: object.position, decoder)
        }
        return members
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
