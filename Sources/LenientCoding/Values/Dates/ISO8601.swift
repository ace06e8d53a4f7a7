import CivilDates
public import FoundationEssentials

/// Dates in ISO 8601 and RFC 3339: `2016-03-28T14:39:13Z`.
///
/// Accepts seconds with any number of decimals after a point or a comma, the zones `Z`, `±hh`, `±hhmm` and `±hh:mm`, a
/// space instead of `T`, and times without seconds. A date without a time is its midnight in UTC; a time without a zone
/// is in UTC. Second 60 is the first second of the next minute. Years go from 0000 to 9999.
///
///     struct Tweet: Codable {
///         @Coded<ISO8601> var createdAt: Date
///     }
public enum ISO8601: CodingStrategy {
    /// Returns the date that `text` names; nil if it is not an ISO 8601 date.
    public static func date(from text: String) -> Date? {
        ISO8601Timestamp(text.utf8.span)?.instant.map(Date.init(secondsSinceEpoch:fraction:))
    }

    /// Returns the date in UTC, with three or six decimals if its second is not whole: `2016-03-28T14:39:13.250Z`.
    ///
    /// Returns nil outside the years 0000 to 9999.
    public static func string(from date: Date) -> String? {
        ISO8601Timestamp.format(secondsSinceEpoch: date.timeIntervalSince1970)
    }

    /// Reads a date from a string.
    ///
    /// - Throws: `DecodingError` if there is no string or it is not a date.
    public static func decode(from decoder: any Decoder) throws -> Date {
        try decoder.decodeText(expecting: "an ISO 8601 date", date)
    }

    /// Writes the date as a string.
    ///
    /// - Throws: `EncodingError` outside the years 0000 to 9999.
    public static func encode(_ value: Date, to encoder: any Encoder) throws {
        try encoder.encodeText(of: value, string(from: value))
    }
}

extension Date {
    /// Creates the date `fraction` of a second after a whole second, rounded only once.
    init(secondsSinceEpoch: Int, fraction: Double) {
        // Date counts from 2001, 978307200 seconds after 1970: whole seconds are exact in either.
        self.init(timeIntervalSinceReferenceDate: Double(secondsSinceEpoch - 978_307_200) + fraction)
    }
}
