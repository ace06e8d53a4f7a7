import JSONText

/// A value of the document as a decoder, and as the container of itself.
struct ValueDecoder: DocumentDecoder, SingleValueDecodingContainer {
    let session: DecodingSession
    let position: UInt32
    let place: Place

    var codingPath: [any CodingKey] { session.codingPath(place) }
    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try session.keyedContainer(at: position, place)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try session.unkeyedContainer(at: position, place)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        try session.checkLiveness()
        return self
    }

    func decodeNil() -> Bool { session.isLive && session.node(position).isNull }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try session.checkLiveness()
        return try session.value(type, at: position, place)
    }

    func documentNode() throws -> JSONNode {
        try session.checkLiveness()
        return session.node(position)
    }

    @inline(__always)
    private func scalar<Value: Scalar>() throws -> Value {
        try session.checkLiveness()
        return try Value.read(session.node(position)) ?? session.converted(at: position, place)
    }

    func decode(_ type: Bool.Type) throws -> Bool { try scalar() }
    func decode(_ type: String.Type) throws -> String { try scalar() }
    func decode(_ type: Double.Type) throws -> Double { try scalar() }
    func decode(_ type: Float.Type) throws -> Float { try scalar() }
    func decode(_ type: Int.Type) throws -> Int { try scalar() }
    func decode(_ type: Int8.Type) throws -> Int8 { try scalar() }
    func decode(_ type: Int16.Type) throws -> Int16 { try scalar() }
    func decode(_ type: Int32.Type) throws -> Int32 { try scalar() }
    func decode(_ type: Int64.Type) throws -> Int64 { try scalar() }
    func decode(_ type: Int128.Type) throws -> Int128 { try scalar() }
    func decode(_ type: UInt.Type) throws -> UInt { try scalar() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar() }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar() }
}
