#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import Records

extension UnixSeconds: CodingStrategy {
    /// Reads a number of seconds as a date.
    public static func decode(from decoder: any Decoder) throws -> Date { try UnixSeconds(from: decoder).date }

    /// Writes the date as a number of seconds, rounded to the microsecond.
    public static func encode(_ value: Date, to encoder: any Encoder) throws {
        // Date stores seconds since 2001 in a Double: what is finer than a microsecond is its rounding.
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
    /// Reads a number of milliseconds.
    public static func decode(from decoder: any Decoder) throws -> Date {
        Date(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self) / 1000)
    }

    /// Writes the number of milliseconds, rounded to the microsecond.
    public static func encode(_ value: Date, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode((value.timeIntervalSince1970 * 1_000_000).rounded() / 1000)
    }
}
