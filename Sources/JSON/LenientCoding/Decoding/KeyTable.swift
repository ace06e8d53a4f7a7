import JSONText

/// The coding keys of one type that were looked up so far, and the shapes of the objects that were read with the type.
final class KeyTable {
    /// The maximum number of cached shapes.
    private static let maximumShapes = 16

    let type: any CodingKey.Type
    private let matching: KeyMatching
    /// The names of the coding keys with their hashes.
    @exclusivity(unchecked) private var keys = KeyMemo<UInt32?>()
    @exclusivity(unchecked) private var shapes: [ObjectShape] = []

    init(_ type: any CodingKey.Type, _ matching: KeyMatching) {
        self.type = type
        self.matching = matching
    }

    /// Returns the number of the coding key called `name`; nil if it is not looked up yet.
    @inline(__always)
    func number(of name: String) -> Int? { keys.index(of: name) }

    /// Gives a coding key a number; returns nil if there are too many keys.
    func insert(_ name: String) -> Int? {
        keys.insert(SnakeCase.hash(name.utf8.span, isSnakeCase: matching.isSnakeCase), for: name)
    }

    /// Returns the hash of the name of the coding key with the given number.
    func hash(at number: Int) -> UInt32? { keys[number] }

    /// Returns the shape of `object`, from the cache if an object with the same keys was read with this type.
    func shape(of object: JSONNode) -> ObjectShape {
        for index in shapes.indices.reversed() where shapes.span[index].describes(object) { return shapes[index] }
        let shape = ObjectShape(of: object, self, matching)
        if shapes.count == Self.maximumShapes { shapes.removeFirst() }
        shapes.append(shape)
        return shape
    }

    /// Removes the shapes, which refer to the table.
    func removeShapes() { shapes = [] }
}
