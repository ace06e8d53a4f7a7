import JSONText

/// The keyed encoding container of an object.
struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    /// The encoder of the object, a class because the standard library copies a container for each member.
    private let object: ValueEncoder

    init(_ object: ValueEncoder) { self.object = object }

    var codingPath: [any CodingKey] { object.keys }

    func encodeNil(forKey key: Key) throws { try scalar(Null(), key) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try object.encode(value, { object.beginMember(key) }) { .member(key) }
    }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        try Self.unwrap(value) { try encode($0, forKey: key) }
    }

    /// Passes a value that is not nil to `body`.
    ///
    /// The default implementation of `encodeIfPresent` copies the value twice. Here the value is of a type that is not
    /// known to be copyable, so that it is not copied.
    @inline(__always)
    private static func unwrap<Value: ~Copyable>(
        _ value: borrowing Value?, _ body: (borrowing Value) throws -> Void
    ) rethrows {
        switch value {
        case .some(let value): try body(value)
        case .none: break
        }
    }

    func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { nested(RawCodingKey.superclass) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: some CodingKey) -> ValueEncoder {
        let branch = object.branch.nested({ object.beginMember(key) }) {
            ValueEncoder(object.branch, depth: 0, .member(key), of: object)
        }
        return ValueEncoder(branch, depth: 0, .member(key), of: object)
    }
}

// The type is known in the requirements for scalars, so they create no encoder.
extension KeyedWriter {
    @inline(__always)
    private func scalar<Value: WritableScalar>(_ value: Value, _ key: Key) throws {
        if object.writeKnownMember(value, key.stringValue) { return }
        try object.branch.write(value, { object.beginMember(key) }) { object.child(.member(key)) }
    }

    func encode<Value: WritableScalar>(_ value: Value, forKey key: Key) throws { try scalar(value, key) }
    // Stated: the requirements for integers of 128 bits have default implementations, which fail.
    func encode(_ value: Int128, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try scalar(value, key) }
}
