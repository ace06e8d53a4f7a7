import CScan

/// The text of a JSON number (RFC 8259, section 6), read without loss or not at all.
///
/// Unsafe: moves a pointer along the text, and reads up to 16 bytes before its end where the document has them.
@usableFromInline
package enum NumberText {
    @usableFromInline package typealias Cursor = UnsafePointer<UInt8>

    /// Returns the end of the number that starts at `first`, and whether it has neither fraction nor exponent.
    ///
    /// Returns nil if no number starts there. A zero that another digit follows starts none.
    @inline(__always)
    static func scan(_ first: Cursor, _ end: Cursor) -> (end: Cursor, isInteger: Bool)? {
        var cursor = first
        if cursor < end, cursor.pointee == UInt8(ascii: "-") { cursor += 1 }
        let whole = weir_skip_digits(cursor, end)
        if whole == cursor { return nil }
        if cursor.pointee == UInt8(ascii: "0"), whole - cursor > 1 { return nil }
        cursor = whole
        var isInteger = true
        if cursor < end, cursor.pointee == UInt8(ascii: ".") {
            isInteger = false
            let fraction = weir_skip_digits(cursor + 1, end)
            if fraction == cursor + 1 { return nil }
            cursor = fraction
        }
        if cursor < end, cursor.pointee | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            cursor += 1
            if cursor < end, cursor.pointee == UInt8(ascii: "+") || cursor.pointee == UInt8(ascii: "-") { cursor += 1 }
            let exponent = weir_skip_digits(cursor, end)
            if exponent == cursor { return nil }
            cursor = exponent
        }
        return (cursor, isInteger)
    }

    /// Returns whether the whole of `text` is a number of RFC 8259, section 6.
    package static func isNumber(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { spelled(in: $0)?.count == $0.count }
    }

    /// Returns the number of RFC 8259, section 6, that a text spells, spaces around it allowed; nil if it spells none.
    package static func spelled(in text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        var (first, last) = (text.startIndex, text.endIndex)
        while first < last, text[first] == UInt8(ascii: " ") { first += 1 }
        while first < last, text[last - 1] == UInt8(ascii: " ") { last -= 1 }
        let trimmed = UnsafeBufferPointer(rebasing: text[first..<last])
        guard let start = trimmed.baseAddress, scan(start, start + trimmed.count)?.end == start + trimmed.count
        else { return nil }
        return trimmed
    }

    /// Returns the number that a text spells, spaces around it allowed; nil if it spells none.
    package static func spelled(in text: String) -> String? {
        var text = text
        return text.withUTF8 { spelled(in: $0).map { String(decoding: $0, as: UTF8.self) } }
    }

    /// Returns whether a number is a spelling of NaN or an infinity, which only `JSONLeniency.notANumber` lets in.
    @inline(__always)
    static func isNonFinite(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text[text.count &- 1] > UInt8(ascii: "9")
    }
}

extension NumberText {
    /// Returns the nearest double, or nil if the number is beyond the range of doubles.
    ///
    /// A number too small to be told from 0 is 0. `before` is the number of bytes that are readable before the text.
    @usableFromInline
    static func double(_ text: UnsafeBufferPointer<UInt8>, before: Int) -> Double? {
        if text.count &+ before >= 16, let first = text.baseAddress {
            let value = weir_read_short_decimal(first, text.count)
            if !value.isNaN { return value }
        }
        return longDouble(text)
    }

    @inline(never)
    private static func longDouble(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        if let value = exactDecimal(text) { return value }
        if isNonFinite(text) {
            // No spelling of infinity has an a.
            let isNaN = text.contains { $0 | 0x20 == UInt8(ascii: "a") }
            return isNaN ? .nan : text[0] == UInt8(ascii: "-") ? -.infinity : .infinity
        }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// Returns the value of a number whose digits are at most 2^53 and whose power of ten is at most 22, or nil.
    ///
    /// Both are then exact doubles, so the one rounding of the operation gives the nearest double (Clinger 1990). The
    /// standard library takes 30 % longer for doubles of 16 digits, and 6 % for a forecast with a few exponents.
    private static func exactDecimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        // 19 digits fit in 64 bits.
        guard text.count <= 19, var cursor = text.baseAddress else { return nil }
        let end = cursor + text.count
        let isNegative = cursor.pointee == UInt8(ascii: "-")
        if isNegative { cursor += 1 }
        var digits: UInt64 = 0
        readDigits(&cursor, end, &digits)
        var power = 0
        if cursor < end, cursor.pointee == UInt8(ascii: ".") {
            let fraction = cursor + 1
            cursor = fraction
            readDigits(&cursor, end, &digits)
            power = fraction - cursor
        }
        if cursor < end {
            guard cursor.pointee | 0x20 == UInt8(ascii: "e") else { return nil }
            power += DecimalText.exponent(UnsafeBufferPointer(start: cursor, count: end - cursor)[...])
        }
        guard digits <= 1 << 53, abs(power) <= 22 else { return nil }
        let value = power < 0 ? Double(digits) / powersOfTen[-power] : Double(digits) * powersOfTen[power]
        return isNegative ? -value : value
    }

    @inline(__always)
    private static func readDigits(_ cursor: inout Cursor, _ end: Cursor, _ value: inout UInt64) {
        while cursor < end, cursor.pointee &- UInt8(ascii: "0") < 10 {
            value = value &* 10 &+ UInt64(cursor.pointee &- UInt8(ascii: "0"))
            cursor += 1
        }
    }

    private static let powersOfTen: InlineArray<23, Double> = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}

extension NumberText {
    /// Returns the integer that a JSON number equals, or nil if it has a fraction or does not fit in `Value`.
    ///
    /// `10`, `10.0`, `1e1` and `-0` are integers. `text` is a JSON number or a non-finite literal, for which the result
    /// is nil.
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
    /// 19 digits fit in 64 bits, and 18 with a minus in `Int64`, so nothing can overflow.
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
        if text.isEmpty || isNonFinite(text) { return nil }
        let number = DecimalText(text)
        return number.integer.map { ($0, number.isNegative) }
    }
}
