package import FoundationEssentials

/// What a number's text says, whatever type it ends up as.
package enum NumberSpelling {
    /// Whether `text` is a number in JSON's grammar (RFC 8259 section 6).
    package static func isNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = skipDigits(&rest)
        guard whole > 0, whole == 1 || !startsWithZero else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            if skipDigits(&rest) == 0 { return false }
        }
        if let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            if skipDigits(&rest) == 0 { return false }
        }
        return rest.isEmpty
    }

    private static func skipDigits(_ rest: inout Substring.UTF8View) -> Int {
        let count = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }.count
        rest.removeFirst(count)
        return count
    }

    /// Whether the number has neither fraction nor exponent.
    package static func isInteger(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-") }
    }

    /// The integer that the number is, `10`, `10.0` and `1e1` alike; nil when it has a fraction or does not fit.
    package static func integer<Integer: FixedWidthInteger>(_ text: String) -> Integer? {
        if let value = Integer(text) { return value }
        if isInteger(text) { return nil }
        // 38 digits hold every integer of 64 bits; a number that has more is not one.
        guard let decimal = decimal(text), let value = Integer(decimal.description) else { return nil }
        return value
    }

    /// The nearest double; nil beyond the range of doubles.
    package static func double(_ text: String) -> Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The number as a decimal that loses nothing; nil where there is none, past 38 digits or an exponent of 127.
    package static func decimal(_ text: String) -> Decimal? {
        guard significantDigits(text) <= 38, let value = Decimal(string: text), value.isFinite else { return nil }
        // A decimal whose exponent does not fit would come out as another number.
        return Double(value.description) == Double(text) ? value : nil
    }

    private static func significantDigits(_ text: String) -> Int {
        let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { $0 &- UInt8(ascii: "0") < 10 }
        let zero = UInt8(ascii: "0")
        return digits.drop { $0 == zero }.reversed().drop { $0 == zero }.count
    }

    /// The text of a number that a decoder gave as a double and, where it can, as a decimal: the one that lost less.
    package static func text(_ double: Double, _ decimal: Decimal?) -> String {
        let text = double.description
        guard let decimal, decimal.isFinite, Decimal(string: text) != decimal else { return text }
        return Double(decimal.description) == double ? decimal.description : text
    }
}
