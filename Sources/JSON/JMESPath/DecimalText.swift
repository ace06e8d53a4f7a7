import JSONText

/// The decimal digits of a JSON number, for comparing numbers of any length exactly.
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
        self.first = first ?? 0
        self.last = first == nil ? 0 : last
        let whole = point ?? end
        let digits = whole - self.first + (self.first > whole ? 1 : 0)
        magnitude = digits + Self.exponent(text[end...])
    }

    package var isZero: Bool { first == last }

    /// The exponent, held within ±10^15 so that sums with it cannot overflow.
    private static func exponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var value = 0
        for byte in text {
            let digit = byte &- UInt8(ascii: "0")
            if digit < 10 { value = min(value * 10 + Int(digit), 1_000_000_000_000_000) }
        }
        return text.contains(UInt8(ascii: "-")) ? -value : value
    }

    /// Calls `body` with each digit from the first to the last that is not 0, until it returns false.
    package func forEachDigit(_ body: (UInt8) -> Bool) {
        for byte in text[first..<last] where byte != UInt8(ascii: ".") && !body(byte &- UInt8(ascii: "0")) { return }
    }

    /// The number of digits from the first to the last that is not 0.
    package var digitCount: Int { last - first - (text[first..<last].contains(UInt8(ascii: ".")) ? 1 : 0) }

    private func compareMagnitude(_ other: DecimalText) -> Int {
        if magnitude != other.magnitude { return magnitude < other.magnitude ? -1 : 1 }
        var (index, otherIndex) = (first, other.first)
        while index < last, otherIndex < other.last {
            if text[index] == UInt8(ascii: ".") { index += 1 }
            if other.text[otherIndex] == UInt8(ascii: ".") { otherIndex += 1 }
            let (digit, otherDigit) = (text[index], other.text[otherIndex])
            if digit != otherDigit { return digit < otherDigit ? -1 : 1 }
            index += 1
            otherIndex += 1
        }
        // The longer one goes on with a digit that is not 0.
        return index < last ? 1 : otherIndex < other.last ? -1 : 0
    }

    /// Returns -1, 0 or 1 as the number is below, equal to or above `other`.
    package func compare(_ other: DecimalText) -> Int {
        let (sign, otherSign) = (sign, other.sign)
        if sign != otherSign { return sign < otherSign ? -1 : 1 }
        return sign == 0 ? 0 : sign * compareMagnitude(other)
    }

    private var sign: Int { isZero ? 0 : isNegative ? -1 : 1 }

    /// Returns -1, 0 or 1 as the number `left` is below, equal to or above `right`.
    static func compare(_ left: JMESValue, _ right: JMESValue, _ steps: inout Int) -> Int {
        left.withNumber { left in
            right.withNumber { right in
                steps += (left.count + right.count) / 64
                return DecimalText(left).compare(DecimalText(right))
            }
        }
    }
}
