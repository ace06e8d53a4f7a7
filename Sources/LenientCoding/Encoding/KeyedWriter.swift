import JSONText

/// An object that is being written, as a keyed container.
struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    // Held for the text, which is used without it.
    private let branch: EncodingBranch
    private let text: EncodingText
    private let depth: Int
    private let isDictionary: Bool

    init(_ branch: EncodingBranch, depth: Int) {
        self.branch = branch
        text = branch.text
        self.depth = depth
        isDictionary = ObjectIdentifier(Key.self) == DictionaryKey.type
    }

    var codingPath: [any CodingKey] { text.codingPath(depth) }

    mutating func encodeNil(forKey key: Key) throws {
        try text.beginMember(key, isDictionary: isDictionary, at: depth)
        text.state.pointee.writer.writeNull()
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try text.encodeMember(value, key, isDictionary: isDictionary, at: depth)
    }

    mutating func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        text.memberBranch(key, isDictionary: isDictionary, at: depth).keyedContainer(at: 0)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        text.memberBranch(key, isDictionary: isDictionary, at: depth).unkeyedContainer(at: 0)
    }

    mutating func superEncoder() -> any Encoder {
        ValueEncoder(text.memberBranch(PathKey.superclass, isDictionary: isDictionary, at: depth), depth: 0)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        ValueEncoder(text.memberBranch(key, isDictionary: isDictionary, at: depth), depth: 0)
    }
}

// The requirements for scalars, all alike: the type is known here, so no encoder is made for them.
extension KeyedWriter {
    @inline(__always)
    private func scalar<Value: WritableScalar>(_ value: Value, _ key: Key) throws {
        try text.writeMember(value, key, isDictionary: isDictionary, at: depth)
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

    mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    mutating func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    mutating func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { if let value { try scalar(value, key) } }
}
