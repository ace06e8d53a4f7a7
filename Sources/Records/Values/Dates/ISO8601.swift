public import FoundationEssentials

/// Dates as ISO 8601 and RFC 3339 write them: `2016-03-28T14:39:13Z`.
///
/// Read are seconds with any number of decimals behind a point or a comma, and the zones `Z`, `±hh`, `±hhmm` and
/// `±hh:mm`; `T` may be a space; seconds may be missing. A date without time is its midnight in UTC, a time without
/// zone is taken as UTC. Second 60 is the first of the next minute. Years go from 0000 to 9999.
///
///     struct Tweet: Codable {
///         @Coded<ISO8601> var createdAt: Date
///     }
public enum ISO8601 {
    /// The moment that `text` names; nil when it is no ISO 8601 date.
    ///
    ///     ISO8601.date(from: "1970-01-02T01:00:00+01:00")?.timeIntervalSince1970  // 86400.0
    public static func date(from text: String) -> Date? {
        Reading(text).flatMap { $0.time.date(fraction: $0.fraction, offset: $0.offset ?? 0) }
    }

    /// The moment in UTC, with three or six decimals where it is no whole second: `2016-03-28T14:39:13.250Z`.
    ///
    /// Nil for moments outside of the years 0000 to 9999.
    ///
    ///     ISO8601.string(from: Date(timeIntervalSince1970: 86400))  // "1970-01-02T00:00:00Z"
    public static func string(from date: Date) -> String? {
        CivilTime.parts(of: date, unitsPerSecond: 1_000_000).map { String(decoding: text(of: $0, $1), as: UTF8.self) }
    }

    /// A time in UTC and its microseconds as bytes of ASCII.
    package static func text(of time: CivilTime, _ microseconds: Int) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(27)
        forEachByte(of: time, microseconds) { text.append($0) }
        return text
    }

    /// Hands on a time in UTC and its microseconds, byte by byte.
    @inline(__always)
    package static func forEachByte(of time: CivilTime, _ microseconds: Int, _ take: (UInt8) -> Void) {
        func write(_ pair: Int) {
            take(UInt8(ascii: "0") + UInt8(pair / 10))
            take(UInt8(ascii: "0") + UInt8(pair % 10))
        }
        func write(_ pair: Int, then end: Unicode.Scalar) {
            write(pair)
            take(UInt8(ascii: end))
        }
        write(time.year / 100)
        write(time.year % 100, then: "-")
        write(time.month, then: "-")
        write(time.day, then: "T")
        write(time.hour, then: ":")
        write(time.minute, then: ":")
        write(time.second, then: microseconds == 0 ? "Z" : ".")
        if microseconds == 0 { return }
        write(microseconds / 10_000)
        take(UInt8(ascii: "0") + UInt8(microseconds / 1000 % 10))
        if microseconds % 1000 != 0 {
            take(UInt8(ascii: "0") + UInt8(microseconds / 100 % 10))
            write(microseconds % 100)
        }
        take(UInt8(ascii: "Z"))
    }

    /// `number`, which is not negative, with zeros in front up to `width` digits.
    package static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension ISO8601 {
    /// The parts of a date's text.
    package struct Reading {
        var time = CivilTime()
        /// Parts of a second.
        var fraction = 0.0
        /// Seconds ahead of UTC; nil where the text says nothing of a zone.
        var offset: Int?

        /// Nil when `text` is no ISO 8601 date; the time may still be none that exists.
        init?(_ text: String) {
            var scanner = DateScanner(text)
            guard let year = scanner.number(digits: 4...4), scanner.skip(UInt8(ascii: "-")),
                let month = scanner.number(digits: 2...2), scanner.skip(UInt8(ascii: "-")),
                let day = scanner.number(digits: 2...2)
            else { return nil }
            (time.year, time.month, time.day) = (year, month, day)
            if scanner.isAtEnd { return }
            guard scanner.skip(anyOf: "Tt "), let hour = scanner.number(digits: 2...2), scanner.skip(UInt8(ascii: ":")),
                let minute = scanner.number(digits: 2...2)
            else { return nil }
            (time.hour, time.minute) = (hour, minute)
            if scanner.skip(UInt8(ascii: ":")) {
                guard let second = scanner.number(digits: 2...2) else { return nil }
                time.second = second
                if scanner.skip(anyOf: ".,") {
                    guard let read = scanner.fraction() else { return nil }
                    fraction = read
                }
            }
            if scanner.isAtEnd { return }
            guard let zone = scanner.zone(), scanner.isAtEnd else { return nil }
            offset = zone
        }
    }
}
