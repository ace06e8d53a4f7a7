import API
package import JMESPath
package import JSONText
package import Records

/// A value that a rule made, ready to be written.
package enum ScalarValue {
    /// A value of the document, which keeps its text, or a computed one.
    case value(JMESValue)
    /// A date and time, and its form unless the client asks for another.
    case moment(Moment, DateWriting)

    /// Writes the value; `dates` is the form of dates that the client asks for.
    package func write(to writer: inout JSONWriter, dates: DateForm?) {
        switch self {
        case .value(let value): value.write(to: &writer)
        case .moment(let moment, let form): moment.write(to: &writer, as: dates.map { DateWriting($0) } ?? form)
        }
    }

    /// The value that `enum`, `minimum`, `maximum` and `pattern` look at.
    var checked: JMESValue {
        switch self {
        case .value(let value): value
        case .moment(let moment, .iso8601): .string(moment.isoText)
        case .moment(let moment, let form): .number(moment.text(form))
        }
    }
}

/// The result of rules for a value.
package struct Outcome {
    /// A value was not used as it was written.
    package struct Drift: Equatable, Sendable {
        /// What happened.
        package let kind: DriftReport.Kind
        /// Why.
        package let reason: DriftReport.Reason
    }

    /// The value; nil if there is none.
    package var value: ScalarValue?
    /// The repairs, in order.
    package var drift: [Drift] = []
    /// Why there is no value, if the configuration says so and that is no repair.
    var loss: DriftReport.Reason?
    /// The work that the rules may still do.
    var work: Pattern.Work

    mutating func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason) {
        drift.append(Drift(kind: kind, reason: reason))
    }
}

/// The reason for which a value is dropped.
struct Loss: Error {
    let reason: DriftReport.Reason

    init(_ reason: DriftReport.Reason) { self.reason = reason }
}

extension JMESValue {
    /// A string of at most 100 bytes, which no date exceeds; nil for other values.
    var shortText: String? { text(atMost: 100) }

    /// A string of at most so many bytes as it is written; nil for other values.
    func text(atMost maximum: Int) -> String? {
        switch self {
        case .node(let node): node.isString && node.text.count <= maximum ? node.string : nil
        case .string(let text): text.utf8.count <= maximum ? text : nil
        default: nil
        }
    }

    /// Passes the bytes of a string of at most 100 bytes to `body`; returns nil for other values.
    func withShortText<Result>(_ body: (Span<UInt8>) -> Result?) -> Result? {
        if case .node(let node) = self, node.kind == .string {
            return node.text.count <= 100 ? body(node.text.span) : nil
        }
        return shortText.flatMap { body($0.utf8.span) }
    }

    /// The number that a string spells, spaces around it allowed; nil for other values.
    var spelledNumber: String? {
        if case .node(let node) = self, node.kind == .string {
            return node.numericText.map { String(decoding: $0, as: UTF8.self) }
        }
        return string.flatMap { NumberText.spelled(in: $0) }
    }

    /// Passes the digits of a number to `body`; returns nil for other values.
    func withDigits<Result>(_ body: (DecimalText) -> Result?) -> Result? {
        kind == .number ? withNumber { body(DecimalText($0)) } : nil
    }
}

extension JMESValue {
    /// Returns whether the value equals one of the configuration; false if that takes too many steps.
    func isEqual(to other: JMESValue, _ outcome: inout Outcome) -> Bool {
        var context = JMESContext(root: .null, maximumSteps: min(outcome.work.steps, 100_000))
        let steps = context.remainingSteps
        defer { outcome.work.steps -= steps - context.remainingSteps + 1 }
        return (try? isEqual(to: other, in: &context)) ?? false
    }

    /// A value of the configuration, whose depth bounds the recursion.
    package init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let text): self = .number(text)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { JMESValue($0) })
        case .object(let members): self = .object(members.map { Member($0.key, JMESValue($0.value)) })
        }
    }
}

