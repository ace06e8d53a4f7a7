import JSONText

/// Writes a document again, of members with one key only the last.
enum UniqueMembers {
    static func write(_ node: JSONNode, to writer: inout JSONWriter) {
        switch node.kind {
        case .array:
            writer.write(byte: UInt8(ascii: "["))
            for (index, element) in node.elements.enumerated() {
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                write(element, to: &writer)
            }
            writer.write(byte: UInt8(ascii: "]"))
        case .object:
            var last: [[UInt8]: UInt32] = [:]
            for (key, _) in node.members { last[Array(key.text)] = key.position }
            writer.write(byte: UInt8(ascii: "{"))
            var isFirst = true
            for (key, value) in node.members where last[Array(key.text)] == key.position {
                if !isFirst { writer.write(byte: UInt8(ascii: ",")) }
                isFirst = false
                writer.write(stringOf: key)
                writer.write(byte: UInt8(ascii: ":"))
                write(value, to: &writer)
            }
            writer.write(byte: UInt8(ascii: "}"))
        case .string, .escapedString: writer.write(stringOf: node)
        default: writer.write(raw: node.text)
        }
    }
}
