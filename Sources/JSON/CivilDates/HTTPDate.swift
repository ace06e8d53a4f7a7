/// HTTP dates (RFC 9110 §5.6.7) in whole seconds since 1970.
package enum HTTPDate {
    private static let imfFixdate: FixedDateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    private static let asctimeFormats: [FixedDateFormat] = ["EEE MMM dd HH:mm:ss yyyy", "EEE MMM  d HH:mm:ss yyyy"]

    /// Returns the 29 bytes of an IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// Seconds outside the years 0 to 9999 are clamped.
    package static func format(secondsSinceEpoch: Int) -> [UInt8] {
        imfFixdate.bytes(of: CivilTime(secondsSinceEpoch: secondsSinceEpoch))
    }

    /// Returns the seconds since 1970 of a date in any of the three forms, or nil.
    ///
    /// The forms are IMF-fixdate, the obsolete RFC 850 (`Sunday, 06-Nov-94 08:49:37 GMT`) and asctime
    /// (`Sun Nov  6 08:49:37 1994`). `+0000` and `UTC` are read as GMT, names are read in any case, and the weekday is not
    /// compared with the date. A year of two digits is the one that lies at most 50 years after `now` (seconds since
    /// 1970), or one in 1970...2069 if `now` is nil.
    package static func parse(_ text: String, relativeTo now: Int? = nil) -> Int? {
        let bytes = text.utf8.span
        if !text.utf8.contains(UInt8(ascii: ",")) { return asctime(bytes) }
        if !text.utf8.contains(UInt8(ascii: "-")) {
            return commaForm(bytes, fullWeekday: false, separator: " ", yearDigits: 4) { $0 }
        }
        return commaForm(bytes, fullWeekday: true, separator: "-", yearDigits: 2) { year in
            let latest = now.map { CivilTime(secondsSinceEpoch: $0).year + 50 } ?? 2069
            return latest - (latest - year).flooredQuotient(by: 100).remainder
        }
    }

    // Sun, 06 Nov 1994 08:49:37 GMT and Sunday, 06-Nov-94 08:49:37 GMT
    private static func commaForm(
        _ text: Span<UInt8>, fullWeekday: Bool, separator: Unicode.Scalar, yearDigits: Int, fullYear: (Int) -> Int
    ) -> Int? {
        var scanner = DateScanner(), time = CivilTime()
        guard scanner.index(of: .weekdays, isFull: fullWeekday, in: text) != nil, scanner.skip(",", in: text),
            scanner.skip(" ", in: text), let day = scanner.number(digits: 2...2, in: text),
            scanner.skip(separator, in: text), let month = scanner.index(of: .months, in: text),
            scanner.skip(separator, in: text), let year = scanner.number(digits: yearDigits...yearDigits, in: text),
            scanner.skip(" ", in: text), scanner.timeOfDay(into: &time, in: text), scanner.skip(" ", in: text)
        else { return nil }
        // Dark Sky writes +0000 in Expires, and Twitter v2 UTC in Date.
        let isGMT = scanner.skip(word: "GMT", in: text) || scanner.skip(word: "UTC", in: text)
        guard isGMT || scanner.skip("+", in: text) && scanner.number(digits: 4...4, in: text) == 0,
            scanner.isAtEnd(of: text)
        else { return nil }
        (time.year, time.month, time.day) = (fullYear(year), month + 1, day)
        return time.secondsSinceEpoch()
    }

    private static func asctime(_ text: Span<UInt8>) -> Int? {
        for format in asctimeFormats {
            if let date = format.parse(text) { return date.seconds }
        }
        return nil
    }
}

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
