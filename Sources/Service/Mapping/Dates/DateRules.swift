import API
import CivilDates
import JMESPath
import JSONText
import Records

/// The keys `format`, `reads`, `writes` and `zone`: how a date is read and written.
struct DateRules: Sendable {
    /// The values of `format`.
    enum Format: String, Sendable, CaseIterable {
        case dateTime = "date-time"
        case date
    }

    let format: Format
    private let readings: [DateReading]
    /// The zone of times without an offset, and of days.
    private let zone: RuleChoice<ZoneRules>
    /// The form of dates unless the client asks for another.
    let form: DateWriting

    /// The expressions that the rules use.
    var expressions: [JMESPath] { zone.expressions }

    /// Reads the keys; nil without `format`, or if that is wrong.
    init?(_ keys: KeyReader) {
        guard let format = keys.choice("format", Format.self) else {
            for key in ["reads", "writes", "zone"]
            where keys[key] != nil && keys["format"] == nil && (key != "reads" || keys[key] != "text") {
                keys.note(key, "needs \"format\": \"date-time\" or \"date\"")
            }
            return nil
        }
        self.format = format
        form = keys.choice("writes", DateWriting.self) ?? .iso8601
        readings = Self.readings(keys)
        zone = Self.zone(keys) ?? .fixed(ZoneRules(offset: 0))
    }

    private static func readings(_ keys: KeyReader) -> [DateReading] {
        guard let value = keys["reads"] else { return [.iso8601] }
        let words = value.elements ?? [value]
        if words.isEmpty { keys.note("reads", "must name at least one form of dates") }
        return words.compactMap { word in
            guard let text = word.stringValue else {
                keys.note("reads", "must be a text, or an array of texts, not \(word.kindName)")
                return nil
            }
            do {
                return try DateReading(text)
            } catch {
                let hint = Quotation.hint(text, among: DateReading.words)
                let words = DateReading.words.joined(separator: ", ")
                keys.note(
                    "reads",
                    "must be \(words), or a pattern such as dd.MM.yyyy HH:mm\(hint.isEmpty ? "." : hint) \(error)")
                return nil
            }
        }
    }

    private static func zone(_ keys: KeyReader) -> RuleChoice<ZoneRules>? {
        guard let text = keys.text("zone") else { return nil }
        if text.hasPrefix("(") { return RuleChoice(text, "zone", keys) }
        if let rules = Self.rules(text) { return .fixed(rules) }
        keys.note("zone", "must be the name of a time zone such as Europe/Berlin, or an expression in parentheses")
        return nil
    }

    /// The rules of a zone, without a look at the system's files for UTC.
    private static func rules(_ name: String) -> ZoneRules? {
        name == "UTC" ? ZoneRules(offset: 0) : ZoneRules.named(name)
    }

    /// Returns the date that a value is.
    func apply(_ value: JMESValue, _ evaluate: ScalarRules.Evaluation) throws(Loss) -> ScalarValue {
        let date = try read(value)
        if date.isLocal, format == .date { return .value(.string(date.moment.dayText)) }
        if !date.isLocal, format == .dateTime { return .moment(date.moment, form) }
        guard let rules = zone.value(evaluate, named: Self.rules) else { throw Loss(.unknownValue) }
        let seconds = Double(date.moment.seconds)
        if date.isLocal {
            let moment = date.moment.advanced(by: Int(rules.moment(ofLocal: seconds) - seconds))
            guard let moment else { throw Loss(.implausible) }
            return .moment(moment, form)
        }
        guard let local = date.moment.advanced(by: Int(rules.offset(at: seconds))) else { throw Loss(.implausible) }
        return .value(.string(local.dayText))
    }

    private func read(_ value: JMESValue) throws(Loss) -> DateReading.Date {
        var loss = Loss(.mistyped)
        for reading in readings {
            do throws(Loss) {
                return try reading.read(value)
            } catch {
                if error.reason != .mistyped { loss = error }
            }
        }
        throw loss
    }
}

/// The values of `writes`: the forms in which answers have dates and times.
package enum DateWriting: String, Sendable, CaseIterable {
    /// The form of ISO 8601, and seconds since 1970 with decimals.
    case iso8601, unix
    /// Whole seconds and milliseconds since 1970.
    case unixSeconds, unixMilliseconds

    /// The form that a client asks for.
    init(_ form: DateForm) {
        switch form {
        case .iso8601: self = .iso8601
        case .unix: self = .unix
        }
    }
}

/// A form in which an upstream writes dates.
enum DateReading: Sendable {
    /// ISO 8601, a day alone included.
    case iso8601
    /// Units of `10^exponent` seconds since 1970; whole ones alone with `isWhole`.
    case unix(exponent: Int, isWhole: Bool = false)
    /// Milliseconds since 1970 as .NET wrote them: `/Date(1700000000000+0100)/`; the offset does not change the instant.
    case dotNet
    /// The dates of RFC 9110.
    case http
    /// A pattern such as `dd.MM.yyyy HH:mm`.
    case pattern(FixedDateFormat)
    /// A pattern without year, month or day, which no text fits.
    case incomplete

