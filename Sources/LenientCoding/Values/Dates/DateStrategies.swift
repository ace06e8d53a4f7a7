public import FoundationEssentials
public import Records

extension UnixSeconds: CodingStrategy {
    /// Reads a number of seconds as a date.
    public static func decode(from decoder: any Decoder) throws -> Date { try UnixSeconds(from: decoder).date }

    /// Writes the date as a number of seconds, parts of a second as decimals down to the microsecond.
    public static func encode(_ value: Date, to encoder: any Encoder) throws {
        // A moment is a whole number of seconds plus a rounded fraction: the decimals past these are that rounding.
        try UnixSeconds((value.timeIntervalSince1970 * 1_000_000).rounded() / 1_000_000).encode(to: encoder)
    }
}

extension ISO8601: CodingStrategy {
    /// Reads a date from a string.
    ///
    /// - Throws: `DecodingError` when there is no string or it is no date.
    public static func decode(from decoder: any Decoder) throws -> Date {
        try decoder.decodeText(expecting: "an ISO 8601 date", date)
    }

    /// Writes the date as a string.
    ///
    /// - Throws: `EncodingError` for moments outside of the years 0000 to 9999.
    public static func encode(_ value: Date, to encoder: any Encoder) throws {
        try encoder.encodeText(of: value, string(from: value))
    }
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
    ///
    ///     enum Day: FixedDateStrategy {
    ///         static let format: FixedDateFormat = "yyyy-MM-dd"
    ///     }
    static var format: FixedDateFormat { get }
}

extension FixedDateStrategy {
    /// Reads a date from a string.
    ///
    /// - Throws: `DecodingError` when there is no string or it does not have the format.
    public static func decode(from decoder: any Decoder) throws -> Date {
        let format = format
        return try decoder.decodeText(expecting: "a date as \(format.pattern)", format.date)
    }

    /// Writes the date as a string, in UTC.
    ///
    /// - Throws: `EncodingError` for moments outside of the years 0000 to 9999.
    public static func encode(_ value: Date, to encoder: any Encoder) throws {
        try encoder.encodeText(of: value, format.string(from: value))
    }
}
