package import FoundationEssentials

/// A date and a time of day in UTC, in the proleptic Gregorian calendar, without leap seconds.
package struct CivilTime: Equatable {
    /// The years that can be written with four digits.
    package static let years = 0...9999
    /// 0000-01-01T00:00:00Z up to, not including, 10000-01-01T00:00:00Z, as seconds since 1970.
    package static let representableSeconds: Range<Double> = -62_167_219_200..<253_402_300_800
    private static let secondsFrom1970To2001 = 978_307_200

    package var year = 1970
    /// 1...12.
    package var month = 1
    /// 1...31.
    package var day = 1
    package var hour = 0
    package var minute = 0
    /// 0...60; second 60 is the first of the next minute.
    package var second = 0

    package init() {}

    /// The time `seconds` after 1970, which lies in `representableSeconds`.
    package init(secondsSince1970 seconds: Int) {
        let (days, rest) = Self.flooredQuotient(of: seconds, by: 86400)
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
        // Eras of 400 years that start on 1 March: H. Hinnant, "chrono-compatible low-level date algorithms".
        let (era, dayOfEra) = Self.flooredQuotient(of: days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Whether there is such a date and such a time of day.
    package var isValid: Bool {
        Self.years.contains(year) && (1...12).contains(month) && day >= 1 && day <= daysInMonth
            && (0...23).contains(hour) && (0...59).contains(minute) && (0...60).contains(second)
    }

    /// 0 is Sunday.
    package var weekday: Int { Self.flooredQuotient(of: daysSince1970 + 4, by: 7).remainder }

    /// The moment at which a clock `offset` seconds ahead of UTC shows this time and `fraction` of a second more.
    ///
    /// Nil when there is no such time.
    package func date(fraction: Double, offset: Int) -> Date? {
        // Whole seconds since 2001 are exact, so that the fraction is rounded once.
        secondsSince1970(offset: offset).map { seconds in
            Date(timeIntervalSinceReferenceDate: Double(seconds - Self.secondsFrom1970To2001) + fraction)
        }
    }

    /// The seconds since 1970 at which a clock `offset` seconds ahead of UTC shows this time.
    ///
    /// Nil when there is no such time.
    package func secondsSince1970(offset: Int) -> Int? {
        isValid ? ((daysSince1970 * 24 + hour) * 60 + minute) * 60 + second - offset : nil
    }

    private var daysSince1970: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = Self.flooredQuotient(of: marchYear, by: 400)
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

    /// Quotient rounded down and the remainder, which is never negative.
    package static func flooredQuotient(of value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension CivilTime {
    /// A moment cut to whole seconds, and what is left in units of 1/`unitsPerSecond`, rounded.
    ///
    /// Nil for moments outside of the years 0 to 9999.
    package static func parts(of date: Date, unitsPerSecond: Int) -> (time: CivilTime, units: Int)? {
        parts(ofSecondsSince1970: date.timeIntervalSince1970, unitsPerSecond: unitsPerSecond)
    }

    /// A moment cut to whole seconds, and what is left in units of 1/`unitsPerSecond`, rounded.
    ///
    /// Nil for moments outside of the years 0 to 9999.
    package static func parts(ofSecondsSince1970 seconds: Double, unitsPerSecond: Int) -> (time: CivilTime, units: Int)? {
        guard representableSeconds.contains(seconds) else { return nil }
        // Nearly all are whole, and need no rounding.
        let cut = Int(seconds)
        if Double(cut) == seconds { return (CivilTime(secondsSince1970: cut), 0) }
        let scaled = seconds * Double(unitsPerSecond)
        let units = Int(unitsPerSecond == 1 ? scaled.rounded(.down) : scaled.rounded())
        let (whole, rest) = flooredQuotient(of: units, by: unitsPerSecond)
        guard representableSeconds.contains(Double(whole)) else { return nil }
        return (CivilTime(secondsSince1970: whole), rest)
    }
}
