import JSONText

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

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
///     Int.coerced(from: scalar)  // 7 of 7, 7.0, "7" and " 7 "; nil of 7.5
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

/// A type that scalars of other kinds are converted to.
package protocol CoercibleScalar {
    /// Returns the value that a scalar is or stands for; nil if the conversion would lose something.
    static func coerced(from scalar: JSONValue) -> ScalarCoercion<Self>?
}

extension Bool: CoercibleScalar {
    package static func coerced(from scalar: JSONValue) -> ScalarCoercion<Bool>? {
        switch scalar {
        case .bool(let value): return ScalarCoercion(value: value, reason: nil)
        case .string("true"), .string("1"): return ScalarCoercion(value: true, reason: .booleanText)
        case .string("false"), .string("0"): return ScalarCoercion(value: false, reason: .booleanText)
        case .number:
            guard let value = Int8.coerced(from: scalar)?.value, value == 0 || value == 1 else { return nil }
            return ScalarCoercion(value: value == 1, reason: .booleanText)
        default: return nil
        }
    }
}

extension CoercibleScalar where Self: FixedWidthInteger {
    /// Returns the integer: `10`, `10.0`, `1e1` and `"10"` alike; nil if it does not fit.
    package static func coerced(from scalar: JSONValue) -> ScalarCoercion<Self>? { scalar.integer(of: Self.self) }
}

extension Int: CoercibleScalar {}
extension Int8: CoercibleScalar {}
extension Int16: CoercibleScalar {}
extension Int32: CoercibleScalar {}
extension Int64: CoercibleScalar {}
extension Int128: CoercibleScalar {}
extension UInt: CoercibleScalar {}
extension UInt8: CoercibleScalar {}
extension UInt16: CoercibleScalar {}
extension UInt32: CoercibleScalar {}
extension UInt64: CoercibleScalar {}
extension UInt128: CoercibleScalar {}

extension Double: CoercibleScalar {
    /// Returns the nearest double; nil beyond the range of doubles.
    package static func coerced(from scalar: JSONValue) -> ScalarCoercion<Double>? {
        scalar.spelledNumber.flatMap { ScalarCoercion(value: NumberSpelling.double($0.text), reason: $0.reason) }
    }
}

extension Float: CoercibleScalar {
    /// Returns the nearest float; nil beyond the range of floats.
    package static func coerced(from scalar: JSONValue) -> ScalarCoercion<Float>? {
        // From the text: by way of a double it would be rounded twice.
        guard let number = scalar.spelledNumber, let value = Float(number.text), value.isFinite else { return nil }
        return ScalarCoercion(value: value, reason: number.reason)
    }
}

extension Decimal: CoercibleScalar {
    /// Returns the decimal; nil beyond 38 digits or an exponent of 127.
    package static func coerced(from scalar: JSONValue) -> ScalarCoercion<Decimal>? {
        scalar.spelledNumber.flatMap { ScalarCoercion(value: NumberSpelling.decimal($0.text), reason: $0.reason) }
    }
}

extension String: CoercibleScalar {
    /// Returns the string, or the text of the number.
    package static func coerced(from scalar: JSONValue) -> ScalarCoercion<String>? {
        switch scalar {
        case .string(let text): ScalarCoercion(value: text, reason: nil)
        case .number(let text): ScalarCoercion(value: text, reason: .textOfNumber)
        default: nil
        }
    }
}

extension JSONValue {
    /// Returns the integer that the scalar is or spells, also of a type of another module.
    package func integer<Value: FixedWidthInteger>(of type: Value.Type) -> ScalarCoercion<Value>? {
        spelledNumber.flatMap { ScalarCoercion(value: NumberText.integer($0.text), reason: $0.reason) }
    }

    /// The text of the number that the scalar is or spells, and the reason if it is a string.
    fileprivate var spelledNumber: (text: String, reason: DriftReport.Reason?)? {
        switch self {
        case .number(let text): NumberText.isNumber(text) ? (text, nil) : nil
        case .string(let text): NumberText.spelled(in: text).map { ($0, .numericString) }
        default: nil
        }
    }
}

/// Converts the text of a JSON number to types of Foundation and back.
///
/// ``NumberText`` reads integers.
package enum NumberSpelling {
    /// Returns whether the number has neither a fraction nor an exponent.
    package static func isInteger(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-") }
    }

    /// Returns the nearest double; nil beyond the range of doubles.
    package static func double(_ text: String) -> Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// Returns the exact decimal; nil past 38 digits or an exponent of 127.
    package static func decimal(_ text: String) -> Decimal? {
        var digits = text
        guard digits.withUTF8({ DecimalText($0).digitCount }) <= 38, let value = Decimal(string: text), value.isFinite
        else { return nil }
        // Decimal(string:) wraps an exponent that does not fit.
        return Double(value.description) == Double(text) ? value : nil
    }

    /// Returns the text of a number that a decoder gave as a double and, if it can, as a decimal: the more exact one.
    package static func text(_ double: Double, _ decimal: Decimal?) -> String {
        let text = double.description
        guard let decimal, decimal.isFinite, Decimal(string: text) != decimal else { return text }
        return Double(decimal.description) == double ? decimal.description : text
    }
}
