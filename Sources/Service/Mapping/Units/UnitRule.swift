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

/// A unit that answers may be converted from and to.
package struct MappedUnit: Sendable {
    /// The quantity that a unit measures: only units of one quantity convert into each other.
    package enum Quantity: String, Sendable, CaseIterable {
        /// The quantities, in the order of `weir units`.
        case temperature, speed, length, area, volume, pressure, energy, angle, mass, ratio, time, data
    }

    /// The name in configurations and schemas: `degC`.
    package let name: String
    /// The quantity that the unit measures.
    package let quantity: Quantity
    /// Other spellings, which are read as they are written.
    package let symbols: [String]
    /// Other spellings, which are read in any case, and with `_` in place of spaces.
    package let words: [String]
    /// The relation to the first unit of the quantity: `(value + shift / 100) · numerator / denominator` is the same there.
    let numerator: UInt128
    let denominator: UInt128
    let shift: Int128

    init(
        _ name: String, _ quantity: Quantity, _ numerator: UInt128 = 1, per denominator: UInt128 = 1,
        shift: Int128 = 0, symbols: [String] = [], words: [String]
    ) {
        (self.name, self.quantity, self.symbols, self.words) = (name, quantity, symbols, words)
        (self.numerator, self.denominator, self.shift) = (numerator, denominator, shift)
    }

    /// Returns the unit of a spelling, also behind a prefix such as `wmoUnit:`; nil if there is none.
    package static func named(_ text: String) -> MappedUnit? {
        index(of: text).map { all[$0] }
    }

    /// Returns about the same in another unit of the quantity.
    func convert(_ value: Double, to target: MappedUnit) -> Double {
        let first = (value + Double(shift) / 100) * Double(numerator) / Double(denominator)
        return first * Double(target.denominator) / Double(target.numerator) - Double(target.shift) / 100
    }

    /// Returns the place of the unit of a spelling in `all`.
    static func index(of text: String) -> Int? {
        // Cut first: to hash a long text of combining marks takes milliseconds.
        guard text.utf8.count <= 64 else { return nil }
        let start = text.utf8.lastIndex(of: UInt8(ascii: ":")).map { text.utf8.index(after: $0) }
        let symbol = start.map { String(text[$0...]) } ?? text
        return spellings[symbol] ?? spellingsInAnyCase[symbol.lowercased().replacing("_", with: " ")]
    }

    /// Returns the fault of a text that names no unit.
    static func fault(_ text: String) -> String {
        let known = all.flatMap { [$0.name] + $0.symbols + $0.words }
        return "must be a unit that weir units lists\(Quotation.hint(text, among: known))"
    }

    private static let spellings = indices { [$0.name] + $0.symbols + $0.words }
    /// Names of one or two letters, such as `M`, may mean other units.
    private static let spellingsInAnyCase = indices { $0.words + ($0.name.count > 2 ? [$0.name.lowercased()] : []) }

    private static func indices(_ spellings: (MappedUnit) -> [String]) -> [String: Int] {
        let pairs = all.enumerated().flatMap { index, unit in spellings(unit).map { ($0, index) } }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension MappedUnit {
    /// All units, by quantity.
    ///
    /// The spellings are those of UCUM, of WMO's codes, of Open-Meteo and of plain English. Factors are exact, besides the
    /// conventional ones of inHg and mmHg (NIST SP 811) and that of rad, which has 31 decimals of π.
    package static let all: [MappedUnit] = [
        MappedUnit(
            "degC", .temperature, shift: 273_15, symbols: ["C", "°C", "℃", "Cel"],
            words: ["celsius", "degrees celsius", "degree celsius", "deg c"]),
        MappedUnit(
            "degF", .temperature, 5, per: 9, shift: 459_67, symbols: ["F", "°F", "℉", "[degF]"],
            words: ["fahrenheit", "degrees fahrenheit", "degree fahrenheit", "deg f"]),
        MappedUnit("K", .temperature, symbols: ["°K"], words: ["kelvin", "kelvins", "deg k", "degrees kelvin"]),

        MappedUnit(
            "m/s", .speed, symbols: ["m s-1", "m.s-1", "m_s-1", "m s^-1", "m·s⁻¹", "m s⁻¹"],
            words: [
                "mps", "ms-1", "m/sec", "meters per second", "metres per second", "meter per second",
                "metre per second", "meters/second",
            ]),
        MappedUnit(
            "km/h", .speed, 5, per: 18, symbols: ["km h-1", "km.h-1", "km_h-1", "km h^-1", "km·h⁻¹", "km h⁻¹"],
            words: [
                "kmh", "kph", "kmph", "km/hr", "kilometers per hour", "kilometres per hour", "kilometer per hour",
                "kilometre per hour",
            ]),
        MappedUnit(
            "mph", .speed, 1397, per: 3125, symbols: ["[mi_i]/h"],
            words: ["mp/h", "mi/h", "mi/hr", "mile/h", "miles/h", "miles per hour", "mile per hour"]),
        MappedUnit("kn", .speed, 463, per: 900, symbols: ["[kn_i]"], words: ["kt", "kts", "knot", "knots"]),

        MappedUnit("m", .length, words: ["meter", "meters", "metre", "metres"]),
        MappedUnit("mm", .length, 1, per: 1000, words: ["millimeter", "millimeters", "millimetre", "millimetres"]),
        MappedUnit("cm", .length, 1, per: 100, words: ["centimeter", "centimeters", "centimetre", "centimetres"]),
        MappedUnit("km", .length, 1000, words: ["kms", "kilometer", "kilometers", "kilometre", "kilometres"]),
        MappedUnit("in", .length, 127, per: 5000, symbols: ["[in_i]"], words: ["inch", "inches"]),
        MappedUnit("ft", .length, 381, per: 1250, symbols: ["[ft_i]"], words: ["foot", "feet"]),
        MappedUnit("mi", .length, 201_168, per: 125, symbols: ["[mi_i]"], words: ["mile", "miles"]),

        MappedUnit("m2", .area, symbols: ["m²", "m^2"], words: ["sqm", "sq m", "square meters", "square metres"]),
        MappedUnit(
            "km2", .area, 1_000_000, symbols: ["km²", "km^2"],
            words: ["sq km", "square kilometers", "square kilometres"]),
        MappedUnit("ha", .area, 10_000, symbols: ["har"], words: ["hectare", "hectares"]),
        MappedUnit(
            "ft2", .area, 145_161, per: 1_562_500, symbols: ["ft²", "ft^2", "[sft_i]"],
            words: ["sqft", "sq ft", "square feet"]),
        MappedUnit("acre", .area, 316_160_658, per: 78125, symbols: ["ac", "[acr_us]"], words: ["acres"]),
        MappedUnit(
            "mi2", .area, 40_468_564_224, per: 15625, symbols: ["mi²", "mi^2", "[smi_us]"],
            words: ["sq mi", "square miles"]),

        MappedUnit("l", .volume, symbols: ["L", "dm3"], words: ["liter", "liters", "litre", "litres"]),
        MappedUnit(
            "ml", .volume, 1, per: 1000, symbols: ["mL", "cm3", "cc"],
            words: ["milliliter", "milliliters", "millilitre", "millilitres"]),
        MappedUnit("m3", .volume, 1000, symbols: ["m³", "m^3"], words: ["cubic meters", "cubic metres", "cbm"]),
        MappedUnit(
            "gal", .volume, 473_176_473, per: 125_000_000, symbols: ["[gal_us]"],
            words: ["gallon", "gallons", "us gallons"]),
        MappedUnit(
            "floz", .volume, 473_176_473, per: 16_000_000_000, symbols: ["fl oz", "[foz_us]"],
            words: ["fluid ounce", "fluid ounces"]),
        MappedUnit(
            "ft3", .volume, 55_306_341, per: 1_953_125, symbols: ["ft³", "ft^3", "[cft_i]"],
            words: ["cuft", "cu ft", "cubic feet"]),

        MappedUnit("hPa", .pressure, 100, words: ["hectopascal", "hectopascals"]),
        MappedUnit("Pa", .pressure, words: ["pascal", "pascals"]),
        MappedUnit("kPa", .pressure, 1000, words: ["kilopascal", "kilopascals"]),
        MappedUnit("mbar", .pressure, 100, symbols: ["mb"], words: ["millibar", "millibars"]),
        MappedUnit(
            "inHg", .pressure, 3_386_389, per: 1000, symbols: ["in Hg", "[in_i'Hg]"],
            words: ["inches of mercury", "inch of mercury"]),
        MappedUnit(
            "mmHg", .pressure, 133_322_387_415, per: 1_000_000_000, symbols: ["mm Hg", "mm[Hg]"],
            words: ["millimeters of mercury", "millimetres of mercury"]),
        MappedUnit(
            "psi", .pressure, 8_896_443_230_521, per: 1_290_320_000, symbols: ["[psi]", "lbf/in2"],
            words: ["pounds per square inch"]),

        MappedUnit("J", .energy, words: ["joule", "joules"]),
        MappedUnit("kJ", .energy, 1000, words: ["kilojoule", "kilojoules"]),
        MappedUnit("MJ", .energy, 1_000_000, words: ["megajoule", "megajoules"]),
        MappedUnit("Wh", .energy, 3600, symbols: ["W.h"], words: ["watt hour", "watt hours"]),
        MappedUnit("kWh", .energy, 3_600_000, symbols: ["kW.h"], words: ["kilowatt hour", "kilowatt hours"]),
        MappedUnit("MWh", .energy, 3_600_000_000, symbols: ["MW.h"], words: ["megawatt hour", "megawatt hours"]),
        MappedUnit("cal", .energy, 523, per: 125, symbols: ["cal_th"], words: ["calorie", "calories"]),
        MappedUnit(
            "kcal", .energy, 4184, symbols: ["Cal", "kcal_th"], words: ["kilocalorie", "kilocalories"]),

        MappedUnit(
            "deg", .angle, symbols: ["°", "degree_(angle)"], words: ["degree", "degrees", "degrees true", "degt"]),
        MappedUnit(
            "rad", .angle, 1_800_000_000_000_000_000_000_000_000_000_000,
            per: 31_415_926_535_897_932_384_626_433_832_795,
            words: ["radian", "radians"]),

        MappedUnit("kg", .mass, words: ["kgs", "kilogram", "kilograms", "kilogramme"]),
        MappedUnit("g", .mass, 1, per: 1000, words: ["gram", "grams", "gramme"]),
        MappedUnit("lb", .mass, 45_359_237, per: 100_000_000, symbols: ["[lb_av]"], words: ["lbs", "pound", "pounds"]),
        MappedUnit("oz", .mass, 45_359_237, per: 1_600_000_000, symbols: ["[oz_av]"], words: ["ounce", "ounces"]),

        MappedUnit("1", .ratio, words: ["fraction", "ratio", "one", "unity"]),
        MappedUnit("%", .ratio, 1, per: 100, words: ["percent", "pct", "percentage", "per cent"]),

        MappedUnit("ms", .time, 1, per: 1000, words: ["msec", "msecs", "millis", "millisecond", "milliseconds"]),
        MappedUnit("s", .time, words: ["sec", "secs", "second", "seconds"]),
        MappedUnit("min", .time, 60, words: ["mins", "minute", "minutes"]),
        MappedUnit("h", .time, 3600, words: ["hr", "hrs", "hour", "hours"]),
        MappedUnit("d", .time, 86400, words: ["day", "days"]),

        MappedUnit("B", .data, symbols: ["By"], words: ["byte", "bytes"]),
        MappedUnit("kB", .data, 1000, words: ["kilobyte", "kilobytes"]),
        MappedUnit("MB", .data, 1_000_000, words: ["megabyte", "megabytes"]),
        MappedUnit("GB", .data, 1_000_000_000, words: ["gigabyte", "gigabytes"]),
        MappedUnit("TB", .data, 1_000_000_000_000, words: ["terabyte", "terabytes"]),
        MappedUnit("KiB", .data, 1 << 10, words: ["kibibyte", "kibibytes"]),
        MappedUnit("MiB", .data, 1 << 20, words: ["mebibyte", "mebibytes"]),
        MappedUnit("GiB", .data, 1 << 30, words: ["gibibyte", "gibibytes"]),
        MappedUnit("TiB", .data, 1 << 40, words: ["tebibyte", "tebibytes"]),
    ]
}
