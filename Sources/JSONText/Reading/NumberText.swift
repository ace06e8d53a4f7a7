import CSystem

/// Numbers as RFC 8259 section 6 writes them, read without loss or not at all.
@usableFromInline
package enum NumberText {
    @usableFromInline package typealias Cursor = UnsafePointer<UInt8>

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

    /// Returns whether the whole of `text` is a number of RFC 8259 section 6.
    package static func isNumber(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            guard let first = text.baseAddress else { return false }
            return scan(first, first + text.count)?.end == first + text.count
        }
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

    /// Returns the integer that a JSON number equals, or nil if it has a fraction or does not fit in `Value`.
    ///
    /// `10`, `10.0`, `1e1` and `-0` are integers. `text` is a number of RFC 8259 section 6 or a non-finite literal, for
    /// which the result is nil.
    @inlinable
    package static func integer<Value: FixedWidthInteger>(_ text: UnsafeBufferPointer<UInt8>) -> Value? {
        if let (magnitude, isNegative) = shortInteger(text) {
            return isNegative ? Value(exactly: 0 &- Int64(truncatingIfNeeded: magnitude)) : Value(exactly: magnitude)
        }
        guard let (magnitude, isNegative) = longInteger(text) else { return nil }
        guard isNegative else { return Value(exactly: magnitude) }
        return magnitude <= 1 << 127 ? Value(exactly: 0 &- Int128(truncatingIfNeeded: magnitude)) : nil
    }

    /// Returns the integer that the JSON number `text` equals, or nil if it has a fraction or does not fit in `Value`.
    @inlinable
    package static func integer<Value: FixedWidthInteger>(_ text: String) -> Value? {
        var text = text
        return text.withUTF8 { integer($0) }
    }

    /// Returns the value of up to 19 bytes of digits with an optional minus, or nil for other spellings.
    ///
    /// 19 digits fit in 64 bits, and 18 with a minus in `Int64`, so nothing is checked for overflow.
    @inlinable @inline(__always)
    static func shortInteger(_ text: UnsafeBufferPointer<UInt8>) -> (magnitude: UInt64, isNegative: Bool)? {
        guard text.count <= 19, var cursor = text.baseAddress else { return nil }
        let end = cursor + text.count
        let isNegative = cursor.pointee == UInt8(ascii: "-")
        if isNegative { cursor += 1 }
        if cursor == end { return nil }
        var magnitude: UInt64 = 0
        while cursor < end {
            let digit = cursor.pointee &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            magnitude = magnitude &* 10 &+ UInt64(digit)
            cursor += 1
        }
        return (magnitude, isNegative)
    }

    /// Returns the integer that a number of any spelling equals, or nil if it has a fraction or needs more than 128 bits.
    @usableFromInline
    static func longInteger(_ text: UnsafeBufferPointer<UInt8>) -> (magnitude: UInt128, isNegative: Bool)? {
        let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let isNegative = text.first == UInt8(ascii: "-")
        guard let lastDigit = mantissa.lastIndex(where: { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 }) else {
            return mantissa.contains(UInt8(ascii: "0")) ? (0, isNegative) : nil
        }
        let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
        // The power of ten of the last digit that is not 0. A fraction's first digit stands one behind the point.
        let power = exponent(text[mantissa.endIndex...]) + point - lastDigit - (lastDigit < point ? 1 : 0)
        // 10 to the power of 39 needs more than 128 bits.
        guard 0..<39 ~= power else { return nil }
        var magnitude: UInt128 = 0
        for byte in mantissa[...lastDigit] {
            let digit = byte &- UInt8(ascii: "0")
            if digit < 10, !append(digit, to: &magnitude) { return nil }
        }
        for _ in 0..<power where !append(0, to: &magnitude) { return nil }
        return (magnitude, isNegative)
    }

    private static func append(_ digit: UInt8, to magnitude: inout UInt128) -> Bool {
        let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt128(digit))
        magnitude = sum
        return !overflow && !carry
    }

    /// Whether the text is `NaN`, `Infinity` or `-Infinity`, which only a leniency lets in.
    @inline(__always)
    static func isNone(_ text: UnsafeBufferPointer<UInt8>) -> Bool { text[text.count &- 1] > UInt8(ascii: "9") }
}
