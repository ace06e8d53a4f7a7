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
    private static func digits(_ start: Cursor, _ end: Cursor) -> Cursor { weir_skip_digits(start, end) }

    /// A number taken apart: ±`mantissa` × 10^`exponent`; not `isExact` when digits that do not fit were left out.
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
                } else if significant == 19, let longer = appending(digit, to: parts.mantissa) {
                    parts.mantissa = longer
                    significant = 20
                    if isFraction { parts.exponent -= 1 }
                } else {
                    significant = 20
                    if digit != 0 { parts.isExact = false }
                    if !isFraction { parts.exponent += 1 }
                }
            }
            index += 1
        }
        if index < text.count { parts.exponent += exponent(text[(index + 1)...]) }
        return parts
    }

    private static func appending(_ digit: UInt8, to mantissa: UInt64) -> UInt64? {
        let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
        return overflow || carry ? nil : sum
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

    /// The value of a decimal without exponent of up to 16 bytes, which most numbers are; nil for others.
    ///
    /// Of 15 digits the decimal and the power of ten are exact doubles, so that the one rounding is the right one.
    @inline(__always)
    private static func shortDecimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard text.count <= 16, var cursor = text.baseAddress else { return nil }
        let end = cursor + text.count
        let isNegative = cursor.pointee == UInt8(ascii: "-")
        if isNegative { cursor += 1 }
        let whole = cursor
        var digits: Int64 = 0
        while cursor < end, cursor.pointee &- UInt8(ascii: "0") < 10 {
            digits = digits &* 10 &+ Int64(cursor.pointee &- UInt8(ascii: "0"))
            cursor += 1
        }
        if cursor == whole { return nil }
        var value = Double(digits)
        if cursor < end {
            guard cursor.pointee == UInt8(ascii: ".") else { return nil }
            let places = end - cursor - 1
            cursor += 1
            while cursor < end {
                let digit = cursor.pointee &- UInt8(ascii: "0")
                guard digit < 10 else { return nil }
                digits = digits &* 10 &+ Int64(digit)
                cursor += 1
            }
            value = Double(digits) / powersOfTen[places]
        }
        return isNegative ? -value : value
    }

    /// The nearest double; a number too small to be told from 0 is 0.
    ///
    /// Nil when the number is beyond the range of doubles. So many bytes may be read `before` the text.
    @usableFromInline
    static func double(_ text: UnsafeBufferPointer<UInt8>, before: Int) -> Double? {
        if text.count &+ before >= 16, let first = text.baseAddress {
            let value =
                text.count <= 9
                ? weir_read_short_decimal(first, text.count) : weir_read_long_integer(first, text.count)
            if !value.isNaN { return value }
        }
        return double(text)
    }

    /// The nearest double; a number too small to be told from 0 is 0.
    ///
    /// Nil when the number is beyond the range of doubles.
    static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        if let value = shortDecimal(text) { return value }
        if isNone(text) {
            return text.contains(UInt8(ascii: "N")) ? .nan : text[0] == UInt8(ascii: "-") ? -.infinity : .infinity
        }
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
        if let value = shortInteger(text) { return value }
        guard let (magnitude, isNegative) = integer(text) else { return nil }
        guard isNegative else { return Int64(exactly: magnitude) }
        return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }

    /// The integer that the number is; nil when it has a fraction, is negative or does not fit.
    @usableFromInline
    static func uint64(_ text: UnsafeBufferPointer<UInt8>) -> UInt64? {
        guard let (magnitude, isNegative) = integer(text), !isNegative || magnitude == 0 else { return nil }
        return magnitude
    }

    /// The value of an integer of up to 18 bytes that is spelled as one, which most are; nil for others.
    @inline(__always)
    private static func shortInteger(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard text.count <= 18, var cursor = text.baseAddress else { return nil }
        let end = cursor + text.count
        let isNegative = cursor.pointee == UInt8(ascii: "-")
        if isNegative { cursor += 1 }
        var value: Int64 = 0
        while cursor < end {
            let digit = cursor.pointee &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int64(digit)
            cursor += 1
        }
        return isNegative ? -value : value
    }

    private static func integer(_ text: UnsafeBufferPointer<UInt8>) -> (magnitude: UInt64, isNegative: Bool)? {
        if isNone(text) { return nil }
        var parts = parts(text)
        guard parts.isExact else { return nil }
        if parts.mantissa == 0 { return (0, parts.isNegative) }
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
        return (parts.mantissa, parts.isNegative)
    }

    /// Whether the text is `NaN`, `Infinity` or `-Infinity`, which only a leniency lets in.
    @inline(__always)
    static func isNone(_ text: UnsafeBufferPointer<UInt8>) -> Bool { text[text.count &- 1] > UInt8(ascii: "9") }
}
