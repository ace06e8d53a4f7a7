import Mapping
import Records
import Testing

@Suite("Values of configured answers")
struct ScalarRulesTests {
    private static let values: [(JSONValue, String, String?, [String])] = [
        // Without rules a value stays as it is.
        ([:], "0.10", "0.10", []), ([:], #""a\u00e9""#, #""a\u00e9""#, []), ([:], "[1, 2]", "[1,2]", []),
        ([:], "12345678901234567890123", "12345678901234567890123", []), ([:], "-0", "-0", []),
        // number
        (["type": "number"], "0.10", "0.10", []), (["type": "number"], "1e400", "1e400", []),
        (["type": "number"], "1234567890123456789", "1234567890123456789", []),
        (["type": "number"], #""0.10""#, "0.10", ["coerced numericString"]),
        (["type": "number"], #"" 1e400 ""#, "1e400", ["coerced numericString"]),
        (["type": "number"], #""\u0031.50""#, "1.50", ["coerced numericString"]),
        (["type": "number"], #""0x1F""#, nil, ["dropped mistyped"]),
        (["type": "number"], #""NaN""#, nil, ["dropped mistyped"]),
        (["type": "number"], #""01""#, nil, ["dropped mistyped"]),
        (["type": "number"], #""1,5""#, nil, ["dropped mistyped"]),
        (["type": "number"], #""""#, nil, ["dropped mistyped"]),
        (["type": "number"], "true", nil, ["dropped mistyped"]),
        (["type": "number"], "[1]", nil, ["dropped mistyped"]), (["type": "number"], "{}", nil, ["dropped mistyped"]),
        // integer
        (["type": "integer"], "7", "7", []), (["type": "integer"], "-7", "-7", []),
        (["type": "integer"], "1e2", "100", []),
        (["type": "integer"], "100.0", "100", []), (["type": "integer"], "12.5e1", "125", []),
        (["type": "integer"], "-0", "0", []), (["type": "integer"], "-0.0", "0", []),
        (["type": "integer"], "0e9", "0", []),
        (["type": "integer"], "9223372036854775808", "9223372036854775808", []),
        (["type": "integer"], "12345678901234567890.0", "12345678901234567890", []),
        (["type": "integer"], #""7""#, "7", ["coerced numericString"]),
        (["type": "integer"], #""1e2""#, "100", ["coerced numericString"]),
        (["type": "integer"], "1.5", nil, ["dropped inexact"]),
        (["type": "integer"], #""1.5""#, nil, ["dropped inexact"]),
        (["type": "integer"], "1e-1", nil, ["dropped inexact"]),
        (["type": "integer"], "1e999999999", nil, ["dropped inexact"]),
        (["type": "integer"], "1e99999999999999999999", nil, ["dropped inexact"]),
        (["type": "integer"], #""x""#, nil, ["dropped mistyped"]),
        (["type": "integer"], "false", nil, ["dropped mistyped"]),
        // string
        (["type": "string"], #""a\n""#, #""a\n""#, []),
        (["type": "string"], "0.10", #""0.10""#, ["coerced textOfNumber"]),
        (["type": "string"], "1234567890123456789", #""1234567890123456789""#, ["coerced textOfNumber"]),
        (["type": "string"], "1E400", #""1E400""#, ["coerced textOfNumber"]),
        (["type": "string"], "true", #""true""#, ["coerced textOfBoolean"]),
        (["type": "string"], "[]", nil, ["dropped mistyped"]), (["type": "string"], "{}", nil, ["dropped mistyped"]),
        // boolean
        (["type": "boolean"], "true", "true", []), (["type": "boolean"], "false", "false", []),
        (["type": "boolean"], "1", "true", ["coerced booleanText"]),
        (["type": "boolean"], "0", "false", ["coerced booleanText"]),
        (["type": "boolean"], "1.0", "true", ["coerced booleanText"]),
        (["type": "boolean"], #""true""#, "true", ["coerced booleanText"]),
        (["type": "boolean"], #""0""#, "false", ["coerced booleanText"]),
        (["type": "boolean"], "2", nil, ["dropped mistyped"]),
        (["type": "boolean"], #""yes""#, nil, ["dropped mistyped"]),
        (["type": ["boolean", "null"]], "1", "true", ["coerced booleanText"]),
        // What is expected is no drift.
        (["type": "number", "reads": "text"], #""0.10""#, "0.10", []),
        (["type": "number", "reads": "text"], "1", "1", []),
        (["type": "integer", "reads": "text"], #""7""#, "7", []),
        (["type": "boolean", "reads": "text"], #""true""#, "true", []),
        (["type": "boolean", "reads": "text"], "1", "true", ["coerced booleanText"]),
        (["type": "number", "reads": "text"], #""x""#, nil, ["dropped mistyped"]),
        // absent
        (["absent": [-999, "", "N/A"]], "-999", nil, []),
        (["absent": [-999, "", "N/A"]], "-999.0", nil, []),
        (["absent": [-999, "", "N/A"]], "-9.99e2", nil, []),
        (["absent": [-999, "", "N/A"]], #""N\/A""#, nil, []),
        (["absent": [-999, "", "N/A"]], #""-999""#, #""-999""#, []), (["absent": [-999]], "-998.9", "-998.9", []),
        (["absent": [false, [], [0, 0.0]]], "false", nil, []),
        (["absent": [false, [], [0, 0.0]]], "[]", nil, []),
        (["absent": [false, [], [0, 0.0]]], "[0.0, 0]", nil, []),
        (["absent": [false, [], [0, 0.0]]], "{}", "{}", []),
        (["absent": [["a": 1]]], #"{"a": 1.0}"#, nil, []),
        // map
        (["map": ["R": "rain", "X": nil, "1": true]], #""R""#, #""rain""#, []),
        (["map": ["R": "rain", "X": nil, "1": true]], #""\u0052""#, #""rain""#, []),
        (["map": ["R": "rain", "X": nil, "1": true]], "1", "true", []),
        (["map": ["R": "rain", "X": nil]], #""X""#, nil, []),
        (["map": ["R": "rain"]], #""S""#, #""S""#, ["unrecognized unknownValue"]),
        // Canonically equivalent texts are others.
        (["map": ["K": "kilo"]], #""\u212A""#, #""\u212A""#, ["unrecognized unknownValue"]),
        (["map": ["\u{C5}": 1, "A\u{30A}": 2]], #""A\u030A""#, "2", []),
        (["map": ["R": "rain", "*": "other"]], #""S""#, #""other""#, []),
        (["map": ["R": "rain", "*": nil]], #""S""#, nil, []),
        (["map": ["1.0": "one"]], "1", "1", ["unrecognized unknownValue"]),
        (["map": ["true": "yes"]], "true", #""yes""#, []),
        (["map": ["R": ["kind": "rain", "wet": [true]]]], #""R""#, #"{"kind":"rain","wet":[true]}"#, []),
        (["map": ["R": "rain"]], "[1]", "[1]", []),
        // checks
        (["minimum": 0, "maximum": 10], "10.0", "10.0", []), (["minimum": 0, "maximum": 10], "-0.0", "-0.0", []),
        (["minimum": 0, "maximum": 10], "10.00000000000000000001", nil, ["dropped implausible"]),
        (["minimum": 0, "maximum": 10], "-1e-400", nil, ["dropped implausible"]),
        (["maximum": 9007199254740992], "9007199254740993", nil, ["dropped implausible"]),
        (["minimum": -5], "-5", "-5", []), (["minimum": -5], "-5.1", nil, ["dropped implausible"]),
        (["minimum": 0, "maximum": 10], #""11""#, #""11""#, []),
        (["minimum": 0, "maximum": 10], "1e999999999", nil, ["dropped implausible"]),
        (["enum": ["a", 1, nil]], #""a""#, #""a""#, []), (["enum": ["a", 1]], "1.0", "1.0", []),
        (["enum": ["a", 1]], #""b""#, #""b""#, ["unrecognized unknownValue"]),
        (["pattern": "^[A-Z]{4}$"], #""KSFO""#, #""KSFO""#, []),
        (["pattern": "^[A-Z]{4}$"], #""\u004bSFO""#, #""\u004bSFO""#, []),
        (["pattern": "^[A-Z]{4}$"], #""ksfo""#, nil, ["dropped unmatched"]), (["pattern": "^[A-Z]{4}$"], "7", "7", []),
        // The order: absent, map, type, unit, format, checks.
        (["absent": ["R"], "map": ["R": "rain"]], #""R""#, nil, []),
        (["absent": ["rain"], "map": ["R": "rain"]], #""R""#, #""rain""#, []),
        (["map": ["7": "8"], "type": "number"], "7", "8", ["coerced numericString"]),
        (["type": "number", "unit": ["from": "F", "to": "degC"]], #""50""#, "10", ["coerced numericString"]),
        (["unit": ["from": "F", "to": "degC"], "maximum": 20], "50", "10", []),
        (["unit": ["from": "F", "to": "degC"], "maximum": 9], "50", nil, ["dropped implausible"]),
        (["unit": ["from": "F", "to": "degC"], "enum": [10]], "50", "10", []),
        (
            ["type": "string", "format": "date-time", "reads": "unix"], "0", #""1970-01-01T00:00:00Z""#,
            ["coerced textOfNumber"]
        ),
        (["format": "date", "enum": ["2016-03-28"]], #""2016-03-28T01:00:00Z""#, #""2016-03-28""#, []),
        (["format": "date-time", "pattern": "^2016"], #""2017-01-01""#, nil, ["dropped unmatched"]),
        (["format": "date-time", "writes": "unix", "minimum": 0], #""1969-01-01""#, nil, ["dropped implausible"]),
        (
            ["map": ["x": "1"], "type": "integer", "minimum": 5, "enum": [9]], #""7""#, "7",
            ["unrecognized unknownValue", "coerced numericString", "unrecognized unknownValue"]
        ),
    ]

    @Test("Rules apply to a value", arguments: values)
    func applied(rules: JSONValue, value: String, expected: String?, drift: [String]) throws {
        let applied = try AppliedRules(rules, "{\"v\": \(value)}")
        #expect(applied.text == expected, "\(rules) \(value)")
        #expect(applied.drift == drift, "\(rules) \(value)")
    }

    private static let faulty: [(JSONValue, [String])] = [
        (
            ["type": "sting"],
            [#".type: must be one of string, number, integer, boolean, array, object; did you mean "string"?"#]
        ),
        (["type": ["string", "number"]], [#".type: must be one type, or an array of one and "null""#]),
        (["type": 7], [#".type: must be one type, or an array of one and "null""#]),
        (
            ["unit": ["from": "celsuis", "to": "degF"]],
            [#".unit.from: must be a unit that weir units lists; did you mean "celsius"?"#]
        ),
        (["unit": ["from": "m/s", "to": "degF"]], [".unit.from: m/s is a unit of speed, and degF one of temperature"]),
        (
            ["unit": ["from": "x y z", "to": "quux", "digits": 2]],
            [
                ".unit.digits: is none of from, to, decimals",
                ".unit.to: must be a unit that weir units lists",
                ".unit.from: must be a unit that weir units lists",
            ]
        ),
        (["unit": ["to": "degC"]], [".unit.from: is required: a unit that weir units lists"]),
        (["unit": "degC"], [".unit: must be an object, not a string"]),
        (["unit": ["from": "K", "to": "degC", "decimals": 16]], [".unit.decimals: must be an integer from 0 to 15"]),
        (["unit": ["from": "K", "to": "degC"], "type": "string"], [#".unit: needs "type": "number", or no type"#]),
        (["format": "datetime"], [#".format: must be date-time or date; did you mean "date-time"?"#]),
        (["zone": "UTC"], [#".zone: needs "format": "date-time" or "date""#]),
        (
            ["format": "date", "zone": "Europe/Berlinn"],
            [
                ".zone: must be the name of a time zone such as Europe/Berlin, or an expression in parentheses"
            ]
        ),
        (
            ["format": "date", "writes": "UNIX"],
            [#".writes: must be iso8601 or unix or unixSeconds or unixMilliseconds; did you mean "unix"?"#]
        ),
        (["format": "date", "reads": []], [".reads: must name at least one form of dates"]),
        (
            ["format": "date", "reads": "unixMillisecond"],
            [
                ".reads: must be iso8601, unix, unixSeconds, unixMilliseconds, unixMicroseconds, /Date()/, http, or a "
                    + "pattern such as dd.MM.yyyy HH:mm; "
                    + #"did you mean "unixMilliseconds"? The date pattern's field 'u' is not supported."#
            ]
        ),
        (["absent": -999], [".absent: must be an array, not a number"]),
        (["map": []], [".map: must be an object, not an array"]),
        (["enum": []], [".enum: must list at least one value"]),
        (["minimum": "0"], [".minimum: must be a number, not a string"]),
        (["minimum": 2, "maximum": 1], [".maximum: must not be below minimum"]),
        (["pattern": "a("], [".pattern: must be a regular expression: missing closing parenthesis at offset 2"]),
        (["pattern": 7], [".pattern: must be a text, not a number"]),
    ]

    @Test("Wrong rules are faults with the place", arguments: faulty)
    func faults(rules: JSONValue, expected: [String]) { #expect(AppliedRules.faults(of: rules) == expected) }

    private static let schemas: [(JSONValue, JSONValue)] = [
        ([:], [:]),
        (["type": "integer", "minimum": 0, "maximum": 9], ["type": "integer", "minimum": 0, "maximum": 9]),
        (["type": "string", "enum": ["a"], "pattern": "^a"], ["type": "string", "enum": ["a"], "pattern": "^a"]),
        (["unit": ["from": "F", "to": "celsius"]], ["type": "number", "x-unit": "degC"]),
        (["type": "integer", "unit": ["from": "F", "to": "degC"]], ["type": "number", "x-unit": "degC"]),
        (
            ["type": "integer", "unit": ["from": "F", "to": "degC", "decimals": 0]],
            ["type": "integer", "x-unit": "degC"]
        ),
        (["type": "string", "format": "date"], ["type": "string", "format": "date"]),
        (["format": "date-time"], ["type": "string", "format": "date-time"]),
        (["format": "date-time", "writes": "unix"], ["type": "number"]),
        (["type": ["number", "null"], "absent": [-1], "map": ["a": 1]], ["type": "number"]),
    ]

    @Test("The schema says what is written", arguments: schemas)
    func schema(rules: JSONValue, expected: JSONValue) {
        #expect(JSONValue.object(ScalarRules(rules, at: "", variables: []) { _, _ in }.schema) == expected)
    }

    @Test("Long texts and numbers cost no more than their length")
    func hostile() throws {
        let text = String(repeating: "e\u{301}\u{302}", count: 300_000),
            digits = String(repeating: "7", count: 1_000_000)
        let start = ContinuousClock.now
        let names: JSONValue = ["map": .object((0..<500).map { .init("name\($0)", "x") }), "absent": ["", "e"]]
        #expect(try AppliedRules(names, "{\"v\": \"\(text)\"}").drift == ["unrecognized unknownValue"])
        #expect(try AppliedRules(["type": "integer"], "{\"v\": \(digits)}").text == digits)
        #expect(try AppliedRules(["type": "integer"], "{\"v\": \(digits).0}").drift == ["dropped inexact"])
        #expect(try AppliedRules(["type": "boolean"], "{\"v\": \"\(text)\"}").drift == ["dropped mistyped"])
        #expect(try AppliedRules(["maximum": 1], "{\"v\": \(digits)}").drift == ["dropped implausible"])
        #expect(try AppliedRules(["unit": ["from": "(u)", "to": "m"]], "{\"v\": 1, \"u\": \"\(text)\"}").text == nil)
        #expect(ContinuousClock.now - start < .seconds(3))
    }
}
