/// A decimal number of at most 38 digits, for numbers that are computed.
package struct Decimal {
    package var significand: Int128
    /// The power of ten of the significand's last digit.
    package var exponent: Int

    package init(_ significand: Int128, exponent: Int = 0) {
        (self.significand, self.exponent) = (significand, exponent)
    }

    /// Returns the number as a multiple of 10^`exponent`, which is not above that of the number; nil if it has no room.
    func significand(inUnitsOf exponent: Int) -> Int128? {
        if significand == 0 { return 0 }
        guard self.exponent - exponent <= 38 else { return nil }
        let (product, overflow) = significand.multipliedReportingOverflow(by: Self.powerOfTen(self.exponent - exponent))
        // The quotient of the lowest integer and -1 does not fit.
        return overflow || product == .min ? nil : product
    }

    /// Returns the integer below or above, or the number itself if it is one.
    func roundedToInteger(up: Bool) -> Decimal {
        guard exponent < 0 else { return self }
        let (whole, rest) =
            exponent < -38 ? (0, significand) : significand.quotientAndRemainder(dividingBy: Self.powerOfTen(-exponent))
        return Decimal(rest != 0 && up == (rest > 0) ? whole + (up ? 1 : -1) : whole)
    }

    /// Rounds half away from zero, to so many significant digits.
    package mutating func round(toDigits count: Int) {
        // 1233 / 4096 is the logarithm of 2 to the base 10.
        let digits = ((UInt128.bitWidth - significand.magnitude.leadingZeroBitCount) * 1233) >> 12
        drop(digits - count + (significand.magnitude >= Self.powerOfTen(digits).magnitude ? 1 : 0))
    }

    /// Rounds half away from zero, to so many digits after the point.
    package mutating func round(toPlaces places: Int) { drop(-(exponent + places)) }

    /// Drops the last `count` digits, if that is positive.
    private mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        exponent += count
        guard count <= 38 else { return significand = 0 }
        let unit = Self.powerOfTen(count)
        let (quotient, rest) = significand.quotientAndRemainder(dividingBy: unit)
        significand = quotient + (rest.magnitude >= unit.magnitude - rest.magnitude ? rest.signum() : 0)
    }

    /// Returns the shortest JSON text, with an exponent below 1e-6 and for integers of more than `places` digits.
    package func text(places: Int) -> String {
        guard significand != 0 else { return "0" }
        // Nearly all numbers have ten digits, for which the arithmetic of 64 bits takes a fraction of the time.
        let (digits, exponent) =
            UInt64(exactly: significand.magnitude).map { Self.shortest($0, self.exponent) }
            ?? Self.shortest(significand.magnitude, self.exponent)
        let sign = significand < 0 ? "-" : ""
        let point = digits.utf8.count + exponent
        switch point {
        case ...places where exponent >= 0: return sign + digits + String(repeating: "0", count: exponent)
        case 1...places: return sign + digits.prefix(point) + "." + digits.dropFirst(point)
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

    /// Returns a power of ten below 10^39.
    package static func powerOfTen(_ exponent: Int) -> Int128 { powersOfTen[exponent] }

    private static let powersOfTen = (0..<39).map { (0..<$0).reduce(1 as Int128) { power, _ in power * 10 } }
}
