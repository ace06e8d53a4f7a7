import JSONText

/// The unkeyed encoding container of an array.
struct UnkeyedWriter: UnkeyedEncodingContainer {
    /// The encoder of the array.
    private let array: ValueEncoder
    private var branch: EncodingBranch { array.branch }

    init(_ array: ValueEncoder) { self.array = array }

    var codingPath: [any CodingKey] { array.keys }
    var count: Int { branch.count(at: array.depth) }

    func encodeNil() throws { try scalar(Null()) }

    func encode<Value: Encodable>(_ value: Value) throws {
        // The path counts the elements before this one.
        let index = count
        try array.encode(value, begin) { .element(index) }
    }

    func nestedContainer<NestedKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        nested.container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested.unkeyedContainer() }
    func superEncoder() -> any Encoder { nested }

    private var nested: ValueEncoder {
        let step = PathStep.element(count)
        return ValueEncoder(
            branch.nested(begin) { ValueEncoder(branch, depth: 0, step, of: array) }, depth: 0, step, of: array)
    }

    private func begin() -> Bool { branch.beginElement(at: array.depth) }
}

// The type is known in the requirements for scalars, so they create no encoder.
extension UnkeyedWriter {
    @inline(__always)
    private func scalar<Value: WritableScalar>(_ value: Value) throws {
        try branch.write(value, begin) { array.child(.element(count)) }
    }

    func encode<Value: WritableScalar>(_ value: Value) throws { try scalar(value) }
    // Stated: the requirements for integers of 128 bits have default implementations, which fail.
    func encode(_ value: Int128) throws { try scalar(value) }
    func encode(_ value: UInt128) throws { try scalar(value) }
}
