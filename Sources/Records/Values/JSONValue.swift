public import FoundationEssentials
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

extension JSONValue {
    /// The element at `index`; nil when there is none or this is no array.
    ///
    ///     let json: JSONValue = ["a", "b"]
    ///     json[1]  // "b"
    ///     json[2]  // nil
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// Whether the value is `null`.
    ///
    ///     JSONValue.null.isNull  // true
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// `true` or `false`; nil for any other kind.
    ///
    ///     JSONValue.bool(true).boolValue  // true
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The string; nil for any other kind.
    ///
    ///     JSONValue.string("Wind").stringValue  // "Wind"
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number as an integer when it is one (`10`, `10.0`, `1e1`) and fits; nil otherwise.
    ///
    ///     JSONValue.number("10.0").intValue  // 10
    public var intValue: Int? { numberText.flatMap(NumberText.integer) }

    /// The number as an integer when it is one and fits; nil otherwise.
    ///
    ///     JSONValue.number("-9223372036854775808").int64Value  // Int64.min
    public var int64Value: Int64? { numberText.flatMap(NumberText.integer) }

    /// The number as an integer when it is one and fits; nil otherwise.
    ///
    ///     JSONValue.number("18446744073709551615").uint64Value  // UInt64.max
    public var uint64Value: UInt64? { numberText.flatMap(NumberText.integer) }

    /// The number as the nearest double; nil for other kinds and beyond the range of doubles.
    ///
    ///     JSONValue.number("51.61").doubleValue  // 51.61
    public var doubleValue: Double? { numberText.flatMap(NumberSpelling.double) }

    /// The number as a decimal that loses nothing; nil for other kinds and where there is none.
    ///
    ///     JSONValue.number("0.10").decimalValue  // 0.1
    public var decimalValue: Decimal? { numberText.flatMap(NumberSpelling.decimal) }

    /// The elements of an array; nil for any other kind.
    ///
    ///     let json: JSONValue = ["a", "b"]
    ///     json.elements?.count  // 2
    public var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object in their order; nil for any other kind.
    ///
    ///     let json: JSONValue = ["id": 7, "lang": "en"]
    ///     json.members?.map(\.key)  // ["id", "lang"]
    public var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// What the value is, as a person would say it: `an object`.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    private var numberText: String? {
        guard case .number(let text) = self, NumberText.isNumber(text) else { return nil }
        return text
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }

    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// The number of the literal.
    public init(integerLiteral value: Int) { self = .number(String(value)) }

    /// The number of the literal in the shortest form that reads back as the same double.
    public init(floatLiteral value: Double) { self = .number(value.description) }

    /// The string of the literal.
    public init(stringLiteral value: String) { self = .string(value) }

    /// The array of the literal.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// The object of the literal, members in their order.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { Member($0.0, $0.1) })
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String { String(decoding: text, as: UTF8.self) }
}

extension JSONValue: Hashable {
    /// Whether the values are equal: numbers by their text, objects with their members in the same order.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        areEqualTrees(left, right) { left, right in
            switch (left, right) {
            case (.array(let left), .array(let right)):
                return left.count == right.count ? Array(zip(left, right)) : nil
            case (.object(let left), .object(let right)):
                guard left.map(\.key) == right.map(\.key) else { return nil }
                return Array(zip(left.map(\.value), right.map(\.value)))
            case (.null, .null): return []
            case (.bool(let left), .bool(let right)): return left == right ? [] : nil
            case (.number(let left), .number(let right)), (.string(let left), .string(let right)):
                return left == right ? [] : nil
            default: return nil
            }
        }
    }

    /// Hashes the values that this one holds.
    public func hash(into hasher: inout Hasher) {
        visitTree(self) { value in
            switch value {
            case .null: hasher.combine(0)
            case .bool(let value): hasher.combine(value)
            case .number(let text), .string(let text): hasher.combine(text)
            case .array(let elements):
                hasher.combine(elements.count)
                return elements
            case .object(let members):
                for member in members { hasher.combine(member.key) }
                return members.map(\.value)
            }
            return []
        }
    }
}
