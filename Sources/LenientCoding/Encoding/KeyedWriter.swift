import JSONText

/// The keyed encoding container of an object.
struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let object: ObjectWriter
    private var path: CodingPath { object.path }

    init(_ object: ObjectWriter) { self.object = object }

    var codingPath: [any CodingKey] { path.keys }

    func encodeNil(forKey key: Key) throws { try scalar(Null(), key) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try object.branch.encode(value, object.slot(key), at: object.depth, .member(key, of: path))
    }

    func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(key).keyedContainer(at: 0, isDictionary: false, .member(key, of: path))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer(at: 0, .member(key, of: path))
    }

    func superEncoder() -> any Encoder { superEncoder(PathKey.superclass) }
    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key) }

    private func superEncoder(_ key: some CodingKey) -> any Encoder {
        ValueEncoder(nested(key), depth: 0, .member(key, of: path))
    }

    private func nested(_ key: some CodingKey) -> EncodingBranch {
        object.branch.nested(object.slot(key), at: object.depth, .member(key, of: path))
    }
}

/// An object that is being encoded.
///
/// It is a class because the standard library copies a container for each member that it encodes.
final class ObjectWriter {
    let branch: EncodingBranch
    let depth: Int
    let path: CodingPath
    /// Nil for a dictionary, whose keys no strategy converts.
    private let spellings: KeySpellings?

    init(_ branch: EncodingBranch, at depth: Int, _ path: CodingPath, _ spellings: KeySpellings?) {
        self.branch = branch
        self.depth = depth
        self.path = path
        self.spellings = spellings
    }

    /// Returns the role of the value for `key`.
    func slot(_ key: some CodingKey) -> EncodingText.Slot {
        guard let spellings else { return .entry(key.stringValue) }
        if let known = spellings.spelling(of: key.stringValue) { return .member(known) }
        return .member(spellings.makeSpelling(of: key, in: path, branch.state))
    }
}

// The type is known in the requirements for scalars, so they create no encoder.
extension KeyedWriter {
    @inline(__always)
    private func scalar<Value: WritableScalar>(_ value: Value, _ key: Key) throws {
        try object.branch.write(value, object.slot(key), at: object.depth, .member(key, of: path))
    }

    func encode(_ value: Bool, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: String, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Double, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Float, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int128, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try scalar(value, key) }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { if let value { try scalar(value, key) } }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { if let value { try scalar(value, key) } }
}
