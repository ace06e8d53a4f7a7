// `FixedDateFormat` is public here too: users import LenientCoding alone.
@_exported public import CivilDates
public import FoundationEssentials
public import JSONText

extension FixedDateFormat {
    /// Returns the date that `text` names; nil if it does not have this format.
    public func date(from text: String) -> Date? { parse(text.utf8.span).map(Date.init(secondsSinceEpoch:fraction:)) }

    /// Returns the date in this format, in UTC; nil outside the years 0000 to 9999.
    ///
    /// The second is rounded to the decimals of the format, or cut off if it has none.
    public func string(from date: Date) -> String? { format(secondsSinceEpoch: date.timeIntervalSince1970) }
}

/// A strategy for dates in one format, for `@Coded`.
///
///     enum TwitterDate: FixedDateStrategy {
///         static let format: FixedDateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
///     }
///     struct Tweet: Codable {
///         @Coded<TwitterDate> var createdAt: Date
///     }
public protocol FixedDateStrategy: CodingStrategy where Value == Date {
    /// The format of the dates.
    static var format: FixedDateFormat { get }
}

extension FixedDateStrategy {
    /// Reads a date from a string.
    ///
    /// - Throws: `DecodingError` if there is no string or it does not have the format.
    public static func decode(from decoder: any Decoder) throws -> Date {
        try decoder.decodeText(expecting: "a date as \(format.pattern)", format.date)
    }

    /// Writes the date as a string, in UTC.
    ///
    /// - Throws: `EncodingError` outside the years 0000 to 9999.
    public static func encode(_ value: Date, to encoder: any Encoder) throws {
        try encoder.encodeText(of: value, format.string(from: value))
    }
}

/// A date in a fixed format as a field of a record.
///
///     enum Created: FixedDateStrategy {
///         static let format: FixedDateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
///     }
///     struct Tweet: Record {
///         var createdAt: FormattedDate<Created>?
///         static let schema = Schema<Tweet> { Field(\.createdAt) }
///     }
public struct FormattedDate<Format: FixedDateStrategy>: FieldValue, Hashable {
    /// The date.
    public var date: Date

    /// Creates a field value from a date.
    public init(_ date: Date) { self.date = date }

    /// The expected form, for reports.
    public static var expectation: String { "a date in its fixed format" }

    /// Returns the schema of a string.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { ["type": "string"] }

    /// Reads a date in the format.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Self? {
        if rules.meanAbsent(node) { return reader.fail(.sentinel) }
        return node.string.flatMap { Format.format.date(from: $0) }.map { Self($0) } ?? reader.fail(.mistyped)
    }

    /// Writes the date in the format, or `null` outside the years 0000 to 9999.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        if let text = Format.format.string(from: date) { writer.write(text) } else { writer.writeNull() }
    }
}
