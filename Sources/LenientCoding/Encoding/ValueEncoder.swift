import JSONText

/// The place of a value as an encoder, and as the container of itself.
struct ValueEncoder: Encoder, SingleValueEncodingContainer {
    let branch: EncodingBranch
    let depth: Int

    var codingPath: [any CodingKey] { branch.codingPath(depth) }
    var userInfo: [CodingUserInfoKey: Any] { branch.session.userInfo }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> { branch.keyedContainer(at: depth) }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { branch.unkeyedContainer(at: depth) }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws {
        try branch.beginScalar(at: depth)
        branch.writer.pointee.writeNull()
    }

    func encode<Value: Encodable>(_ value: Value) throws { try branch.write(value, at: depth) }
    func encode(_ value: Bool) throws { try branch.writeScalar(value, at: depth) }
    func encode(_ value: String) throws { try branch.writeScalar(value, at: depth) }
    func encode(_ value: Double) throws { try branch.writeScalar(value, at: depth) }
    func encode(_ value: Float) throws { try branch.writeScalar(value, at: depth) }
    func encode(_ value: Int) throws { try branch.writeScalar(value, at: depth) }
    func encode(_ value: Int8) throws { try branch.writeScalar(value, at: depth) }
    func encode(_ value: Int16) throws { try branch.writeScalar(value, at: depth) }
    func encode(_ value: Int32) throws { try branch.writeScalar(value, at: depth) }
    func encode(_ value: Int64) throws { try branch.writeScalar(value, at: depth) }
    func encode(_ value: Int128) throws { try branch.writeScalar(value, at: depth) }
    func encode(_ value: UInt) throws { try branch.writeScalar(value, at: depth) }
    func encode(_ value: UInt8) throws { try branch.writeScalar(value, at: depth) }
    func encode(_ value: UInt16) throws { try branch.writeScalar(value, at: depth) }
    func encode(_ value: UInt32) throws { try branch.writeScalar(value, at: depth) }
    func encode(_ value: UInt64) throws { try branch.writeScalar(value, at: depth) }
    func encode(_ value: UInt128) throws { try branch.writeScalar(value, at: depth) }
}
