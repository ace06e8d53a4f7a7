public import CivilDates
public import JSONText

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A way to decode and encode values of a type, such as a `Date` as seconds or as text in a given format.
///
/// `@Coded` applies a strategy to a property. A strategy is a type without instances, such as an enumeration without
/// cases.
///
///     enum Percent: CodingStrategy {
///         static func decode(from decoder: any Decoder) throws -> Double {
///             try decoder.singleValueContainer().decode(Double.self) / 100
///         }
///         static func encode(_ value: Double, to encoder: any Encoder) throws {
///             var container = encoder.singleValueContainer()
///             try container.encode(value * 100)
///         }
///     }
///     struct Sky: Codable {
///         @Coded<Percent> var cloudCover: Double
///         @Coded<Percent?> var humidity: Double?
///     }
public protocol CodingStrategy {
    /// The type of the values.
    associatedtype Value

    /// Decodes a value.
    ///
    ///     decoder.dateDecodingStrategy = .custom { decoder in try UnixMilliseconds.decode(from: decoder) }
    static func decode(from decoder: any Decoder) throws -> Value

    /// Encodes a value.
    ///
    ///     encoder.dateEncodingStrategy = .custom { date, encoder in try UnixMilliseconds.encode(date, to: encoder) }
    static func encode(_ value: Value, to encoder: any Encoder) throws
}

/// The strategy for optional values: `null` is nil, and the wrapped strategy decodes and encodes all other values.
extension Optional: CodingStrategy where Wrapped: CodingStrategy {
    /// Decodes nil from `null`, and other values with the wrapped strategy.
    public static func decode(from decoder: any Decoder) throws -> Wrapped.Value? {
        try decoder.singleValueContainer().decodeNil() ? nil : Wrapped.decode(from: decoder)
    }

    /// Encodes nil as `null`, and other values with the wrapped strategy.
    public static func encode(_ value: Wrapped.Value?, to encoder: any Encoder) throws {
        if let value { return try Wrapped.encode(value, to: encoder) }
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}

// MARK: Text in a fixed format

extension FixedDateFormat {
    /// Returns the date of `text`; nil if the text does not have this format.
    public func date(from text: String) -> Date? { parse(text.utf8.span).map(Date.init(secondsSinceEpoch:fraction:)) }

    /// Returns the date in this format, in UTC; nil outside the years 0000 to 9999.
    ///
    /// The second is rounded to the decimals of the format, or truncated if it has none.
    public func string(from date: Date) -> String? { format(secondsSinceEpoch: date.timeIntervalSince1970) }

    /// What is expected, for errors.
    package var expectation: String { "a date as \(pattern)" }
}

/// A strategy for dates in a fixed format, for `@Coded`.
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
    /// Decodes a date from a string.
    ///
    /// - Throws: `DecodingError` if the value is not a string or does not have the format.
    public static func decode(from decoder: any Decoder) throws -> Date {
        try decoder.decodeText(expecting: format.expectation, format.date)
    }

    /// Encodes the date as a string, in UTC.
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
    public static var expectation: String { Format.format.expectation }

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

// MARK: ISO 8601

/// Dates in ISO 8601 and RFC 3339, such as `2016-03-28T14:39:13Z`.
///
/// Accepts seconds with any number of decimals after a point or a comma, the zones `Z`, `±hh`, `±hhmm` and `±hh:mm`, a
/// space instead of `T`, and times without seconds. A date without a time is its midnight in UTC; a time without a zone
/// is in UTC. Second 60 is the first second of the next minute. Years range from 0000 to 9999.
///
///     struct Tweet: Codable {
///         @Coded<ISO8601> var createdAt: Date
///     }
public enum ISO8601: CodingStrategy {
    /// What is expected, for errors.
    package static let expectation = "an ISO 8601 date such as 2016-03-28T14:39:13Z"

    /// Returns the date of `text`; nil if it is not an ISO 8601 date.
    public static func date(from text: String) -> Date? {
        ISO8601Timestamp(text.utf8.span)?.instant.map(Date.init(secondsSinceEpoch:fraction:))
    }

