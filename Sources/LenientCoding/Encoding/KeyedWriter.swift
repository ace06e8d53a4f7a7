import JSONText

/// An object that is being written, as a keyed container.
struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let branch: EncodingBranch
    private let depth: Int
    private let isDictionary: Bool

    init(_ branch: EncodingBranch, depth: Int) {
        self.branch = branch
        self.depth = depth
        isDictionary = ObjectIdentifier(Key.self) == DictionaryKey.type
    }

    var codingPath: [any CodingKey] { branch.codingPath(depth) }

    mutating func encodeNil(forKey key: Key) throws {
        try branch.beginMember(key, isDictionary: isDictionary, at: depth)
        branch.writer.pointee.writeNull()
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try branch.encodeMember(value, key, isDictionary: isDictionary, at: depth)
    }

    mutating func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        branch.memberBranch(key, isDictionary: isDictionary, at: depth).keyedContainer(at: 0)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        branch.memberBranch(key, isDictionary: isDictionary, at: depth).unkeyedContainer(at: 0)
    }

    mutating func superEncoder() -> any Encoder {
        ValueEncoder(branch: branch.memberBranch(PathKey.superclass, isDictionary: isDictionary, at: depth), depth: 0)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        ValueEncoder(branch: branch.memberBranch(key, isDictionary: isDictionary, at: depth), depth: 0)
    }
}

// The requirements for scalars, all alike: the type is known here, so no encoder is made for them.
extension KeyedWriter {
    @inline(__always)
    private func scalar<Value: WritableScalar>(_ value: Value, _ key: Key) throws {
        try branch.writeMember(value, key, isDictionary: isDictionary, at: depth)
    }

    mutating func encode(_ value: Bool, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: String, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: Double, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: Float, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: Int, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: Int8, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: Int16, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: Int32, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: Int64, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: Int128, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: UInt, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: UInt8, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: UInt16, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: UInt32, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: UInt64, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: UInt128, forKey key: Key) throws { try scalar(value, key) }
}
