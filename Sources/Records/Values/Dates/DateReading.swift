package import FoundationEssentials

/// Reads a date field by field.
package struct DateReading {
    private var scanner: DateScanner
    private var time = CivilTime()
    private var fraction = 0.0
    private var offset = 0
    private var hourOfHalf: Int?
    private var isAfternoon: Bool?

    package init(_ text: String) { scanner = DateScanner(text) }

    /// The date once all fields are read; nil when text is left or there is no such date.
    package var date: Date? {
        guard scanner.isAtEnd else { return nil }
        var time = time
        if let hourOfHalf {
            time.hour = hourOfHalf % 12 + (isAfternoon == true ? 12 : 0)
        }
        return time.date(fraction: fraction, offset: offset)
    }

    /// Reads a field; false when something else stands there.
    package mutating func read(_ field: FixedDateFormat.Field) -> Bool {
        switch field {
        case .literal(let text): scanner.skip(text)
        case .year(let digits): Self.set(&time.year, scanner.number(digits: digits...4))
        case .month(let digits): Self.set(&time.month, scanner.number(digits: digits...2))
        case .monthName(let isFull):
            Self.set(&time.month, scanner.name(of: isFull ? DateName.months : DateName.shortMonths).map { $0 + 1 })
        case .day(let digits): Self.set(&time.day, scanner.number(digits: digits...2))
        case .hour(let digits): Self.set(&time.hour, scanner.number(digits: digits...2))
        case .hourOfHalf(let digits): readHourOfHalf(digits)
        case .half: readHalf()
        case .minute(let digits): Self.set(&time.minute, scanner.number(digits: digits...2))
        case .second(let digits): Self.set(&time.second, scanner.number(digits: digits...2))
        case .fraction(let digits): readFraction(digits)
        case .weekdayName(let isFull):
            scanner.name(of: isFull ? DateName.weekdays : DateName.shortWeekdays) != nil
        case .zone: readZone()
        }
    }

    private static func set(_ part: inout Int, _ value: Int?) -> Bool {
        guard let value else { return false }
        part = value
        return true
    }

    private mutating func readHourOfHalf(_ digits: Int) -> Bool {
        guard let hour = scanner.number(digits: digits...2), (1...12).contains(hour) else { return false }
        hourOfHalf = hour
        return true
    }

    private mutating func readHalf() -> Bool {
        guard let index = scanner.name(of: DateName.halves) else { return false }
        isAfternoon = index == 1
        return true
    }

    private mutating func readFraction(_ digits: Int) -> Bool {
        guard let number = scanner.number(digits: digits...digits) else { return false }
        fraction = Double(number) / (0..<digits).reduce(1) { scale, _ in scale * 10 }
        return true
    }

    private mutating func readZone() -> Bool {
        guard let seconds = scanner.zone() else { return false }
        offset = seconds
        return true
    }
}

extension FixedDateFormat.Field {
    /// The field of a time in UTC, whose second has these decimals.
    package func text(of time: CivilTime, _ decimals: String) -> String {
        switch self {
        case .literal(let text): text
        case .year(let digits): ISO8601.padded(time.year, digits)
        case .month(let digits): ISO8601.padded(time.month, digits)
        case .monthName(let isFull): (isFull ? DateName.months : DateName.shortMonths)[time.month - 1].text
        case .day(let digits): ISO8601.padded(time.day, digits)
        case .hour(let digits): ISO8601.padded(time.hour, digits)
        case .hourOfHalf(let digits): ISO8601.padded((time.hour + 11) % 12 + 1, digits)
        case .half: time.hour < 12 ? "AM" : "PM"
        case .minute(let digits): ISO8601.padded(time.minute, digits)
        case .second(let digits): ISO8601.padded(time.second, digits)
        case .fraction(let digits): String(decimals.prefix(digits))
        case .weekdayName(let isFull):
            (isFull ? DateName.weekdays : DateName.shortWeekdays)[time.weekday].text
        case .zone(_, spellsUTC: true): "Z"
        case .zone(.basic, _): "+0000"
        case .zone(.extended, _): "+00:00"
        case .zone(.named, _): "GMT+00:00"
        case .zone(.hours, _): "+00"
        }
    }
}
