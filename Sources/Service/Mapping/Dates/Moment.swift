import CivilDates
import API
import JMESPath
import JSONText
import Records

/// An instant, or a time of the clocks of a zone, in whole microseconds.
package struct Moment: Equatable, Sendable {
    /// The whole seconds since 1970, rounded down.
    let seconds: Int
    /// The rest: 0 to 999,999.
    let microseconds: Int

    /// Creates a moment; nil outside of the years 1 to 9999, which ISO 8601 can write.
    init?(seconds: Int, microseconds: Int) {
        let (carry, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let isBefore = rest < 0
        (self.seconds, self.microseconds) = (seconds + carry - (isBefore ? 1 : 0), isBefore ? rest + 1_000_000 : rest)
        guard ISODate.writable.contains(Double(self.seconds)) else { return nil }
    }

    /// Creates the moment of a number of units, each `10^exponent` seconds; nil outside of the years 1 to 9999.
    init?(_ number: DecimalText, unit exponent: Int) {
        // Two more digits than microseconds have, of which the last one tells whether others follow.
        guard number.magnitude + exponent <= 12 else { return nil }
        let magnitude = (number.scaled(toUnitsOf: -8 - exponent) + 50) / 100
        let microseconds = Int(magnitude) * (number.isNegative ? -1 : 1)
        self.init(seconds: 0, microseconds: microseconds)
    }

    /// The seconds since 1970 as a JSON number, with at most six decimals.
    var unixText: String {
        let total = Int128(seconds) * 1_000_000 + Int128(microseconds)
        return Decimal(total, exponent: -6).text(places: 21)
    }

    /// The day: `2016-03-28`.
    var dayText: String { String(isoText.prefix(10)) }

    /// The date and time: `2016-03-28T14:39:13Z`, with no, three or six decimals.
    var isoText: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(27)
        CivilTime(secondsSinceEpoch: seconds).forEachISO8601Byte(microseconds) { bytes.append($0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the moment some seconds later; nil outside of the years 1 to 9999.
    func advanced(by offset: Int) -> Moment? { Moment(seconds: seconds + offset, microseconds: microseconds) }

    /// Writes the moment in a form.
    func write(to writer: inout JSONWriter, as form: DateForm) {
        switch form {
        case .unix: writer.write(raw: Array(unixText.utf8))
        case .iso8601:
            let time = CivilTime(secondsSinceEpoch: seconds)
            writer.write(atMost: 29) { room in
                room.write(byte: UInt8(ascii: "\""))
                time.forEachISO8601Byte(microseconds) { room.write(byte: $0) }
                room.write(byte: UInt8(ascii: "\""))
            }
        }
    }
}