    /// Returns the date in UTC, with three or six decimals if it has a fraction: `2016-03-28T14:39:13.250Z`.
    ///
    /// Returns nil outside the years 0000 to 9999.
    public static func string(from date: Date) -> String? {
        ISO8601Timestamp.format(secondsSinceEpoch: date.timeIntervalSince1970)
    }

    /// Decodes a date from a string.
    ///
    /// - Throws: `DecodingError` if the value is not a string or not a date.
    public static func decode(from decoder: any Decoder) throws -> Date {
        try decoder.decodeText(expecting: expectation, date)
    }

    /// Encodes the date as a string, in UTC.
    ///
    /// - Throws: `EncodingError` outside the years 0000 to 9999.
    public static func encode(_ value: Date, to encoder: any Encoder) throws {
        try encoder.encodeText(of: value, string(from: value))
    }
}

extension Date {
    /// Creates the date `fraction` of a second after a second, rounded only once.
    fileprivate init(secondsSinceEpoch: Int, fraction: Double) {
        // Date counts from 2001, 978,307,200 seconds after 1970. Both numbers of seconds are exact as integers.
        self.init(timeIntervalSinceReferenceDate: Double(secondsSinceEpoch - 978_307_200) + fraction)
    }
}

// MARK: Unix time

/// A time as seconds since 1970-01-01T00:00:00Z.
///
/// The type is a value that keeps the number as it was read, and a strategy for dates:
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
        else {
            let number = Double.read(node, rules, &reader)
            if number == nil, reader.reason == .mistyped, node.string?.isAmbiguousDate == true {
                return reader.fail(.ambiguousDate)
            }
            return number.map(UnixSeconds.init)
        }
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

extension String {
    /// Whether the text begins with two short numbers of a date in any order, as `29/11` and `29.11.2026` do.
    fileprivate var isAmbiguousDate: Bool {
        let bytes = utf8.prefix(6), isDigit: (UInt8) -> Bool = { 0x30...0x39 ~= $0 }
        let first = bytes.prefix(while: isDigit).count, rest = bytes.dropFirst(first)
        guard 1...2 ~= first, let separator = rest.first, "/.-".utf8.contains(separator) else { return false }
        let second = rest.dropFirst().prefix(while: isDigit).count
        return 1...2 ~= second && (separator == UInt8(ascii: "/") || rest.dropFirst(1 + second).first == separator)
    }
}

extension UnixSeconds: Codable {
    /// Reads a number of seconds.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Double.self))
    }

    /// Writes the number of seconds.
    public func encode(to encoder: any Encoder) throws { try encoder.encodeSingle(seconds) }
}

extension UnixSeconds: CodingStrategy {
    /// Decodes a date from a number of seconds.
    public static func decode(from decoder: any Decoder) throws -> Date { try UnixSeconds(from: decoder).date }

    /// Encodes the date as a number of seconds, rounded to the microsecond.
    public static func encode(_ value: Date, to encoder: any Encoder) throws {
        // Date stores seconds since 2001 in a Double, whose rounding would show below the microsecond.
        try UnixSeconds((value.timeIntervalSince1970 * 1_000_000).rounded() / 1_000_000).encode(to: encoder)
    }
}

/// Dates as milliseconds since 1970-01-01T00:00:00Z, as in JavaScript.
///
///     struct Event: Codable {
///         @Coded<UnixMilliseconds> var start: Date
///         @Coded<UnixMilliseconds?> var end: Date?
///     }
public enum UnixMilliseconds: CodingStrategy {
    /// Decodes a date from a number of milliseconds.
    public static func decode(from decoder: any Decoder) throws -> Date {
        Date(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self) / 1000)
    }

    /// Encodes the date as a number of milliseconds, rounded to the microsecond.
    public static func encode(_ value: Date, to encoder: any Encoder) throws {
        try encoder.encodeSingle((value.timeIntervalSince1970 * 1_000_000).rounded() / 1000)
    }
}
