import JSONText
import TestSupport
import Testing

@Suite("Writing doubles")
struct NumberWritingTests {
    @Test(
        "A double is written in its shortest form, an integral one without a point",
        arguments: [
            (0, "0"), (-0.0, "-0"), (10, "10"), (-10, "-10"), (0.1, "0.1"), (-0.5, "-0.5"), (10.25, "10.25"),
            (37.8267, "37.8267"), (-122.4233, "-122.4233"), (1_509_993_277, "1509993277"), (0.0071, "0.0071"),
            (0.000001, "0.000001"), (1.5e-7, "1.5e-7"), (1e-10, "1e-10"), (123456.789, "123456.789"),
            (0.1 + 0.2, "0.30000000000000004"), (1.0 / 3, "0.3333333333333333"), (1e15, "1000000000000000"),
            (9_007_199_254_740_992, "9007199254740992"), (1e16, "10000000000000000"),
            (1.5e20, "150000000000000000000"), (1e21, "1e21"),
            (1.25e22, "1.25e22"), (1e100, "1e100"), (.leastNonzeroMagnitude, "5e-324"),
            (2.2250738585072014e-308, "2.2250738585072014e-308"), (1.7976931348623157e308, "1.7976931348623157e308"),
            (999_999_999_999_999, "999999999999999"), (999_999_999_999_999.9, "999999999999999.9"),
            (0.999999, "0.999999"), (4.35, "4.35"), (1e-6 + 1e-12, "1.000001e-6"),
            (0.00001, "0.00001"), (-0.000015, "-0.000015"), (0.0000125, "1.25e-5"), (-1.5e-7, "-1.5e-7"),
            (0.00012345, "0.00012345"), (51.507351, "51.507351"), (-9_999_999.87654321, "-9999999.87654321"),
            (-1.25e17, "-125000000000000000"), (123_456_789_012_345_680, "123456789012345680"), (-1.5e300, "-1.5e300"),
        ] as [(Double, String)])
    func table(value: Double, expected: String) { #expect(written { $0.write(value) } == expected) }

    @Test(
        "NaN and the infinities are written as null", arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
    func notFinite(value: Double) { #expect(written { $0.write(value) } == "null") }

    @Test("Random doubles read back unchanged and take no more digits than the standard library's shortest form")
    func randomBitPatterns() {
        var random = SplitMix64(seed: 3)
        var values: [Double] = []
        while values.count < 100_000 {
            let value = Double(bitPattern: random.next())
            if value.isFinite { values.append(value) }
        }
        #expect(Self.faults(in: values) == [])
    }

    @Test("Doubles like those of measurements read back unchanged in the fewest digits")
    func randomMeasurements() {
        var random = SplitMix64(seed: 4)
        let values = [1, 1e-3, 1e-6, 1e9, 1e13].flatMap { scale in
            (0..<10_000).map { _ in Double.random(in: -1000...1000, using: &random) * scale }
        }
        #expect(Self.faults(in: values) == [])
    }

    @Test("Random decimals of up to eight places are written with the same digits", arguments: 0...8)
    func randomDecimals(places: Int) {
        var random = SplitMix64(seed: 5)
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        var wrong: [String] = []
        for _ in 0..<20_000 {
            let digits = Int64.random(in: -100_000_000...100_000_000, using: &random)
            let value = Double(digits) / scale
            // A smaller number with many places is shorter with an exponent.
            if places > 6, value.magnitude < 1e-4 { continue }
            let text = written { $0.write(value) }
            if text != Self.decimal(digits, places: places) { wrong.append(text) }
        }
        #expect(wrong == [])
    }

    /// Returns the written texts that are not JSON, do not read back unchanged, or are longer than necessary.
    private static func faults(in values: [Double]) -> [String] {
        values.compactMap { value in
            let text = written { $0.write(value) }
            let readBack = try? reading(text) { $0.double }
            let isShortest = significantDigits(text) == significantDigits(value.description)
            return readBack?.bitPattern == value.bitPattern && isShortest ? nil : text
        }
    }

    /// Returns the digits from the first to the last that is not 0.
    private static func significantDigits(_ text: String) -> String {
        var digits = Array(text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { 0x30...0x39 ~= $0 })
        while digits.last == 0x30 { digits.removeLast() }
        return String(decoding: digits.drop { $0 == 0x30 }, as: UTF8.self)
    }

    /// Returns the decimal text of `digits` divided by ten to the power of `places`.
    private static func decimal(_ digits: Int64, places: Int) -> String {
        var text = String(digits.magnitude)
        while text.count <= places { text = "0" + text }
        var fraction = String(text.suffix(places))
        while fraction.last == "0" { fraction.removeLast() }
        let whole = text.dropLast(places)
        return "\(digits < 0 ? "-" : "")\(whole)\(fraction.isEmpty ? "" : "." + fraction)"
    }
}
