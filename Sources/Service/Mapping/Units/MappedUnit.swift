import API
import Records

/// A unit that answers may be converted from and to.
package struct MappedUnit: Sendable {
    /// The quantity that a unit measures: only units of one quantity convert into each other.
    package enum Quantity: String, Sendable, CaseIterable {
        /// The quantities, in the order of `weir units`.
        case temperature, speed, length, pressure, angle, mass, ratio, time
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
    ]
}
