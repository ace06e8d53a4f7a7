package import JMESPath
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
            if let type { value = try type.read(value, &outcome) }
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
                date?.form == .unix
                ? [.init("type", "number")] : [.init("type", "string"), .init("format", "date-time")]
        case nil:
            if let type { members = [.init("type", .string(isWhole ? type.rawValue : "number"))] }
            if unit != nil, type == nil { members = [.init("type", "number")] }
        }
        return members + checks.schema + (unit?.schema ?? [])
    }

    /// Whether no unit makes a fraction of an integer.
    private var isWhole: Bool { type != .integer || unit.map(\.isWhole) ?? true }
}
