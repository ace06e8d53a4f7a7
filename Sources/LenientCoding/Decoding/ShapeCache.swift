import JSONText

/// The shapes that objects of a document were found to have, by the type of their coding keys.
struct ShapeCache: ~Copyable {
    typealias Shape = UnsafeMutablePointer<ObjectShape>

    /// What is known about the objects read with one type of coding keys.
    private struct KeyType {
        let identifier: ObjectIdentifier
        let isDictionary: Bool
        /// Takes the names that the keys lead to, where unknown ones are to be told.
        let found: FoundNames?
        /// The shape of the last object, where others may have it.
        var latest: Shape?
        var shapes: [Shape] = []
        /// Which shape makes room for the next one.
        var oldest = 0
    }

    /// So many shapes are kept of a type; a document of ever new ones needs no more memory.
    private static let maximumShapes = 16
    /// Shapes of more members than these are kept all: to make them again takes long.
    private static let smallCount = 64

    private let strategy: LenientDecoder.KeyDecodingStrategy
    private let isSnakeCase: Bool
    private let tellsUnknownNames: Bool
    private var keyTypes: ContiguousArray<KeyType> = []
    /// Everything that readers of objects have the address of.
    private var shapes: [Shape] = []
    private var positions: [UInt32: [UInt32]] = [:]

    init(_ strategy: LenientDecoder.KeyDecodingStrategy, tellsUnknownNames: Bool) {
        self.strategy = strategy
        self.tellsUnknownNames = tellsUnknownNames
        if case .convertFromSnakeCase = strategy { isSnakeCase = true } else { isSnakeCase = false }
    }

    deinit {
        for shape in shapes {
            shape.deinitialize(count: 1)
            shape.deallocate()
        }
    }

    /// The shape of `object` for coding keys of type `identifier`.
    mutating func shape(_ object: JSONNode, _ identifier: ObjectIdentifier, path: () -> [any CodingKey]) -> Shape {
        var index = 0
        // A model has few types of coding keys: going through them is faster than hashing.
        while index < keyTypes.count, keyTypes[index].identifier != identifier { index &+= 1 }
        if index == keyTypes.count { add(identifier) }
        if let latest = keyTypes[index].latest, latest.pointee.describes(object) { return latest }
        return find(object, keyType: index, path: path)
    }

    /// The places of the keys of a large object.
    mutating func keyPositions(_ object: JSONNode) -> [UInt32] {
        if let known = positions[object.position] { return known }
        let made = object.members.map(\.key.position)
        positions[object.position] = made
        return made
    }

    private mutating func add(_ identifier: ObjectIdentifier) {
        let isDictionary = identifier == DictionaryKey.type
        let found = tellsUnknownNames && !isDictionary ? FoundNames() : nil
        keyTypes.append(KeyType(identifier: identifier, isDictionary: isDictionary, found: found))
    }

    @inline(never)
    private mutating func find(_ object: JSONNode, keyType: Int, path: () -> [any CodingKey]) -> Shape {
        if keyTypes[keyType].isDictionary {
            return make(of: object, keyType, names: Self.names(object), keepsAnswers: false)
        }
        if case .custom(let convert) = strategy {
            // What the closure makes of a key may depend on where the object stands.
            let path = path()
            let names = Self.names(object).map { convert(path + [PathKey(stringValue: $0)]).stringValue }
            return make(of: object, keyType, names: names, keepsAnswers: false)
        }
        let shape =
            keyTypes[keyType].shapes.first { $0.pointee.describes(object) }
            ?? make(of: object, keyType, names: Self.names(object), keepsAnswers: true)
        keyTypes[keyType].latest = shape
        return shape
    }

    private static func names(_ object: JSONNode) -> [String] { object.members.map { $0.key.string ?? "" } }

    private mutating func make(
        of object: JSONNode, _ keyType: Int, names: [String], keepsAnswers: Bool
    ) -> Shape {
        let isSnakeCase = isSnakeCase && !keyTypes[keyType].isDictionary
        let isSmall = names.count <= Self.smallCount
        if isSmall, keyTypes[keyType].shapes.count == Self.maximumShapes {
            let shape = keyTypes[keyType].shapes[keyTypes[keyType].oldest]
            keyTypes[keyType].oldest = (keyTypes[keyType].oldest + 1) % Self.maximumShapes
            let generation = shape.pointee.generation &+ 1
            shape.pointee = ObjectShape(
                of: object, names: names, isSnakeCase: isSnakeCase, keepsAnswers: keepsAnswers,
                found: keyTypes[keyType].found, generation: generation)
            return shape
        }
        let shape = Shape.allocate(capacity: 1)
        shape.initialize(
            to: ObjectShape(
                of: object, names: names, isSnakeCase: isSnakeCase, keepsAnswers: keepsAnswers,
                found: keyTypes[keyType].found, generation: 0))
        shapes.append(shape)
        if isSmall { keyTypes[keyType].shapes.append(shape) }
        return shape
    }
}
