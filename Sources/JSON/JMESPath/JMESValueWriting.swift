public import JSONText

extension JMESValue {
    /// Writes the value as compact JSON.
    ///
    /// Numbers and strings of the document are written as they were; a lone surrogate becomes `\ufffd`. Without limits.
    public func write(to writer: inout JSONWriter) {
        var context = JMESContext(root: .null, maximumSteps: .max, maximumOutput: .max)
        // Without limits, nothing is thrown.
        try? write(to: &writer, in: &context)
    }

    /// Writes the value within the limits of `context`: a computed value may hold another one many times.
    public func write(to writer: inout JSONWriter, in context: inout JMESContext) throws(JMESFailure) {
        try context.work()
        switch self {
        case .null: writer.writeNull()
        case .bool(let value): writer.write(value)
        case .number(var text):
            try context.make(bytes: text.utf8.count)
            text.withUTF8 { writer.write(raw: $0) }
        case .string(let text):
            try context.make(bytes: text.utf8.count)
            writer.write(text)
        case .node(let node):
            try context.make(bytes: node.text.count)
            try context.work(Int(node.nextPosition - node.position))
            writer.write(node)
        case .array(let elements):
            writer.write(byte: UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                try element.write(to: &writer, in: &context)
            }
            writer.write(byte: UInt8(ascii: "]"))
        case .object(let members):
            writer.write(byte: UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                writer.write(member.key)
                writer.write(byte: UInt8(ascii: ":"))
                try member.value.write(to: &writer, in: &context)
            }
            writer.write(byte: UInt8(ascii: "}"))
        }
    }
}

extension JSONWriter {
    /// Writes a value of a document without white space, each key once; the parser bounds the recursion.
    fileprivate mutating func write(_ node: JSONNode) {
        switch node.kind {
        case .null: writeNull()
        case .false: write(false)
        case .true: write(true)
        case .integer: write(raw: node.text)
        case .number: node.isNonFinite ? writeNull() : write(raw: node.text)
        case .string, .escapedString: write(stringOf: node)
        case .array:
            write(byte: UInt8(ascii: "["))
            var isFirst = true
            for element in node.elements {
                if !isFirst { write(byte: UInt8(ascii: ",")) }
                isFirst = false
                write(element)
            }
            write(byte: UInt8(ascii: "]"))
        case .object:
            write(byte: UInt8(ascii: "{"))
            var isFirst = true
            for (key, value) in node.distinct {
                if !isFirst { write(byte: UInt8(ascii: ",")) }
                isFirst = false
                write(stringOf: key)
                write(byte: UInt8(ascii: ":"))
                write(value)
            }
            write(byte: UInt8(ascii: "}"))
        }
    }
}
