package import JMESPath
import JSONText
package import Records

/// The keys of a shape that say what a value without parts becomes.
///
/// The rules apply in this order: `absent`, `map`, `type`, `unit`, `format`, then `enum`, `minimum`, `maximum` and `pattern`.
///
///     let rules = ScalarRules(shape, at: "answer.properties.t", variables: []) { path, detail in … }
///     let outcome = rules.apply(value) { expression in … }
///
/// A class, because a copy of a reference is one count of references, and one of the rules a dozen.
package final class ScalarRules: Sendable {
    /// The keys that are read here.
    package static let keys = [
        "type", "format", "reads", "writes", "zone", "unit", "absent", "map", "enum", "minimum", "maximum", "pattern",
    ]

    /// Returns the value of an expression.
    package typealias Evaluation = (JMESPath) throws(JMESFailure) -> JMESValue?

    private let replacements: Replacements
    private let type: ScalarType?
    /// Whether the values that `type` converts are texts, so that none is reported.
    private let expectsTexts: Bool
    private let unit: UnitRule?
    private let date: DateRules?
    private let checks: ValueChecks

    /// Reads the keys of a shape, and notes each fault with its place: `path.unit.from`.
    ///
    /// `variables` are the names that expressions may use with `$`.
    package init(
        _ shape: JSONValue, at path: String, variables: Set<String>, note: (_ path: String, _ detail: String) -> Void
    ) {
        let faults = KeyReader.Faults()
        let keys = KeyReader(shape, at: path, variables: variables, faults)
        replacements = Replacements(keys)
        type = ScalarType.read(keys)
        expectsTexts = ScalarType.expectsTexts(keys)
        unit = UnitRule(keys)
        date = DateRules(keys)
        checks = ValueChecks(keys)
        if unit != nil, let type, type != .number, type != .integer {
            keys.note("unit", "needs \"type\": \"number\", or no type")
        }
        for fault in faults.all { note(fault.path, fault.detail) }
    }

    /// Whether a value stays as it is, whatever it is.
    package var isEmpty: Bool {
        replacements.isEmpty && type == nil && unit == nil && date == nil && checks.isEmpty
    }

    /// Whether clients can choose the form of the value, because it is a date and time.
    package var hasDates: Bool { date?.format == .dateTime }

    /// Whether other numbers than integers are dropped.
    package var isInteger: Bool { type == .integer }

    /// The expressions of `unit` and `zone`.
    package var expressions: [JMESPath] { (unit?.expressions ?? []) + (date?.expressions ?? []) }

    /// Returns what a value, which is not null, becomes; no value if `map` says so, or if the drift does.
    ///
    /// `evaluate` applies an expression of `unit` or `zone`; one that fails counts as null. `work` limits comparisons and
    /// matches: a value for which it does not suffice equals and matches nothing.
    package func apply(
        _ value: JMESValue, _ work: Pattern.Work = Pattern.Work(steps: 1_000_000), _ evaluate: Evaluation
    ) -> Outcome {
        var outcome = Outcome(work: work)
        // Conversions and dates take a microsecond at most, and no longer than to read the value.
        outcome.work.steps -= (date == nil ? 4 : 24) + value.textSize / 16
        do throws(Loss) {
            guard var value = replacements.apply(to: value, &outcome) else { return outcome }
            if let type { value = try type.read(value, &outcome, expectsTexts: expectsTexts) }
            if let unit { value = try unit.convert(value, evaluate) }
            let result = if let date { try date.apply(value, evaluate) } else { ScalarValue.value(value) }
            try checks.check(result.checked, &outcome)
            outcome.value = result
        } catch {
            outcome.note(.dropped, error.reason)
        }
        return outcome
    }

    /// The part of the value's JSON Schema that these keys make.
    package var schema: [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        switch date?.format {
        case .date: members = [.init("type", "string"), .init("format", "date")]
        case .dateTime:
            members =
                switch date?.form {
                case .unix: [.init("type", "number")]
                case .unixSeconds, .unixMilliseconds: [.init("type", "integer")]
                case .iso8601, nil: [.init("type", "string"), .init("format", "date-time")]
                }
        case nil:
            if let type { members = [.init("type", .string(isWhole ? type.rawValue : "number"))] }
            if unit != nil, type == nil { members = [.init("type", "number")] }
        }
        return members + checks.schema + (unit?.schema ?? [])
    }

    /// Whether no unit makes a fraction of an integer.
    private var isWhole: Bool { type != .integer || unit.map(\.isWhole) ?? true }
}

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
            outcome.loss = .sentinel
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
        if entry == nil, other == nil { outcome.note(.unrecognized, .unknownValue) }
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
