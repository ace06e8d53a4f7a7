import Foundation
import JSONText
import Records

/// Reads Twitter dates, `Sun Aug 31 00:29:15 +0000 2014`, and writes ISO 8601 in UTC.
///
/// All contestants share this code, so that the parsing of dates does not decide a comparison.
enum TweetTime {
    private static let months = Array("JanFebMarAprMayJunJulAugSepOctNovDec".utf8)

    /// Returns the seconds since 1970; nil if `text` is not a Twitter date.
    static func seconds(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard text.count == 30, let month = month(text), let day = number(text, 8, 2), let hour = number(text, 11, 2),
            let minute = number(text, 14, 2), let second = number(text, 17, 2), let zoneHour = number(text, 21, 2),
            let zoneMinute = number(text, 23, 2), let year = number(text, 26, 4)
        else { return nil }
        let zone = (zoneHour * 60 + zoneMinute) * (text[20] == UInt8(ascii: "-") ? -60 : 60)
        return Double(days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - zone)
    }

    /// Returns the seconds since 1970; nil if `text` is not a Twitter date.
    static func seconds(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { seconds($0) }
    }

    /// The number of bytes that `write` writes.
    static let writtenLength = 20

    /// Writes `2014-08-31T00:29:15Z`.
    static func write(_ seconds: Double, to text: UnsafeMutableBufferPointer<UInt8>) {
        let whole = Int(seconds)
        let day = (whole >= 0 ? whole : whole - 86399) / 86400
        let second = whole - day * 86400
        let (year, month, dayOfMonth) = civil(day)
        put(year, 4, text, 0, before: "-")
        put(month, 2, text, 5, before: "-")
        put(dayOfMonth, 2, text, 8, before: "T")
        put(second / 3600, 2, text, 11, before: ":")
        put(second / 60 % 60, 2, text, 14, before: ":")
        put(second % 60, 2, text, 17, before: "Z")
    }

    /// Returns `2014-08-31T00:29:15Z`.
    static func text(_ seconds: Double) -> String {
        String(unsafeUninitializedCapacity: writtenLength) {
            write(seconds, to: $0)
            return writtenLength
        }
    }

    private static func month(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        for month in 0..<12
        where months[month * 3] == text[4] && months[month * 3 + 1] == text[5] && months[month * 3 + 2] == text[6] {
            return month + 1
        }
        return nil
    }

    private static func number(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ length: Int) -> Int? {
        var value = 0
        for index in start..<(start + length) {
            let digit = Int(text[index]) - 48
            guard (0...9).contains(digit) else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    private static func put(
        _ value: Int, _ length: Int, _ text: UnsafeMutableBufferPointer<UInt8>, _ start: Int,
        before separator: Unicode.Scalar
    ) {
        var value = value
        for index in (start..<(start + length)).reversed() {
            text[index] = UInt8(truncatingIfNeeded: 48 + value % 10)
            value /= 10
        }
        text[start + length] = UInt8(ascii: separator)
    }

    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March and form eras of 400.

    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let yearOfEra = year % 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year / 400 * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let days = days + 719468
        let era = days / 146097
        let dayOfEra = days - era * 146097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

extension TweetTime {
    /// Reads a Twitter date; for the custom date strategy of any decoder.
    @Sendable
    static func date(_ decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        guard let seconds = seconds(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a Twitter date")
        }
        return Date(timeIntervalSince1970: seconds)
    }

    /// Writes ISO 8601; for the custom date strategy of any encoder.
    @Sendable
    static func encode(_ date: Date, _ encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text(date.timeIntervalSince1970))
    }
}

/// A record field that holds a Twitter date.
struct TweetDate: FieldValue {
    /// Seconds since 1970.
    var seconds = 0.0

    static var expectation: String { "a date" }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> TweetDate? {
        guard node.kind == .string, let seconds = TweetTime.seconds(node.text) else { return reader.fail(.mistyped) }
        return TweetDate(seconds: seconds)
    }

    func write(to writer: inout JSONWriter, style: WritingStyle) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: TweetTime.writtenLength) { text in
            TweetTime.write(seconds, to: text)
            writer.write(string: UnsafeBufferPointer(text))
        }
    }
}
