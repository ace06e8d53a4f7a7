import Foundation
import JSONText
import LenientCoding
import Testing

private struct Field<Value: Decodable>: Decodable, CustomStringConvertible {
    let value: Value
    var description: String { "value \(value)" }
}

@Suite("Scalars decode as with Foundation")
struct ScalarDecodingTests {
    private func check<Value: Decodable>(_ type: Value.Type, _ cases: [(String, String)]) {
        for (text, expected) in cases {
            let isError = expected.contains(" at ")
            let member = isError ? expected + "value" : "value \(expected)"
            let strict = LenientDecoder.strict
            #expect(result(type, text, by: strict) == expected, "\(type) from \(text)")
            #expect(result(Field<Value>.self, "{\"value\":\(text)}", by: strict) == member, "\(type) from \(text)")
            // Foundation refuses the same documents, but its errors for numbers out of range have no path.
            let foundation = result(type, text, by: FoundationDecoder())
            #expect(isError ? foundation.contains(" at ") : foundation == expected, "\(type) from \(text)")
        }
    }

    @Test("Integers of every width decode up to the limits of their types")
    func integerBounds() {
        func bounds<Value: FixedWidthInteger & Decodable>(_ type: Value.Type, _ below: String, _ above: String) {
            check(
                type,
                [
                    ("\(type.min)", "\(type.min)"), ("\(type.max)", "\(type.max)"),
                    (below, "dataCorrupted at "), (above, "dataCorrupted at "), ("1.5", "dataCorrupted at "),
                    ("true", "typeMismatch at "), ("\"1\"", "typeMismatch at "), ("null", "valueNotFound at "),
                    ("[]", "typeMismatch at "), ("{}", "typeMismatch at "),
                ])
        }
        bounds(Int8.self, "-129", "128")
        bounds(Int16.self, "-32769", "32768")
        bounds(Int32.self, "-2147483649", "2147483648")
        bounds(Int64.self, "-9223372036854775809", "9223372036854775808")
        bounds(Int.self, "-9223372036854775809", "9223372036854775808")
        bounds(UInt8.self, "-1", "256")
        bounds(UInt16.self, "-1", "65536")
        bounds(UInt32.self, "-1", "4294967296")
        bounds(UInt64.self, "-1", "18446744073709551616")
        bounds(UInt.self, "-1", "18446744073709551616")
    }

    @Test("Integers of 128 bits are exact")
    func wideIntegers() throws {
        for decoder in strictDecoders {
            #expect(try decoder.decode(Int128.self, text: "\(Int128.min)") == .min)
            #expect(try decoder.decode(UInt128.self, text: "\(UInt128.max)") == .max)
            #expect(result(UInt128.self, "340282366920938463463374607431768211456", by: decoder) == "dataCorrupted at ")
        }
    }

    @Test("A number with an integral value decodes as an integer in every spelling")
    func integralNumbers() {
        check(Int.self, [("10.0", "10"), ("1e1", "10"), ("-0", "0"), ("-0.0", "0"), ("120e-1", "12")])
        check(UInt8.self, [("2.55e2", "255")])
    }

    @Test("A double is the nearest one; a number outside the range of doubles is refused")
    func doubles() {
        check(
            Double.self,
            [
                ("0.1", "0.1"), ("-1.5e3", "-1500.0"), ("5e-324", "5e-324"), ("9007199254740993", "9007199254740992.0"),
                ("1e400", "dataCorrupted at "), ("-1e400", "dataCorrupted at "), ("1e-400", "dataCorrupted at "),
                ("0e-400", "0.0"), ("-0.0", "-0.0"), ("\"1\"", "typeMismatch at "),
                ("false", "typeMismatch at "), ("null", "valueNotFound at "),
            ])
        check(Float.self, [("0.1", "0.1"), ("16777217", "16777216.0"), ("1e39", "dataCorrupted at ")])
    }

    @Test("Booleans and strings decode only from their own kind")
    func booleansAndStrings() {
        check(
            Bool.self, [("true", "true"), ("false", "false"), ("1", "typeMismatch at "), ("null", "valueNotFound at ")])
        check(
            String.self,
            [
                (#""""#, ""), (#""a\u00e9\ud83d\ude00\n""#, "aé😀\n"), ("1", "typeMismatch at "),
                ("true", "typeMismatch at "), ("null", "valueNotFound at "), ("[]", "typeMismatch at "),
            ])
    }

    @Test(
        "A decimal has exactly the digits of the document",
        arguments: ["0.1", "-12345678901234567890.12345678", "1E-3", "7"])
    func decimals(text: String) throws {
        for decoder in decoders {
            #expect(try decoder.decode(Decimal.self, text: text) == Decimal(string: text))
            #expect(try decoder.decode([Decimal].self, text: "[\(text)]") == [Decimal(string: text)])
        }
    }

    @Test("URLs, data and dates decode in their default forms")
    func foundationTypes() throws {
        for decoder in decoders {
            #expect(try decoder.decode(URL.self, text: #""http://a/b?c""#) == URL(string: "http://a/b?c"))
            #expect(try decoder.decode(Data.self, text: #""AQID""#) == Data([1, 2, 3]))
            #expect(try decoder.decode(Date.self, text: "12.5") == Date(timeIntervalSinceReferenceDate: 12.5))
        }
        for decoder in strictDecoders {
            #expect(result(URL.self, #""""#, by: decoder) == "dataCorrupted at ")
            #expect(result(Data.self, #""A Q""#, by: decoder) == "dataCorrupted at ")
            #expect(result(Data.self, #""AQI""#, by: decoder) == "dataCorrupted at ")
            #expect(result(Date.self, #""x""#, by: decoder) == "typeMismatch at ")
            #expect(result([Decimal].self, #"[1,"x"]"#, by: decoder) == "typeMismatch at 1")
        }
    }

    @Test(
        "Malformed JSON is corrupted data at the root, with the syntax error underneath",
        arguments: ["", "[1", "{\"a\" 1}", "tru", "[1]]", "\u{FEFF}x"])
    func malformed(text: String) throws {
        for decoder in decoders { #expect(result([Int].self, text, by: decoder) == "dataCorrupted at ") }
        do {
            _ = try LenientDecoder().decode([Int].self, text: text)
        } catch DecodingError.dataCorrupted(let context) {
            #expect(context.underlyingError is JSONSyntaxError)
        }
    }
}
