import Foundation
import LenientCoding

/// The test cases of ResilientDecoding (airbnb/ResilientDecoding, Tests/ResilientDecodingTests).
///
/// Its `@Resilient` is `@FallbackEmpty @Lossy` for a collection and `@FallbackNil` for an optional here; its errors are
/// the entries of a report, and its outcomes those of `$x`.
enum ResilientDecodingCases {
    static let all = bugs + memory + arrays + dictionaries + reporter + optionals + enumerations + enumerationElements

    /// The lossy collection that is nil by default.
    enum NoCollection<Value: LossyDecodable>: DefaultValueProvider {
        static var defaultValue: Lossy<Value?> { Lossy(wrappedValue: nil) }
    }

    /// Returns how many values the report counts as removed or replaced, at a path or everywhere.
    static func failures(_ drift: DriftReport, at path: String? = nil) -> Int {
        drift.entries.filter { path == nil || $0.path == path }.map(\.count).reduce(0, +)
    }

    private static let noNil = "An optional collection of another type is nil, as a missing one."
    private static let noResults =
        "A report counts the elements that are removed and has the place of the first; the result of each element is not kept."

    private static let bugs = SuiteCase.of(
        "BugTests",
        [
            SuiteCase(
                "testResilientURLsDecodeSuccessfully", "URLs decode as optionals, elements, values and raw values"
            ) { coder in
                let text = """
                    {"home":"https://a.example","list":["https://b.example","https://c.example/d?e=f",],
                     "named":{"g":"https://h.example",},"site":"https://i.example",}
                    """
                let (links, drift) = try coder.report(Links.self, text)
                try expect(links.home?.absoluteString, is: "https://a.example")
                try expect(links.list.map(\.absoluteString), is: ["https://b.example", "https://c.example/d?e=f"])
                try expect(links.named.mapValues(\.absoluteString), is: ["g": "https://h.example"])
                try expect(links.site?.rawValue.absoluteString, is: "https://i.example")
                try expect(drift.isEmpty && links.$home.error == nil && links.$list.error == nil, "\(drift)")
            }
        ])

    private struct Links: Decodable {
        struct Site: RawRepresentable, Decodable {
            var rawValue: URL
            init(rawValue: URL) { self.rawValue = rawValue }
            init(from decoder: any Decoder) throws { rawValue = try decoder.singleValueContainer().decode(URL.self) }
        }
        @FallbackNil var home: URL?
        @FallbackEmpty @Lossy var list: [URL]
        @FallbackEmpty @Lossy var named: [String: URL]
        @FallbackNil var site: Site?
    }

    private static let memory = SuiteCase.of(
        "MemoryTests",
        [
            SuiteCase(
                "testNoOverheadInRelease", "A wrapper takes no memory of its own in a release build",
                differs: "`$x` tells the outcome in every build, so that a program can use it; this takes memory."
            ) { _ in
                struct Plain { let name: String, count: Int }
                struct Wrapped {
                    @FallbackEmpty var name: String
                    @FallbackZero var count: Int
                }
                try expect(MemoryLayout<Wrapped>.size, is: MemoryLayout<Plain>.size)
            }
        ])

