import JSONText

/// Finds the members of one object for its keyed containers.
///
/// It is a class because the standard library copies a container for each member that it decodes.
final class ObjectReader {
    let state: DecodingState
    let path: CodingPath
    private let object: UInt32
    private let shape: ObjectShape
    /// The positions of the members' values in the tape of the document.
    private let positions: [UInt32]
    private let isSnakeCase: Bool

    /// Creates a reader for coding keys of the given type; no strategy converts the keys of a dictionary.
    init<Key: CodingKey>(
        _ state: DecodingState, _ object: JSONNode, _ keys: Key.Type, isDictionary: Bool, _ path: CodingPath
    ) {
        self.state = state
        self.path = path
        self.object = object.position
        let strategy = isDictionary ? .useDefaultKeys : state.configuration.keyDecodingStrategy
        isSnakeCase = if case .convertFromSnakeCase = strategy { true } else { false }
        if case .custom(let convert) = strategy {
            // The closure may convert a key differently at another path, so the shape is not shared.
            let path = path.keys
            let names = object.names.map { convert(path + [PathKey(stringValue: $0)]).stringValue }
            shape = ObjectShape(of: object, names: names, isSnakeCase: false)
        } else if isDictionary {
            shape = ObjectShape(of: object, names: object.names, isSnakeCase: false)
        } else {
            shape = state.shape(of: object, readWith: keys, isSnakeCase: isSnakeCase)
        }
        var positions: [UInt32] = []
        positions.reserveCapacity(object.count)
        for (_, value) in object.members { positions.append(value.position) }
        self.positions = positions
        if !shape.overriddenNames.isEmpty {
            state.repairs.noteDuplicates(shape.overriddenNames, of: object.position, path)
        }
        if state.reportsUnknownMembers, !isDictionary {
            state.repairs.unknownMembers.note(codingNames, readWith: keys, in: object.position, path)
        }
    }

    /// Returns the value of the member that the coding key called `name` matches.
    func value(of name: String) throws -> JSONNode? {
        let root = try state.root
        guard let ordinal = shape.ordinal(of: name) else { return nil }
        if isSnakeCase { markAsKnown(shape.names[ordinal]) }
        return root.node(at: positions[ordinal])
    }

    /// Marks a member as known although the type of the coding keys may have no key of its name.
    func markAsKnown(_ name: String) {
        if state.reportsUnknownMembers { state.repairs.unknownMembers.remove(name, from: object) }
    }

    /// The distinct names of the members, as converted from snake_case and as in the shape.
    var codingNames: [(converted: String, spelled: String)] {
        let names = shape.names.map { (converted: isSnakeCase ? SnakeCase.camelCased($0) : $0, spelled: $0) }
        guard isSnakeCase || !shape.overriddenNames.isEmpty else { return names }
        var last: [Name: Int] = [:]
        for (index, name) in names.enumerated() { last[Name(text: name.converted)] = index }
        return names.indices.filter { last[Name(text: names[$0].converted)] == $0 }.map { names[$0] }
    }
}

extension JSONNode {
    /// The keys of an object.
    fileprivate var names: [String] { members.map { $0.key.string ?? "" } }
}

extension DecodingState {
    /// The maximum number of cached shapes for one type of coding keys.
    private static let maximumShapes = 16

    /// Returns the shape of `object`, from the cache if an object with the same keys was read with this type.
    fileprivate func shape<Key: CodingKey>(
        of object: JSONNode, readWith keys: Key.Type, isSnakeCase: Bool
    ) -> ObjectShape {
        // A document is read with few types of coding keys, so a linear search is enough.
        let index = shapes.firstIndex { $0.keys == keys } ?? shapes.count
        if index == shapes.count { shapes.append((keys, [])) }
        if let known = shapes[index].shapes.last(where: { $0.describes(object) }) { return known }
        let shape = ObjectShape(of: object, names: object.names, isSnakeCase: isSnakeCase)
        if shapes[index].shapes.count == Self.maximumShapes { shapes[index].shapes.removeFirst() }
        shapes[index].shapes.append(shape)
        return shape
    }
}
