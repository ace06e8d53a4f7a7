import API
import JMESPath
import JSONText
import Records

/// The key `unit`: from which unit a number is converted to which.
struct UnitRule: Sendable {
    private static let keys = ["from", "to", "decimals"]

    private let source: RuleChoice<UnitConversion>
    private let target: MappedUnit
    /// The conversions to the target by the place of the unit in the table; nil for units of another quantity.
    private let conversions: [UnitConversion?]
    private let decimals: Int?

    /// The expressions that the rule uses.
    var expressions: [JMESPath] { source.expressions }

    /// Reads the key; nil if it is absent or wrong.
    init?(_ shape: KeyReader) {
        guard let keys = shape.object("unit") else { return nil }
        for name in keys.members.map(\.key) where !Self.keys.contains(name) {
            keys.note(name, "is none of from, to, decimals\(Quotation.hint(name, among: Self.keys))")
        }
        decimals = Self.decimals(keys)
        guard let target = Self.unit("to", keys) else {
            // Names both faults at once.
            if let text = keys["from"]?.stringValue, !text.hasPrefix("(") { _ = Self.unit("from", keys) }
            return nil
        }
        self.target = target
        conversions = MappedUnit.all.map { UnitConversion(from: $0, to: target) }
        if let text = keys["from"]?.stringValue, text.hasPrefix("(") {
            guard let choice = RuleChoice<UnitConversion>(text, "from", keys) else { return nil }
            source = choice
        } else {
            guard let unit = Self.unit("from", keys) else { return nil }
            guard let conversion = UnitConversion(from: unit, to: target) else {
                let (from, to) = (unit.quantity.rawValue, target.quantity.rawValue)
                keys.note("from", "\(unit.name) is a unit of \(from), and \(target.name) one of \(to)")
                return nil
            }
            source = .fixed(conversion)
        }
    }

    private static func unit(_ key: String, _ keys: KeyReader) -> MappedUnit? {
        guard keys[key] != nil else {
            keys.note(key, "is required: a unit that weir units lists")
            return nil
        }
        guard let text = keys.text(key) else { return nil }
        let unit = MappedUnit.named(text)
        if unit == nil { keys.note(key, MappedUnit.fault(text)) }
        return unit
    }

    private static func decimals(_ keys: KeyReader) -> Int? {
        guard let value = keys["decimals"] else { return nil }
        guard let decimals = value.intValue, 0...15 ~= decimals else {
            keys.note("decimals", "must be an integer from 0 to 15")
            return nil
        }
        return decimals
    }

    /// Whether results have no decimals.
    var isWhole: Bool { decimals == 0 }

    /// The target unit, for the schema.
    var schema: [JSONValue.Member] { [.init("x-unit", .string(target.name))] }

    /// Returns a number in the target unit; the number itself if the units measure alike.
    func convert(_ value: JMESValue, _ evaluate: ScalarRules.Evaluation) throws(Loss) -> JMESValue {
        guard value.kind == .number else { throw Loss(.mistyped) }
        let conversion = source.value(evaluate) { MappedUnit.index(of: $0).flatMap { conversions[$0] } }
        guard let conversion else { throw Loss(.unknownUnit) }
        if conversion.isIdentity, decimals == nil { return value }
        guard let text = value.withDigits({ conversion($0, decimals: decimals).text(places: 21) }) else {
            throw Loss(.mistyped)
        }
        return .number(text)
    }
}

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
