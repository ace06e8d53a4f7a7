import Foundation
import LenientCoding

// The test cases of MetaCodable for its helper coders: bytes, dates, sequences and numbers that JSON does not have.
extension MetaCodableCases {
    private struct Letter: Codable, Equatable { @Coded<Base64> var text: Data }

    private struct Times: Codable, Equatable {
        enum Plain: FixedDateStrategy { static let format: FixedDateFormat = "yyyy-MM-dd'T'HH:mm:ssZ" }
        @Coded<UnixSeconds> var seconds: Date
        @Coded<UnixMilliseconds> var milliseconds: Date
        @Coded<Fraction<1_000_000>> var microseconds: Date
        @Coded<Fraction<1_000_000_000>> var nanoseconds: Date
        @Coded<ISO8601> var text: Date
        @Coded<Plain> var plain: Date

        var all: [Date] { [seconds, milliseconds, microseconds, nanoseconds, text, plain] }
    }
    /// Fractions of a second since 1970.
    private enum Fraction<let perSecond: Int>: CodingStrategy {
        static func decode(from decoder: any Decoder) throws -> Date {
            Date(timeIntervalSince1970: try Double(from: decoder) / Double(perSecond))
        }
        static func encode(_ value: Date, to encoder: any Encoder) throws {
            try (value.timeIntervalSince1970 * Double(perSecond)).encode(to: encoder)
        }
    }
    /// A date that is read as text and written as a number.
    private enum Converting: CodingStrategy {
        static func decode(from decoder: any Decoder) throws -> Date { try ISO8601.decode(from: decoder) }
        static func encode(_ value: Date, to encoder: any Encoder) throws {
            try UnixSeconds.encode(value, to: encoder)
        }
    }
    private struct Visit: Codable {
        @Coded<Converting> var start: Date
        @Coded<Converting?> var end: Date?
    }
    private struct PlainVisit: Codable { var start: Date, end: Date? }
    @propertyWrapper
    private struct Fixed: Codable {
        var wrappedValue: Int { 5 }
        init(from decoder: any Decoder) throws { _ = try Int(from: decoder) }
        func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
    }
    private struct FixedModel: Codable { @Fixed var number: Int }

    private static func times(_ text: String) -> String {
        """
        {"seconds":1000000000,"milliseconds":1000000000000,"microseconds":1000000000000000,
         "nanoseconds":1000000000000000000,"text":"\(text)","plain":"2001-09-09T01:46:40+00:00"}
        """
    }

