/// Dates of Twitter v1.1, `EEE MMM dd HH:mm:ss Z yyyy`: `Wed Aug 27 13:08:45 +0000 2008`.
package enum TwitterDate {
    /// Returns the seconds since 1970, or nil if `text` is not such a date.
    ///
    /// Without the fields of a `FixedDateFormat`, which takes twice as long.
    package static func parse(_ text: Span<UInt8>) -> Int? {
        var scanner = DateScanner(), time = CivilTime()
        guard scanner.index(of: .weekdays, in: text) != nil, scanner.skip(" ", in: text),
            let month = scanner.index(of: .months, in: text), scanner.skip(" ", in: text),
            let day = scanner.number(digits: 2...2, in: text), scanner.skip(" ", in: text),
            scanner.timeOfDay(into: &time, in: text), scanner.skip(" ", in: text),
            let offset = scanner.zone(in: text), scanner.skip(" ", in: text),
            let year = scanner.number(digits: 4...4, in: text), scanner.isAtEnd(of: text)
        else { return nil }
        (time.year, time.month, time.day) = (year, month + 1, day)
        return time.secondsSinceEpoch(offset: offset)
    }
}
