/// A date format in the pattern letters of Unicode TR 35, in English and the Gregorian calendar whatever the locale:
/// `EEE MMM dd HH:mm:ss Z yyyy` is `Mon Mar 28 14:39:13 +0000 2016`.
///
/// | pattern | meaning |
/// | --- | --- |
/// | `yyyy`, `y` | the year in four digits, in one to four |
/// | `yy` | the last two digits of a year from 1969 to 2068 |
/// | `MM`, `M`, `MMM`, `MMMM` | the month in two digits, in one or two, as `Mar`, as `March` |
/// | `dd`, `d` | the day in two digits, in one or two |
/// | `HH`, `H`, `hh`, `h` | the hour from 0 to 23, from 1 to 12 |
/// | `a` | `AM` or `PM` |
/// | `mm`, `m`, `ss`, `s` | minute and second |
/// | `S` to `SSSSSSSSS` | that many decimals of the second |
/// | `EEE`, `EEEE` (or `E`, `EE`, `eee`, `eeee`) | the weekday as `Mon`, as `Monday` |
/// | `Z` to `ZZZ`, `ZZZZ`, `ZZZZZ` | the zone as `+0000`, as `GMT+00:00`, as `Z` or `+00:00` |
/// | `X`, `XX`, `XXX` (or `x`, `xx`, `xxx`) | the zone as `Z` or `+00`, `+0000`, `+00:00` (never `Z`) |
/// | `'text'`, `''` | the text itself, an apostrophe |
///
/// Other characters stand for themselves. Names are read in any case. A zone is read in any of its forms and is UTC if
/// the pattern has none. A weekday is not compared with the date. Second 60 is the first second of the next minute.
/// Years go from 0000 to 9999. Dates are written in UTC.
///
///     let format: FixedDateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
///     format.date(from: "Mon Mar 28 14:39:13 +0000 2016")
public struct FixedDateFormat: Sendable, Hashable {
    /// The pattern of the format.
    public let pattern: String
    private let fields: [Field]
    private let decimals: Int

    /// Creates a format from its pattern.
    ///
    ///     let format = try FixedDateFormat(pattern: "dd.MM.yyyy")
    ///
    /// - Throws: `InvalidPattern` if the pattern has an unsupported field, or no year, month or day.
    public init(pattern: String) throws(InvalidPattern) {
        self.pattern = pattern
        fields = try Field.all(in: pattern)
        decimals = fields.reduce(0) { max($0, $1.letter == "S" ? $1.count : 0) }
    }

    /// Whether the dates name their zone.
    package var hasZone: Bool { fields.contains { $0.letter.map { "ZXx".unicodeScalars.contains($0) } == true } }

    /// Returns the whole seconds since 1970 and the rest that `text` names; nil if it does not have this format.
    package func parse(_ text: Span<UInt8>) -> (seconds: Int, fraction: Double)? {
        var reader = FieldReader()
        for field in fields where !reader.read(field, in: text) { return nil }
        return reader.instant(of: text)
    }

    /// Returns the date in UTC; nil outside the years 0000 to 9999.
    ///
    /// The second is rounded to the decimals of the format, or cut off if it has none.
    package func format(secondsSinceEpoch: Double) -> String? {
        let unitsPerSecond = decimals == 0 ? 1 : Field.powerOfTen(decimals)
        return CivilTime.split(secondsSinceEpoch: secondsSinceEpoch, unitsPerSecond: unitsPerSecond).map {
            time, units in
            String(decoding: bytes(of: time, units: units), as: UTF8.self)
        }
    }

    /// Returns a time in UTC, whose second has `units` of the last decimal of the format.
    func bytes(of time: CivilTime, units: Int = 0) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(40)
        for field in fields {
            let count = field.count
            switch field.letter {
            case "y": text.append(count == 2 ? time.year % 100 : time.year, width: count)
            case "M" where count > 2: text += DateNames.months[time.month - 1].utf8.prefix(count == 4 ? .max : 3)
            case "M": text.append(time.month, width: count)
            case "d": text.append(time.day, width: count)
            case "H": text.append(time.hour, width: count)
            case "h": text.append((time.hour + 11) % 12 + 1, width: count)
            case "a": text += (time.hour < 12 ? "AM" : "PM").utf8
            case "m": text.append(time.minute, width: count)
            case "s": text.append(time.second, width: count)
            case "S": text.append(units / Field.powerOfTen(decimals - count), width: count)
            case "E", "e": text += DateNames.weekdays[time.weekday].utf8.prefix(count == 4 ? .max : 3)
            case "Z" where count == 4: text += "GMT+00:00".utf8
            case "Z" where count < 4, "x" where count == 2: text += "+0000".utf8
            case "x": text += (count == 1 ? "+00" : "+00:00").utf8
            case "Z", "X": text.append(UInt8(ascii: "Z"))
            default: text.append(field.literal)
            }
        }
        return text
    }

    /// The reason why a pattern is not a format.
    public enum InvalidPattern: Error, Equatable, CustomStringConvertible {
        /// The pattern has a field that is not supported, such as `YY` or `VV`.
        case unsupportedField(String)
        /// A text in apostrophes does not end.
        case unterminatedText
        /// The pattern lacks the year, the month or the day.
        case incompleteDate

        /// A sentence that names the reason.
        public var description: String {
            switch self {
            case .unsupportedField(let field): "The date pattern's field '\(field)' is not supported."
            case .unterminatedText: "A text in the date pattern lacks its closing apostrophe."
            case .incompleteDate: "The date pattern needs a year, a month and a day."
            }
        }
    }
}

