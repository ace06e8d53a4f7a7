import Mapping
import Records
import Testing

@Suite("Units of configured answers")
struct UnitTests {
    // The results are exact rationals, rounded half away from zero by Python's fractions.
    private static let conversions: [(String, String, String, Int?, String)] = [
        ("-40", "degF", "degC", nil, "-40"),
        ("32", "degF", "degC", nil, "0"),
        ("212", "degF", "degC", nil, "100"),
        ("98.6", "degF", "degC", nil, "37"),
        ("0", "degC", "degF", nil, "32"),
        ("-40", "degC", "degF", nil, "-40"),
        ("20.5", "degC", "degF", nil, "68.9"),
        ("0.1", "degC", "K", nil, "273.25"),
        ("-273.15", "degC", "K", nil, "0"),
        ("300", "K", "degC", nil, "26.85"),
        ("255.37222222222222", "K", "degF", nil, "-4e-15"),
        ("71.6", "degF", "K", nil, "295.15"),
        ("0", "K", "degF", nil, "-459.67"),
        ("31.99999999999999999999999", "degF", "degC", nil, "-5.555555556e-24"),
        ("1e30", "K", "degC", nil, "1e30"),
        ("15000000", "K", "degC", nil, "14999726.85"),
        ("1e-9", "K", "degC", nil, "-273.15"),
        ("10", "m/s", "km/h", nil, "36"),
        ("36", "km/h", "m/s", nil, "10"),
        ("100", "km/h", "mph", nil, "62.13711922"),
        ("7", "mph", "m/s", nil, "3.12928"),
        ("1", "kn", "km/h", nil, "1.852"),
        ("12.3", "km/h", "kn", nil, "6.641468683"),
        ("1", "mph", "kn", nil, "0.8689762419"),
        ("0.3", "m/s", "km/h", nil, "1.08"),
        ("1", "in", "cm", nil, "2.54"),
        ("1", "ft", "m", nil, "0.3048"),
        ("1", "mi", "km", nil, "1.609344"),
        ("16093.44", "m", "mi", nil, "10"),
        ("0.1", "mm", "in", nil, "0.003937007874"),
        ("3.28", "ft", "cm", nil, "99.9744"),
        ("29", "km", "ft", nil, "95144.35696"),
        ("5280", "ft", "mi", nil, "1"),
        ("7", "mm", "mi", nil, "0.000004349598346"),
        ("2.54", "cm", "in", nil, "1"),
        ("29.92", "inHg", "hPa", nil, "1013.207589"),
        ("1013.25", "hPa", "inHg", nil, "29.9212524"),
        ("101325", "Pa", "hPa", nil, "1013.25"),
        ("760", "mmHg", "kPa", nil, "101.3250144"),
        ("14.7", "psi", "hPa", nil, "1013.529322"),
        ("1", "psi", "mmHg", nil, "51.7149252"),
        ("100", "kPa", "psi", nil, "14.50377377"),
        ("30.01", "inHg", "mmHg", nil, "762.254081"),
        ("1", "mbar", "inHg", nil, "0.02952998016"),
        ("180", "deg", "rad", nil, "3.141592654"),
        ("1", "rad", "deg", nil, "57.29577951"),
        ("45", "deg", "rad", nil, "0.7853981634"),
        ("3.141592653589793", "rad", "deg", nil, "180"),
        ("-90", "deg", "rad", nil, "-1.570796327"),
        ("1", "lb", "kg", nil, "0.45359237"),
        ("1", "oz", "g", nil, "28.34952313"),
        ("16", "oz", "lb", nil, "1"),
        ("70", "kg", "lb", nil, "154.3235835"),
        ("453.59237", "g", "oz", nil, "16"),
        ("1000", "g", "kg", nil, "1"),
        ("0.55", "1", "%", nil, "55"),
        ("55", "%", "1", nil, "0.55"),
        ("0.1", "%", "1", nil, "0.001"),
        ("33.3", "%", "1", nil, "0.333"),
        ("0.07", "1", "%", nil, "7"),
        ("1500", "ms", "s", nil, "1.5"),
        ("90", "s", "min", nil, "1.5"),
        ("1", "d", "h", nil, "24"),
        ("1", "h", "ms", nil, "3600000"),
        ("7", "h", "d", nil, "0.2916666667"),
        ("86400", "s", "d", nil, "1"),
        ("1", "ms", "d", nil, "1.157407407e-8"),
        ("1e3", "min", "h", nil, "16.66666667"),
        ("1234567890123456789", "mm", "km", nil, "1234567890000"),
        ("12345678905", "mm", "m", nil, "12345678.91"),
        ("0.30000000000000004", "m", "cm", nil, "30"),
        ("1e400", "m", "km", nil, "1e397"),
        ("1e-400", "km", "m", nil, "1e-397"),
        ("-0", "degC", "K", nil, "273.15"),
        ("-0.0", "m", "km", nil, "0"),
        ("1e25", "m", "mm", nil, "1e28"),
        ("0.00000012", "m", "km", nil, "1.2e-10"),
        ("99999999995", "m", "km", nil, "100000000"),
        ("99999999994", "m", "km", nil, "99999999.99"),
        ("20.55", "degF", "degC", 1, "-6.4"),
        ("-6.35", "degF", "degC", 1, "-21.3"),
        ("32.45", "degF", "degC", 2, "0.25"),
        ("0.25", "m", "m", 1, "0.3"),
        ("0.35", "m", "m", 1, "0.4"),
        ("-0.04", "m", "m", 1, "0"),
        ("12.50", "hPa", "mbar", 1, "12.5"),
        ("12.5", "hPa", "mbar", 0, "13"),
        ("1234567890123.45", "m", "cm", 1, "123456789012345"),
        ("7", "mph", "m/s", 0, "3"),
        ("98.6", "degF", "degC", 15, "37"),
        ("123456789012345678901.25", "m", "m", 15, "123456789012345678901.25"),
        ("1234567890123456789012.5", "m", "m", 1, "1.2345678901234567890125e21"),
        ("12345678901234567890123456789", "m", "m", 0, "1.2345678901234567890123e28"),
        ("1e-60", "m", "cm", 3, "0"),
        ("0.5", "m", "m", 0, "1"),
        ("-0.5", "m", "m", 0, "-1"),
        ("1", "km2", "ha", nil, "100"),
        ("1", "acre", "m2", nil, "4046.856422"),
        ("1", "mi2", "acre", nil, "640"),
        ("9", "ft2", "m2", nil, "0.83612736"),
        ("1", "gal", "l", nil, "3.785411784"),
        ("1", "gal", "floz", nil, "128"),
        ("2.5", "m3", "ft3", nil, "88.2866668"),
        ("330", "ml", "l", nil, "0.33"),
        ("1", "kWh", "MJ", nil, "3.6"),
        ("2000", "kcal", "kJ", nil, "8368"),
        ("1", "MWh", "cal", nil, "860420650.1"),
        ("1", "GiB", "MB", nil, "1073.741824"),
        ("1500", "B", "kB", nil, "1.5"),
        ("12345678901234567890", "TiB", "B", nil, "1.35742175e31"),
        ("7", "B", "TiB", 15, "6.366e-12"),
    ]

