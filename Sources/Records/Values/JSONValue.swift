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
public enum JSONValue: FieldValue {
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
    ///
    ///     JSONValue.object([JSONValue.Member("id", 7)])  // {"id":7}
    public struct Member: Hashable, Sendable {
        /// The key.
        ///
        ///     JSONValue.Member("id", 7).key  // "id"
        public var key: String
        /// The value.
        ///
        ///     JSONValue.Member("id", 7).value  // 7
        public var value: JSONValue

        /// A key and its value.
        ///
        ///     let member = JSONValue.Member("id", 7)
        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The value that `node` is.
    ///
    ///     let json = try parser.withDocument(bytes) { root in JSONValue(root) }
    public init(_ node: JSONNode) { self = Self.tree(of: node) }

    /// The value of the last member called `key`; nil when there is none or this is no object.
    ///
    /// Setting it replaces that member, adds one at the end, or with nil removes all of that key. A value that is no
    /// object becomes one.
    ///
    ///     var json: JSONValue = ["id": 7]
    ///     json["lang"] = "en"
    ///     json["lang"]  // "en"
    ///     json["id"] = nil
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

    private var isScalar: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }

    /// The value as compact JSON.
    package var text: [UInt8] {
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
        if let selection = style.selection { return selected(by: selection.root).write(to: &writer) }
        var open: [OpenText] = []
        begin(&writer, &open)
        while let last = open.indices.last {
            if let next = open[last].next(&writer) {
                next.begin(&writer, &open)
            } else {
                open.removeLast()
            }
        }
    }

    /// Writes a scalar, or the bracket that opens a container.
    private func begin(_ writer: inout JSONWriter, _ open: inout [OpenText]) {
        switch self {
        case .null: writer.writeNull()
        case .bool(let value): writer.write(value)
        case .number(var text): text.withUTF8 { writer.write(raw: $0) }
        case .string(let text): writer.write(text)
        case .array(let elements) where elements.allSatisfy(\.isScalar):
            writer.write(byte: UInt8(ascii: "["))
            for index in elements.indices {
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                elements[index].begin(&writer, &open)
            }
            writer.write(byte: UInt8(ascii: "]"))
        case .array(let elements):
            writer.write(byte: UInt8(ascii: "["))
            open.append(OpenText(elements: elements))
        case .object(let members):
            writer.write(byte: UInt8(ascii: "{"))
            open.append(OpenText(members: members))
        }
    }
}

/// An array or object that is being written.
private struct OpenText {
    private let elements: [JSONValue]
    private let members: [JSONValue.Member]?
    private var index = 0

    init(elements: [JSONValue]) {
        self.elements = elements
        members = nil
    }

    init(members: [JSONValue.Member]) {
        elements = []
        self.members = members
    }

    /// Writes what stands before the next value and gives that; writes the closing bracket when there is none.
    mutating func next(_ writer: inout JSONWriter) -> JSONValue? {
        guard index < (members?.count ?? elements.count) else {
            writer.write(byte: UInt8(ascii: members == nil ? "]" : "}"))
            return nil
        }
        if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
        defer { index += 1 }
        guard let members else { return elements[index] }
        writer.write(members[index].key)
        writer.write(byte: UInt8(ascii: ":"))
        return members[index].value
    }
}
