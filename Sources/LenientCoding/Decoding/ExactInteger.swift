/// Integers of any width from the text of a JSON number.
enum ExactInteger {
    /// The integer that the number is: `1`, `1.0` and `1e0` alike; nil when it has a fraction or does not fit.
    static func read<Value: FixedWidthInteger>(_ text: UnsafeBufferPointer<UInt8>) -> Value? {
        let exponentMark = text.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? text.endIndex
        let isNegative = text.first == UInt8(ascii: "-")
        let point = text[..<exponentMark].firstIndex(of: UInt8(ascii: ".")) ?? exponentMark
        let lastDigit = text[..<exponentMark].lastIndex { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 }
        guard let lastDigit else { return text[..<exponentMark].contains(UInt8(ascii: "0")) ? 0 : nil }
        // How many zeros follow the last digit that is none; behind the point they are digits of a fraction.
        let behind = lastDigit < point ? point - lastDigit - 1 : point - lastDigit
        let (zeros, overflow) = exponent(text[exponentMark...]).addingReportingOverflow(behind)
        guard zeros >= 0, zeros < 40, !overflow else { return nil }
        var magnitude: UInt128 = 0
        for digit in text[...lastDigit] where digit &- UInt8(ascii: "0") < 10 {
            guard append(digit &- UInt8(ascii: "0"), to: &magnitude) else { return nil }
        }
        for _ in 0..<zeros {
            guard append(0, to: &magnitude) else { return nil }
        }
        guard isNegative else { return Value(exactly: magnitude) }
        return magnitude <= 1 << 127 ? Value(exactly: Int128(truncatingIfNeeded: 0 &- magnitude)) : nil
    }

    private static func append(_ digit: UInt8, to magnitude: inout UInt128) -> Bool {
        let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt128(digit))
        magnitude = sum
        return !overflow && !carry
    }

    /// The exponent that `text` is with its `e`, held within ±1,000,000,000.
    private static func exponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var value = 0
        for digit in text where digit &- UInt8(ascii: "0") < 10 {
            value = min(value * 10 + Int(digit &- UInt8(ascii: "0")), 1_000_000_000)
        }
        return text.dropFirst().first == UInt8(ascii: "-") ? -value : value
    }
}