    private static let reporter = SuiteCase.of(
        "ResilientDecodingErrorReporterTests",
        [
            SuiteCase(
                "testDebugDescription", "A report names every place at which a value does not decode",
                differs: "A report has one line for each path and reason, with a count and the first place."
            ) { coder in
                struct Report: Decodable {
                    @FallbackEmpty @Lossy var days: [Int]
                    @FallbackNil var sky: Sky?
                }
                let (_, drift) = try coder.report(Report.self, #"{"days":[1,"2",3,"4"],"sky":"green"}"#)
                let places = drift.entries.map(\.example)
                try expect(places, is: ["days[1]", "days[3]", "sky"])
            }
        ])

    // MARK: Arrays and dictionaries

    private struct Arrays: Decodable {
        @FallbackEmpty @Lossy var days: [Int]
        @Fallback<NoCollection<[Int]>> @Lossy var nights: [Int]?
    }
    private struct Dictionaries: Decodable {
        @FallbackEmpty @Lossy var days: [String: Int]
        @Fallback<NoCollection<[String: Int]>> @Lossy var nights: [String: Int]?
    }

    private static let arrays = SuiteCase.of(
        "ResilientArrayTests",
        [
            SuiteCase("testDecodesValidInputWithoutErrors", "Valid arrays decode without a report") { coder in
                let (arrays, drift) = try coder.report(Arrays.self, #"{"days":[4,5],"nights":[6,],}"#)
                try expect(arrays.days, is: [4, 5])
                try expect(arrays.nights, is: [6])
                try expect(drift.isEmpty && !arrays.$days.isDefault && !arrays.$nights.isDefault, "\(drift)")
            },
            SuiteCase("testDecodesWhenMissingKeys", "A missing key is an empty array, or nil for an optional one") {
                let (arrays, drift) = try $0.report(Arrays.self, "{}")
                try expect(arrays.days.isEmpty && arrays.nights == nil && drift.isEmpty, "\(arrays)")
                try expect(isAbsent(arrays.$days) && isAbsent(arrays.$nights), "not absent")
            },
            SuiteCase("testDecodesNullValue", "Null is an empty array, or nil for an optional one") {
                let (arrays, drift) = try $0.report(Arrays.self, #"{"days":null,"nights":null}"#)
                try expect(arrays.days.isEmpty && arrays.nights == nil && drift.isEmpty, "\(arrays)")
                try expect(isAbsent(arrays.$days), "not absent")
            },
            SuiteCase(
                "testResilientlyDecodesIncorrectType", "A value that is no array is an empty array, also if optional",
                differs: noNil
            ) {
                let (arrays, drift) = try $0.report(Arrays.self, #"{"days":7,"nights":8}"#)
                try expect(arrays.days.isEmpty && arrays.$days.error != nil && arrays.$nights.error != nil, "\(arrays)")
                try expect(failures(drift), is: 2)
                try expect(arrays.nights, is: [])
            },
            SuiteCase(
                "testResilientlyDecodesArrayWithInvalidElements",
                "Invalid elements are removed and reported, and each element has a result", differs: noResults
            ) {
                let (arrays, drift) = try $0.report(Arrays.self, #"{"days":[4,"5",6,"7"],"nights":["8","9",5]}"#)
                try expect(arrays.days, is: [4, 6])
                try expect(arrays.nights, is: [5])
                try expect([failures(drift, at: "days[]"), failures(drift, at: "nights[]")], is: [2, 2])
                try expect(drift.entries.map(\.example), is: ["days[1]", "days[3]", "nights[0]", "nights[1]"])
            },
        ])

    private static let dictionaries = SuiteCase.of(
        "DictionaryTests",
        [
            SuiteCase("testDecodesValidInputWithoutErrors", "Valid dictionaries decode without a report") { coder in
                let (values, drift) = try coder.report(Dictionaries.self, #"{"days":{"a":4},"nights":{"b":5}}"#)
                try expect(values.days, is: ["a": 4])
                try expect(values.nights, is: ["b": 5])
                try expect(drift.isEmpty && !values.$days.isDefault && !values.$nights.isDefault, "\(drift)")
            },
            SuiteCase("testDecodesWhenMissingKeys", "A missing key is an empty dictionary, or nil for an optional one")
            {
                let (values, drift) = try $0.report(Dictionaries.self, "{}")
                try expect(values.days.isEmpty && values.nights == nil && drift.isEmpty, "\(values)")
                try expect(isAbsent(values.$days) && isAbsent(values.$nights), "not absent")
            },
            SuiteCase("testDecodesNullValue", "Null is an empty dictionary, or nil for an optional one") {
                let (values, drift) = try $0.report(Dictionaries.self, #"{"days":null,"nights":null}"#)
                try expect(values.days.isEmpty && values.nights == nil && drift.isEmpty, "\(values)")
                try expect(isAbsent(values.$days), "not absent")
            },
            SuiteCase(
                "testResilientlyDecodesIncorrectType",
                "A value that is no object is an empty dictionary, also if optional", differs: noNil
            ) {
                let (values, drift) = try $0.report(Dictionaries.self, #"{"days":7,"nights":8}"#)
                try expect(values.days.isEmpty && values.$days.error != nil && values.$nights.error != nil, "\(values)")
                try expect(failures(drift), is: 2)
                try expect(values.nights, is: [:])
            },
            SuiteCase(
                "testResilientlyDecodesArrayWithInvalidElements",
                "Invalid values are removed and reported, and each value has a result", differs: noResults
            ) {
                let text = #"{"days":{"a":4,"b":"5","c":"6"},"nights":{"d":"7","e":8}}"#
                let (values, drift) = try $0.report(Dictionaries.self, text)
                try expect(values.days, is: ["a": 4])
                try expect(values.nights, is: ["e": 8])
                try expect([failures(drift, at: "days[]"), failures(drift, at: "nights[]")], is: [2, 1])
                try expect(drift.entries.count, is: 3)
            },
        ])

    private static func isAbsent(_ outcome: DecodingOutcome) -> Bool {
        if case .absent = outcome { true } else { false }
    }

    // MARK: Optionals

    private struct Reading: Decodable { @FallbackNil var value: Int? }

    private static let optionals = SuiteCase.of(
        "ResilientOptionalTests",
        [
            SuiteCase("testDecodesValidInputWithoutErrors", "A valid optional decodes without a report") {
                let (reading, drift) = try $0.report(Reading.self, #"{"value":8,}"#)
                try expect(reading.value == 8 && !reading.$value.isDefault && drift.isEmpty, "\(reading)")
            },
            SuiteCase("testDecodesWhenMissingKeyWithoutErrors", "A missing key is nil without a report") {
                let (reading, drift) = try $0.report(Reading.self, "{}")
                try expect(reading.value == nil && isAbsent(reading.$value) && drift.isEmpty, "\(reading)")
            },
            SuiteCase("testDecodesNullValueWithoutErrors", "Null is nil without a report") {
                let (reading, drift) = try $0.report(Reading.self, #"{"value":null}"#)
                try expect(reading.value == nil && isAbsent(reading.$value) && drift.isEmpty, "\(reading)")
            },
            SuiteCase("testResilientlyDecodesInvalidValue", "A value of another type is nil and reported") {
                let (reading, drift) = try $0.report(Reading.self, #"{"value":"high"}"#)
                try expect(reading.value == nil && reading.$value.error != nil, "\(reading)")
                try expect(failures(drift), is: 1)
            },
        ])
}
