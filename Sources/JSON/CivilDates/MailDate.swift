/// Dates of mail (RFC 5322 §3.3), as feeds and old search APIs write them: `Wed, 27 Aug 2008 13:08:45 +0000`.
package enum MailDate {
    /// The names of zones other than GMT, and their hours ahead of UTC (RFC 822 §5.1).
    private static let zones = [
        ("UT", 0), ("EST", -5), ("EDT", -4), ("CST", -6), ("CDT", -5), ("MST", -7), ("MDT", -6), ("PST", -8),
        ("PDT", -7),
    ]

    /// Returns the seconds since 1970, or nil if `text` is not such a date.
    ///
    /// The weekday may be missing, and is not compared with the date. A year of two digits is one of 1950 to 2049
    /// (RFC 5322 §4.3); the seconds may be missing.
    package static func parse(_ text: Span<UInt8>) -> Int? {
        var scanner = DateScanner(), time = CivilTime()
        if scanner.index(of: .weekdays, in: text) != nil {
            guard scanner.skip(",", in: text), scanner.skip(" ", in: text) else { return nil }
        }
        guard let day = scanner.number(digits: 1...2, in: text), scanner.skip(" ", in: text),
            let month = scanner.index(of: .months, in: text), scanner.skip(" ", in: text),
            let year = year(&scanner, in: text),
            scanner.timeOfDay(into: &time, secondsOptional: true, in: text), scanner.skip(" ", in: text),
            let offset = zone(&scanner, in: text), scanner.isAtEnd(of: text)
        else { return nil }
        (time.year, time.month, time.day) = (year, month + 1, day)
        return time.secondsSinceEpoch(offset: offset)
    }

    /// Reads a year of two or four digits and the space behind it.
    private static func year(_ scanner: inout DateScanner, in text: Span<UInt8>) -> Int? {
        guard let first = scanner.number(digits: 2...2, in: text) else { return nil }
        if scanner.skip(" ", in: text) { return first + (first < 50 ? 2000 : 1900) }
        guard let second = scanner.number(digits: 2...2, in: text), scanner.skip(" ", in: text) else { return nil }
        return first * 100 + second
    }

    /// Reads a zone and returns the seconds ahead of UTC.
    private static func zone(_ scanner: inout DateScanner, in text: Span<UInt8>) -> Int? {
        var other = scanner
        if let offset = scanner.zone(in: text) { return offset }
        guard let zone = zones.first(where: { other.skip(word: $0.0, in: text) }) else { return nil }
        scanner = other
        return zone.1 * 3600
    }
}
