import JSONText

/// Rewrites an encoded document: without duplicate keys, and in the format of `CompactEncoder.OutputFormatting`.
struct DocumentFormatting {
    let options: CompactEncoder.OutputFormatting
    let hasDuplicates: Bool

    /// Whether the document stays as it is.
    var isNeedless: Bool { options == .withoutEscapingSlashes && !hasDuplicates }

    func apply(to bytes: [UInt8]) throws -> [UInt8] {
        var parser = JSONParser(options: JSONOptions(maximumBytes: .max, maximumDepth: .max, maximumNumberBytes: .max))
        return try parser.withDocument(bytes) { root in
            var writer = JSONWriter(capacity: bytes.count + bytes.count / 4)
            write(root, to: &writer, depth: 0)
            return writer.bytes
        }
    }

    private func write(_ node: JSONNode, to writer: inout JSONWriter, depth: Int) {
        switch node.kind {
        case .array:
            writer.write(byte: UInt8(ascii: "["))
            var isFirst = true
            for element in node.elements {
                begin(&isFirst, to: &writer, depth)
                write(element, to: &writer, depth: depth + 1)
            }
            end(isEmpty: isFirst, to: &writer, depth)
            writer.write(byte: UInt8(ascii: "]"))
        case .object:
            writer.write(byte: UInt8(ascii: "{"))
            var isFirst = true
            for (key, value) in members(of: node) {
                begin(&isFirst, to: &writer, depth)
                write(string: key, to: &writer)
                if isPretty { writer.write(raw: " : ") } else { writer.write(byte: UInt8(ascii: ":")) }
                write(value, to: &writer, depth: depth + 1)
            }
            end(isEmpty: isFirst, to: &writer, depth)
            writer.write(byte: UInt8(ascii: "}"))
        case .string, .escapedString: write(string: node, to: &writer)
        default: writer.write(raw: node.text)
        }
    }

    /// The members in the order in which they are written, without those that a later member of the same name overrides.
    private func members(of object: JSONNode) -> [(key: JSONNode, value: JSONNode)] {
        var members = Array(object.members)
        if hasDuplicates {
            var last: [[UInt8]: UInt32] = [:]
            for (key, _) in members { last[Array(key.text)] = key.position }
            members = members.filter { last[Array($0.key.text)] == $0.key.position }
        }
        guard options.contains(.sortedKeys) else { return members }
        return members.map { (name: $0.key.string ?? "", member: $0) }.sorted { $0.name < $1.name }.map(\.member)
    }

    // MARK: Text

    private var isPretty: Bool { options.contains(.prettyPrinted) }

    private func begin(_ isFirst: inout Bool, to writer: inout JSONWriter, _ depth: Int) {
        if !isFirst { writer.write(byte: UInt8(ascii: ",")) }
        isFirst = false
        indent(to: &writer, depth + 1)
    }

    private func end(isEmpty: Bool, to writer: inout JSONWriter, _ depth: Int) {
        // As in Foundation, there is an empty line in an empty container.
        if isEmpty, isPretty { writer.write(byte: UInt8(ascii: "\n")) }
        indent(to: &writer, depth)
    }

    private func indent(to writer: inout JSONWriter, _ depth: Int) {
        guard isPretty else { return }
        writer.write(byte: UInt8(ascii: "\n"))
        for _ in 0..<depth { writer.write(raw: "  ") }
    }

    private func write(string node: JSONNode, to writer: inout JSONWriter) {
        if options.contains(.withoutEscapingSlashes) { return writer.write(stringOf: node) }
        writer.write(byte: UInt8(ascii: "\""))
        var isEscape = false
        for byte in node.text {
            if byte == UInt8(ascii: "/"), !isEscape { writer.write(byte: UInt8(ascii: "\\")) }
            isEscape = byte == UInt8(ascii: "\\") && !isEscape
            writer.write(byte: byte)
        }
        writer.write(byte: UInt8(ascii: "\""))
    }
}
