public import JSONText

/// A value of an enumeration that upstreams extend without notice: an unlisted value keeps its text.
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

    /// The value with the given text.
    public init(_ text: String) { self = Known(rawValue: text).map(Self.known) ?? .unknown(text) }

    /// The text.
    public var rawValue: String {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let text): text
        }
    }
}

extension OpenEnum: ExpressibleByStringLiteral {
    /// The value with the text of the literal.
    public init(stringLiteral text: String) { self.init(text) }
}

extension OpenEnum: Codable {
    /// Decodes any string; an unlisted one is noted in the decoder's drift recorder.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
        if case .unknown = self { decoder.driftRecorder?.note(.unrecognized, at: decoder.codingPath, .unknownValue) }
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws { try encoder.encodeSingle(rawValue) }
}

extension OpenEnum: FieldValue {
    /// A string.
    public static var expectation: String { "a string" }

    /// The schema of a string, with the listed values as examples.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        let listed = Known.allCases.map { JSONValue.string($0.rawValue) }
        return .object([.init("type", .string("string")), .init("examples", .array(listed))])
    }

    /// Reads a string; an unlisted one is kept and reported.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Self? {
        guard let text = String.read(node, rules, &reader) else { return nil }
        let value = Self(text)
        if case .unknown = value { reader.noteUnrecognized(expected: expectation) }
        return value
    }

    /// Writes the text.
    @inlinable
    public func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(rawValue) }

    /// The access that finds listed values by their bytes, without making a string.
    @inlinable
    public static func access(_ rules: FieldRules, isOptional: Bool) -> FieldAccess {
        let listed = ListedValues(Known.allCases.map { ($0.rawValue, Self.known($0)) }, rules)
        return FieldAccess(
            readPlain: { node, field in store(listed.find(node), at: field, isOptional) },
            read: { node, field, reader in store(read(node, rules, &reader), at: field, isOptional) },
            clear: { clear($0, isOptional) },
            write: { field, key, writer, style in write(at: field, isOptional, key, to: &writer, style) })
    }
}

/// The listed values of an enumeration by the bytes of their text.
@usableFromInline
struct ListedValues<Value: Sendable>: Sendable {
    @usableFromInline let index: KeyIndex
    @usableFromInline let values: [Value]

    /// Leaves out the values that mean "no value" by the rules.
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

/// An enumeration with raw values as a field: it conforms to `FieldValue` without further code.
///
///     enum Direction: String, FieldValue { case north, south }
///     struct Wind: Record {
///         var direction = Direction.north, gustsFrom: Direction?
///         static let schema = Schema<Wind> {
///             Field(\.direction)
///             Field(\.gustsFrom)
///         }
///     }
///
/// A value that the enumeration does not list is wrong; an `OpenEnum` keeps it.
extension FieldValue where Self: RawRepresentable, RawValue: FieldValue {
    /// A value of the type.
    public static var expectation: String { "a value of \(Self.self)" }

    /// The schema of the raw value.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { RawValue.schema(in: &components) }

    /// Reads the raw value.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Self? {
        guard let raw = RawValue.read(node, rules, &reader) else { return nil }
        return Self(rawValue: raw) ?? reader.fail(.unknownValue)
    }

    /// Writes the raw value.
    public func write(to writer: inout JSONWriter, style: WritingStyle) { rawValue.write(to: &writer, style: style) }
}
