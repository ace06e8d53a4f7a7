import JMESPath

/// The conversion between two units of a quantity: `(value · numerator + offset) / denominator`, exact.
struct UnitConversion: Sendable {
    /// A result has at most so many significant digits, unless the configuration says how many decimals it has.
    static let significantDigits = 10

    private let numerator: UInt128
    private let denominator: UInt128
    private let offset: Int128

    /// A conversion; nil if the units measure different quantities.
    init?(from source: MappedUnit, to target: MappedUnit) {
        guard source.quantity == target.quantity else { return nil }
        if source.name == target.name {
            (numerator, denominator, offset) = (1, 1, 0)
            return
        }
        let scale = (over: source.numerator * target.denominator, under: source.denominator * target.numerator)
        let shift = Int128(scale.over) * source.shift - Int128(scale.under) * target.shift
        let divisor = shift == 0 ? 1 : 100 as UInt128
        let (over, under) = (scale.over * divisor, scale.under * divisor)
        let common = Self.commonDivisor(Self.commonDivisor(over, under), shift.magnitude)
        (numerator, denominator) = (over / common, under / common)
        offset = shift / Int128(common)
    }

    /// Whether the numbers of both units are the same.
    var isIdentity: Bool { numerator == denominator && offset == 0 }

    /// Returns the number in the other unit, rounded half away from zero: to so many decimals, or to ten digits.
    func callAsFunction(_ value: DecimalText, decimals: Int?) -> Decimal {
        var result = offset == 0 ? scaled(value) : shifted(value)
        if let decimals { result.round(toPlaces: decimals) }
        // The last ones of 25 digits may be those of a number that was cut off.
        result.round(toDigits: decimals == nil ? Self.significantDigits : 23)
        return result
    }

    /// 25 digits of the number: the product has at most 60, and the quotient from 16 to 34.
    private func scaled(_ value: DecimalText) -> Decimal {
        let exponent = value.magnitude - 25
        let product = value.scaled(toUnitsOf: exponent).magnitude.multipliedFullWidth(by: numerator)
        let quotient = Int128(denominator.dividingFullWidth(product).quotient)
        return Decimal(value.isNegative ? -quotient : quotient, exponent: exponent)
    }

    /// At most 35 digits of the number, down to 10^-28: units with an offset have a numerator of at most three digits.
    private func shifted(_ value: DecimalText) -> Decimal {
        var exponent = max(-28, value.magnitude - 35)
        let product = value.scaled(toUnitsOf: exponent) * Int128(numerator)
        // Beyond 10^35 the offset decides nothing but the direction of a tie.
        let offset = exponent > 0 ? offset.signum() : offset * Decimal.powerOfTen(-exponent)
        var sum = (value.isNegative ? -product : product) + offset
        // Digits that the offset cancels are made up for, so that the quotient has enough.
        while sum != 0, sum.magnitude < 1 << 120 { (sum, exponent) = (sum * 10, exponent - 1) }
        return Decimal(sum / Int128(denominator), exponent: exponent)
    }

    private static func commonDivisor(_ first: UInt128, _ second: UInt128) -> UInt128 {
        var (first, second) = (first, second)
        while second > 0 { (first, second) = (second, first % second) }
        return first
    }
}
