import CivilDates
import Foundation
import Records

/// Dates read and written with Foundation.
enum ReferenceDate {
    private static let formatter = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
        return formatter
    }()

    static func twitter(_ text: String?) -> JSONValue? {
        text.flatMap(formatter.date(from:)).map { .string(written($0)) }
    }

    static func iso8601(_ text: String?) -> JSONValue? {
        guard let text else { return nil }
        if text.utf8.count == 10, text.contains("-") { return .string(text + "T00:00:00Z") }
        let digits = text.split(separator: ".").last.map { $0.prefix { $0.isNumber } } ?? ""
        let whole = text.contains(".") ? text.replacingOccurrences(of: ".\(digits)", with: "") : text
        guard let date = ISO8601DateFormatter().date(from: whole) else { return nil }
        let fraction = text.contains(".") && digits.contains { $0 != "0" } ? ".\(digits)" : ""
        return .string(written(date).replacingOccurrences(of: "Z", with: fraction + "Z"))
    }

    /// Returns the date of Unix seconds, or nil outside the years 1 to 9999.
    static func seconds(_ seconds: Double) -> JSONValue? {
        guard -62_135_596_800.0..<253_402_300_800 ~= seconds else { return nil }
        let whole = seconds.rounded(.down), millis = Int(((seconds - whole) * 1000).rounded())
        let date = written(Date(timeIntervalSince1970: whole))
        let fraction = millis == 0 ? "Z" : "." + String(String(1000 + millis).dropFirst()) + "Z"
        return .string(date.replacingOccurrences(of: "Z", with: fraction))
    }

    /// Returns the date that a tweet's identifier contains, if any.
    static func snowflake(_ id: String?) -> JSONValue? {
        id.flatMap(UInt64.init).flatMap { id in
            id < 1 << 40
                ? nil : .string(written(Date(timeIntervalSince1970: (Double(id >> 22) + 1_288_834_974_657) / 1000)))
        }
    }

    private static func written(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        return ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: seconds))
    }
}
