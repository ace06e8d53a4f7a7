/// Dates of Twitter v1.1, `EEE MMM dd HH:mm:ss Z yyyy`: `Wed Aug 27 13:08:45 +0000 2008`.
package enum TwitterDate {
    private static let weekdays: StaticString = "sunmontuewedthufrisat"
    private static let months: StaticString = "janfebmaraprmayjunjulaugsepoctnovdec"

    /// Returns the seconds since 1970, or nil if `text` is not such a date.
    ///
    /// The parts before the zone have fixed places; the fields of a `FixedDateFormat` take more than twice as long.
    package static func parse(_ text: Span<UInt8>) -> Int? {
        guard text.count > 20, index(at: 0, in: text, of: weekdays) != nil, text.isSpace(at: 3),
            let month = index(at: 4, in: text, of: months), text.isSpace(at: 7),
            let day = text.pair(at: 8), text.isSpace(at: 10),
            let hour = text.pair(at: 11), text[13] == UInt8(ascii: ":"),
            let minute = text.pair(at: 14), text[16] == UInt8(ascii: ":"),
            let second = text.pair(at: 17), text.isSpace(at: 19)
        else { return nil }
        var time = CivilTime()
        (time.month, time.day) = (month + 1, day)
        (time.hour, time.minute, time.second) = (hour, minute, second)
        // Nearly all dates are in UTC.
        if text.count == 30, text[20] == UInt8(ascii: "+"), text.pair(at: 21) == 0, text.pair(at: 23) == 0,
            text.isSpace(at: 25), let century = text.pair(at: 26), let year = text.pair(at: 28)
        {
            time.year = century * 100 + year
            return time.secondsSinceEpoch(offset: 0)
        }
        var scanner = DateScanner(at: 20)
        guard let offset = scanner.zone(in: text), scanner.skip(" ", in: text),
            let year = scanner.number(digits: 4...4, in: text), scanner.isAtEnd(of: text)
        else { return nil }
        time.year = year
        return time.secondsSinceEpoch(offset: offset)
    }

    /// Returns the index of the three letters at `start` among `names`, in either case.
    private static func index(at start: Int, in text: Span<UInt8>, of names: StaticString) -> Int? {
        let (first, second, third) = (text[start] | 0x20, text[start + 1] | 0x20, text[start + 2] | 0x20)
        return names.withUTF8Buffer { names in
            var offset = 0
            while offset + 2 < names.count {
                if names[offset] == first, names[offset + 1] == second, names[offset + 2] == third { return offset / 3 }
                offset += 3
            }
            return nil
        }
    }
}

extension Span<UInt8> {
    /// Returns the number that the two digits at `index` are; nil if they are none.
    @inline(__always)
    fileprivate func pair(at index: Int) -> Int? {
        let tens = self[index] &- UInt8(ascii: "0"), ones = self[index + 1] &- UInt8(ascii: "0")
        return tens < 10 && ones < 10 ? Int(tens &* 10 &+ ones) : nil
    }

    @inline(__always)
    fileprivate func isSpace(at index: Int) -> Bool { self[index] == UInt8(ascii: " ") }
}
