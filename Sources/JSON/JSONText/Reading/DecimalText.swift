/// The decimal digits of a JSON number of any length.
package struct DecimalText {
    private let text: UnsafeBufferPointer<UInt8>
    package let isNegative: Bool
    /// The indices of the first digit that is not 0, and behind the last one; equal for 0.
    private let first: Int
    private let last: Int
    /// The power of ten of the place before the first digit: the number is 0.ddd times 10 to this power.
    package let magnitude: Int

    /// Reads a number, which is one of JSON.
    package init(_ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
        var (point, first, last, end): (Int?, Int?, Int, Int) = (nil, nil, 0, text.count)
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "."): point = index
            case UInt8(ascii: "e"), UInt8(ascii: "E"): end = index
            case UInt8(ascii: "1")...UInt8(ascii: "9"):
                if first == nil { first = index }
                last = index + 1
            default: break
            }
            if end < text.count { break }
        }
        isNegative = text.first == UInt8(ascii: "-")
        (self.first, self.last) = (first ?? 0, last)
        let whole = point ?? end
        let digits = whole - self.first + (self.first > whole ? 1 : 0)
        magnitude = digits + Self.exponent(text[end...])
    }

    package var isZero: Bool { first == last }

    /// The exponent, held within ±10^15 so that sums with it cannot overflow.
    static func exponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var value = 0
        for byte in text {
            let digit = byte &- UInt8(ascii: "0")
            if digit < 10 { value = min(value * 10 + Int(digit), 1_000_000_000_000_000) }
        }
        return text.contains(UInt8(ascii: "-")) ? -value : value
    }

    /// The digits from the first to the last that is not 0.
    private var digits: LazyFilterSequence<Slice<UnsafeBufferPointer<UInt8>>> {
        text[first..<last].lazy.filter { $0 != UInt8(ascii: ".") }
    }

    /// The number of digits from the first to the last that is not 0.
    package var digitCount: Int { last - first - (text[first..<last].contains(UInt8(ascii: ".")) ? 1 : 0) }

    /// The number as digits alone; nil for a fraction, and past 309 digits, which no double has.
    package var integerText: String? {
        if isZero { return "0" }
        guard magnitude >= digitCount, magnitude <= 309 else { return nil }
        let zeros = String(repeating: "0", count: magnitude - digitCount)
        return (isNegative ? "-" : "") + String(decoding: Array(digits), as: UTF8.self) + zeros
    }

    /// Returns the absolute value in units of 10^`exponent`, which `magnitude - exponent` must keep below 10^38.
    ///
    /// If digits are cut off, the last digit of the result is 1, so that no caller takes the result for an exact value.
    package func scaled(toUnitsOf exponent: Int) -> Int128 {
        if isZero { return 0 }
        let (places, digitCount) = (magnitude - exponent, digitCount)
        let isExact = digitCount <= places
        var value: Int128 = 0
        for digit in digits.prefix(isExact ? digitCount : max(places - 1, 0)) {
            value = value * 10 + Int128(digit &- UInt8(ascii: "0"))
        }
        if !isExact { return value * 10 + 1 }
        for _ in digitCount..<places { value *= 10 }
        return value
    }

    /// Returns -1, 0 or 1 as the number is below, equal to or above `other`.
    package func compare(_ other: DecimalText) -> Int {
        let (sign, otherSign) = (sign, other.sign)
        if sign != otherSign { return sign < otherSign ? -1 : 1 }
        if magnitude != other.magnitude { return magnitude < other.magnitude ? -sign : sign }
        var (digits, others) = (digits.makeIterator(), other.digits.makeIterator())
        while true {
            // The longer number continues with a byte above 0.
            let (digit, other) = (digits.next() ?? 0, others.next() ?? 0)
            if digit != other { return digit < other ? -sign : sign }
            if digit == 0 { return 0 }
        }
    }

    private var sign: Int { isZero ? 0 : isNegative ? -1 : 1 }

    /// The absolute value of an integer of at most 128 bits; nil for other numbers.
    var integer: UInt128? {
        // 10 to the power of 39 needs more than 128 bits.
        guard isZero || digitCount <= magnitude && magnitude <= 39 else { return nil }
        var value: UInt128 = 0
        var digits = digits.makeIterator()
        for _ in 0..<(isZero ? 0 : magnitude) {
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, carries) = product.addingReportingOverflow(
                UInt128((digits.next() ?? UInt8(ascii: "0")) &- UInt8(ascii: "0")))
            if isTooLarge || carries { return nil }
            value = sum
        }
        return value
    }
}