    /// The words besides patterns.
    static let words = [
        "iso8601", "unix", "unixSeconds", "unixMilliseconds", "unixMicroseconds", "/Date()/", "http",
    ]

    /// A date as it was read.
    struct Date {
        /// The instant, or the time of clocks as if they showed UTC.
        let moment: Moment
        /// Whether the text says nothing of its zone.
        let isLocal: Bool
    }

    /// Reads a word or a pattern.
    init(_ text: String) throws(FixedDateFormat.InvalidPattern) {
        switch text {
        case "iso8601": self = .iso8601
        case "unix": self = .unix(exponent: 0)
        case "unixSeconds": self = .unix(exponent: 0, isWhole: true)
        case "unixMilliseconds": self = .unix(exponent: -3)
        case "unixMicroseconds": self = .unix(exponent: -6)
        case "/Date()/": self = .dotNet
        case "http": self = .http
        default:
            do throws(FixedDateFormat.InvalidPattern) {
                self = .pattern(try FixedDateFormat(pattern: text))
            } catch .incompleteDate {
                self = .incomplete
            }
        }
    }

    /// The basic forms of ISO 8601, and those without minutes.
    private static let otherISO8601: [FixedDateFormat] = [
        "yyyyMMdd'T'HHmmssX", "yyyyMMdd'T'HHmmss", "yyyyMMdd'T'HHmmX", "yyyyMMdd'T'HHmm", "yyyyMMdd",
        "yyyy-MM-dd'T'HHX", "yyyy-MM-dd'T'HH",
    ]

    /// Reads a number or a text.
    func read(_ value: JMESValue) throws(Loss) -> Date {
        switch self {
        case .dotNet:
            let match = value.shortText?.wholeMatch(of: /\/Date\((-?[0-9]+)(?:[+-][0-9]{4})?\)\//)
            guard let number = match?.output.1 else { throw Loss(.mistyped) }
            return try DateReading.unix(exponent: -3).read(.number(String(number)))
        case .unix(let exponent, let isWhole):
            let number = value.spelledNumber.map { .number($0) } ?? value
            guard number.kind == .number, !isWhole || number.withDigits(\.integerText) != nil else {
                throw Loss(.mistyped)
            }
            guard let moment = number.withDigits({ Moment($0, unit: exponent) }) else { throw Loss(.implausible) }
            return Date(moment: moment, isLocal: false)
        case .http:
            let seconds = value.shortText.flatMap { HTTPDate.parse($0) }
            return try Self.date(seconds.map { ($0, 0) }, isLocal: false)
        case .iso8601:
            let date = value.withShortText { text in Self.iso8601(text.extracting(text.boundsWithoutSpace)) }
            return try Self.date(date?.instant, isLocal: date?.isLocal == true)
        case .pattern(let format):
            let instant = value.withShortText { format.parse($0) }
            return try Self.date(instant, isLocal: !format.hasZone)
        case .incomplete: throw Loss(.mistyped)
        }
    }

    private static func iso8601(_ text: Span<UInt8>) -> (instant: (seconds: Int, fraction: Double)?, isLocal: Bool)? {
        if let timestamp = ISO8601Timestamp(text) { return (timestamp.instant, timestamp.offset == nil) }
        for format in otherISO8601 {
            if let instant = format.parse(text) { return (instant, !format.hasZone) }
        }
        return nil
    }

    private static func date(
        _ instant: (seconds: Int, fraction: Double)?, isLocal: Bool
    ) throws(Loss) -> Date {
        guard let instant else { throw Loss(.mistyped) }
        let microseconds = Int((instant.fraction * 1_000_000).rounded())
        guard let moment = Moment(seconds: instant.seconds, microseconds: microseconds) else {
            throw Loss(.implausible)
        }
        return Date(moment: moment, isLocal: isLocal)
    }
}

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

    /// The moment in a form, without quotes; numbers have at most six decimals, and whole ones are rounded down.
    func text(_ form: DateWriting) -> String {
        switch form {
        case .iso8601: isoText
        case .unix: Decimal(Int128(seconds) * 1_000_000 + Int128(microseconds), exponent: -6).text(places: 21)
        case .unixSeconds: String(seconds)
        case .unixMilliseconds: String(seconds * 1000 + microseconds / 1000)
        }
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
    func write(to writer: inout JSONWriter, as form: DateWriting) {
        switch form {
        case .unix, .unixSeconds, .unixMilliseconds: writer.write(raw: Array(text(form).utf8))
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