    private static let formats =
        SuiteCase.of(
            "DataCoderTests",
            [
                SuiteCase("decoding", "Base64 is decoded and survives") {
                    try $0.expect(#"{"text":"aGVsbG8="}"#, is: Letter(text: Data("hello".utf8)))
                },
                .refuses(
                    "invalidDataDecoding", "Text that is not base64 is an error", Letter.self, #"{"text":"no base"}"#),
            ])
        + SuiteCase.of(
            "DateCoderTests",
            [
                SuiteCase("decoding", "One time in six forms is decoded and survives") { coder in
                    let decoded = try coder.decode(Times.self, times("2001-09-09T01:46:40Z"))
                    try expect(
                        decoded.all.map(\.timeIntervalSince1970), is: Array(repeating: 1_000_000_000, count: 6))
                    try expect(coder.roundTrip(decoded), is: decoded)
                },
                .refuses("invalidDecoding", "Text that is no date is an error", Times.self, times("some day")),
            ])
        + SuiteCase.of(
            "HelperCodersTests",
            [
                SuiteCase("conditionalAndOptionalCoding", "A date is read in one form and written in another") {
                    coder in
                    let visit = try coder.decode(Visit.self, #"{"start":"2001-09-09T01:46:40Z"}"#)
                    try expect(visit.end, is: nil)
                    let plain = try coder.dates(.secondsSince1970).decode(PlainVisit.self, coder.encode(visit))
                    try expect(plain.start.timeIntervalSince1970, is: 1_000_000_000)
                    try expect(plain.end, is: nil)
                },
                SuiteCase("propertyWrapperCoding", "A wrapper of the program decodes and encodes its own value") {
                    coder in
                    let model = try coder.decode(FixedModel.self, #"{"number":100}"#)
                    try expect(model.number, is: 5)
                    try expect(coder.encode(model), is: #"{"number":5}"#)
                },
            ])

    // MARK: Numbers that JSON does not have

    private struct Depth: Codable, Equatable {
        enum Metres: CodingStrategy {
            static let names: [String: Double] = ["deep": .infinity, "high": -.infinity, "unknown": .nan]

            static func decode(from decoder: any Decoder) throws -> Double {
                try decoder.decodeFirst(
                    { try Double.decodeLosslessly(from: $0) },
                    {
                        let container = try $0.singleValueContainer()
                        if let number = names[try container.decode(String.self)] { return number }
                        throw DecodingError.dataCorruptedError(in: container, debugDescription: "No number.")
                    })
            }

            static func encode(_ value: Double, to encoder: any Encoder) throws {
                if let name = names.first(where: { $0.value == value || ($0.value.isNaN && value.isNaN) })?.key {
                    return try name.encode(to: encoder)
                }
                try value.encode(to: encoder)
            }
        }
        @Coded<Metres> var metres: Double
    }

    private static func number(
        _ origin: String, _ behaviour: String, _ text: String, _ accepts: @escaping @Sendable (Double) -> Bool
    ) -> SuiteCase {
        SuiteCase(origin, behaviour) { coder in
            let depth = try coder.decode(Depth.self, #"{"metres":\#(text)}"#)
            try expect(accepts(depth.metres), "\(depth)")
            try expect(accepts(coder.roundTrip(depth).metres), "\(depth) after a round trip")
        }
    }

    private static let unusualNumbers = SuiteCase.of(
        "NonConformingCoderTests",
        [
            number("testDecodingActualFloat", "A number", "2.25") { $0 == 2.25 },
            number("testDecodingStringifiedFloat", "A number in a string", #""2.25""#) { $0 == 2.25 },
            number("testDecodingPositiveInfinity", "A word for infinity", #""deep""#) { $0 == .infinity },
            number("testDecodingNegativeInfinity", "A word for negative infinity", #""high""#) { $0 == -.infinity },
            number("testDecodingNotANumber", "A word for not a number", #""unknown""#) { $0.isNaN },
            .refuses("invalidDecoding", "Another word is an error", Depth.self, #"{"metres":"far"}"#),
        ])

    // MARK: Sequences

    private enum Standard: DefaultValueProvider { static var defaultValue: [String] { ["none"] } }
    private enum LossyStandard: DefaultValueProvider {
        static var defaultValue: Lossy<[String]> { Lossy(wrappedValue: ["none"]) }
    }
    private struct Names: Codable, Equatable { var names: [String] }
    private struct LossyNames: Codable, Equatable { @Lossy var names: [String] }
    private struct OptionalNames: Codable, Equatable { @Lossy var names: [String]? }
    private struct StandardNames: Codable, Equatable { @Fallback<Standard> var names: [String] }
    private struct LossyStandardNames: Codable, Equatable {
        @Fallback<LossyStandard> @Lossy var names: [String]
    }

    /// Returns a case that expects names, or an error if they are nil; documents without invalid elements survive.
    private static func names<Model: Codable & Sendable>(
        _ origin: String, _ behaviour: String, _ model: Model.Type, _ names: @escaping @Sendable (Model) -> [String]?,
        _ value: String, is expected: [String]?, survives: Bool = false, differs: String? = nil
    ) -> SuiteCase {
        SuiteCase(origin, behaviour, differs: differs) { coder in
            let text = #"{"names":\#(value)}"#
            guard let expected else {
                return try expectDecodingError { try coder.decode(model, text) }
            }
            let decoded = try coder.decode(model, text)
            try expect(names(decoded), is: expected)
            if survives { try expect(coder.encode(decoded), is: text) }
        }
    }

    private static let valid = #"["a","b"]"#, invalid = #"[1,"a",2,"b"]"#

    private static let lossySequences = SuiteCase.of(
        "LossySequenceTests",
        [
            names("invalidDataType", "A number is an error", LossyNames.self, { $0.names }, "7", is: nil),
            names("emptyData", "An empty array", LossyNames.self, { $0.names }, "[]", is: []),
            names(
                "validData", "A valid array survives", LossyNames.self, { $0.names }, valid, is: ["a", "b"],
                survives: true),
            names(
                "invalidData", "Invalid elements are removed", LossyNames.self, { $0.names }, invalid, is: ["a", "b"]),
            names(
                "optionalInvalidDataType", "A number is an error for an optional array", OptionalNames.self,
                { $0.names }, "7", is: nil),
            SuiteCase("optionalEmptyData", "A missing key is nil") {
                try expect($0.decode(OptionalNames.self, "{}").names, is: nil)
            },
            names(
                "optionalValidData", "A valid optional array survives", OptionalNames.self, { $0.names }, valid,
                is: ["a", "b"], survives: true),
            names(
                "optionalInvalidData", "Invalid elements of an optional array are removed", OptionalNames.self,
                { $0.names }, invalid, is: ["a", "b"]),
            names(
                "defaultInvalidDataType", "A number is the default", LossyStandardNames.self, { $0.names }, "7",
                is: ["none"]),
            names(
                "defaultEmptyData", "An empty array is no default", LossyStandardNames.self, { $0.names }, "[]", is: []),
            names(
                "defaultValidData", "A valid array with a default survives", LossyStandardNames.self, { $0.names },
                valid, is: ["a", "b"], survives: true),
            names(
                "defaultInvalidData", "Invalid elements are removed where a default exists", LossyStandardNames.self,
                { $0.names }, invalid, is: ["a", "b"]),
        ])

    private static let empty = "An empty array is a value."

    private static let sequences = SuiteCase.of(
        "SequenceCoderTests",
        [
            names("invalidDataType", "A number is an error", Names.self, { $0.names }, "7", is: nil),
            names("emptyData", "An empty array", Names.self, { $0.names }, "[]", is: []),
            names(
                "validData", "A valid array survives", Names.self, { $0.names }, valid, is: ["a", "b"], survives: true),
            names("invalidData", "An invalid element is an error", Names.self, { $0.names }, invalid, is: nil),
            names(
                "lossyInvalidDataType", "A number is an error with loss", LossyNames.self, { $0.names }, "7", is: nil),
            names("lossyEmptyData", "An empty array with loss", LossyNames.self, { $0.names }, "[]", is: []),
            names(
                "lossyValidData", "A valid array with loss survives", LossyNames.self, { $0.names }, valid,
                is: ["a", "b"], survives: true),
            names(
                "lossyInvalidData", "Invalid elements are removed", LossyNames.self, { $0.names }, invalid,
                is: ["a", "b"]),
            names(
                "defaultInvalidDataType", "A number is the default", StandardNames.self, { $0.names }, "7", is: ["none"]
            ),
            names(
                "defaultEmptyData", "An empty array is the default", StandardNames.self, { $0.names }, "[]",
                is: ["none"], differs: empty),
            names(
                "defaultValidData", "A valid array with a default survives", StandardNames.self, { $0.names }, valid,
                is: ["a", "b"], survives: true),
            names(
                "defaultInvalidData", "An invalid element is an error in spite of the default", StandardNames.self,
                { $0.names }, invalid, is: nil,
                differs: "`@Fallback` uses the default for every value that does not decode, `@Default` for none."),
            names(
                "lossyDefaultInvalidDataType", "A number is the default with loss", LossyStandardNames.self,
                { $0.names }, "7", is: ["none"]),
            names(
                "lossyDefaultEmptyData", "An empty array is the default with loss", LossyStandardNames.self,
                { $0.names }, "[]", is: ["none"], differs: empty),
            names(
                "lossyDefaultValidData", "A valid array with loss and a default survives", LossyStandardNames.self,
                { $0.names }, valid, is: ["a", "b"], survives: true),
            names(
                "lossyDefaultInvalidData", "Invalid elements are removed before the default counts",
                LossyStandardNames.self, { $0.names }, invalid, is: ["a", "b"]),
        ])

    static let coders = formats + unusualNumbers + lossySequences + sequences
}
