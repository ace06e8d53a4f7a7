import JSONText

/// The shapes that objects of a document were found to have, by the type of their coding keys.
final class ShapeCache {
    /// What is known about the objects read with one type of coding keys.
    private final class KeyType {
        let identifier: ObjectIdentifier
        let isDictionary: Bool
        var shapes: [UnsafeMutablePointer<ObjectShape>] = []
        var latest: UnsafeMutablePointer<ObjectShape>?

        init(_ identifier: ObjectIdentifier) {
            self.identifier = identifier
            isDictionary = identifier == DictionaryKey.type
        }
    }

    /// So many shapes are tried for an object before it gets one of its own.
    private static let maximumShapes = 16

    private let strategy: LenientDecoder.KeyDecodingStrategy
    private let isSnakeCase: Bool
    private var keyTypes: [ObjectIdentifier: KeyType] = [:]
    private var latest: KeyType?
    /// Everything that readers of objects have the address of.
    private var shapes: [UnsafeMutablePointer<ObjectShape>] = []
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

    /// The places of the values of a large object.
    func positions(_ object: JSONNode) -> UnsafeMutablePointer<UInt32> {
        if let known = positions[object.position] { return known }
        let made = UnsafeMutablePointer<UInt32>.allocate(capacity: object.count)
        for (ordinal, member) in object.members.enumerated() { made[ordinal] = member.value.position }
        positions[object.position] = made
        return made
    }

    /// The shape of `object` for coding keys of type `identifier`.
    func shape(
        _ object: JSONNode, _ identifier: ObjectIdentifier, path: () -> [any CodingKey]
    ) -> UnsafeMutablePointer<ObjectShape> {
        let keyType = keyType(identifier)
        if let shape = keyType.latest, shape.pointee.describes(object) { return shape }
        return findShape(object, keyType, path: path)
    }

    private func keyType(_ identifier: ObjectIdentifier) -> KeyType {
        if let latest, latest.identifier == identifier { return latest }
        let found = keyTypes[identifier] ?? KeyType(identifier)
        keyTypes[identifier] = found
        latest = found
        return found
    }

    private func findShape(
        _ object: JSONNode, _ keyType: KeyType, path: () -> [any CodingKey]
    ) -> UnsafeMutablePointer<ObjectShape> {
        let names = object.members.map { $0.key.string ?? "" }
        if keyType.isDictionary {
            return make(of: object, names: names, isSnakeCase: false, keepsAnswers: false)
        }
        if case .custom(let convert) = strategy {
            // What the closure makes of a key may depend on where the object stands.
            let path = path()
            let converted = names.map { convert(path + [PathKey(stringValue: $0)]).stringValue }
            return make(of: object, names: converted, isSnakeCase: false, keepsAnswers: true)
        }
        if let shape = keyType.shapes.first(where: { $0.pointee.describes(object) }) {
            keyType.latest = shape
            return shape
        }
        let shape = make(of: object, names: names, isSnakeCase: isSnakeCase, keepsAnswers: true)
        // One that is no longer tried may still be in use, and is freed with the others.
        if keyType.shapes.count == Self.maximumShapes { keyType.shapes.removeFirst() }
        keyType.shapes.append(shape)
        keyType.latest = shape
        return shape
    }

    private func make(
        of object: JSONNode, names: [String], isSnakeCase: Bool, keepsAnswers: Bool
    ) -> UnsafeMutablePointer<ObjectShape> {
        let shape = UnsafeMutablePointer<ObjectShape>.allocate(capacity: 1)
        shape.initialize(
            to: ObjectShape(of: object, names: names, isSnakeCase: isSnakeCase, keepsAnswers: keepsAnswers))
        shapes.append(shape)
        return shape
    }
}
