import LenientCoding

// The test cases of ResilientDecoding for enumerations. Frozen ones have no counterpart: all unknown values are reported.
extension ResilientDecodingCases {
    enum Sky: String, Codable, DefaultValueProvider {
        case clear, other
        static var defaultValue: Sky { .other }
    }

    /// An optional value is nil if it is missing or null, and the default value if it does not decode.
    private enum KnownSky: CodingStrategy {
        static func decode(from decoder: any Decoder) throws -> Sky { try Fallback<Sky>(from: decoder).wrappedValue }
        static func encode(_ value: Sky, to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private struct Weather: Decodable {
        @Fallback<Sky> var east: Sky
        @Fallback<Sky> var west: Sky
        @FallbackNil var south: Sky?
        @FallbackNil var north: Sky?
        @Coded<KnownSky?> var high: Sky?
        @Coded<KnownSky?> var low: Sky?

        var values: [Sky?] { [east, west, south, north, high, low] }
        var errors: [(any Error)?] { [$east.error, $west.error, $south.error, $north.error] }
    }

    private static let reported = "Unknown values of every enumeration are reported; `OpenEnum` accepts and keeps them."

    static let enumerations = SuiteCase.of(
        "ResilientRawRepresentableEnumTests",
        [
            SuiteCase("testDecodesValidCasesWithoutErrors", "Known values decode without a report") {
                let (weather, drift) = try $0.report(Weather.self, document(#""clear""#))
                try expect(weather.values, is: Array(repeating: .clear, count: 6))
                try expect(drift.isEmpty && weather.errors.allSatisfy { $0 == nil }, "\(drift)")
            },
            SuiteCase("testDecodesNullOptionalValuesWithoutErrors", "Null is nil without a report") {
                let text = #"{"east":"clear","west":"clear","south":null,"north":null,"high":null,"low":null}"#
                let (weather, drift) = try $0.report(Weather.self, text)
                try expect(weather.values, is: [.clear, .clear, nil, nil, nil, nil])
                try expect(drift.isEmpty && weather.errors.allSatisfy { $0 == nil }, "\(drift)")
            },
            SuiteCase("testDecodesMissingOptionalValuesWithoutErrors", "A missing key is nil without a report") {
                let (weather, drift) = try $0.report(Weather.self, #"{"east":"clear","west":"clear"}"#)
                try expect(weather.values, is: [.clear, .clear, nil, nil, nil, nil])
                try expect(drift.isEmpty && weather.errors.allSatisfy { $0 == nil }, "\(drift)")
            },
            SuiteCase(
                "testResilientlyDecodesMissingValues", "A missing key is the default value, and an error is reported",
                differs: "A missing key is no error: `$x` is `.absent`. Without a wrapper it is one."
            ) {
                let (weather, drift) = try $0.report(Weather.self, "{}")
                try expect(weather.values, is: [.other, .other, nil, nil, nil, nil])
                try expect(failures(drift), is: 2)
            },
            SuiteCase(
                "testResilientlyDecodesNovelCases",
                "An unknown value is nil or the default value, and reported for frozen types only", differs: reported
            ) {
                let (weather, drift) = try $0.report(Weather.self, document(#""misty""#))
                try expect(weather.values, is: [.other, .other, nil, nil, .other, .other])
                try expect(weather.errors.allSatisfy { $0 != nil }, "no error")
                try expect(failures(drift), is: 3)
            },
            SuiteCase(
                "testResilientlyDecodesInvalidCases",
                "A value of another type is nil or the default value, and reported"
            ) {
                let (weather, drift) = try $0.report(Weather.self, document("7"))
                try expect(weather.values, is: [.other, .other, nil, nil, .other, .other])
                try expect(weather.errors.allSatisfy { $0 != nil }, "no error")
                try expect(failures(drift), is: 6)
            },
        ])

    private static func document(_ value: String) -> String {
        let members = ["east", "west", "south", "north", "high", "low"].map { #""\#($0)":\#(value)"# }
        return "{\(members.joined(separator: ","))}"
    }

    // MARK: Elements

    private struct Arrays: Decodable {
        @FallbackEmpty @Lossy var days: [Sky]
        @Fallback<NoCollection<[Sky]>> @Lossy var nights: [Sky]?
    }
    private struct Dictionaries: Decodable {
        @FallbackEmpty @Lossy var days: [String: Sky]
        @Fallback<NoCollection<[String: Sky]>> @Lossy var nights: [String: Sky]?
    }
    private struct Counts: Decodable { @FallbackEmpty @Lossy var dailyCounts: [String: Int] }

    static let enumerationElements =
        SuiteCase.of(
            "ResilientRawRepresentableArrayTests",
            elements(
                { try $0.report(Arrays.self, $1) }, { ($0.days.count, $0.nights?.count) },
                { #"{"days":["clear",\#($0),"clear"],"nights":[\#($0),"clear",\#($0)]}"# }, #"["clear","other"]"#))
        + SuiteCase.of(
            "ResilientRawRepresentableDictionaryTests",
            elements(
                { try $0.report(Dictionaries.self, $1) }, { ($0.days.count, $0.nights?.count) },
                {
                    #"{"days":{"a":"clear","b":\#($0),"c":"clear"},"nights":{"a":\#($0),"b":"clear","c":\#($0)}}"#
                }, #"{"a":"clear","b":"other"}"#) + [
                    SuiteCase("testKeyDecodingStrategyIsIgnored", "No strategy converts the keys of a dictionary") {
                        let text = #"{"daily_counts":{"day_one":4,"day_two":5}}"#
                        let counts = try $0.snakeCase.decode(Counts.self, text)
                        try expect(counts.dailyCounts, is: ["day_one": 4, "day_two": 5])
                    }
                ])

    /// Returns the cases for a model with two collections: their document has three elements each, one and two invalid.
    private static func elements<Model>(
        _ report: @escaping @Sendable (SuiteCoder, String) throws -> (value: Model, drift: DriftReport),
        _ counts: @escaping @Sendable (Model) -> (days: Int, nights: Int?),
        _ document: @escaping @Sendable (_ invalid: String) -> String, _ valid: String
    ) -> [SuiteCase] {
        @Sendable func check(_ coder: SuiteCoder, _ text: String, _ days: Int, _ nights: Int?, failures: Int) throws {
            let (model, drift) = try report(coder, text)
            try expect(counts(model).days, is: days)
            try expect(counts(model).nights, is: nights)
            try expect(Self.failures(drift), is: failures)
        }
        return [
            SuiteCase("testDecodesValidInputWithoutErrors", "Known values decode without a report") {
                try check($0, #"{"days":\#(valid),"nights":\#(valid)}"#, 2, 2, failures: 0)
            },
            SuiteCase("testDecodesWhenMissingKeysWithoutErrors", "A missing key is nil without a report") {
                try check($0, #"{"days":\#(valid)}"#, 2, nil, failures: 0)
            },
            SuiteCase("testDecodesNullValuesWithoutErrors", "Null is nil without a report") {
                try check($0, #"{"days":\#(valid),"nights":null}"#, 2, nil, failures: 0)
            },
            SuiteCase(
                "testResilientlyDecodesNovelCases",
                "Unknown values are removed, and reported for frozen types only", differs: reported
            ) {
                try check($0, document(#""misty""#), 2, 1, failures: 0)
            },
            SuiteCase("testResilientlyDecodesInvalidCases", "Elements of another type are removed and reported") {
                try check($0, document("7"), 2, 1, failures: 3)
            },
        ]
    }
}
