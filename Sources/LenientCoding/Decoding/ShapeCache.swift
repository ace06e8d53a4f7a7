import JSONText

/// The shapes that objects of a document were found to have, by the type of their coding keys.
struct ShapeCache: ~Copyable {
    typealias Shape = UnsafeMutablePointer<ObjectShape>

    /// What is known about the objects read with one type of coding keys.
    private struct KeyType {
        let identifier: ObjectIdentifier
        let isDictionary: Bool
        var latest: Shape?
        var shapes: [Shape] = []
    }

    /// So many shapes are tried for an object before it gets one of its own.
    private static let maximumShapes = 16

    private let strategy: LenientDecoder.KeyDecodingStrategy
    private let isSnakeCase: Bool
    private var keyTypes: ContiguousArray<KeyType> = []
    /// Everything that readers of objects have the address of.
    private var shapes: [Shape] = []
    private var positions: [UInt32: UnsafeMutablePointer<UInt32>] = [:]

    init(_ strategy: LenientDecoder.KeyDecodingStrategy) {
        self.strategy = strategy
        if case .convertFromSnakeCase = strategy { isSnakeCase = true } else { isSnakeCase = false }
    }

    deinit {
        for shape in shapes {
            shape.deinitialize(count: 1)
            shape.deallocate()
        }
        for positions in positions.values { positions.deallocate() }
    }

    /// The shape of `object` for coding keys of type `identifier`.
    mutating func shape(_ object: JSONNode, _ identifier: ObjectIdentifier, path: () -> [any CodingKey]) -> Shape {
        var index = 0
        // A model has few types of coding keys: going through them is faster than hashing.
        while index < keyTypes.count, keyTypes[index].identifier != identifier { index &+= 1 }
        if index == keyTypes.count {
            keyTypes.append(KeyType(identifier: identifier, isDictionary: identifier == DictionaryKey.type))
        }
        if let latest = keyTypes[index].latest, latest.pointee.describes(object) { return latest }
        return find(object, keyType: index, path: path)
    }

    /// The places of the values of a large object.
    mutating func positions(_ object: JSONNode) -> UnsafeMutablePointer<UInt32> {
        if let known = positions[object.position] { return known }
        let made = UnsafeMutablePointer<UInt32>.allocate(capacity: object.count)
        for (ordinal, member) in object.members.enumerated() { made[ordinal] = member.value.position }
        positions[object.position] = made
        return made
    }

    @inline(never)
    private mutating func find(_ object: JSONNode, keyType index: Int, path: () -> [any CodingKey]) -> Shape {
        if keyTypes[index].isDictionary {
            return make(of: object, names: Self.names(object), isSnakeCase: false, keepsAnswers: false)
        }
        if case .custom(let convert) = strategy {
            // What the closure makes of a key may depend on where the object stands.
            let path = path()
            let names = Self.names(object).map { convert(path + [PathKey(stringValue: $0)]).stringValue }
            return make(of: object, names: names, isSnakeCase: false, keepsAnswers: true)
        }
        let known = keyTypes[index].shapes.first { $0.pointee.describes(object) }
        let shape =
            known ?? make(of: object, names: Self.names(object), isSnakeCase: isSnakeCase, keepsAnswers: true)
        keyTypes[index].latest = shape
        if known == nil {
            // One that is no longer tried may still be in use, and is freed with the others.
            if keyTypes[index].shapes.count == Self.maximumShapes { keyTypes[index].shapes.removeFirst() }
            keyTypes[index].shapes.append(shape)
        }
        return shape
    }

    private static func names(_ object: JSONNode) -> [String] { object.members.map { $0.key.string ?? "" } }

    private mutating func make(
        of object: JSONNode, names: [String], isSnakeCase: Bool, keepsAnswers: Bool
    ) -> Shape {
        let shape = Shape.allocate(capacity: 1)
        shape.initialize(
            to: ObjectShape(of: object, names: names, isSnakeCase: isSnakeCase, keepsAnswers: keepsAnswers))
        shapes.append(shape)
        return shape
    }
}
