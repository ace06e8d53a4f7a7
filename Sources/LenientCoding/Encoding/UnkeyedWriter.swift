import JSONText

/// An array that is being written, as an unkeyed container.
struct UnkeyedWriter: UnkeyedEncodingContainer {
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
    var count: Int { text.count(at: depth) }

    mutating func encodeNil() throws {
        try text.beginElement(at: depth)
        text.state.pointee.writer.writeNull()
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws { try text.encodeElement(value, at: depth) }

    mutating func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        text.elementBranch(at: depth).keyedContainer(at: 0)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        text.elementBranch(at: depth).unkeyedContainer(at: 0)
    }

    mutating func superEncoder() -> any Encoder {
        ValueEncoder(text.elementBranch(at: depth), depth: 0)
    }
}

extension UnkeyedWriter {
    mutating func encode(_ value: Bool) throws { try text.writeElement(value, at: depth) }
    mutating func encode(_ value: String) throws { try text.writeElement(value, at: depth) }
    mutating func encode(_ value: Double) throws { try text.writeElement(value, at: depth) }
    mutating func encode(_ value: Float) throws { try text.writeElement(value, at: depth) }
    mutating func encode(_ value: Int) throws { try text.writeElement(value, at: depth) }
    mutating func encode(_ value: Int8) throws { try text.writeElement(value, at: depth) }
    mutating func encode(_ value: Int16) throws { try text.writeElement(value, at: depth) }
    mutating func encode(_ value: Int32) throws { try text.writeElement(value, at: depth) }
    mutating func encode(_ value: Int64) throws { try text.writeElement(value, at: depth) }
    mutating func encode(_ value: Int128) throws { try text.writeElement(value, at: depth) }
    mutating func encode(_ value: UInt) throws { try text.writeElement(value, at: depth) }
    mutating func encode(_ value: UInt8) throws { try text.writeElement(value, at: depth) }
    mutating func encode(_ value: UInt16) throws { try text.writeElement(value, at: depth) }
    mutating func encode(_ value: UInt32) throws { try text.writeElement(value, at: depth) }
    mutating func encode(_ value: UInt64) throws { try text.writeElement(value, at: depth) }
    mutating func encode(_ value: UInt128) throws { try text.writeElement(value, at: depth) }
}
