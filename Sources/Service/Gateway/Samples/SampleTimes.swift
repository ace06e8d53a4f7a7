import CivilDates

// Which values of a sample move.
extension SampleDocument {
    /// Returns a time such as `2026-01-01T08:00:00Z` after its shift; nil for other texts.
    static func moved(_ text: String, by shift: SampleShift) -> String? {
        guard text.utf8.count == 20, text.hasSuffix("Z"), let instant = ISO8601Timestamp(text.utf8.span)?.instant else {
            return nil
        }
        return ISO8601Timestamp.format(secondsSinceEpoch: Double(shift(instant.seconds)))
    }

    /// Whether the values of a member with this key are times.
    static func isTime(_ key: String) -> Bool {
        names.contains(key) || key.hasSuffix("Time") || key.hasPrefix("sunrise") || key.hasPrefix("sunset")
    }

    private static let names: Set = [
        "asOf", "expires", "forecastEnd", "forecastStart", "moonrise", "moonset", "solarMidnight", "solarNoon", "time",
    ]
}
