import JSONText

/// The members of an object as a keyed container.
struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let object: ObjectReader
    private var session: DecodingSession { object.session }

    init(_ session: DecodingSession, _ node: JSONNode, _ place: Place) {
        object = ObjectReader(session, node, place, Key.self)
    }

    var codingPath: [any CodingKey] { session.codingPath(object.place) }

    // A key that only the letters and digits of a member lead to cannot be told from here.
    var allKeys: [Key] {
        object.names(ObjectIdentifier(Key.self)).compactMap {
            Key(stringValue: $0.converted) ?? Key(stringValue: $0.spelled)
        }
    }

    func contains(_ key: Key) -> Bool { object.find(key, ObjectIdentifier(Key.self)) != 0 }

    func decodeNil(forKey key: Key) throws -> Bool { session.node(try find(key)).isNull }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let position = try find(key)
        return try session.value(type, at: position, session.step(from: object.place, into: key))
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let position = try findIfPresent(key) else { return nil }
        return try session.valueIfValid(type, at: position, session.step(from: object.place, into: key))
    }

    func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let position = try find(key)
        return try session.keyedContainer(at: position, session.handOut(from: object.place, key))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        let position = try find(key)
        return try session.unkeyedContainer(at: position, session.handOut(from: object.place, key))
    }

    func superDecoder() throws -> any Decoder { try superDecoder(PathKey.superclass) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(key) }

    private func superDecoder(_ key: any CodingKey) throws -> any Decoder {
        try session.checkLiveness()
        let position = object.find(key, ObjectIdentifier(Key.self))
        // As with Foundation: a superclass that decodes nothing does not need its member.
        guard position != 0 else { return AbsentValue(codingPath: codingPath + [key], userInfo: session.userInfo) }
        return ValueDecoder(session: session, position: position, place: session.handOut(from: object.place, key))
    }

    @inline(__always)
    private func find(_ key: Key) throws -> UInt32 {
        let position = object.find(key, ObjectIdentifier(Key.self))
        if position == 0 { throw session.missing(key, object.place) }
        return position
    }

    @inline(__always)
    private func findIfPresent(_ key: Key) throws -> UInt32? {
        let position = object.find(key, ObjectIdentifier(Key.self))
        if position == 0 {
            try session.checkLiveness()
            return nil
        }
        return session.node(position).isNull ? nil : position
    }
}

// The requirements for scalars, all alike: the type is known here, so no decoder is made for them.
extension KeyedReader {
    @inline(__always)
    private func scalar<Value: Scalar>(_ key: Key) throws -> Value {
        let position = try find(key)
        if let value = Value.read(session.node(position)) { return value }
        return try session.converted(at: position, session.step(from: object.place, into: key))
    }

    @inline(__always)
    private func scalarIfPresent<Value: Scalar>(_ key: Key) throws -> Value? {
        guard let position = try findIfPresent(key) else { return nil }
        if let value = Value.read(session.node(position)) { return value }
        return try session.convertedIfValid(at: position, session.step(from: object.place, into: key))
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try scalar(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(key) }
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
