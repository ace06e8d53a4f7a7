/// Reads the three forms of HTTP's dates from left to right; every step returns nil when the text does not fit.
struct DateScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    // Sun, 06 Nov 1994 08:49:37 GMT
    mutating func imfFixdate() -> CivilTime? {
        guard weekday(length: 3) != nil, literal(", "), let day = number(2), literal(" "), let month = month(),
            literal(" "), let year = number(4), literal(" "), let time = timeOfDay(), zone()
        else { return nil }
        return CivilTime(
            year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    // Sunday, 06-Nov-94 08:49:37 GMT
    mutating func rfc850(relativeTo now: Int?) -> CivilTime? {
        guard weekday(length: nil) != nil, literal(", "), let day = number(2), literal("-"), let month = month(),
            literal("-"), let shortYear = number(2), literal(" "), let time = timeOfDay(), zone()
        else { return nil }
        return CivilTime(
            year: Self.fullYear(shortYear, relativeTo: now), month: month, day: day,
            hour: time.hour, minute: time.minute, second: time.second)
    }

    // Sun Nov  6 08:49:37 1994
    mutating func asctime() -> CivilTime? {
        guard weekday(length: 3) != nil, literal(" "), let month = month(), literal(" "),
            let day = literal(" ") ? number(1) : number(2),
            literal(" "), let time = timeOfDay(), literal(" "), let year = number(4), position == bytes.count
        else { return nil }
        return CivilTime(
            year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    private static func fullYear(_ shortYear: Int, relativeTo now: Int?) -> Int {
        let latest = now.map { CivilTime(secondsSinceEpoch: $0).year + 50 } ?? 2069
        return latest - (latest - shortYear).flooredQuotient(by: 100).remainder
    }

    private mutating func timeOfDay() -> (hour: Int, minute: Int, second: Int)? {
        guard let hour = number(2), literal(":"), let minute = number(2), literal(":"), let second = number(2) else {
            return nil
        }
        return (hour, minute, second)
    }

    /// `GMT`, or the wrong but common `+0000`, and then the end.
    private mutating func zone() -> Bool {
        guard literal(" "), literal("GMT") || literal("+0000") else { return false }
        return position == bytes.count
    }

    /// The day of the week, in full or its first `length` letters; 0 is Sunday.
    private mutating func weekday(length: Int?) -> Int? {
        for (index, name) in HTTPDate.weekdays.enumerated()
        where literal(length.map { String(name.prefix($0)) } ?? name) {
            return index
        }
        return nil
    }

    /// 1...12.
    private mutating func month() -> Int? {
        for (index, name) in HTTPDate.months.enumerated() where literal(name) { return index + 1 }
        return nil
    }

    private mutating func literal(_ text: String) -> Bool {
        let end = position + text.utf8.count
        guard end <= bytes.count, bytes.matches(position..<end, text) else { return false }
        position = end
        return true
    }

    /// A number of exactly `width` digits.
    private mutating func number(_ width: Int) -> Int? {
        guard position + width <= bytes.count else { return nil }
        var number = 0
        for byte in bytes[position..<position + width] {
            guard ASCII.isDigit(byte) else { return nil }
            number = number * 10 + Int(byte - ASCII.zero)
        }
        position += width
        return number
    }
}
