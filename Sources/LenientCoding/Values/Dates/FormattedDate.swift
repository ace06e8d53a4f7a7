public import FoundationEssentials
public import JSONText
public import Records

/// A date in a fixed format, as a field of a record.
///
///     enum Created: FixedDateStrategy {
///         static let format: FixedDateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
///     }
///     struct Tweet: Record {
///         var createdAt: FormattedDate<Created>?
///         static let schema = Schema<Tweet> { Field(\.createdAt) }
///     }
public struct FormattedDate<Format: FixedDateStrategy>: FieldValue, Hashable {
    /// The moment.
    ///
    ///     FormattedDate<TwitterDate>(Date(timeIntervalSince1970: 7)).date.timeIntervalSince1970  // 7.0
    public var date: Date

    /// The given moment.
    ///
    ///     let createdAt = FormattedDate<TwitterDate>(Date())
    public init(_ date: Date) { self.date = date }

    /// A date.
    public static var expectation: String { "a date in its fixed format" }

    /// A string.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { ["type": "string"] }

    /// Reads a date that is written in the format.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Self? {
        if rules.meanAbsent(node) { return reader.fail(.sentinel) }
        return node.string.flatMap { Format.format.date(from: $0) }.map { Self($0) } ?? reader.fail(.mistyped)
    }

    /// Writes the date in the format, or `null` where the format has no such date.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        if let text = Format.format.string(from: date) { writer.write(text) } else { writer.writeNull() }
    }
}
