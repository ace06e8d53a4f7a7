import JMESPath
import JSONText
import Records

/// The keys `absent` and `map`: values of upstreams that stand for others.
struct Replacements: Sendable {
    private let absent: [JSONValue]
    /// Values by those of the upstream, or by the texts of its numbers and Booleans.
    private let entries: [Name: JSONValue]
    /// The longest text that can stand for a key, in bytes, if all its characters are escaped.
    private let longestText: Int
    /// The value for others; nil if they pass.
    private let other: JSONValue?

    init(_ keys: KeyReader) {
        absent = keys.array("absent") ?? []
        let members = keys.object("map")?.members ?? []
        entries = Dictionary(members.filter { $0.key != "*" }.map { (Name(text: $0.key), $0.value) }) { _, last in last
        }
        longestText = 6 * (members.map(\.key.utf8.count).max() ?? 0)
        other = members.last { $0.key == "*" }?.value
    }

    var isEmpty: Bool { absent.isEmpty && entries.isEmpty && other == nil }

    /// Returns what stands for a value; nil for none.
    func apply(to value: JMESValue, _ outcome: inout Outcome) -> JMESValue? {
        if absent.contains(where: { JMESValue($0).isEqual(to: value, &outcome) }) {
            outcome.note(.defaulted, .sentinel)
            return nil
        }
        if entries.isEmpty, other == nil { return value }
        let word: String?
        switch value.kind {
        case .string: word = value.text(atMost: longestText)
        case .number: word = value.numberText
        case .boolean: word = value.bool == true ? "true" : "false"
        default: return value
        }
        let entry = word.flatMap { entries[Name(text: $0)] }
        if entry == nil { outcome.note(.unrecognized, .unknownValue) }
        guard let replacement = entry ?? other else { return value }
        return replacement.isNull ? nil : JMESValue(replacement)
    }
}

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
        if let pattern, value.kind == .string, !Self.matches(pattern, value, &outcome) { throw Loss(.unmatched) }
        if !known.isEmpty, !known.contains(where: { JMESValue($0).isEqual(to: value, &outcome) }) {
            outcome.note(.unrecognized, .unknownValue)
        }
    }

    /// Returns -1, 0 or 1 as a number is below, equal to or above a bound; nil for other values.
    private static func order(_ value: JMESValue, _ bound: String) -> Int? {
        value.withDigits { number in JMESValue.number(bound).withDigits { number.compare($0) } }
    }

    private static func matches(_ pattern: Pattern, _ value: JMESValue, _ outcome: inout Outcome) -> Bool {
        // The parser has checked the UTF-8.
        if case .node(let node) = value, node.kind == .string {
            return pattern.matches(validated: node.text, &outcome.work)
        }
        return value.string.map { pattern.matches($0, &outcome.work) } ?? false
    }
}
