public import JSONText

/// A value of an enumeration that upstreams extend without notice: what is not listed is kept as it came.
///
///     enum Severity: String, CaseIterable { case advisory, watch, warning }
///     struct Alert: Codable {
///         var severity: OpenEnum<Severity>  // "watch" is .known(.watch), "statement" .unknown("statement")
///     }
public enum OpenEnum<Known>: Hashable, Sendable
where Known: RawRepresentable & CaseIterable & Hashable & Sendable, Known.RawValue == String {
    /// A value that the enumeration lists.
    case known(Known)
    /// Any other text.
    case unknown(String)

    /// The value that `text` spells.
    ///
    ///     OpenEnum<Severity>("watch")  // .known(.watch)
    ///     OpenEnum<Severity>("statement")  // .unknown("statement")
    public init(_ text: String) { self = Known(rawValue: text).map(Self.known) ?? .unknown(text) }

    /// The text, listed or not.
    ///
    ///     OpenEnum<Severity>.known(.watch).rawValue  // "watch"
    public var rawValue: String {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let text): text
        }
    }
}

extension OpenEnum: ExpressibleByStringLiteral {
    /// The value that the literal spells.
    public init(stringLiteral text: String) { self.init(text) }
}

extension OpenEnum: Codable {
    /// Reads a string; any will do.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
        if case .unknown = self { decoder.driftRecorder?.note(.unrecognized, at: decoder.codingPath, .unknownValue) }
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension OpenEnum: FieldValue {
    /// A string.
    public static var expectation: String { "a string" }

    /// A string, with the values that are listed as examples: others may come.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        let listed = Known.allCases.map { JSONValue.string($0.rawValue) }
        return .object([.init("type", .string("string")), .init("examples", .array(listed))])
    }

    /// Reads a string; one that is not listed is reported and kept.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Self? {
        guard let text = String.read(node, rules, &reader) else { return nil }
        let value = Self(text)
        if case .unknown = value { reader.noteUnrecognized(expected: expectation) }
        return value
    }

    /// Writes the text.
    @inlinable
    public func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(rawValue) }

    /// Access to a field of this type: a listed value is found by its bytes.
    @inlinable
    public static func access(_ rules: FieldRules) -> FieldAccess {
        let listed = ListedValues(Known.allCases.map { ($0.rawValue, Self.known($0)) }, rules)
        return FieldAccess(
            read: { node, field, reader in
                guard let value = listed.find(node) ?? Self.read(node, rules, &reader) else { return false }
                field.assumingMemoryBound(to: Self.self).pointee = value
                return true
            },
            clear: { _ in },
            write: { field, key, writer, _ in
                writer.write(raw: key)
                writer.write(field.assumingMemoryBound(to: Self.self).pointee.rawValue)
                return true
            })
    }

    /// Access to a field of this type that may be absent: a listed value is found by its bytes.
    @inlinable
    public static func optionalAccess(_ rules: FieldRules) -> FieldAccess {
        let listed = ListedValues(Known.allCases.map { ($0.rawValue, Self.known($0)) }, rules)
        return FieldAccess(
            read: { node, field, reader in
                guard let value = listed.find(node) ?? Self.read(node, rules, &reader) else { return false }
                field.assumingMemoryBound(to: Self?.self).pointee = value
                return true
            },
            clear: { $0.assumingMemoryBound(to: Self?.self).pointee = nil },
            write: { field, key, writer, _ in
                guard let value = field.assumingMemoryBound(to: Self?.self).pointee else { return false }
                writer.write(raw: key)
                writer.write(value.rawValue)
                return true
            })
    }
}

/// The values that an enumeration lists, found by the bytes of their text.
@usableFromInline
struct ListedValues<Value: Sendable>: Sendable {
    @usableFromInline let index: KeyIndex
    @usableFromInline let values: [Value]

    /// Leaves out those that the rules say mean "no value".
    @usableFromInline
    init(_ values: [(text: String, value: Value)], _ rules: FieldRules) {
        self.values = values.map(\.value)
        index = KeyIndex(
            values.enumerated().filter { !rules.absentStrings.contains($1.text) }.map { ($1.text, $0) })
    }

    @inlinable
    func find(_ node: JSONNode) -> Value? {
        guard node.kind == .string, let number = index[node.text] else { return nil }
        return values[number]
    }
}
