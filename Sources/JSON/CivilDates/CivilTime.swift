/// A date and a time of day in UTC in the proleptic Gregorian calendar, without leap seconds.
@usableFromInline
package struct CivilTime: Equatable, Sendable {
    /// 0000-01-01T00:00:00Z up to, but not including, 10000-01-01T00:00:00Z, in seconds since 1970.
    package static let representableSeconds = -62_167_219_200..<253_402_300_800

    @usableFromInline package var year = 1970
    /// 1...12.
    @usableFromInline package var month = 1
    /// 1...31.
    @usableFromInline package var day = 1
    @usableFromInline package var hour = 0
    @usableFromInline package var minute = 0
    /// 0...60; second 60 is the first second of the next minute.
    @usableFromInline package var second = 0

    init() {}

    /// Creates the time `seconds` after 1970, clamped to `representableSeconds`.
    package init(secondsSinceEpoch seconds: Int) {
        let range = Self.representableSeconds
        let (days, rest) = max(range.lowerBound, min(range.upperBound - 1, seconds)).flooredQuotient(by: 86400)
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
        // Eras of 400 years that start on 1 March: H. Hinnant, "chrono-compatible low-level date algorithms".
        let (era, dayOfEra) = (days + 719_468).flooredQuotient(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Returns the time at `seconds` since 1970 and the rest, rounded, in units of 1/`unitsPerSecond`.
    ///
    /// With one unit per second the rest is cut off. Returns nil outside the years 0 to 9999.
    package static func split(
        secondsSinceEpoch seconds: Double, unitsPerSecond: Int
    ) -> (time: CivilTime, units: Int)? {
        guard Double(representableSeconds.lowerBound)..<Double(representableSeconds.upperBound) ~= seconds
        else { return nil }
        // Nearly all times are whole seconds and need no rounding.
        let cut = Int(seconds)
        if Double(cut) == seconds { return (CivilTime(secondsSinceEpoch: cut), 0) }
        let scaled = seconds * Double(unitsPerSecond)
        guard let units = Int(exactly: unitsPerSecond == 1 ? scaled.rounded(.down) : scaled.rounded()) else {
            // Nine decimals overflow after 2262, where a Double does not have as many.
            return split(secondsSinceEpoch: seconds, unitsPerSecond: unitsPerSecond / 1000)
                .map { ($0.time, $0.units * 1000) }
        }
        let (whole, rest) = units.flooredQuotient(by: unitsPerSecond)
        return representableSeconds.contains(whole) ? (CivilTime(secondsSinceEpoch: whole), rest) : nil
    }

    /// 0 is Sunday.
    var weekday: Int { (daysSince1970 + 4).flooredQuotient(by: 7).remainder }

    /// Returns the seconds since 1970 at which a clock `offset` seconds ahead of UTC shows this time.
    ///
    /// Returns nil if the calendar has no such date or the day no such time.
    package func secondsSinceEpoch(offset: Int = 0) -> Int? {
        guard 0...9999 ~= year, 1...12 ~= month, day >= 1, day <= daysInMonth, 0...23 ~= hour, 0...59 ~= minute,
            0...60 ~= second
        else { return nil }
        return ((daysSince1970 * 24 + hour) * 60 + minute) * 60 + second - offset
    }

    private var daysSince1970: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = marchYear.flooredQuotient(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private var daysInMonth: Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}

extension Int {
    /// Returns the quotient rounded down and the remainder, which is never negative.
    func flooredQuotient(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension Array<UInt8> {
    /// Appends `number`, which is not negative, in at least `width` decimal digits.
    mutating func append(_ number: Int, width: Int) {
        if number >= 10 || width > 1 { append(number / 10, width: width - 1) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
