import JMESPath
import JSONText
import Patterns
import Records

/// The keys `enum`, `minimum`, `maximum` and `pattern`: what a value must be.
struct ValueChecks: Sendable {
    private let known: [JSONValue]
    private let minimum: String?
    private let maximum: String?
    private let pattern: Pattern?
    /// The keys, as they are in the schema.
    let schema: [JSONValue.Member]

    init(_ keys: KeyReader) {
        known = keys.array("enum") ?? []
        if keys["enum"] == [] { keys.note("enum", "must list at least one value") }
        (minimum, maximum) = (Self.number("minimum", keys), Self.number("maximum", keys))
        if let minimum, let maximum, Self.order(.number(maximum), minimum) == -1 {
            keys.note("maximum", "must not be below minimum")
        }
        pattern = Self.pattern(keys)
        schema = ["enum", "minimum", "maximum", "pattern"].compactMap { key in
            keys[key].map { JSONValue.Member(key, $0) }
        }
    }

    private static func number(_ key: String, _ keys: KeyReader) -> String? {
        keys.value(key, "a number") { if case .number(let text) = $0 { text } else { nil } }
    }

    private static func pattern(_ keys: KeyReader) -> Pattern? {
        guard let text = keys.text("pattern") else { return nil }
        do {
            return try Pattern(text)
        } catch {
            keys.note("pattern", "must be a regular expression: \(error)")
            return nil
        }
    }

    var isEmpty: Bool { known.isEmpty && minimum == nil && maximum == nil && pattern == nil }

    /// Throws for a value outside of the range, or that the pattern does not match; notes one that `enum` does not list.
    func check(_ value: JMESValue, _ outcome: inout Outcome) throws(Loss) {
        if isEmpty { return }
        if let minimum, Self.order(value, minimum) == -1 { throw Loss(.implausible) }
        if let maximum, Self.order(value, maximum) == 1 { throw Loss(.implausible) }
        if let pattern, value.kind == .string, !Self.matches(pattern, value) { throw Loss(.unmatched) }
        if !known.isEmpty, !known.contains(where: { JMESValue($0).isEqual(to: value) }) {
            outcome.note(.unrecognized, .unknownValue)
        }
    }

    /// Returns -1, 0 or 1 as a number is below, equal to or above a bound; nil for other values.
    private static func order(_ value: JMESValue, _ bound: String) -> Int? {
        value.withDigits { number in JMESValue.number(bound).withDigits { number.compare($0) } }
    }

    private static func matches(_ pattern: Pattern, _ value: JMESValue) -> Bool {
        // The parser has checked the UTF-8.
        if case .node(let node) = value, node.kind == .string { return pattern.matches(validated: node.text) }
        return value.string.map { pattern.matches($0) } ?? false
    }
}
