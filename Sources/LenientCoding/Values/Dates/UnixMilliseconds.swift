public import FoundationEssentials

/// Dates as milliseconds since 1970-01-01T00:00:00Z, as JavaScript counts them.
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

    /// Writes the number of milliseconds, parts of a millisecond as decimals down to the microsecond.
    public static func encode(_ value: Date, to encoder: any Encoder) throws {
        // A moment is a whole number of seconds plus a rounded fraction: the decimals past these are that rounding.
        let milliseconds = (value.timeIntervalSince1970 * 1_000_000).rounded() / 1000
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}
