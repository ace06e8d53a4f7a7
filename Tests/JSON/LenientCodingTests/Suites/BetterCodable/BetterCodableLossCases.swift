import Foundation
import LenientCoding

// The test cases of BetterCodable for lossless and lossy values.
extension BetterCodableCases {
    // MARK: Lossless

    private struct Numbers: Codable { @Lossy @Lossless var values: [Int] }
    private struct Texts: Codable { @Lossy @Lossless var values: [String] }
    private struct Account: Codable {
        @Lossless var isActive: Bool
        @Lossless var id: String
        @Lossless var age: Int
        @Lossless var balance: Double
    }
    private struct Standard: Codable {
        enum Seven: DefaultValueProvider { static var defaultValue: Lossless<Int> { Lossless(wrappedValue: 7) } }
        @Lossless var age: Int
        @Lossless var id: String
        @Default<Seven> @Lossless var rank: Int
        @Lossless var isActive: Bool
    }

    private static func check(_ account: Account, _ isActive: Bool, _ id: String, _ age: Int, _ sum: Double) throws {
        try expect(account.isActive, is: isActive)
        try expect(account.id, is: id)
        try expect(account.age, is: age)
        try expect(account.balance, is: sum)
    }

    static let lossless =
        SuiteCase.of(
            "LosslessArrayTests",
            [
                SuiteCase("testDecodingLosslessArrayActsLikeLossyArray", "Null is removed from an array of numbers") {
                    try expect($0.decode(Numbers.self, #"{"values":[7,null,9]}"#).values, is: [7, 9])
                },
                SuiteCase(
                    "testDecodingIntsConvertsStringsIntoLosslessElements", "Strings become numbers, and null is removed"
                ) {
                    try expect($0.decode(Numbers.self, #"{"values":["7",8,null,"9"]}"#).values, is: [7, 8, 9])
                },
                SuiteCase(
                    "testDecodingStringsPreservesLosslessElements",
                    "Numbers and Booleans become strings, and null is removed"
                ) {
                    let texts = try $0.decode(Texts.self, #"{"values":["7",8,2.25,null,true,"9"]}"#)
                    try expect(texts.values, is: ["7", "8", "2.25", "true", "9"])
                },
                SuiteCase("testEncodingDecodedLosslessArrayIgnoresFailableElements", "A changed array is encoded") {
                    coder in
                    var numbers = try coder.decode(Numbers.self, #"{"values":[null,"7",null,8]}"#)
                    numbers.values.append(9)
                    try expect(coder.roundTrip(numbers).values, is: [7, 8, 9])
                },
                SuiteCase("testEncodingDecodedLosslessArrayRetainsContents", "An array survives a round trip") {
                    coder in
                    let numbers = try coder.decode(Numbers.self, #"{"values":[7,8,"9"]}"#)
                    try expect(coder.roundTrip(numbers).values, is: [7, 8, 9])
                },
            ])
        + SuiteCase.of(
            "LosslessCustomValueTests",
            [
                SuiteCase(
                    "testDecodingCustomLosslessStrategyDecodesCorrectly",
                    "Values convert, and null is a number of the program's choice"
                ) { coder in
                    let model = try coder.decode(
                        Standard.self, #"{"id":12,"age":"30","rank":null,"isActive":true}"#)
                    try expect(model.id, is: "12")
                    try expect(model.age, is: 30)
                    try expect(model.rank, is: 7)
                    try expect(model.isActive, is: true)
                },
                SuiteCase(
                    "testDecodingCustomLosslessStrategyWithBrokenFieldsThrowsError",
                    "A number that is no Boolean is an error"
                ) { coder in
                    try expectDecodingError {
                        try coder.decode(Standard.self, #"{"id":12,"age":"30","rank":null,"isActive":5}"#)
                    }
                },
            ])
        + SuiteCase.of(
            "LosslessValueTests",
            [
                SuiteCase(
                    "testDecodingMisalignedTypesFromJSONTraversesCorrectType",
                    "Strings become Booleans and numbers, and numbers strings"
                ) {
                    let text = #"{"isActive":"true","id":12,"age":"30","balance":"2.25"}"#
                    try check($0.decode(Account.self, text), true, "12", 30, 2.25)
                },
                SuiteCase(
                    "testDecodingEncodedMisalignedTypesFromJSONDecodesCorrectTypes",
                    "Converted and changed values are encoded in their own types"
                ) { coder in
                    var account = try coder.decode(
                        Account.self, #"{"isActive":"true","id":12,"age":"30","balance":"2.25"}"#)
                    account.isActive = false
                    account.balance = 0.5
                    try check(coder.roundTrip(account), false, "12", 30, 0.5)
                    try expect(
                        coder.encode(account), is: #"{"age":30,"balance":0.5,"id":"12","isActive":false}"#)
                },
                SuiteCase("testEncodingAndDecodedExpectedTypes", "Values of the right types survive a round trip") {
                    coder in
                    let text = #"{"isActive":true,"id":"12","age":30,"balance":2.25}"#
                    try check(coder.roundTrip(coder.decode(Account.self, text)), true, "12", 30, 2.25)
                },
                SuiteCase("testDecodingBoolIntValueFromJSONDecodesCorrectly", "1 is a Boolean") { coder in
                    let text = #"{"isActive":1,"id":"12","age":30,"balance":2.25}"#
                    try check(coder.roundTrip(coder.decode(Account.self, text)), true, "12", 30, 2.25)
                },
                SuiteCase(
                    "testBoolAsIntegerShouldNotConflictWithDefaultStrategy", "1 is a Boolean and a string in one model"
                ) {
                    let text = #"{"isActive":1,"id":1,"age":1,"balance":1}"#
                    try check($0.decode(Account.self, text), true, "1", 1, 1)
                },
            ])

    // MARK: Lossy

    private struct Basket: Codable, Equatable {
        struct Item: Codable, Equatable { var name: String, tags: [String: [String]] }
        @Lossy var counts: [Int]
        @Lossy var items: [Item]
    }
    private struct Diary: Codable, Equatable { @Lossy var theDays: [Date] }
    private struct Shelf: Codable, Equatable {
        @Lossy var counts: [String: Int]
        @Lossy var names: [Int: String]
    }
    private static let shelf = #"{"counts":{"a":1,"b":2,"c":null},"names":{"1":"a","2":"b","3":null}}"#

    static let lossy =
        SuiteCase.of(
            "LossyArrayTests",
            [
                SuiteCase("testDecodingLossyArrayIgnoresFailableElements", "Null is removed from arrays") { coder in
                    let basket = try coder.decode(Basket.self, #"{"counts":[6,null,7],"items":[null]}"#)
                    try expect(basket, is: Basket(counts: [6, 7], items: []))
                },
                SuiteCase("testDecodingLossyArrayIgnoresLossyElements", "Elements of other types are removed") {
                    coder in
                    let basket = try coder.decode(Basket.self, #"{"counts":[6,null,"7",true,8],"items":[null]}"#)
                    try expect(basket, is: Basket(counts: [6, 8], items: []))
                },
                SuiteCase("testEncodingDecodedLossyArrayIgnoresFailableElements", "Changed arrays are encoded") {
                    coder in
                    var basket = try coder.decode(Basket.self, #"{"counts":[null,6,null],"items":[null]}"#)
                    basket.counts.append(7)
                    basket.items.append(Basket.Item(name: "tea", tags: ["kind": ["green"]]))
                    try expect(basket.counts, is: [6, 7])
                    try expect(coder.roundTrip(basket), is: basket)
                },
                SuiteCase("testEncodingDecodedLossyArrayRetainsContents", "Arrays survive a round trip") { coder in
                    try coder.expect(
                        #"{"counts":[6,7],"items":[{"name":"tea","tags":{"kind":["green"]}}]}"#,
                        is: Basket(counts: [6, 7], items: [Basket.Item(name: "tea", tags: ["kind": ["green"]])]))
                },
                SuiteCase(
                    "testEncodingDecodingLossyArrayWorksWithCustomStrategies",
                    "Dates in a lossy array follow the coder's strategies"
                ) { coder in
                    let coder = coder.snakeCase.dates(.secondsSince1970)
                    try coder.expect(
                        #"{"the_days":[86400,null]}"#, is: Diary(theDays: [Date(timeIntervalSince1970: 86_400)]))
                },
            ])
        + SuiteCase.of(
            "LossyDictionaryTests",
            [
                SuiteCase(
                    "testDecodingLossyDictionaryIgnoresFailableElements",
                    "Null is removed from dictionaries with string and integer keys"
                ) {
                    let expected = Shelf(counts: ["a": 1, "b": 2], names: [1: "a", 2: "b"])
                    try expect($0.decode(Shelf.self, shelf), is: expected)
                },
                SuiteCase(
                    "testEncodingDecodedLossyDictionaryIgnoresFailableElements", "Changed dictionaries are encoded"
                ) { coder in
                    var changed = try coder.decode(Shelf.self, shelf)
                    changed.counts["c"] = 3
                    changed.names[3] = "c"
                    try expect(coder.roundTrip(changed), is: changed)
                },
                SuiteCase("testEncodingDecodedLosslessArrayRetainsContents", "Valid dictionaries keep all members") {
                    try $0.expect(
                        #"{"counts":{"a":1,"b":2},"names":{"1":"a","2":"b"}}"#,
                        is: Shelf(counts: ["a": 1, "b": 2], names: [1: "a", 2: "b"]))
                },
                SuiteCase(
                    "testEncodingLosslessDictionaryRetainsKeys", "No strategy converts the keys of dictionaries"
                ) { coder in
                    let keys = ["a_b", "c.d_9.e", "f.1_2.g", "h 1", "iJ"]
                    let shelf = Shelf(counts: Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }), names: [:])
                    try expect(coder.snakeCase.roundTrip(shelf), is: shelf)
                },
            ])

    // MARK: Optionals

    private struct Link: Codable { var url: URL? }
    private struct Links: Codable {
        @FallbackNil var first: URL?
        @FallbackNil var second: URL?
    }
    private struct Pair: Codable {
        @FallbackNil var first: Int?
        @FallbackNil var second: Int?
    }

    static let optionals = SuiteCase.of(
        "DefaultNilTests",
        [
            SuiteCase(
                "testDecodingBadUrlAsOptionalWithoutDefaultNil", "Text that is no URL is an error for an optional URL"
            ) { coder in
                try expectDecodingError { try coder.decode(Link.self, #"{"url":"https://a b.example"}"#) }
            },
            SuiteCase("testDecodingWithUrlConversions", "Text that is no URL becomes nil") { coder in
                let links = try coder.decode(
                    Links.self, #"{"first":"https://a b.example","second":"https://b.example"}"#)
                try expect(links.first, is: nil)
                try expect(links.second, is: URL(string: "https://b.example"))
            },
            SuiteCase("testDecodingWithIntegerConversions", "A number with a fraction becomes nil") { coder in
                let pair = try coder.roundTrip(coder.decode(Pair.self, #"{"first":2.5,"second":4}"#))
                try expect(pair.first, is: nil)
                try expect(pair.second, is: 4)
            },
            SuiteCase("testDecodingWithNullValue", "Null is nil") {
                try expect($0.decode(Pair.self, #"{"first":null}"#).first, is: nil)
            },
            SuiteCase("testDecodingWithMissingKey", "A missing key is nil, also after a round trip") { coder in
                try expect(coder.roundTrip(coder.decode(Pair.self, "{}")).first, is: nil)
            },
        ])
}
