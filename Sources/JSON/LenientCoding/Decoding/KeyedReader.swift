import JSONText

/// The keyed decoding container of an object.
struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// The decoder of the object, the only reference, because the standard library copies a container for each member.
    private let object: ValueDecoder
    private var state: DecodingState { object.state }

    init(_ object: ValueDecoder) { self.object = object }

    var codingPath: [any CodingKey] { object.codingPath }

    // A key that only matches by letters and digits is missing here, because it cannot be made from the member's name.
    var allKeys: [Key] {
        guard state.isLive, let shape = object.shape else { return [] }
        return shape.keys()
    }

    func contains(_ key: Key) -> Bool { (try? object.value(of: key.stringValue)) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try member(key).isNull }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try object.decode(type, member(key)) { .member(key) }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let node = try object.value(of: key.stringValue), !node.isNull else { return nil }
        return try object.decodeIfValid(type, node) { .member(key) }
    }

    func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try superDecoder(RawCodingKey.superclass) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(key) }

    private func superDecoder(_ key: any CodingKey) throws -> any Decoder {
        if let node = try object.value(of: key.stringValue) { return decoder(node, key) }
        // As in Foundation, a superclass that decodes nothing does not need its member.
        return AbsentValue(codingPath: object.keys + [key], userInfo: state.userInfo)
    }

    @inline(__always)
    private func member(_ key: Key) throws -> JSONNode {
        guard let node = try object.value(of: key.stringValue) else { throw state.missing(key, at: object) }
        return node
    }

    private func decoder(_ key: Key) throws -> ValueDecoder { decoder(try member(key), key) }

    private func decoder(_ node: JSONNode, _ key: some CodingKey) -> ValueDecoder {
        object.child(at: node.position, .member(key))
    }
}

// The type is known in the requirements for scalars, so they create no decoder.
extension KeyedReader {
    @inline(__always)
    private func scalar<Value: Scalar>(_ key: Key) throws -> Value {
        let node = try member(key)
        if let value = Value.read(node) { return value }
        return try state.convert(node, at: decoder(node, key), isDeclared: true)
    }

    @inline(__always)
    private func scalarIfPresent<Value: Scalar>(_ key: Key) throws -> Value? {
        guard let node = try object.value(of: key.stringValue), !node.isNull else { return nil }
        if let value = Value.read(node) { return value }
        return try state.convertIfValid(node, at: decoder(node, key))
    }

    @inline(__always)
    func decode<Value: Scalar>(_ type: Value.Type, forKey key: Key) throws -> Value { try scalar(key) }
    // Stated: the requirements for integers of 128 bits have default implementations, which fail.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try scalar(key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try scalar(key) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try scalarIfPresent(key) }
}
