public import JSONText

/// Any JSON value, with numbers as their text and members in their order.
///
/// It is decoded by any decoder, written by any encoder, and made of literals:
///
///     var json: JSONValue = ["user": ["id": 7, "tags": ["a", "b"]], "quoted": nil]
///     json["user"]?["tags"]?[1]?.stringValue  // "b"
///     json["lang"] = "en"
///
/// Two numbers are equal when their texts are: `1` and `1.0` are not.
public enum JSONValue: FieldValue, Hashable {
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
    public struct Member: Hashable, Sendable {
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
    public init(_ node: JSONNode) { self = Self.tree(of: node) }

    /// The value of the last member called `key`; nil when there is none or this is no object.
    ///
    /// Setting it replaces that member, adds one at the end, or with nil removes all of that key. A value that is no
    /// object becomes one.
    public subscript(key: String) -> JSONValue? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.last { $0.key == key }?.value
        }
        set {
            var members = members ?? []
            if let newValue, let index = members.lastIndex(where: { $0.key == key }) {
                members[index].value = newValue
            } else if let newValue {
                members.append(Member(key, newValue))
            } else {
                members.removeAll { $0.key == key }
            }
            self = .object(members)
        }
    }

    /// The value as compact JSON.
    var text: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
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
