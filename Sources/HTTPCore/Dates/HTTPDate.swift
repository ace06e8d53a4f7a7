/// HTTP's dates (RFC 9110 §5.6.7), in whole seconds after 1970.
public enum HTTPDate {
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The 29 bytes of an IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// Years outside 0...9999 become the nearest second inside.
    public static func format(secondsSinceEpoch: Int) -> [UInt8] {
        let time = CivilTime(secondsSinceEpoch: secondsSinceEpoch)
        var text: [UInt8] = []
        text.reserveCapacity(29)
        text += weekdays[time.weekday].utf8.prefix(3)
        text += ", ".utf8
        text.append(decimal: time.day, width: 2)
        text += " ".utf8
        text += months[time.month - 1].utf8
        text += " ".utf8
        text.append(decimal: time.year, width: 4)
        for (separator, number) in [(" ", time.hour), (":", time.minute), (":", time.second)] {
            text += separator.utf8
            text.append(decimal: number, width: 2)
        }
        text += " GMT".utf8
        return text
    }

    /// Seconds after 1970 of a date in any of the three forms, or nil.
    ///
    /// The forms are IMF-fixdate, the obsolete RFC 850 (`Sunday, 06-Nov-94 08:49:37 GMT`) and asctime
    /// (`Sun Nov  6 08:49:37 1994`). `+0000` is read as GMT; letter case is ignored, and the name of the day need not
    /// fit the date. A year of two digits is the one that lies at most 50 years after `now` (seconds after 1970),
    /// without it one in 1970...2069.
    public static func parse(_ text: String, relativeTo now: Int? = nil) -> Int? {
        var scanner = DateScanner(text)
        let time: CivilTime? =
            if text.utf8.contains(ASCII.comma) {
                text.utf8.contains(UInt8(ascii: "-")) ? scanner.rfc850(relativeTo: now) : scanner.imfFixdate()
            } else {
                scanner.asctime()
            }
        return time?.secondsSinceEpoch
    }
}
