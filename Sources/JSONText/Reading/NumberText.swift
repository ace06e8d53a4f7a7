import CSystem

/// Numbers as RFC 8259 section 6 writes them, read without loss or not at all.
@usableFromInline
enum NumberText {
    @usableFromInline typealias Cursor = UnsafePointer<UInt8>

    /// Where the number that starts at `first` ends, and whether it has neither fraction nor exponent.
    ///
    /// Nil when no number stands there. A digit may follow a leading zero only in a fraction or an exponent.
    @inline(__always)
    static func scan(_ first: Cursor, _ end: Cursor) -> (end: Cursor, isInteger: Bool)? {
        var cursor = first
        if cursor < end, cursor.pointee == UInt8(ascii: "-") { cursor += 1 }
        let whole = digits(cursor, end)
        if whole == cursor { return nil }
        if cursor.pointee == UInt8(ascii: "0"), whole - cursor > 1 { return nil }
        cursor = whole
        var isInteger = true
        if cursor < end, cursor.pointee == UInt8(ascii: ".") {
            isInteger = false
            let fraction = digits(cursor + 1, end)
            if fraction == cursor + 1 { return nil }
            cursor = fraction
        }
        if cursor < end, cursor.pointee | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            cursor += 1
            if cursor < end, cursor.pointee == UInt8(ascii: "+") || cursor.pointee == UInt8(ascii: "-") { cursor += 1 }
            let exponent = digits(cursor, end)
            if exponent == cursor { return nil }
            cursor = exponent
        }
        return (cursor, isInteger)
    }

    @inline(__always)
    private static func digits(_ start: Cursor, _ end: Cursor) -> Cursor { weir_skip_digits(start, end) ?? end }

    /// A number taken apart: ±`mantissa` × 10^`exponent`; not `exact` when digits past the 19th were left out.
    private struct Parts {
        var mantissa: UInt64 = 0
        var exponent = 0
        var isNegative = false
        var isExact = true
    }

    private static func parts(_ text: UnsafeBufferPointer<UInt8>) -> Parts {
        var parts = Parts()
        var index = 0
        if text[0] == UInt8(ascii: "-") {
            parts.isNegative = true
            index = 1
        }
        var isFraction = false
        var significant = 0
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if byte | 0x20 == UInt8(ascii: "e") {
                break
            } else {
                let digit = byte &- UInt8(ascii: "0")
                if significant < 19 {
                    parts.mantissa = parts.mantissa &* 10 &+ UInt64(digit)
                    if parts.mantissa != 0 { significant += 1 }
                    if isFraction { parts.exponent -= 1 }
                } else {
                    if digit != 0 { parts.isExact = false }
                    if !isFraction { parts.exponent += 1 }
                }
            }
            index += 1
        }
        if index < text.count { parts.exponent += exponent(text[(index + 1)...]) }
        return parts
    }

    /// The exponent after `e`, held within ±1,000,000,000 so that sums cannot overflow.
    private static func exponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var value = 0
        var isNegative = false
        for byte in text {
            if byte == UInt8(ascii: "-") { isNegative = true }
            let digit = byte &- UInt8(ascii: "0")
            if digit < 10 { value = min(value * 10 + Int(digit), 1_000_000_000) }
        }
        return isNegative ? -value : value
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// The nearest double.
    ///
    /// Nil when the number is beyond the range of doubles.
    @usableFromInline
    static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        let parts = parts(text)
        // Both operands are exact doubles, so the one rounding of the operation is the right one (Clinger 1990).
        if parts.isExact, parts.mantissa <= 1 << 53, abs(parts.exponent) <= 22 {
            let magnitude = Double(parts.mantissa)
            let value =
                parts.exponent < 0
                ? magnitude / powersOfTen[-parts.exponent] : magnitude * powersOfTen[parts.exponent]
            return parts.isNegative ? -value : value
        }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// The integer that the number is, `1`, `1.0` and `1e0` alike.
    ///
    /// Nil when it has a fraction or does not fit.
    @usableFromInline
    static func int64(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        var parts = parts(text)
        guard parts.isExact else { return nil }
        if parts.mantissa == 0 { return 0 }
        while parts.exponent < 0 {
            let (quotient, remainder) = parts.mantissa.quotientAndRemainder(dividingBy: 10)
            if remainder != 0 { return nil }
            parts.mantissa = quotient
            parts.exponent += 1
        }
        while parts.exponent > 0 {
            let (product, overflow) = parts.mantissa.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            parts.mantissa = product
            parts.exponent -= 1
        }
        if parts.isNegative { return parts.mantissa <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- parts.mantissa) : nil }
        return Int64(exactly: parts.mantissa)
    }
}
