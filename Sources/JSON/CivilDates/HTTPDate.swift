/// HTTP dates (RFC 9110 §5.6.7) in whole seconds since 1970.
package enum HTTPDate {
    private static let imfFixdate: FixedDateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"

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

    // Sun Nov  6 08:49:37 1994
    private static func asctime(_ text: Span<UInt8>) -> Int? {
        var scanner = DateScanner(), time = CivilTime()
        guard scanner.index(of: .weekdays, in: text) != nil, scanner.skip(" ", in: text),
            let month = scanner.index(of: .months, in: text), scanner.skip(" ", in: text)
        else { return nil }
        let digits = scanner.skip(" ", in: text) ? 1 : 2
        guard let day = scanner.number(digits: digits...digits, in: text), scanner.skip(" ", in: text),
            scanner.timeOfDay(into: &time, in: text), scanner.skip(" ", in: text),
            let year = scanner.number(digits: 4...4, in: text), scanner.isAtEnd(of: text)
        else { return nil }
        (time.year, time.month, time.day) = (year, month + 1, day)
        return time.secondsSinceEpoch()
    }
}
