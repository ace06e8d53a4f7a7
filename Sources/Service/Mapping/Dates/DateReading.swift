import CivilDates
import JMESPath
import JSONText
import Records

/// A form in which an upstream writes dates.
enum DateReading: Sendable {
    /// ISO 8601, a day alone included.
    case iso8601
    /// Units of `10^exponent` seconds since 1970.
    case unix(exponent: Int)
    /// The dates of RFC 9110.
    case http
    /// A pattern such as `dd.MM.yyyy HH:mm`.
    case pattern(FixedDateFormat)
    /// A pattern without year, month or day, which no text fits.
    case incomplete

    /// The words besides patterns.
    static let words = ["iso8601", "unix", "unixMilliseconds", "http"]

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
        case "unixMilliseconds": self = .unix(exponent: -3)
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
        case .unix(let exponent):
            let number = value.spelledNumber.map { .number($0) } ?? value
            guard number.kind == .number else { throw Loss(.mistyped) }
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
