#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

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
        guard significantDigits(text) <= 38, let value = Decimal(string: text), value.isFinite else { return nil }
        // Decimal(string:) wraps an exponent that does not fit.
        return Double(value.description) == Double(text) ? value : nil
    }

    private static func significantDigits(_ text: String) -> Int {
        let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { $0 &- UInt8(ascii: "0") < 10 }
        let zero = UInt8(ascii: "0")
        return digits.drop { $0 == zero }.reversed().drop { $0 == zero }.count
    }

    /// Returns the text of a number that a decoder gave as a double and, if it can, as a decimal: the more exact one.
    package static func text(_ double: Double, _ decimal: Decimal?) -> String {
        let text = double.description
        guard let decimal, decimal.isFinite, Decimal(string: text) != decimal else { return text }
        return Double(decimal.description) == double ? decimal.description : text
    }
}
