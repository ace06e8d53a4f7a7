import Foundation
import LenientCoding

/// A text as it was sent, its references resolved in the plainest way, and what was repaired on the way.
struct ReferenceText {
    let text: String
    private let sent: [Unicode.Scalar]

    init(_ text: String) {
        sent = Array(text.unicodeScalars)
        self.text = Self.unescape(text)
    }

    static func unescape(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", "\u{A0}"), ("&amp;", "&")]
            .reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }

    /// Where the code point that was sent as the `index`th stands.
    func position(_ index: Int) -> Int {
        guard index <= sent.count else { return index - (sent.count - text.unicodeScalars.count) }
        return Self.unescape(Self.text(sent[..<index])).unicodeScalars.count
    }

    /// Where one of `spellings` stands: as it is sent, or else once; both other cases are counted in `repairs`.
    func place(_ start: Int?, _ end: Int?, _ spellings: [String], _ repairs: inout Repairs) -> JSONValue? {
        guard let start, let end else { return nil }
        let range = (position(start), position(end))
        if let cut = cut(range), spellings.contains(where: { $0.lowercased() == cut.lowercased() }) {
            return [JSONValue(integerLiteral: range.0), JSONValue(integerLiteral: range.1)]
        }
        let places = spellings.flatMap(places)
        repairs[places.count == 1 ? "coerced misplaced" : "dropped misplaced", default: 0] += 1
        guard places.count == 1, let place = places.first else { return nil }
        return [JSONValue(integerLiteral: place.0), JSONValue(integerLiteral: place.1)]
    }

    /// The part of the text that is shown.
    func range(_ sent: JSONValue?, _ repairs: inout Repairs) -> JSONValue? {
        guard let start = sent?[0]?.intValue, let end = sent?[1]?.intValue else { return nil }
        let range = (position(start), position(end))
        if cut(range) == nil {
            repairs["dropped misplaced", default: 0] += 1
            return nil
        }
        return [JSONValue(integerLiteral: range.0), JSONValue(integerLiteral: range.1)]
    }

    func cut(_ range: (Int, Int)) -> String? {
        let scalars = Array(text.unicodeScalars)
        guard range.0 >= 0, range.0 <= range.1, range.1 <= scalars.count else { return nil }
        return Self.text(scalars[range.0..<range.1])
    }

    private func places(_ word: String) -> [(Int, Int)] {
        let scalars = Array(text.lowercased().unicodeScalars), word = Array(word.lowercased().unicodeScalars)
        guard !word.isEmpty, scalars.count >= word.count else { return [] }
        return (0...(scalars.count - word.count)).compactMap { start in
            let end = start + word.count
            guard Array(scalars[start..<end]) == word else { return nil }
            guard end < scalars.count else { return (start, end) }
            let goesOn = scalars[end].properties.isAlphabetic || "_0123456789".unicodeScalars.contains(scalars[end])
            return goesOn ? nil : (start, end)
        }
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
    }
}

/// How often each repair was made: `dropped misplaced`.
typealias Repairs = [String: Int]

extension JSONValue {
    /// An object of what is there.
    static func of(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { key, value in value.flatMap { $0 == .null ? nil : Member(key, $0) } })
    }

    /// A member that is there and not null.
    func at(_ key: String) -> JSONValue? {
        guard let value = self[key], !value.isNull else { return .none }
        return .some(value)
    }

    /// An id, from the first key that has one, as a string.
    func id(_ keys: String...) -> JSONValue? {
        for key in keys {
            if let text = at(key)?.stringValue, !text.isEmpty { return .string(text) }
            if case .number(let text) = at(key), text != "-1" { return .string(text) }
        }
        return nil
    }

    /// A count, absent where it is -1.
    func count(_ key: String, _ repairs: inout Repairs) -> JSONValue? {
        if at(key)?.intValue == -1 {
            repairs["defaulted sentinel", default: 0] += 1
            return nil
        }
        return at(key)
    }

    /// An object without the member of that name.
    func without(_ key: String) -> JSONValue { .object((members ?? []).filter { $0.key != key }) }

    /// The URL by https.
    var secure: JSONValue { .string(stringValue?.replacingOccurrences(of: "http://", with: "https://") ?? "") }
}

/// Dates by Foundation.
enum ReferenceDate {
    static func twitter(_ text: String?) -> JSONValue? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
        return text.flatMap(formatter.date(from:)).map { .string(written($0)) }
    }

    static func iso8601(_ text: String?) -> JSONValue? {
        guard let text else { return nil }
        if text.utf8.count == 10 { return .string(text + "T00:00:00Z") }
        let digits = text.split(separator: ".").last.map { $0.prefix { $0.isNumber } } ?? ""
        let whole = text.contains(".") ? text.replacingOccurrences(of: ".\(digits)", with: "") : text
        guard let date = ISO8601DateFormatter().date(from: whole) else { return nil }
        let fraction = text.contains(".") && digits.contains { $0 != "0" } ? ".\(digits)" : ""
        return .string(written(date).replacingOccurrences(of: "Z", with: fraction + "Z"))
    }

    /// When the tweet of an id was sent.
    static func snowflake(_ id: String?) -> JSONValue? {
        id.flatMap(UInt64.init).map { id in
            .string(written(Date(timeIntervalSince1970: (Double(id >> 22) + 1_288_834_974_657) / 1000)))
        }
    }

    private static func written(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        return ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: seconds))
    }
}
