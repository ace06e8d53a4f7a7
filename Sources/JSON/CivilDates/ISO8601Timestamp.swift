/// A date and time in ISO 8601 (RFC 3339): `2016-03-28T14:39:13Z`.
package struct ISO8601Timestamp {
    private var time = CivilTime()
    /// Decimals of the second.
    private var fraction = 0.0
    /// Seconds ahead of UTC; nil if the text names no zone.
    package private(set) var offset: Int?

    /// Reads a date, or a date and a time with any decimals and zone; nil if `text` has another form.
    ///
    /// A space may stand in place of `T`, and then also before the zone: `2013-05-06 12:00:00 +0000`.
    /// Whether the date exists is checked by `instant`.
    package init?(_ text: Span<UInt8>) {
        var scanner = DateScanner()
        guard let year = scanner.number(digits: 4...4, in: text), scanner.skip("-", in: text),
            let month = scanner.number(digits: 2...2, in: text), scanner.skip("-", in: text),
            let day = scanner.number(digits: 2...2, in: text)
        else { return nil }
        (time.year, time.month, time.day) = (year, month, day)
        if scanner.isAtEnd(of: text) { return }
        let isSpaced = scanner.skip(" ", in: text)
        guard isSpaced || scanner.skip(word: "T", in: text),
            let hour = scanner.number(digits: 2...2, in: text), scanner.skip(":", in: text),
            let minute = scanner.number(digits: 2...2, in: text)
        else { return nil }
        (time.hour, time.minute) = (hour, minute)
        if scanner.skip(":", in: text) {
            guard let second = scanner.number(digits: 2...2, in: text) else { return nil }
            time.second = second
            if scanner.skip(".", in: text) || scanner.skip(",", in: text) {
                guard let decimals = scanner.fraction(in: text) else { return nil }
                fraction = decimals
            }
        }
        if scanner.isAtEnd(of: text) { return }
        if isSpaced { _ = scanner.skip(" ", in: text) }
        guard let zone = scanner.zone(in: text), scanner.isAtEnd(of: text) else { return nil }
        offset = zone
    }

    /// The whole seconds since 1970 and the rest, in UTC if there is no zone; nil if there is no such date.
    package var instant: (seconds: Int, fraction: Double)? {
        time.secondsSinceEpoch(offset: offset ?? 0).map { ($0, fraction) }
    }

    private static let milliseconds: FixedDateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"

    /// Returns `2016-03-28T14:39:13.000Z`, always with three decimals; years outside 0 to 9999 are clamped.
    package static func format(millisecondsSinceEpoch: Int) -> String {
        let (seconds, rest) = millisecondsSinceEpoch.flooredQuotient(by: 1000)
        return String(
            decoding: milliseconds.bytes(of: CivilTime(secondsSinceEpoch: seconds), units: rest), as: UTF8.self)
    }

    /// Returns `2016-03-28T14:39:13Z`, with three or six decimals if the second is not whole; years 0 to 9999 or nil.
    package static func format(secondsSinceEpoch: Double) -> String? {
        guard
            let (time, microseconds) = CivilTime.split(secondsSinceEpoch: secondsSinceEpoch, unitsPerSecond: 1_000_000)
        else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(27)
        time.forEachISO8601Byte(microseconds) { text.append($0) }
        return String(decoding: text, as: UTF8.self)
    }
}

extension CivilTime {
    /// Calls `write` with each byte of the ISO 8601 form in UTC, with no, three or six decimals.
    ///
    /// Inlined, because records write each date straight into the writer's buffer.
    @inlinable @inline(__always)
    package func forEachISO8601Byte(_ microseconds: Int, _ write: (UInt8) -> Void) {
        func writePair(_ number: Int, then separator: Unicode.Scalar? = nil) {
            write(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10))
            write(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
            if let separator { write(UInt8(ascii: separator)) }
        }
        writePair(year / 100)
        writePair(year % 100, then: "-")
        writePair(month, then: "-")
        writePair(day, then: "T")
        writePair(hour, then: ":")
        writePair(minute, then: ":")
        writePair(second, then: microseconds == 0 ? "Z" : ".")
        if microseconds == 0 { return }
        writePair(microseconds / 10_000)
        write(UInt8(ascii: "0") + UInt8(microseconds / 1000 % 10))
        if microseconds % 1000 != 0 {
            write(UInt8(ascii: "0") + UInt8(microseconds / 100 % 10))
            writePair(microseconds % 100)
        }
        write(UInt8(ascii: "Z"))
    }
}
