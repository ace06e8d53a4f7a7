#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif
import JSONText

/// A scalar read as a value of another kind, only where nothing is lost.
///
/// Records, `LenientDecoder` and `@Lossless` share this one rule:
///
/// | read as | accepted besides its own kind | reason |
/// | --- | --- | --- |
/// | Boolean | the numbers 0 and 1 in any spelling (`1.0`), `"0"`, `"1"`, `"false"`, `"true"` | `booleanText` |
/// | number | a string that spells a number of RFC 8259 section 6, with or without spaces around it | `numericString` |
/// | string | a number, as the document spells it | `textOfNumber` |
///
///     JSONScalar(node)?.coerced(to: Int.self)  // 7 of 7, 7.0, "7" and " 7 "; nil of 7.5
package struct ScalarCoercion<Value> {
    package let value: Value
    /// Why the scalar was converted; nil if it is of the value's own kind.
    package let reason: DriftReport.Reason?

    fileprivate init?(value: Value?, reason: DriftReport.Reason?) {
        guard let value else { return nil }
        self.value = value
        self.reason = reason
    }
}

extension JSONScalar {
    /// The Boolean that the scalar is or stands for.
    package func coerced(to type: Bool.Type) -> ScalarCoercion<Bool>? {
        switch self {
        case .bool(let value): return ScalarCoercion(value: value, reason: nil)
        case .string("true"), .string("1"): return ScalarCoercion(value: true, reason: .booleanText)
        case .string("false"), .string("0"): return ScalarCoercion(value: false, reason: .booleanText)
        case .number:
            guard let value = coerced(to: Int8.self)?.value, value == 0 || value == 1 else { return nil }
            return ScalarCoercion(value: value == 1, reason: .booleanText)
        case .null, .string: return nil
        }
    }

    /// The integer that the scalar is or spells: `10`, `10.0`, `1e1` and `"10"` alike; nil if it does not fit.
    package func coerced<Value: FixedWidthInteger>(to type: Value.Type) -> ScalarCoercion<Value>? {
        spelledNumber.flatMap { ScalarCoercion(value: NumberText.integer($0.text), reason: $0.reason) }
    }

    /// The nearest double; nil beyond the range of doubles.
    package func coerced(to type: Double.Type) -> ScalarCoercion<Double>? {
        spelledNumber.flatMap { ScalarCoercion(value: NumberSpelling.double($0.text), reason: $0.reason) }
    }

    /// The nearest float; nil beyond the range of floats.
    package func coerced(to type: Float.Type) -> ScalarCoercion<Float>? {
        // From the text: by way of a double it would be rounded twice.
        guard let number = spelledNumber, let value = Float(number.text), value.isFinite else { return nil }
        return ScalarCoercion(value: value, reason: number.reason)
    }

    /// The decimal; nil beyond 38 digits or an exponent of 127.
    package func coerced(to type: Decimal.Type) -> ScalarCoercion<Decimal>? {
        spelledNumber.flatMap { ScalarCoercion(value: NumberSpelling.decimal($0.text), reason: $0.reason) }
    }

    /// The string, or the text of the number.
    package func coerced(to type: String.Type) -> ScalarCoercion<String>? {
        switch self {
        case .string(let text): ScalarCoercion(value: text, reason: nil)
        case .number(let text): ScalarCoercion(value: text, reason: .textOfNumber)
        case .null, .bool: nil
        }
    }

    /// The text of the number that the scalar is or spells, and the reason if it is a string.
    private var spelledNumber: (text: String, reason: DriftReport.Reason?)? {
        let number: (text: String, reason: DriftReport.Reason?)
        switch self {
        case .number(let text): number = (text, nil)
        case .string(let text): number = (Self.withoutSpacesAround(text), .numericString)
        case .null, .bool: return nil
        }
        return NumberText.isNumber(number.text) ? number : nil
    }

    private static func withoutSpacesAround(_ text: String) -> String {
        let isOther: (UInt8) -> Bool = { $0 != UInt8(ascii: " ") }
        guard let first = text.utf8.firstIndex(where: isOther), let last = text.utf8.lastIndex(where: isOther)
        else { return "" }
        return String(text[first...last])
    }

    /// The scalar that `json` is; nil for arrays and objects.
    package init?(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let text): self = .number(text)
        case .string(let text): self = .string(text)
        case .array, .object: return nil
        }
    }
}
