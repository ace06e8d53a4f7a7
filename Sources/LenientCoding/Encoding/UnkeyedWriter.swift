import JSONText

/// An array that is being written, as an unkeyed container.
struct UnkeyedWriter: UnkeyedEncodingContainer {
    private let branch: EncodingBranch
    private let depth: Int

    init(_ branch: EncodingBranch, depth: Int) {
        self.branch = branch
        self.depth = depth
    }

    var codingPath: [any CodingKey] { branch.codingPath(depth) }
    var count: Int { branch.count(at: depth) }

    mutating func encodeNil() throws {
        try branch.beginElement(at: depth)
        branch.writer.pointee.writeNull()
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws { try branch.encodeElement(value, at: depth) }

    mutating func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        branch.elementBranch(at: depth).keyedContainer(at: 0)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        branch.elementBranch(at: depth).unkeyedContainer(at: 0)
    }

    mutating func superEncoder() -> any Encoder {
        ValueEncoder(branch: branch.elementBranch(at: depth), depth: 0)
    }
}

extension UnkeyedWriter {
    mutating func encode(_ value: Bool) throws { try branch.writeElement(value, at: depth) }
    mutating func encode(_ value: String) throws { try branch.writeElement(value, at: depth) }
    mutating func encode(_ value: Double) throws { try branch.writeElement(value, at: depth) }
    mutating func encode(_ value: Float) throws { try branch.writeElement(value, at: depth) }
    mutating func encode(_ value: Int) throws { try branch.writeElement(value, at: depth) }
    mutating func encode(_ value: Int8) throws { try branch.writeElement(value, at: depth) }
    mutating func encode(_ value: Int16) throws { try branch.writeElement(value, at: depth) }
    mutating func encode(_ value: Int32) throws { try branch.writeElement(value, at: depth) }
    mutating func encode(_ value: Int64) throws { try branch.writeElement(value, at: depth) }
    mutating func encode(_ value: Int128) throws { try branch.writeElement(value, at: depth) }
    mutating func encode(_ value: UInt) throws { try branch.writeElement(value, at: depth) }
    mutating func encode(_ value: UInt8) throws { try branch.writeElement(value, at: depth) }
    mutating func encode(_ value: UInt16) throws { try branch.writeElement(value, at: depth) }
    mutating func encode(_ value: UInt32) throws { try branch.writeElement(value, at: depth) }
    mutating func encode(_ value: UInt64) throws { try branch.writeElement(value, at: depth) }
    mutating func encode(_ value: UInt128) throws { try branch.writeElement(value, at: depth) }
}
