import Foundation
import LenientCoding

/// The test cases of BetterCodable (marksands/BetterCodable, Tests/BetterCodableTests).
enum BetterCodableCases {
    static let all = data + dates + defaults + booleans + lossless + lossy + optionals

    // MARK: Defaults

    private struct Scores: Codable, Equatable {
        @DefaultEmpty var points: [String: Int]
    }
    private struct Basket: Codable, Equatable {
        struct Item: Codable, Equatable { var name: String, tags: [String: [String]] }
        @DefaultEmpty var counts: [Int]
        @DefaultEmpty var items: [Item]
    }
    private struct Visit: Codable, Equatable {
        enum Epoch: DefaultValueProvider { static var defaultValue: Date { Date(timeIntervalSince1970: 0) } }
        @Default<Epoch> var date: Date
    }
    private struct Return: Codable {
        enum Epoch: DefaultValueProvider {
            static var defaultValue: Coded<UnixSeconds> { Coded(wrappedValue: Date(timeIntervalSince1970: 0)) }
        }
        @Default<Epoch> @Coded<UnixSeconds> var date: Date
    }
    private struct Bag<Content: Codable & Equatable & Provided>: Codable, Equatable {
        struct Provider: DefaultValueProvider { static var defaultValue: Content { Content.standard } }
        @Default<Provider> var content: Content
    }
    private protocol Provided { static var standard: Self { get } }
    private struct List: Codable, Equatable, Provided {
        static let standard = List(values: [8])
        var values: [Int]
    }
    private struct Map: Codable, Equatable, Provided {
        static let standard = Map(values: ["x": 8])
        var values: [String: Int]
    }
    private enum Move: Codable, Equatable, Provided {
        static let standard = Move.back(9)
        case ahead(Int), back(Int)

