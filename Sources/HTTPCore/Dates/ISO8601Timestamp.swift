/// Times of log lines: ISO 8601 in UTC with milliseconds.
public enum ISO8601Timestamp {
    /// `2026-01-02T03:04:05.678Z` for milliseconds after 1970, which may be negative; years 0...9999.
    public static func format(millisecondsSinceEpoch: Int) -> String {
        let (seconds, milliseconds) = millisecondsSinceEpoch.flooredQuotient(by: 1000)
        let time = CivilTime(secondsSinceEpoch: seconds)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        text.append(decimal: time.year, width: 4)
        for (separator, number) in [
            ("-", time.month), ("-", time.day), ("T", time.hour), (":", time.minute), (":", time.second),
        ] {
            text += separator.utf8
            text.append(decimal: number, width: 2)
        }
        text += ".".utf8
        text.append(decimal: milliseconds, width: 3)
        text += "Z".utf8
        return String(decoding: text, as: UTF8.self)
    }
}