/// The values of `type` for values without parts.
enum ScalarType: String, Sendable, CaseIterable {
    case string, number, integer, boolean

    /// Reads the key; nil for an array or an object, whose elements and members other keys describe.
    static func read(_ keys: KeyReader) -> ScalarType? {
        guard let value = keys["type"] else { return nil }
        let words = (value.elements ?? [value]).filter { $0 != "null" }
        guard words.count == 1, let word = words[0].stringValue else {
            keys.note("type", "must be one type, or an array of one and \"null\"")
            return nil
        }
        if word == "array" || word == "object" { return nil }
        if let type = ScalarType(rawValue: word) { return type }
        let known = allCases.map(\.rawValue) + ["array", "object"]
        keys.note(
            "type", "must be one of \(known.joined(separator: ", "))\(Quotation.hint(word, among: known))")
        return nil
    }

    /// Whether `reads` says that values are texts, which a date is without it.
    static func expectsTexts(_ keys: KeyReader) -> Bool {
        guard keys["reads"] == "text", keys["format"] == nil else { return false }
        let words = [number, integer, boolean].map(\.rawValue)
        let isConverted = (keys["type"]?.elements ?? keys["type"].map { [$0] } ?? []).contains { type in
            words.contains { type == .string($0) }
        }
        if !isConverted { keys.note("reads", "\"text\" needs \"type\": \"number\", \"integer\" or \"boolean\"") }
        return true
    }

    /// Returns the value as one of this type, where nothing is lost.
    func read(_ value: JMESValue, _ outcome: inout Outcome, expectsTexts: Bool) throws(Loss) -> JMESValue {
        let (result, reason) = try converted(value, &outcome)
        if let reason, !expectsTexts || value.kind != .string { outcome.note(.coerced, reason) }
        return result
    }

    private func converted(
        _ value: JMESValue, _ outcome: inout Outcome
    ) throws(Loss) -> (JMESValue, DriftReport.Reason?) {
        switch (self, value.kind) {
        case (.string, .string), (.boolean, .boolean): return (value, nil)
        case (.number, .number):
            if case .node(let node) = value, node.isNonFinite { throw Loss(.mistyped) }
            return (value, nil)
        case (.integer, .number): return (try Self.integer(value), nil)
        case (.number, .string):
            guard let text = value.spelledNumber else { throw Loss(.mistyped) }
            return (.number(text), .numericString)
        case (.integer, .string):
            guard let text = value.spelledNumber else { throw Loss(.mistyped) }
            return (try Self.integer(.number(text)), .numericString)
        case (.string, .number):
            guard let text = value.numberText else { throw Loss(.mistyped) }
            return (.string(text), .textOfNumber)
        case (.string, .boolean): return (.string(value.bool == true ? "true" : "false"), .textOfBoolean)
        case (.boolean, .number):
            for flag in [false, true] where value.isEqual(to: .number(flag ? "1" : "0"), &outcome) {
                return (.bool(flag), .booleanText)
            }
            throw Loss(.mistyped)
        case (.boolean, .string):
            switch value.shortText {
            case "true", "1": return (.bool(true), .booleanText)
            case "false", "0": return (.bool(false), .booleanText)
            default: throw Loss(.mistyped)
            }
        default: throw Loss(.mistyped)
        }
    }

    /// Returns an integer of digits alone, which is the value itself if it has no others.
    private static func integer(_ value: JMESValue) throws(Loss) -> JMESValue {
        switch value {
        case .node(let node) where node.kind == .integer && !isNegativeZero(node.text): return value
        case .number(let text) where NumberSpelling.isInteger(text) && text != "-0": return value
        default:
            guard let text = value.withDigits(\.integerText) else { throw Loss(.inexact) }
            return .number(text)
        }
    }

    private static func isNegativeZero(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count == 2 && text[0] == UInt8(ascii: "-") && text[1] == UInt8(ascii: "0")
    }
}
