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
            try context.work(Int(node.nextPosition - node.position) + node.text.count / 32)
            writer.write(node)
        case .array(let elements):
            try writer.write("[", "]", elements) { element, writer throws(JMESFailure) in
                try element.write(to: &writer, in: &context)
            }
        case .object(let members):
            try writer.write("{", "}", members) { member, writer throws(JMESFailure) in
                try context.make(bytes: member.key.utf8.count)
                writer.write(member.key)
                writer.write(byte: UInt8(ascii: ":"))
                try member.value.write(to: &writer, in: &context)
            }
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
        case .array: write("[", "]", node.elements) { $1.write($0) }
        case .object:
            write("{", "}", node.distinct) { member, writer in
                writer.write(stringOf: member.key)
                writer.write(byte: UInt8(ascii: ":"))
                writer.write(member.value)
            }
        }
    }

    /// Writes elements with commas between two brackets.
    mutating func write<Elements: Sequence, Failure>(
        _ start: StaticString, _ end: StaticString, _ elements: Elements,
        each: (Elements.Element, inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        write(raw: start)
        let first = count
        for element in elements {
            if count > first { write(raw: ",") }
            try each(element, &self)
        }
        write(raw: end)
    }
}
