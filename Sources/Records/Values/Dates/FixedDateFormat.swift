public import FoundationEssentials

/// A format for dates given by a pattern of Unicode's date fields, in English and in the Gregorian calendar, whatever
/// the machine's settings: `EEE MMM dd HH:mm:ss Z yyyy` is `Mon Mar 28 14:39:13 +0000 2016`.
///
/// | field | means |
/// | --- | --- |
/// | `yyyy`, `y` | the year in four digits, in one to four |
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
/// What is no letter stands for itself. Names are read in any case; a zone is read in any of its forms, and is UTC
/// where the pattern has none. A weekday must be one, and is not compared with the date. Second 60 is the first of the
/// next minute; the calendar is the Gregorian one for all years from 0000 to 9999. Dates are written in UTC.
///
///     let format: FixedDateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
///     format.date(from: "Mon Mar 28 14:39:13 +0000 2016")
public struct FixedDateFormat: Sendable {
    /// The pattern that the format was made of.
    ///
    ///     let format: FixedDateFormat = "dd.MM.yyyy"
    ///     format.pattern  // "dd.MM.yyyy"
    public let pattern: String
    package let fields: [Field]

    /// The format of a pattern.
    ///
    ///     let format = try FixedDateFormat(pattern: "dd.MM.yyyy")
    ///
    /// - Throws: `InvalidPattern` when the pattern has a letter that is no field, or lacks year, month or day.
    public init(pattern: String) throws(InvalidPattern) {
        self.pattern = pattern
        fields = try Self.fields(of: pattern)
    }

    /// The moment that `text` names; nil when it does not have this format.
    ///
    ///     let format: FixedDateFormat = "dd.MM.yyyy HH:mm"
    ///     format.date(from: "02.01.1970 00:00")?.timeIntervalSince1970  // 86400.0
    public func date(from text: String) -> Date? {
        var reading = DateReading(text)
        for field in fields where !reading.read(field) { return nil }
        return reading.date
    }

    /// The moment in this format, in UTC; nil for moments outside of the years 0000 to 9999.
    ///
    /// What is finer than the format is cut off where it has no decimals of the second, and rounded where it has.
    ///
    ///     let format: FixedDateFormat = "dd.MM.yyyy HH:mm"
    ///     format.string(from: Date(timeIntervalSince1970: 86400))  // "02.01.1970 00:00"
    public func string(from date: Date) -> String? {
        let decimals = fields.reduce(0) { max($0, $1.decimals) }
        let unitsPerSecond = (0..<decimals).reduce(1) { units, _ in units * 10 }
        guard let (time, units) = CivilTime.parts(of: date, unitsPerSecond: unitsPerSecond) else { return nil }
        return fields.reduce(into: "") { $0 += $1.text(of: time, ISO8601.padded(units, decimals)) }
    }

    /// Why a pattern is no format.
    ///
    ///     do {
    ///         let format = try FixedDateFormat(pattern: "yy-MM-dd")
    ///     } catch {
    ///         print(error)  // The date pattern's field 'yy' is not supported.
    ///     }
    public enum InvalidPattern: Error, Equatable, CustomStringConvertible {
        /// The pattern has a field that is not supported, such as `yy` or `VV`.
        case unsupportedField(String)
        /// A text in apostrophes does not end.
        case unterminatedText
        /// The pattern lacks the year, the month or the day.
        case incompleteDate

        /// What is wrong, for a person.
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
    /// The format of a pattern written in the source.
    ///
    /// A pattern that is none stops the program with its reason: it is the source that is wrong. Patterns from
    /// elsewhere go through ``init(pattern:)``.
    public init(stringLiteral pattern: String) {
        do {
            try self.init(pattern: pattern)
        } catch {
            preconditionFailure("\(pattern): \(error)")
        }
    }
}

extension FixedDateFormat: Hashable {
    /// Formats are equal when their patterns are.
    public static func == (left: FixedDateFormat, right: FixedDateFormat) -> Bool { left.pattern == right.pattern }

    /// Hashes the pattern.
    public func hash(into hasher: inout Hasher) { hasher.combine(pattern) }
}
