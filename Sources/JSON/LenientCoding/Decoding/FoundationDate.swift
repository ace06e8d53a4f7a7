#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension DecodingState {
    /// Returns the date of a string for the strategy `iso8601`; nil if it has another form.
    func readISO8601(_ text: String) -> Date? {
        if configuration.leniency.contains(.dateForms), let date = ISO8601.date(from: text) { return date }
        return FoundationDate.date(from: text)
    }
}

/// The dates that `JSONDecoder` reads with `iso8601`.
enum FoundationDate {
    /// Returns the date of `text`; nil if Foundation does not read it.
    static func date(from text: String) -> Date? {
        if isPlain(text.utf8.span), let date = ISO8601.date(from: text) { return date }
        return try? Date.ISO8601FormatStyle().parse(text)
    }

    /// Whether a date that `ISO8601` reads has a form of which Foundation makes the same date, 30 times as slowly.
    ///
    /// Foundation's calendar is Julian before 1582, and it has no zones beyond 18 hours.
    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        guard text.count == 20 || text.count == 25, text[10] == UInt8(ascii: "T"), text[16] == UInt8(ascii: ":"),
            text[0] > UInt8(ascii: "1") || text[1] > UInt8(ascii: "5")
        else { return false }
        if text.count == 20 { return text[19] == UInt8(ascii: "Z") }
        return text[22] == UInt8(ascii: ":") && (text[20], text[21]) < (UInt8(ascii: "1"), UInt8(ascii: "8"))
    }
}
