public import JSONText

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
