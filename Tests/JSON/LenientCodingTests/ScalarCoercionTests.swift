import Foundation
import LenientCoding
import Testing

/// A required field of a record.
private struct Row<Value: FieldValue>: Record {
    var value: Value?
    static var schema: Schema<Self> { Schema { Field(\.value, .required) } }
}

/// A required property of a Codable model.
private struct Plain<Value: Decodable>: Decodable { var value: Value }
/// A required property with the wrapper.
private struct Wrapped<Value: LosslessValue>: Decodable { @Lossless var value: Value }

/// The result of reading a scalar: its value and the reason of a conversion.
private struct Reading: Equatable {
    var value: String
    var reason: DriftReport.Reason?
}

@Suite("Conversion of scalars")
struct ScalarCoercionTests {
    @Test(
        "A record, the decoder and @Lossless convert a scalar to the same Boolean",
        arguments: [
            ("true", Reading(value: "true")), ("false", Reading(value: "false")),
            ("1", Reading(value: "true", reason: .booleanText)), ("0", Reading(value: "false", reason: .booleanText)),
            ("1.0", Reading(value: "true", reason: .booleanText)),
            ("0e5", Reading(value: "false", reason: .booleanText)),
            (#""true""#, Reading(value: "true", reason: .booleanText)),
            (#""0""#, Reading(value: "false", reason: .booleanText)), ("2", nil), ("0.5", nil), ("1e400", nil),
            (#""yes""#, nil), (#""TRUE""#, nil), (#"" 1 ""#, nil), (#""""#, nil), ("[]", nil), ("{}", nil),
        ] as [(String, Reading?)])
    private func booleans(text: String, expected: Reading?) {
        #expect(readings(Bool.self, text) == [expected, expected, expected])
    }

    @Test(
        "A record, the decoder and @Lossless convert a scalar to the same integer",
        arguments: [
            ("7", Reading(value: "7")), ("7.0", Reading(value: "7")), ("70e-1", Reading(value: "7")),
            (#""7""#, Reading(value: "7", reason: .numericString)),
            (#"" 7 ""#, Reading(value: "7", reason: .numericString)),
            (#""7.0""#, Reading(value: "7", reason: .numericString)),
            (#""-9223372036854775808""#, Reading(value: "-9223372036854775808", reason: .numericString)),
            ("7.5", nil), (#""7.5""#, nil), (#""9223372036854775808""#, nil), (#""+7""#, nil), (#""07""#, nil),
            (#""0x7""#, nil), (#""7 km""#, nil), (#""\t7""#, nil), (#""""#, nil), (#"" ""#, nil), ("true", nil),
        ] as [(String, Reading?)])
    private func integers(text: String, expected: Reading?) {
        #expect(readings(Int.self, text) == [expected, expected, expected])
    }

    @Test(
        "A record, the decoder and @Lossless convert a scalar to the same double",
        arguments: [
            ("7", Reading(value: "7.0")), (#""0.5""#, Reading(value: "0.5", reason: .numericString)),
            (#"" -3e2 ""#, Reading(value: "-300.0", reason: .numericString)), (#""1e400""#, nil), ("1e400", nil),
            (#""NaN""#, nil), (#""inf""#, nil), (#"".5""#, nil), (#""12 km""#, nil), ("false", nil),
        ] as [(String, Reading?)])
    private func doubles(text: String, expected: Reading?) {
        #expect(readings(Double.self, text) == [expected, expected, expected])
    }

    @Test(
        "A record, the decoder and @Lossless convert a scalar to the same string",
        arguments: [
            (#""a""#, Reading(value: "a")), (#"" 7 ""#, Reading(value: " 7 ")),
            ("1.50", Reading(value: "1.50", reason: .textOfNumber)),
            ("12345678901234567890123", Reading(value: "12345678901234567890123", reason: .textOfNumber)),
            ("[]", nil),
        ] as [(String, Reading?)])
    private func strings(text: String, expected: Reading?) {
        #expect(readings(String.self, text) == [expected, expected, expected])
    }

    /// Returns the readings of `text` by a record, the decoder and `@Lossless`; nil for a refusal.
    private func readings<Value: FieldValue & LosslessValue>(_ type: Value.Type, _ text: String) -> [Reading?] {
        [
            reading(Row<Value>.self, text) { $0.value.map { "\($0)" } ?? "" },
            reading(Plain<Value>.self, text) { "\($0.value)" }, reading(Wrapped<Value>.self, text) { "\($0.value)" },
        ]
    }

    private func reading<Model: Decodable>(
        _ type: Model.Type, _ text: String, _ value: (Model) -> String
    ) -> Reading? {
        var drift = DriftReport()
        guard
            let model = try? LenientDecoder(leniency: .coercion)
                .decode(type, from: Array("{\"value\":\(text)}".utf8), drift: &drift)
        else { return nil }
        return Reading(value: value(model), reason: drift.entries.first?.reason)
    }
}
