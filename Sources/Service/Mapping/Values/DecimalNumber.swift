import JMESPath
import JSONText

extension JMESValue {
    /// Passes the digits of a number to `body`; returns nil for other values.
    func withDigits<Result>(_ body: (DecimalText) -> Result?) -> Result? {
        if case .node(let node) = self, !node.isNumber || node.isNonFinite { return nil }
        return kind == .number ? withNumber { body(DecimalText($0)) } : nil
    }
}

extension DecimalText {
    /// The number as digits alone; nil for a fraction, and past 309 digits, which no double has.
    var integerText: String? {
        if isZero { return "0" }
        guard magnitude >= digitCount, magnitude <= 309 else { return nil }
        var text = isNegative ? "-" : ""
        forEachDigit {
            text.unicodeScalars.append(Unicode.Scalar($0 + UInt8(ascii: "0")))
            return true
        }
        return text + String(repeating: "0", count: magnitude - digitCount)
    }

    /// Returns the magnitude in units of 10^`exponent`, which `magnitude - exponent` must keep below 10^38.
    ///
    /// Its last digit is 1 if digits are cut off, so that the result is never taken for an exact one.
    func scaled(toUnitsOf exponent: Int) -> UInt128 {
        if isZero { return 0 }
        let places = magnitude - exponent
        var value: UInt128 = 0, count = 0
        forEachDigit { digit in
            // All digits but the one in the unit's own place, which is the last if the number has no more.
            guard count < places - 1 else { return false }
            value = value * 10 + UInt128(digit)
            count += 1
            return true
        }
        let rest = digitCount - count
        if rest > 0 { return value * 10 + (rest == 1 && count == places - 1 ? lastDigit : 1) }
        return value * ShortDecimal.powerOfTen(places - count)
    }

    private var lastDigit: UInt128 {
        var last: UInt8 = 0
        forEachDigit {
            last = $0
            return true
        }
        return UInt128(last)
    }
}

/// A decimal of at most 39 digits, for numbers that are computed.
struct ShortDecimal {
    var isNegative: Bool
    var magnitude: UInt128
    /// The power of ten of the magnitude's last digit.
    var exponent: Int

    /// Rounds half away from zero, to so many significant digits.
    mutating func round(toDigits count: Int) { drop(digitCount - count) }

    /// Rounds half away from zero, to so many digits after the point.
    mutating func round(toPlaces places: Int) { drop(-(exponent + places)) }

    /// Drops the last `count` digits, if that is positive.
    private mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        exponent += count
        guard count < 39 else { return magnitude = 0 }
        let unit = Self.powerOfTen(count)
        let (quotient, rest) = magnitude.quotientAndRemainder(dividingBy: unit)
        magnitude = quotient + (rest >= unit - rest ? 1 : 0)
    }

    /// The shortest JSON text, with an exponent from 1e21 on and below 1e-6, as ECMAScript has it.
    var text: String {
        guard magnitude > 0 else { return "0" }
        // Nearly all numbers have ten digits, for which the arithmetic of 64 bits takes a fraction of the time.
        let (digits, exponent) =
            UInt64(exactly: magnitude).map { Self.shortest($0, self.exponent) }
            ?? Self.shortest(magnitude, self.exponent)
        let sign = isNegative ? "-" : ""
        let point = digits.utf8.count + exponent
        switch point {
        case ...21 where exponent >= 0: return sign + digits + String(repeating: "0", count: exponent)
        case 1...21: return sign + digits.prefix(point) + "." + digits.dropFirst(point)
        case -5...0: return sign + "0." + String(repeating: "0", count: -point) + digits
        default:
            let fraction = digits.dropFirst()
            return sign + digits.prefix(1) + (fraction.isEmpty ? "" : "." + fraction) + "e\(point - 1)"
        }
    }

    /// Returns the digits without zeros at the end, and the power of ten of the last one.
    private static func shortest<Number: UnsignedInteger>(_ magnitude: Number, _ exponent: Int) -> (String, Int) {
        var (magnitude, exponent) = (magnitude, exponent)
        while magnitude % 10 == 0 { (magnitude, exponent) = (magnitude / 10, exponent + 1) }
        return (String(magnitude), exponent)
    }

    private var digitCount: Int {
        // 1233 / 4096 is the logarithm of 2 to the base 10.
        let count = ((UInt128.bitWidth - magnitude.leadingZeroBitCount) * 1233) >> 12
        return magnitude >= Self.powerOfTen(count) ? count + 1 : count
    }

    /// Returns a power of ten below 10^39.
    static func powerOfTen(_ exponent: Int) -> UInt128 { powersOfTen[exponent] }

    private static let powersOfTen = (0..<39).map { (0..<$0).reduce(1 as UInt128) { power, _ in power * 10 } }
}
