#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import JSONText

/// Any JSON value.
///
/// Numbers keep their text and members their order.
///
/// Any decoder can read it, any encoder can write it, and literals make it:
///
///     var json: JSONValue = ["user": ["id": 7, "tags": ["a", "b"]], "quoted": nil]
///     json["user"]?["tags"]?[1]?.stringValue  // "b"
///     json["lang"] = "en"
///
/// Numbers are equal if their texts are: `1` and `1.0` are not.
///
/// Writing, comparing and converting a value recurse. A document nests at most `JSONOptions.greatestDepth` levels deep; a value
/// that a program makes needs stack for its levels.
public enum JSONValue: FieldValue {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, as its text.
    case number(String)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object: its members in order.
    case object([Member])

    /// A member of an object: a key and its value.
    public struct Member: Hashable, Sendable {
        /// The key.
        public var key: String
        /// The value.
        public var value: JSONValue

        /// A member with the given key and value.
        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }

        fileprivate var name: Name { Name(text: key) }

        /// Compares keys by their bytes.
        public static func == (left: Member, right: Member) -> Bool {
            left.name == right.name && left.value == right.value
        }

        /// Hashes the key and the value.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(value)
        }
    }

    /// The value of a node.
    ///
    ///     let json = try parser.withDocument(bytes) { root in JSONValue(root) }
    public init(_ node: JSONNode) {
        var isLossy = false
        self.init(node, &isLossy)
    }

    /// The value of a node; sets `isLossy` if U+FFFD replaces a lone surrogate.
    ///
    /// Recurses, because the parser refuses documents nested deeper than `JSONOptions.greatestDepth`.
    init(_ node: JSONNode, _ isLossy: inout Bool) {
        switch node.kind {
        case .array:
            var elements: [JSONValue] = []
            elements.reserveCapacity(node.count)
            for element in node.elements { elements.append(JSONValue(element, &isLossy)) }
            self = .array(elements)
        case .object:
            var members: [Member] = []
            members.reserveCapacity(node.count)
            for (key, value) in node.members {
                members.append(Member(key.string(&isLossy) ?? "", JSONValue(value, &isLossy)))
            }
            self = .object(members)
        case .null: self = .null
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .number where node.isNonFinite: self = .null
        case .integer, .number: self = .number(String(decoding: node.text, as: UTF8.self))
        case .string, .escapedString: self = .string(node.string(&isLossy) ?? "")
        }
    }

    /// The scalar of a node; nil for arrays and objects.
    package init?(scalar node: JSONNode) {
        if node.kind == .array || node.kind == .object { return nil }
        self.init(node)
    }

    /// The value of the last member called `key`; nil if there is none, or if this is not an object.
    ///
    /// Setting a value replaces that member or appends one; setting nil removes all members of that key. A value that is
    /// not an object becomes one.
    ///
    ///     var json: JSONValue = ["id": 7]
    ///     json["lang"] = "en"
    ///     json["lang"]  // "en"
    ///     json["id"] = nil
    public subscript(key: String) -> JSONValue? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.last { Name.areEqual($0.key, key) }?.value
        }
        set {
            var members = members ?? []
            if let newValue, let index = members.lastIndex(where: { Name.areEqual($0.key, key) }) {
                members[index].value = newValue
            } else if let newValue {
                members.append(Member(key, newValue))
            } else {
                members.removeAll { Name.areEqual($0.key, key) }
            }
            self = .object(members)
        }
    }

    /// The value as compact JSON.
    package var text: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Members whose keys are data.
    public static var members: FieldMembers { .anything }

    /// Any value.
    public static var expectation: String { "any value" }

    /// Reads any value.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> JSONValue? {
        var isLossy = false
        let value = JSONValue(node, &isLossy)
        // A nil literal would be the JSON value null.
        return isLossy && !reader.account.takesLoneSurrogate() ? .none : .some(value)
    }

    /// Writes the value.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        (style.selection.map { selected(by: $0.root) } ?? self).write(to: &writer)
    }

    /// Writes the value as compact JSON.
    public func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.writeNull()
        case .bool(let value): writer.write(value)
        case .number(var text): text.withUTF8 { writer.write(raw: $0) }
        case .string(let text): writer.write(text)
        case .array(let elements):
            writer.write("[", "]", elements) { $0.write(to: &$1) }
        case .object(let members):
            writer.write("{", "}", members) { member, writer in
                writer.write(member.key)
                writer.write(byte: UInt8(ascii: ":"))
                member.value.write(to: &writer)
            }
        }
    }
}

extension JSONValue {
    /// The element at `index`; nil if there is none, or if this is not an array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// Whether the value is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The Boolean; nil for other types.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The string; nil for other types.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number as an integer if it is one (`10`, `10.0`, `1e1`) and fits; nil otherwise.
    public var intValue: Int? { numberText.flatMap(NumberText.integer) }

    /// The number as an integer if it is one and fits; nil otherwise.
    public var int64Value: Int64? { numberText.flatMap(NumberText.integer) }

    /// The number as an unsigned integer if it is one and fits; nil otherwise.
    public var uint64Value: UInt64? { numberText.flatMap(NumberText.integer) }

    /// The number as the nearest double; nil for other types and beyond the range of doubles.
    public var doubleValue: Double? { numberText.flatMap(NumberSpelling.double) }

    /// The number as an exact decimal; nil for other types, past 38 digits, and past an exponent of 127.
    public var decimalValue: Decimal? { numberText.flatMap(NumberSpelling.decimal) }

    /// The elements of an array; nil for other types.
    public var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object in order; nil for other types.
    public var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The type of the value, in words for an error: `an object`.
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
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }

    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// The number of the literal.
    public init(integerLiteral value: Int) { self = .number(String(value)) }

    /// The number of the literal, as the shortest text that reads back as the same double.
    public init(floatLiteral value: Double) { self = .number(value.description) }

    /// The string of the literal, which may have interpolations.
    public init(stringLiteral value: String) { self = .string(value) }

    /// The array of the literal.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// The object of the literal, with its members in order.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { Member($0.0, $0.1) })
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String { JSONWriter.text { write(to: &$0) } }
}

extension JSONValue: Hashable {
    /// Compares numbers by their text, strings by their bytes, and objects by their members in order.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)), (.string(let left), .string(let right)):
            Name.areEqual(left, right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes the value and everything in it.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let text), .string(let text): hasher.combine(Name(text: text))
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}
