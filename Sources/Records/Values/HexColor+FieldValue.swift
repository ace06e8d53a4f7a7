public import JSONText

extension HexColor: FieldValue {
    /// A colour.
    public static var expectation: String { "a colour such as #C0DEED" }

    /// A string of three, six or eight hexadecimal digits.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        ["type": "string", "pattern": "^#[0-9A-F]{6}([0-9A-F]{2})?$"]
    }

    /// Reads a colour in any of its spellings.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> HexColor? {
        if rules.meanAbsent(node) { return reader.fail(.sentinel) }
        let color = node.kind == .string ? HexColor(node.text.span) : node.string.flatMap { HexColor($0) }
        return color ?? reader.fail(.mistyped)
    }

    /// Writes `#C0DEED`.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        writer.write(atMost: 11) { room in
            room.write(byte: UInt8(ascii: "\""))
            forEachByte { room.write(byte: $0) }
            room.write(byte: UInt8(ascii: "\""))
        }
    }
}
