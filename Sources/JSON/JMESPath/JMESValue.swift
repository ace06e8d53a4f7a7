public import JSONText

/// A value that an expression reads or makes.
///
/// A value that is only selected is the document's own node, whose number keeps its text. Valid as long as the nodes in it.
public enum JMESValue {
    /// `null`, also for an absent value.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A computed number, as JSON text.
    case number(String)
    /// A computed text.
    case string(String)
    /// A value of the document, as it was written.
    case node(JSONNode)
    /// A computed array.
    case array([JMESValue])
    /// A computed object, its members in order.
    case object([Member])

    /// A member of a computed object.
    public struct Member {
        /// The key.
        public let key: String
        /// The value.
        public let value: JMESValue

        /// A member.
        public init(_ key: String, _ value: JMESValue) { (self.key, self.value) = (key, value) }
    }

    /// The JSON type of a value.
    public enum Kind: String, CaseIterable, Sendable {
        /// The types of JSON.
        case null, boolean, number, string, array, object
    }

    /// The JSON type.
    public var kind: Kind {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        case .node(let node):
            switch node.kind {
            case .null: .null
            case .true, .false: .boolean
            case .integer: .number
            // NaN and infinities, which only a leniency lets in, are written as null.
            case .number: node.isNonFinite ? .null : .number
            case .string, .escapedString: .string
            case .array: .array
            case .object: .object
            }
        }
    }

    /// Whether the value is null.
    public var isNull: Bool { kind == .null }

    /// The Boolean; nil for other kinds.
    public var bool: Bool? {
        switch self {
        case .bool(let value): value
        case .node(let node): node.bool
        default: nil
        }
    }

    /// The text of a string; nil for other kinds.
    public var string: String? {
        switch self {
        case .string(let text): text
        case .node(let node): node.string
        default: nil
        }
    }

    /// The text of a number as it was written; nil for other kinds.
    public var numberText: String? {
        switch self {
        case .number(let text): text
        case .node(let node): node.numberText
        default: nil
        }
    }

    /// The text by which `index_by` and `lookup` know a string or a number: 1 and 1.0 are one key, and so are 0, 0.0 and -0; nil
    /// for other kinds.
    var key: String? {
        guard let text = numberText else { return string }
        // 1e-400 is no zero, although a double has none nearer.
        let mantissa = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let isZero = mantissa.contains(UInt8(ascii: "0")) && !mantissa.contains { 0x31...0x39 ~= $0 }
        return isZero ? "0" : Self.shortest(text)
    }

    /// Returns a number in its shortest form: `4.5` for `4.50`, `100` for `1e2`; one with more digits than a double keeps them.
    package static func shortest(_ text: String) -> String {
        let digits = text.utf8.count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let isInteger = !text.utf8.contains { [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains($0) }
        guard !isInteger, digits <= 15, let value = Double(text), value.isFinite, value != 0 else { return text }
        return String(decoding: JSONWriter.bytes(expecting: 32) { $0.write(value) }, as: UTF8.self)
    }

    /// Whether a condition holds: false are null, `false` and what is empty.
    public var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .number: true
        case .string(let text): !text.isEmpty
        case .array(let elements): !elements.isEmpty
        case .object(let members): !members.isEmpty
        case .node(let node):
            switch node.kind {
            case .null, .false: false
            case .number: !node.isNonFinite
            case .string: !node.text.isEmpty
            case .array, .object: node.count > 0
            case .true, .integer, .escapedString: true
            }
        }
    }

    /// The value as a text: a string itself, a number as it was written, anything else as compact JSON.
    ///
    ///     JMESValue.array([.bool(true)]).text  // [true]
    public var text: String {
        string ?? numberText ?? JSONWriter.text { write(to: &$0) }
    }
}

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
}