extension FixedDateFormat: ExpressibleByStringLiteral {
    /// Creates a format from a pattern in the source; an invalid one stops the program with its reason.
    ///
    /// Use ``init(pattern:)`` for patterns from elsewhere.
    public init(stringLiteral pattern: String) {
        do {
            try self.init(pattern: pattern)
        } catch {
            preconditionFailure("\(pattern): \(error)")
        }
    }
}

/// A run of one pattern letter, or a byte of the text between them.
private struct Field: Hashable {
    /// Nil for a byte of text.
    var letter: Unicode.Scalar?
    var count = 0
    var literal: UInt8 = 0

    private static let supported: Set<Substring> = [
        "y", "yy", "yyyy", "M", "MM", "MMM", "MMMM", "d", "dd", "H", "HH", "h", "hh", "a", "aa", "aaa", "m", "mm", "s",
        "ss",
        "S", "SS", "SSS", "SSSS", "SSSSS", "SSSSSS", "SSSSSSS", "SSSSSSSS", "SSSSSSSSS",
        "E", "EE", "EEE", "EEEE", "eee", "eeee", "Z", "ZZ", "ZZZ", "ZZZZ", "ZZZZZ", "X", "XX", "XXX", "x", "xx", "xxx",
    ]

    static func all(in pattern: String) throws(FixedDateFormat.InvalidPattern) -> [Field] {
        var fields: [Field] = []
        var rest = pattern[...]
        while let character = rest.first {
            if character == "'" {
                fields += try quoted(&rest).utf8.map { Field(literal: $0) }
            } else if character.isASCII, character.isLetter {
                let run = rest.prefix { $0 == character }
                guard supported.contains(run) else { throw .unsupportedField(String(run)) }
                fields.append(Field(letter: run.unicodeScalars.first, count: run.count))
                rest.removeFirst(run.count)
            } else {
                fields += character.utf8.map { Field(literal: $0) }
                rest.removeFirst()
            }
        }
        guard Set(fields.compactMap(\.letter)).isSuperset(of: ["y", "M", "d"]) else { throw .incompleteDate }
        return fields
    }

    /// Removes a text in apostrophes and returns it; two apostrophes, in such a text or outside, are one.
    private static func quoted(_ rest: inout Substring) throws(FixedDateFormat.InvalidPattern) -> String {
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst() {
            if character != "'" {
                text.append(character)
            } else if rest.first == "'", !text.isEmpty {
                text.append("'")
                rest.removeFirst()
            } else {
                return text.isEmpty ? "'" : text
            }
        }
        throw .unterminatedText
    }

    static func powerOfTen(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}

/// Reads a date field by field.
private struct FieldReader {
    private var scanner = DateScanner()
    private var time = CivilTime()
    private var fraction = 0.0
    private var offset = 0
    private var hourOfHalfDay: Int?
    private var isAfternoon = false

    /// Returns the date after its last field; nil if text remains or there is no such date.
    func instant(of text: Span<UInt8>) -> (seconds: Int, fraction: Double)? {
        guard scanner.isAtEnd(of: text) else { return nil }
        var time = time
        if let hourOfHalfDay { time.hour = hourOfHalfDay % 12 + (isAfternoon ? 12 : 0) }
        return time.secondsSinceEpoch(offset: offset).map { ($0, fraction) }
    }

    /// Reads a field; returns false if `text` continues with something else.
    mutating func read(_ field: Field, in text: Span<UInt8>) -> Bool {
        guard let letter = field.letter else { return scanner.skip(field.literal, in: text) }
        let count = field.count
        switch letter {
        case "y" where count == 2:
            let year = scanner.number(digits: 2...2, in: text)
            return Self.set(&time.year, year.map { $0 + ($0 < 69 ? 2000 : 1900) })
        case "y": return Self.set(&time.year, scanner.number(digits: count...4, in: text))
        case "M" where count > 2:
            let index = scanner.index(of: .months, isFull: count == 4, in: text)
            return Self.set(&time.month, index.map { $0 + 1 })
        case "M": return Self.set(&time.month, scanner.number(digits: count...2, in: text))
        case "d": return Self.set(&time.day, scanner.number(digits: count...2, in: text))
        case "H": return Self.set(&time.hour, scanner.number(digits: count...2, in: text))
        case "h":
            hourOfHalfDay = scanner.number(digits: count...2, in: text)
            return hourOfHalfDay.map { 1...12 ~= $0 } ?? false
        case "a":
            isAfternoon = scanner.skip(word: "PM", in: text)
            return isAfternoon || scanner.skip(word: "AM", in: text)
        case "m": return Self.set(&time.minute, scanner.number(digits: count...2, in: text))
        case "s": return Self.set(&time.second, scanner.number(digits: count...2, in: text))
        case "S":
            guard let number = scanner.number(digits: count...count, in: text) else { return false }
            fraction = Double(number) / Double(Field.powerOfTen(count))
            return true
        case "E", "e": return scanner.index(of: .weekdays, isFull: count == 4, in: text) != nil
        default: return Self.set(&offset, scanner.zone(in: text))
        }
    }

    private static func set(_ part: inout Int, _ value: Int?) -> Bool {
        guard let value else { return false }
        part = value
        return true
    }
}
