/// A date and a time of day in UTC, in the proleptic Gregorian calendar, without leap seconds.
struct CivilTime: Equatable {
    private static let secondsPerDay = 86400
    /// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
    static let representableSeconds = -62_167_219_200...253_402_300_799

    let year: Int
    /// 1...12.
    let month: Int
    /// 1...31.
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int

    /// The time `seconds` after 1970; years outside 0...9999 become the nearest second inside.
    init(secondsSinceEpoch seconds: Int) {
        let range = Self.representableSeconds
        let seconds = min(max(seconds, range.lowerBound), range.upperBound)
        let (days, rest) = seconds.flooredQuotient(by: Self.secondsPerDay)
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

    /// The given time, or nil when there is none such; second 60 is read as the next minute's first.
    init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.daysIn(month: month, year: year),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// Seconds after 1970.
    var secondsSinceEpoch: Int {
        ((daysSinceEpoch * 24 + hour) * 60 + minute) * 60 + second
    }

    /// 0 is Sunday.
    var weekday: Int {
        (daysSinceEpoch + 4).flooredQuotient(by: 7).remainder
    }

    private var daysSinceEpoch: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = marchYear.flooredQuotient(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func daysIn(month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}

extension Int {
    /// Quotient rounded down and the remainder, which is never negative.
    func flooredQuotient(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