        enum CodingKeys: String, CodingKey { case way = "direction", steps }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let way = try container.decode(String.self, forKey: .way)
            let steps = try container.decode(Int.self, forKey: .steps)
            self = way == "ahead" ? .ahead(steps) : .back(steps)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .ahead(let steps):
                try container.encode("ahead", forKey: .way)
                try container.encode(steps, forKey: .steps)
            case .back(let steps):
                try container.encode("back", forKey: .way)
                try container.encode(steps, forKey: .steps)
            }
        }
    }
    private struct Trip: Codable {
        enum Vehicle: String, Codable, DefaultValueProvider {
            case bus, tram, other
            static var defaultValue: Vehicle { .other }
        }
        let name: String
        @Fallback<Vehicle> var vehicle: Vehicle
    }

    private static let defaults =
        SuiteCase.of(
            "DefaultEmptyDictionaryTests",
            [
                SuiteCase("testDecodingFailableDictionaryDefaultsToEmptyDictionary", "Null is an empty dictionary") {
                    try expect($0.decode(Scores.self, #"{"points":null}"#).points, is: [:])
                },
                SuiteCase("testDecodingKeyNotPresentDefaultsToEmptyDictionary", "A missing key is an empty dictionary")
                {
                    try expect($0.decode(Scores.self, "{}").points, is: [:])
                },
                SuiteCase(
                    "testEncodingDecodedFailableDictionaryDefaultsToEmptyDictionary", "A changed default is encoded"
                ) { coder in
                    var scores = try coder.decode(Scores.self, #"{"points":null}"#)
                    scores.points["ada"] = 4
                    try expect(coder.roundTrip(scores).points, is: ["ada": 4])
                },
                SuiteCase(
                    "testEncodingDecodedFulfillableDictionaryRetainsContents", "A dictionary survives a round trip"
                ) { coder in
                    let scores = try coder.decode(Scores.self, #"{"points":{"ada":4,"bob":5}}"#)
                    try expect(coder.roundTrip(scores).points, is: ["ada": 4, "bob": 5])
                },
            ])
        + SuiteCase.of(
            "DefaultEmptyArrayTests",
            [
                SuiteCase("testDecodingFailableArrayDefaultsToEmptyArray", "Null is an empty array") { coder in
                    let basket = try coder.decode(Basket.self, #"{"counts":null,"items":null}"#)
                    try expect(basket.counts.isEmpty && basket.items.isEmpty, "not empty")
                },
                SuiteCase("testDecodingKeyNotPresentDefaultsToEmptyArray", "A missing key is an empty array") { coder in
                    let basket = try coder.decode(Basket.self, "{}")
                    try expect(basket.counts.isEmpty && basket.items.isEmpty, "not empty")
                },
                SuiteCase("testEncodingDecodedFailableArrayDefaultsToEmptyArray", "A changed default is encoded") {
                    coder in
                    var basket = try coder.decode(Basket.self, #"{"counts":null,"items":null}"#)
                    basket.counts += [7, 8]
                    basket.items.append(Basket.Item(name: "tea", tags: ["kind": ["green"]]))
                    try expect(coder.roundTrip(basket), is: basket)
                },
                SuiteCase("testEncodingDecodedFulfillableArrayRetainsContents", "Arrays survive a round trip") {
                    coder in
                    let text = #"{"counts":[7,8],"items":[{"name":"tea","tags":{"kind":["green"]}}]}"#
                    let basket = try coder.roundTrip(coder.decode(Basket.self, text))
                    try expect(basket.counts, is: [7, 8])
                    try expect(basket.items, is: [Basket.Item(name: "tea", tags: ["kind": ["green"]])])
                },
            ])
        + SuiteCase.of(
            "DefaultCodableTest_DateStrategy",
            [
                SuiteCase(
                    "testDecodingAndEncodingWithDateStrategy", "A date with a default follows the coder's strategy"
                ) { coder in
                    let coder = coder.dates(.milliseconds)
                    let visit = try coder.decode(Visit.self, #"{"date":"2001-09-09T01:46:40.000Z"}"#)
                    try expect(visit.date.timeIntervalSince1970, is: 1_000_000_000)
                    try expect(coder.encode(visit), is: #"{"date":"2001-09-09T01:46:40.000Z"}"#)
                }
            ])
        + SuiteCase.of(
            "DefaultCodableTest_NestedPropertyWrapper",
            [
                SuiteCase(
                    "testNestedPropertyWrappersCanMergeDefaultCodableWithDateStrategy",
                    "A default and a strategy for dates apply to one property"
                ) { coder in
                    let documents = [#"{"date":null}"#, "{}", #"{"date":1000000000}"#]
                    try expect(
                        documents.map { try coder.decode(Return.self, $0).date.timeIntervalSince1970 },
                        is: [0, 0, 1_000_000_000])
                }
            ])
        + SuiteCase.of(
            "DefaultCodableTests_TypesWithContainers",
            [
                SuiteCase("testDecodingAndEncodingWithArrayContainer", "A struct with an array has a default") {
                    try $0.expect(#"{"content":{"values":[5,6]}}"#, is: Bag(content: List(values: [5, 6])))
                    try expect($0.decode(Bag<List>.self, "{}").content, is: .standard)
                },
                SuiteCase("testDecodingAndEncodingWithDictionaryContainer", "A struct with a dictionary has a default")
                {
                    try $0.expect(#"{"content":{"values":{"y":5}}}"#, is: Bag(content: Map(values: ["y": 5])))
                    try expect($0.decode(Bag<Map>.self, "{}").content, is: .standard)
                },
            ])
        + SuiteCase.of(
            "DefaultCodableTests_EnumWithAssociatedValue",
            [
                SuiteCase(
                    "testDecodingAndEncodingCustomEnumWithAssociatedValue",
                    "An enumeration with associated values has a default"
                ) { coder in
                    let text = #"{"content":{"direction":"ahead","steps":3}}"#
                    try coder.expect(text, is: Bag(content: Move.ahead(3)))
                    try expect(coder.encode(Bag(content: Move.ahead(3))), is: text)
                }
            ])
        + SuiteCase.of(
            "RawRepresentableTests",
            [
                SuiteCase("testEnumDecodingWithDefaultValue", "An unknown raw value is the default") { coder in
                    try expect(coder.decode(Trip.self, #"{"name":"9","vehicle":"boat"}"#).vehicle, is: .other)
                }
            ])
}
