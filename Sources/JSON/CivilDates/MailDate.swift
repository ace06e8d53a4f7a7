/// Dates of mail (RFC 5322 §3.3), as feeds and old search APIs write them: `Wed, 27 Aug 2008 13:08:45 +0000`.
package enum MailDate {
    /// Returns the seconds since 1970, or nil if `text` is not such a date.
    ///
    /// The weekday may be missing, and is not compared with the date.
    package static func parse(_ text: Span<UInt8>) -> Int? {
        var scanner = DateScanner(), time = CivilTime()
        if scanner.index(of: .weekdays, in: text) != nil {
            guard scanner.skip(",", in: text), scanner.skip(" ", in: text) else { return nil }
        }
        guard let day = scanner.number(digits: 1...2, in: text), scanner.skip(" ", in: text),
            let month = scanner.index(of: .months, in: text), scanner.skip(" ", in: text),
            let year = scanner.number(digits: 4...4, in: text), scanner.skip(" ", in: text),
            scanner.timeOfDay(into: &time, in: text), scanner.skip(" ", in: text),
            let offset = scanner.zone(in: text), scanner.isAtEnd(of: text)
        else { return nil }
        (time.year, time.month, time.day) = (year, month + 1, day)
        return time.secondsSinceEpoch(offset: offset)
    }
}
