import Foundation
import JSONText
import TestSupport
import Testing

@Suite("Reading numbers")
struct NumberReadingTests {
    @Test(
        "A number with an integral value is read as an integer in every spelling",
        arguments: [
            ("0", 0), ("-0", 0), ("10", 10), ("10.0", 10), ("10.000", 10), ("1e1", 10), ("1E+1", 10), ("100e-1", 10),
            ("0.001e3", 1), ("1.5e1", 15), ("-2.50e2", -250), ("0e99999", 0), ("0.0e-99999", 0), ("0.00000", 0),
            ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775807.0", .max),
            ("9.223372036854775807e18", .max), ("-9223372036854775808.000", .min), ("92233720368547758070e-1", .max),
            ("1.00000000000000000000000000", 1), ("9007199254740993", 9_007_199_254_740_993),
            ("1e18", 1_000_000_000_000_000_000), ("100000000000000000000000e-23", 1),
            ("1234567890123456789", 1_234_567_890_123_456_789),
        ] as [(String, Int64)])
    func integers(text: String, expected: Int64) throws { #expect(try reading(text) { $0.int64 } == expected) }

    @Test(
        "A number with a fraction or outside the range is not read as an integer",
        arguments: [
            "0.5", "10.1", "1e-1", "-0.001", "1.0000000000000000000000000001", "9223372036854775808",
            "-9223372036854775809", "9223372036854775807.5", "18446744073709551615", "1e19", "-1e19", "1e400", "1e-400",
            "1e9999999999999999999", "1e-9999999999999999999", "99999999999999999999999999",
        ])
    func notIntegers(text: String) throws { #expect(try reading(text) { $0.int64 } == nil) }

    @Test(
        "Unsigned integers are read up to the limits of their type",
        arguments: [
            ("0", 0), ("-0", 0), ("18446744073709551615", .max), ("18446744073709551615.0", .max),
            ("1844674407370955161.5e1", .max), ("9223372036854775808", 1 << 63), ("18446744073709551616", nil),
            ("184467440737095516150", nil), ("-1", nil), ("0.5", nil), ("18446744073709551615.5", nil),
            ("99999999999999999999", nil), ("1e19", 10_000_000_000_000_000_000),
        ] as [(String, UInt64?)])
    func unsigned(text: String, expected: UInt64?) throws { #expect(try reading(text) { $0.uint64 } == expected) }

    @Test("Integers of every width are read up to the limits of their types")
    func widths() {
        func read<Value: FixedWidthInteger>(_ text: String, as type: Value.Type = Value.self) -> Value? {
            NumberText.integer(text)
        }
        #expect(
            [read("127", as: Int8.self), read("-128"), read("1.27e2"), read("-1280e-1")] == [127, -128, 127, -128])
        #expect([read("128", as: Int8.self), read("-129"), read("1.28e2"), read("0.5")] == [nil, nil, nil, nil])
        #expect([read("255", as: UInt8.self), read("-0"), read("256"), read("-1")] == [255, 0, nil, nil])
        let (minimum, maximum) = (Int128.min, Int128.max)
        #expect(
            [read("\(minimum)", as: Int128.self), read("\(maximum).0"), read("\(maximum)0e-1")] == [
                minimum, maximum, maximum,
            ])
        #expect(read("\(UInt128.max)", as: UInt128.self) == .max)
        #expect(read("1e38", as: UInt128.self) == UInt128("1" + String(repeating: "0", count: 38)))
        #expect([read("\(UInt128.max)0", as: UInt128.self), read("1e39"), read("-1")] == [nil, nil, nil])
        #expect([read("NaN", as: Int64.self), read("Infinity"), read("-Infinity"), read("")] == [nil, nil, nil, nil])
    }

    @Test("A text is a number if all of it matches JSON's grammar")
    func grammar() {
        let numbers = ["0", "-0", "10", "0.5", "1e5", "-1.5E+07"]
        let others = ["", "-", "01", "+1", "1.", ".5", "1e", " 1", "1 ", "NaN", "Infinity", "0x1", "1,"]
        #expect(numbers.filter { !NumberText.isNumber($0) } == [])
        #expect(others.filter(NumberText.isNumber) == [])
    }

    @Test("The text of a number is available, for types with other ranges")
    func text() throws {
        let texts = try reading(#"[170141183460469231731687303715884105727,0.10,1E5,"1",null]"#) {
            $0.elements.map(\.numberText)
        }
        #expect(texts == ["170141183460469231731687303715884105727", "0.10", "1E5", nil, nil])
    }

    @Test(
        "A double is the nearest one, with the bits of the standard library's result",
        arguments: [
            "0", "-0", "-0.0", "1", "0.1", "-0.1", "0.3", "2.5", "1e22", "1e23", "1e-22", "1e-23", "123456789012345678",
            "9007199254740991", "9007199254740992", "9007199254740993", "9007199254740993e5", "1.7976931348623157e308",
            "4.9e-324", "5e-324", "2.2250738585072011e-308", "2.2250738585072014e-308", "2.225073858507201e-308",
            "1e-400", "0e400", "0e9999999999999999999999", "0.000000000000000000000000000000000000000000000001",
            "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416"
                + "692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366"
                + "959622842914819860834936475292719074168444365510704342711559699508093042880e0",
            "8.41E+21", "6.631236846766476e-316", "37.8267", "-122.4233",
            "1.00000000000000011102230246251565404236316680908203125",
            "1.00000000000000011102230246251565404236316680908203124",
            "1.00000000000000011102230246251565404236316680908203126",
        ])
    func doubles(text: String) throws {
        let expected = try #require(Double(text))
        let read = try #require(try reading(text) { $0.double })
        #expect(read.bitPattern == expected.bitPattern)
        // Foundation refuses numbers that underflow, and loses the sign of an integer -0.
        guard text != "-0", let decoded = try? JSONDecoder().decode(Double.self, from: Data(text.utf8)) else { return }
        #expect(decoded.bitPattern == read.bitPattern)
    }

    @Test(
        "A number outside the range of doubles is not read as a double",
        arguments: ["1e400", "-1e400", "1.8e308", "1e309", "123456789e999999999999999999999", "1e999999999"])
    func beyondRange(text: String) throws { #expect(try reading(text) { $0.double } == nil) }

    @Test("Random decimals are read with the bits of the standard library's result")
    func randomDoubles() throws {
        var random = SplitMix64(seed: 1)
        var texts: [String] = []
        for _ in 0..<20_000 { texts.append(Self.decimal(&random)) }
        let read = try reading("[" + texts.joined(separator: ",") + "]") { $0.elements.map { $0.double } }
        let differing = zip(texts, read).filter { text, value in
            let expected = Double(text).flatMap { $0.isFinite ? $0 : nil }
            return value?.bitPattern != expected?.bitPattern
        }
        #expect(differing.map(\.0) == [])
    }

    @Test("Random integers, some with a fraction of zeros, are read as the standard library reads them")
    func randomIntegers() throws {
        var random = SplitMix64(seed: 2)
        var texts: [String] = []
        for _ in 0..<20_000 {
            let digits = Int.random(in: 1...20, using: &random)
            let first = String(Int.random(in: 1...9, using: &random))
            let rest = (1..<max(digits, 2)).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            texts.append((Bool.random(using: &random) ? "-" : "") + first + rest)
        }
        for ending in ["", ".0", ".000e0", "0e-1", "000E-3"] {
            let read = try reading("[" + texts.map { $0 + ending }.joined(separator: ",") + "]") {
                $0.elements.map { $0.int64 }
            }
            let differing = zip(texts, read).filter { Int64($0) != $1 }
            #expect(differing.map(\.0) == [], "with \(ending)")
        }
    }

    /// Returns a number of JSON's grammar: short or long, with or without a fraction and an exponent.
    private static func decimal(_ random: inout SplitMix64) -> String {
        func digits(_ count: Int) -> String {
            (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
        }
        var text = Bool.random(using: &random) ? "-" : ""
        let whole = digits(Int.random(in: 1...22, using: &random)).drop { $0 == "0" }
        text += whole.isEmpty ? "0" : String(whole)
        if Bool.random(using: &random) { text += "." + digits(Int.random(in: 1...25, using: &random)) }
        if Bool.random(using: &random) {
            let limit = Bool.random(using: &random) ? 30 : 330
            text += ["e", "E", "e+"].randomElement(using: &random) ?? "e"
            let exponent = Int.random(in: 0...limit, using: &random)
            text += text.hasSuffix("+") || Bool.random(using: &random) ? "\(exponent)" : "-\(exponent)"
        }
        return text
    }

    @Test("Short decimals have the same value at every position of a document")
    func shortDecimals() throws {
        var texts: [String] = []
        let numbers = [
            0, 1, 7, 10, 99, 100, 123, 4567, 90_000, 123_456, 7_654_321, 99_999_999, 123_456_789, 1_767_290_437,
            99_999_999_999, 123_456_789_012_345, 999_999_999_999_999, 1_234_567_890_123_456,
        ]
        for number in numbers {
            let digits = String(number)
            texts += [digits, "-" + digits, digits + "e1", digits + "E-1"]
            for point in 1..<digits.count {
                texts.append("\(digits.prefix(point)).\(digits.dropFirst(point))")
            }
            for zeros in 0...6 {
                texts += [
                    "0.\(String(repeating: "0", count: zeros))\(digits)",
                    "-\(digits).\(String(repeating: "0", count: zeros + 1))",
                ]
            }
        }
        for text in texts {
            let expected = try #require(Double(text)).bitPattern
            #expect(try reading(text) { $0.double }?.bitPattern == expected, "\(text)")
            #expect(try reading("[\(text)]") { $0.elements.map(\.double) }.first??.bitPattern == expected, "\(text)")
            let padded = try reading("[[], [[]], [], [], \(text)]") { Array($0.elements).last?.double }
            #expect(padded?.bitPattern == expected, "\(text)")
        }
    }
}
