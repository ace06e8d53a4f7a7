import CivilDates
public import JSONText

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A time as seconds since 1970-01-01T00:00:00Z.
///
/// It is a value that keeps the number as it was read, and a strategy for dates:
///
///     struct DataPoint: Codable {
///         var time: UnixSeconds
///         @Coded<UnixSeconds> var sunrise: Date
///         @Coded<UnixSeconds?> var sunset: Date?
///     }
public struct UnixSeconds: FieldValue, Hashable, Comparable {
    /// Seconds since 1970; negative before it.
    public var seconds: Double

    /// Creates the time `seconds` after 1970.
    public init(_ seconds: Double) { self.seconds = seconds }

    /// One `Double`.
    public static var storage: FieldStorage { .seconds }
    /// The expected form, for reports.
    public static var expectation: String { "a time in unix seconds" }

    /// Returns the schema of a number, or of a text where answers have dates as texts.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        components.isOfAnswers && components.dates == .iso8601
            ? ["type": "string", "format": "date-time"] : .schema(ofType: "number")
    }

    /// Reads a number of seconds or, unless the field is exact, one in a string or an ISO 8601 date with a zone.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> UnixSeconds? {
        guard reader.coerces(rules), let text = node.string, let timestamp = ISO8601Timestamp(text.utf8.span),
            timestamp.offset != nil, let instant = timestamp.instant
        else { return Double.read(node, rules, &reader).map(UnixSeconds.init) }
        let time = UnixSeconds(Double(instant.seconds) + instant.fraction)
        if !reader.isPlausible(time.seconds, rules) { return reader.fail(.implausible) }
        reader.noteCoercion(.dateText, expected: expectation)
        return time
    }

    /// Writes the number of seconds, or an ISO 8601 date in UTC if the style asks for one.
    ///
    /// Dates have up to six decimals; times outside the years 0001 to 9999 stay numbers.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        guard style.dates == .iso8601,
            let (time, microseconds) = CivilTime.split(secondsSinceEpoch: seconds, unitsPerSecond: 1_000_000),
            time.year > 0
        else { return writer.write(seconds) }
        writer.write(atMost: 29) { room in
            room.write(byte: UInt8(ascii: "\""))
            time.forEachISO8601Byte(microseconds) { room.write(byte: $0) }
            room.write(byte: UInt8(ascii: "\""))
        }
    }

    /// Returns whether `left` is earlier.
    public static func < (left: UnixSeconds, right: UnixSeconds) -> Bool { left.seconds < right.seconds }

    /// The time as a `Date`.
    public var date: Date { Date(timeIntervalSince1970: seconds) }

    /// Creates the time of `date`.
    public init(_ date: Date) { self.init(date.timeIntervalSince1970) }
}

extension UnixSeconds: Codable {
    /// Reads a number of seconds.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Double.self))
    }

    /// Writes the number of seconds.
    public func encode(to encoder: any Encoder) throws { try encoder.encodeSingle(seconds) }
}
