import JSONText

/// Finds the members of one object for its keyed containers.
///
/// It is a class because the standard library copies a container for each member that it decodes.
final class ObjectReader {
    let state: DecodingState
    /// The decoder of the object.
    let decoder: ValueDecoder
    private let shape: ObjectShape
    private let object: UInt32
    /// The start of the members' positions in the state.
    private let start: Int
    private let isSnakeCase: Bool

    /// Creates a reader for coding keys of the given type; no strategy converts the keys of a dictionary.
    init<Key: CodingKey>(_ decoder: ValueDecoder, _ object: JSONNode, _ type: Key.Type) {
        let state = decoder.state
        self.state = state
        self.decoder = decoder
        self.object = object.position
        isSnakeCase = state.isSnakeCase && !decoder.isDictionary
        if decoder.isDictionary {
            // Not cached: the keys are data.
            shape = ObjectShape(of: object, KeyTable(type, isSnakeCase: false), isSnakeCase: false)
        } else if case .custom(let convert) = state.configuration.keyDecodingStrategy {
            // The closure may convert a key differently at another path, so the shape is not shared.
            let path = decoder.keys
            let names = object.names.map { convert(path + [PathKey(stringValue: $0)]).stringValue }
            let keys = KeyTable(type, isSnakeCase: false)
            shape = ObjectShape(of: object, keys, isSnakeCase: false, convertedNames: names)
        } else {
            shape = state.shape(of: object, readWith: type)
        }
        start = state.positions.count
        for (_, value) in object.members { state.positions.append(value.position) }
        if !shape.overriddenNames.isEmpty {
            state.repairs.noteDuplicates(shape.overriddenNames, of: object.position, decoder)
        }
        if state.reportsUnknownMembers, !decoder.isDictionary {
            state.repairs.unknownMembers.note(codingNames(of: object), readWith: type, in: object.position, decoder)
        }
    }

    deinit {
        if state.positions.count == start + shape.count { state.positions.removeLast(shape.count) }
    }

    /// Returns the value of the member that the coding key called `name` matches.
    func value(of name: String) throws -> JSONNode? {
        let object = try state.root.node(at: object)
        guard let ordinal = shape.ordinal(of: name, in: object) else { return nil }
        if isSnakeCase, state.reportsUnknownMembers { markAsKnown(shape.names(of: object)[ordinal]) }
        return object.node(at: state.positions[start + ordinal])
    }

    /// Marks a member as known although the type of the coding keys may have no key of its name.
    func markAsKnown(_ name: String) {
        if state.reportsUnknownMembers { state.repairs.unknownMembers.remove(name, from: object) }
    }

    /// The distinct names of the members, as converted from snake_case and as in the shape.
    func codingNames(of object: JSONNode) -> [(converted: String, spelled: String)] {
        let names = shape.names(of: object)
            .map { (converted: isSnakeCase ? SnakeCase.camelCased($0) : $0, spelled: $0) }
        guard isSnakeCase || !shape.overriddenNames.isEmpty else { return names }
        var last: [Name: Int] = [:]
        for (index, name) in names.enumerated() { last[Name(text: name.converted)] = index }
        return names.indices.filter { last[Name(text: names[$0].converted)] == $0 }.map { names[$0] }
    }
}

extension JSONNode {
    /// The keys of an object.
    var names: [String] { members.map { $0.key.string ?? "" } }
}