    @Test("A number is converted to at most ten digits, or to the decimals", arguments: conversions)
    func converted(number: String, from: String, to: String, decimals: Int?, expected: String) throws {
        var unit: JSONValue = ["from": .string(from), "to": .string(to)]
        if let decimals { unit["decimals"] = .number("\(decimals)") }
        let applied = try AppliedRules(["type": "number", "unit": unit], "{\"v\": \(number)}")
        #expect(applied.text == expected)
        #expect(applied.drift == [])
    }

    @Test("Spellings of one unit, and units of one size, keep the text")
    func unchanged() throws {
        for (from, to) in [
            ("F", "degF"), ("°C", "degC"), ("hPa", "mbar"), ("wmoUnit:percent", "%"), ("Cel", "celsius"),
            ("rad", "rad"),
        ] {
            let unit: JSONValue = ["unit": ["from": .string(from), "to": .string(to)]]
            for text in ["12.50", "1e400", "1234567890123456789", "-0", "0.10"] {
                #expect(try AppliedRules(unit, "{\"v\": \(text)}").text == text)
            }
        }
    }

    @Test(
        "A unit has many spellings",
        arguments: [
            ("degC", ["C", "°C", "Cel", "celsius", "Celsius", "wmoUnit:degC", "unit:degC", "degrees_celsius", "DEGC"]),
            ("degF", ["F", "°F", "[degF]", "fahrenheit", "Degrees Fahrenheit"]),
            ("K", ["kelvin", "Kelvin", "wmoUnit:K"]),
            ("km/h", ["wmoUnit:km_h-1", "kph", "KPH", "kilometers per hour", "Kilometres Per Hour", "km h-1"]),
            ("m/s", ["wmoUnit:m_s-1", "mps", "m s-1", "metres per second"]), ("mph", ["mp/h", "MPH", "[mi_i]/h"]),
            ("kn", ["kt", "knots", "[kn_i]"]), ("Pa", ["wmoUnit:Pa", "pascals"]), ("mbar", ["mb", "millibars"]),
            ("inHg", ["in Hg", "[in_i'Hg]", "INHG"]), ("mmHg", ["mm[Hg]", "mm Hg"]), ("psi", ["[psi]", "PSI"]),
            ("%", ["percent", "wmoUnit:percent"]), ("1", ["fraction"]),
            ("deg", ["°", "wmoUnit:degree_(angle)", "degrees"]),
            ("ft", ["feet", "[ft_i]"]), ("in", ["inch", "[in_i]"]), ("lb", ["lbs", "[lb_av]"]),
            ("s", ["seconds", "nwsUnit:s"]),
            ("kcal", ["Cal", "KCAL"]), ("B", ["By", "Bytes"]), ("MiB", ["mib"]), ("m2", ["m²", "sqm"]),
            ("min", ["minutes"]), ("d", ["days"]), ("mi", ["miles", "[mi_i]"]),
        ])
    func spellings(name: String, spellings: [String]) {
        for spelling in [name] + spellings { #expect(MappedUnit.named(spelling)?.name == name, "\(spelling)") }
    }

    @Test("A spelling means one unit, and all units of a quantity convert into each other and back")
    func table() throws {
        var seen: [String: String] = [:]
        for unit in MappedUnit.all {
            for spelling in [unit.name] + unit.symbols + unit.words {
                #expect(seen.updateValue(unit.name, forKey: spelling) == nil, "\(spelling)")
                #expect(MappedUnit.named(spelling)?.name == unit.name)
            }
            for other in MappedUnit.all where other.quantity == unit.quantity {
                let there = try AppliedRules(
                    ["unit": ["from": .string(unit.name), "to": .string(other.name)]], "{\"v\": 7.25}")
                let back = try AppliedRules(
                    ["unit": ["from": .string(other.name), "to": .string(unit.name), "decimals": 4]],
                    "{\"v\": \(there.text ?? "")}")
                #expect(back.text == "7.25", "\(unit.name) \(other.name)")
            }
        }
    }

    @Test("Texts that are no unit have none", arguments: ["", "M", "c", "f", "k", "MM", "wmoUnit:", "furlong", ":"])
    func unknown(spelling: String) { #expect(MappedUnit.named(spelling) == nil) }

    @Test(
        "An expression names the unit of each value",
        arguments: [
            ("{\"v\": 50, \"u\": \"wmoUnit:degF\"}", "10", nil),
            ("{\"v\": 10.0, \"u\": \"wmoUnit:degC\"}", "10.0", nil),
            ("{\"v\": 50, \"u\": \"\\u0046\"}", "10", nil), ("{\"v\": 50, \"u\": null}", nil, "dropped unknownUnit"),
            ("{\"v\": 50}", nil, "dropped unknownUnit"), ("{\"v\": 50, \"u\": 7}", nil, "dropped unknownUnit"),
            ("{\"v\": 50, \"u\": \"m/s\"}", nil, "dropped unknownUnit"),
            ("{\"v\": \"50\", \"u\": \"F\"}", nil, "dropped mistyped"),
        ] as [(String, String?, String?)])
    func named(document: String, expected: String?, drift: String?) throws {
        let applied = try AppliedRules(["unit": ["from": "(u)", "to": "degC"]], document)
        #expect(applied.text == expected)
        #expect(applied.drift == (drift.map { [$0] } ?? []))
    }

    @Test("Numbers of a million digits and large exponents are converted at once")
    func hostile() throws {
        let unit: JSONValue = ["unit": ["from": "degF", "to": "degC"]]
        let digits = String(repeating: "9", count: 1_000_000)
        let start = ContinuousClock.now
        for (number, expected) in [
            (digits, "5.555555556e999999"), ("0." + digits, "-17.22222222"), ("1e999999999", "5.555555556e999999998"),
            ("-1e-999999999", "-17.77777778"), ("1e99999999999999999999", "5.555555556e999999999999999"),
        ] {
            #expect(try AppliedRules(unit, "{\"v\": \(number)}").text == expected)
        }
        #expect(ContinuousClock.now - start < .seconds(2))
    }
}
