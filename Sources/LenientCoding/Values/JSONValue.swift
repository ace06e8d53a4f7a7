public import JSONText

/// Any JSON value, with numbers as their text and members in their order.
public enum JSONValue: FieldValue, Equatable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, as its text stands in the document.
    case number(String)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object: keys and values in the order of the document.
    case object([Member])

    /// A key and its value.
    public struct Member: Equatable, Sendable {
        /// The key.
        public var key: String
        /// The value.
        public var value: JSONValue

        /// A key and its value.
        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The value that `node` is.
    public init(_ node: JSONNode) {
        switch node.kind {
        case .null: self = .null
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .integer, .number: self = .number(String(decoding: node.text, as: UTF8.self))
        case .string, .escapedString: self = .string(node.string ?? "")
        case .array: self = .array(node.elements.map(JSONValue.init))
        case .object:
            self = .object(node.members.map { Member($0.key.string ?? "", JSONValue($0.value)) })
        }
    }

    /// The value of the last member called `key`; nil when there is none or this is no object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// Any value.
    public static var expectation: String { "any value" }

    /// Reads any value.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> JSONValue? {
        JSONValue(node)
    }

    /// Writes the value, members in their order.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        switch self {
        case .null: writer.writeNull()
        case .bool(let value): writer.write(value)
        case .number(let text): writer.write(raw: Array(text.utf8))
        case .string(let text): writer.write(text)
        case .array(let elements): elements.write(to: &writer, style: style)
        case .object(let members):
            writer.write(byte: UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                writer.write(member.key)
                writer.write(byte: UInt8(ascii: ":"))
                member.value.write(to: &writer, style: style)
            }
            writer.write(byte: UInt8(ascii: "}"))
        }
    }
}
