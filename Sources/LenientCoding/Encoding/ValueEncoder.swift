import JSONText

/// The place of a value as an encoder, and as the container of itself.
struct ValueEncoder: DocumentEncoder, SingleValueEncodingContainer {
    // Held for the text, which is used without it.
    private let branch: EncodingBranch
    private let text: EncodingText
    private let depth: Int

    init(_ branch: EncodingBranch, depth: Int) {
        self.branch = branch
        text = branch.text
        self.depth = depth
    }

    var codingPath: [any CodingKey] { text.codingPath(depth) }
    var userInfo: [CodingUserInfoKey: Any] { branch.session.userInfo }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> { text.keyedContainer(at: depth) }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { text.unkeyedContainer(at: depth) }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws {
        try text.beginScalar(at: depth)
        text.state.pointee.writer.writeNull()
    }

    /// Writes the value as text that `body` knows to be one value of JSON.
    func writeText(_ body: (inout JSONWriter) -> Void) throws {
        try text.beginScalar(at: depth)
        body(&text.state.pointee.writer)
    }

    func encode<Value: Encodable>(_ value: Value) throws { try text.write(value, at: depth) }
    func encode(_ value: Bool) throws { try text.writeScalar(value, at: depth) }
    func encode(_ value: String) throws { try text.writeScalar(value, at: depth) }
    func encode(_ value: Double) throws { try text.writeScalar(value, at: depth) }
    func encode(_ value: Float) throws { try text.writeScalar(value, at: depth) }
    func encode(_ value: Int) throws { try text.writeScalar(value, at: depth) }
    func encode(_ value: Int8) throws { try text.writeScalar(value, at: depth) }
    func encode(_ value: Int16) throws { try text.writeScalar(value, at: depth) }
    func encode(_ value: Int32) throws { try text.writeScalar(value, at: depth) }
    func encode(_ value: Int64) throws { try text.writeScalar(value, at: depth) }
    func encode(_ value: Int128) throws { try text.writeScalar(value, at: depth) }
    func encode(_ value: UInt) throws { try text.writeScalar(value, at: depth) }
    func encode(_ value: UInt8) throws { try text.writeScalar(value, at: depth) }
    func encode(_ value: UInt16) throws { try text.writeScalar(value, at: depth) }
    func encode(_ value: UInt32) throws { try text.writeScalar(value, at: depth) }
    func encode(_ value: UInt64) throws { try text.writeScalar(value, at: depth) }
    func encode(_ value: UInt128) throws { try text.writeScalar(value, at: depth) }
}
