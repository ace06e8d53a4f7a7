import API
import JMESPath
import JSONText
import Records

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

    /// Returns the value as one of this type, where nothing is lost.
    func read(_ value: JMESValue, _ outcome: inout Outcome) throws(Loss) -> JMESValue {
        let (result, reason) = try converted(value, &outcome)
        if let reason { outcome.note(.coerced, reason) }
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
