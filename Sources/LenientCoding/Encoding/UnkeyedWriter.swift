import JSONText

/// The unkeyed encoding container of an array.
struct UnkeyedWriter: UnkeyedEncodingContainer {
    private let branch: EncodingBranch
    private let depth: Int
    private let path: CodingPath

    init(_ branch: EncodingBranch, depth: Int, _ path: CodingPath) {
        self.branch = branch
        self.depth = depth
        self.path = path
    }

    var codingPath: [any CodingKey] { path.keys }
    var count: Int { branch.count(at: depth) }

    func encodeNil() throws { try scalar(Null()) }
    func encode<Value: Encodable>(_ value: Value) throws { try branch.encode(value, .element, at: depth, next) }

    func nestedContainer<NestedKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        let path = next
        return branch.nested(.element, at: depth, path).keyedContainer(at: 0, isDictionary: false, path)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let path = next
        return branch.nested(.element, at: depth, path).unkeyedContainer(at: 0, path)
    }

    func superEncoder() -> any Encoder {
        let path = next
        return ValueEncoder(branch.nested(.element, at: depth, path), depth: 0, path)
    }

    /// The path of the next element.
    private var next: CodingPath { .element(count, of: path) }
}

// The type is known in the requirements for scalars, so they create no encoder.
extension UnkeyedWriter {
    @inline(__always)
    private func scalar<Value: WritableScalar>(_ value: Value) throws {
        try branch.write(value, .element, at: depth, next)
    }

    func encode(_ value: Bool) throws { try scalar(value) }
    func encode(_ value: String) throws { try scalar(value) }
    func encode(_ value: Double) throws { try scalar(value) }
    func encode(_ value: Float) throws { try scalar(value) }
    func encode(_ value: Int) throws { try scalar(value) }
    func encode(_ value: Int8) throws { try scalar(value) }
    func encode(_ value: Int16) throws { try scalar(value) }
    func encode(_ value: Int32) throws { try scalar(value) }
    func encode(_ value: Int64) throws { try scalar(value) }
    func encode(_ value: Int128) throws { try scalar(value) }
    func encode(_ value: UInt) throws { try scalar(value) }
    func encode(_ value: UInt8) throws { try scalar(value) }
    func encode(_ value: UInt16) throws { try scalar(value) }
    func encode(_ value: UInt32) throws { try scalar(value) }
    func encode(_ value: UInt64) throws { try scalar(value) }
    func encode(_ value: UInt128) throws { try scalar(value) }
}
