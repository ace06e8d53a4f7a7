import CivilDates
import JSONText
import Records

/// A form of texts that a shape can read: a number, a Boolean or a date.
struct TextForm: Sendable {
    /// The form in the evidence: `ISO 8601`.
    let name: String
    /// The keys of the shape that reads the form.
    let keys: [JSONValue.Member]
    /// Whether the dates have a time but no offset from UTC.
    var isLocal = false
    let fits: @Sendable (String) -> Bool

    /// All forms; of several that fit, the first counts.
    static let all: [TextForm] =
        [
            TextForm(name: numbers, keys: [.init("type", "number")]) { text in
                text.utf8.count <= 16 && NumberText.isNumber(text)
                    && !text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
            },
            TextForm(name: "Booleans", keys: [.init("type", "boolean")]) { ["true", "false"].contains($0) },
            TextForm(name: "days of ISO 8601", keys: [.init("format", "date")]) {
                $0.utf8.count == 10 && timestamp($0) != nil
            },
            TextForm(name: "ISO 8601", keys: [.init("format", "date-time")]) { timestamp($0)?.offset != nil },
            TextForm(name: "ISO 8601", keys: [.init("format", "date-time")], isLocal: true) { timestamp($0) != nil },
            TextForm(name: "HTTP dates", keys: [.init("format", "date-time"), .init("reads", "http")]) {
                HTTPDate.parse($0).map(isPossible) == true
            },
        ] + patterns.compactMap(TextForm.init(pattern:))

    /// The name of the form of numbers.
    static let numbers = "numbers in texts"
    /// The two patterns that cannot be told apart for the first days of months.
    static let ambiguous = ["dd/MM/yyyy", "MM/dd/yyyy"]

    private static let patterns =
        (ambiguous + ["dd.MM.yyyy", "d.M.yyyy", "yyyy/MM/dd", "dd-MM-yyyy", "dd MMM yyyy"]).flatMap { day in
            ["", " HH:mm", " HH:mm:ss"].map { day + $0 }
        } + ["yyyy-MM-dd:HH", "EEE MMM dd HH:mm:ss Z yyyy", "EEE, dd MMM yyyy HH:mm:ss Z"]

    private static func timestamp(_ text: String) -> ISO8601Timestamp? {
        let timestamp = ISO8601Timestamp(text.utf8.span)
        return timestamp?.instant.map { isPossible($0.seconds) } == true ? timestamp : nil
    }

    /// Whether the year is one that shapes read, 1 to 9999, in every zone.
    private static func isPossible(_ seconds: Int) -> Bool { -62_135_500_000...253_402_200_000 ~= seconds }
}

extension TextForm {
    private init?(pattern: String) {
        guard let format = try? FixedDateFormat(pattern: pattern) else { return nil }
        let isDay = !pattern.contains("H")
        self.init(
            name: pattern, keys: [.init("format", isDay ? "date" : "date-time"), .init("reads", .string(pattern))],
            isLocal: !isDay && !format.hasZone
        ) { text in format.parse(text.utf8.span).map { Self.isPossible($0.seconds) } == true }
    }
}
