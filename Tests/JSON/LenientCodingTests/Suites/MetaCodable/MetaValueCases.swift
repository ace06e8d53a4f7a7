import Foundation
import LenientCoding
import Testing

// The test cases of MetaCodable for values that convert: `ValueCoder` there, `@Lossless` here.
extension MetaCodableCases {
    private struct Values: Codable {
        @Lossless var flag: Bool
        @Lossless var count: Int
        @Lossless var ratio: Double
        @Lossless var name: String
        @Lossless var maybeFlag: Bool?
        @Lossless var maybeCount: Int?
        @Lossless var maybeRatio: Double?
        @Lossless var maybeName: String?
    }

    private static func document(
        flag: String = "true", count: String = "7", ratio: String = "2.25", name: String = #""a""#
    ) -> String {
        #"{"flag":\#(flag),"count":\#(count),"ratio":\#(ratio),"name":\#(name)}"#
    }

    private static func converts<Value: Equatable & Sendable>(
        _ origin: String, _ behaviour: String, _ value: any KeyPath<Values, Value> & Sendable,
        _ pairs: [(String, Value)],
        differs: String? = nil
    ) -> SuiteCase {
        SuiteCase(origin, behaviour, differs: differs) { coder in
            for (text, expected) in pairs {
                try expect(coder.decode(Values.self, text)[keyPath: value], is: expected)
            }
        }
    }

    private static let booleans = [
        SuiteCase("actualTypeDecoding", "Values of the right types survive") { coder in
            let values = try coder.roundTrip(coder.decode(Values.self, document()))
            try expect(values.flag, is: true)
            try expect(values.count, is: 7)
            try expect(values.ratio, is: 2.25)
            try expect(values.name, is: "a")
        },
        converts(
            "intToBooleanDecoding", "1 and 0 are Booleans", \.flag,
            [(document(flag: "1"), true), (document(flag: "0"), false)]),
        .refuses("intToBooleanDecodingFailure", "2 is no Boolean", Values.self, document(flag: "2")),
        converts(
            "floatToBooleanDecoding", "1.0 and 0.0 are Booleans", \.flag,
            [(document(flag: "1.0"), true), (document(flag: "0.0"), false)]),
        .refuses("floatToBooleanDecodingFailure", "1.1 is no Boolean", Values.self, document(flag: "1.1")),
        converts(
            "stringToBooleanDecoding", "Words such as y, yes, t, no and 1.0 are Booleans", \.flag,
            ["1", "true", "y", "yes", "t", "1.0"].map { (document(flag: #""\#($0)""#), true) }
                + ["0", "false", "n", "no", "f", "0.0"].map { (document(flag: #""\#($0)""#), false) },
            differs: #"Only `"true"`, `"false"`, `"1"` and `"0"` are Booleans; other words need a `CodingStrategy`."#),
        .refuses(
            "stringToBooleanDecodingFailure", "Other words are no Booleans", Values.self,
            document(flag: #""0.1""#), document(flag: #""1.1""#), document(flag: #""2""#), document(flag: #""maybe""#)),
    ]

    private static let numbers = [
        converts(
            "boolToIntDecoding", "true and false are the integers 1 and 0", \.count,
            [(document(count: "true"), 1), (document(count: "false"), 0)],
            differs: "A Boolean is no number, because it would lose its type."),
        converts(
            "floatToIntDecoding", "A number with zeros after the point is an integer", \.count,
            [(document(count: "7.0"), 7), (document(count: "0.00"), 0)]),
        .refuses("floatToIntDecodingFailure", "2.25 is no integer", Values.self, document(count: "2.25")),
        converts(
            "stringToIntDecoding", "Text with an integer is one", \.count,
            [(document(count: #""7""#), 7), (document(count: #""7.0""#), 7), (document(count: #""0.00""#), 0)]),
        .refuses(
            "stringToIntDecodingFailure", "Text with a fraction is no integer", Values.self,
            document(count: #""0.1""#), document(count: #""1.1""#)),
        converts(
            "boolToFloatDecoding", "true and false are the numbers 1 and 0", \.ratio,
            [(document(ratio: "true"), 1), (document(ratio: "false"), 0)],
            differs: "A Boolean is no number, because it would lose its type."),
        converts(
            "intToFloatDecoding", "An integer is a number", \.ratio,
            [(document(ratio: "7"), 7), (document(ratio: "0"), 0)]),
        converts(
            "stringToFloatDecoding", "Text with a number is one", \.ratio,
            ["7", "7.0", "0.00", "7.01"].map { (document(ratio: #""\#($0)""#), Double($0) ?? .nan) }),
        .refuses(
            "stringToFloatDecodingFailure", "Text without a number is none", Values.self,
            document(ratio: #""0.1.1""#), document(ratio: #""some""#)),
    ]

    private static let texts = [
        converts(
            "boolToStringDecoding", "A Boolean is text", \.name,
            [(document(name: "true"), "true"), (document(name: "false"), "false")]),
        converts(
            "intToStringDecoding", "An integer is text", \.name,
            [(document(name: "7"), "7"), (document(name: "0"), "0")]),
        SuiteCase("floatToStringDecoding", "A number is text that has the same value") { coder in
            for number in [1.0, 0.0, 1.01] {
                let name = try coder.decode(Values.self, document(name: "\(number)")).name
                try expect(Double(name), is: number)
            }
        },
    ]

    // MARK: All properties of a model

    private struct Mixed: Codable, Equatable {
        @Lossless var count: Int
        var url: URL
        var id: UUID
    }
    private struct Sized: Codable, Equatable {
        enum Length: CodingStrategy {
            static func decode(from decoder: any Decoder) throws -> CGFloat { CGFloat(try Double(from: decoder)) }
            static func encode(_ value: CGFloat, to encoder: any Encoder) throws {
                try Double(value).encode(to: encoder)
            }
        }
        @Lossless var name: String
        @Coded<Length> var width: CGFloat
        @Lossless var note: String
    }
    private struct Exact: Codable, Equatable { let flag: Bool, count: Int, ratio: Double, name: String }
    private enum State: Codable, Equatable {
        case open(since: Lossless<String>), closed(reason: Lossless<String>)

        enum CodingKeys: CodingKey { case kind, since, reason }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self = try decoder.decodeTagged("kind") { kind, _ in
                switch kind {
                case "open": .open(since: try container.decode(Lossless<String>.self, forKey: .since))
                case "closed": .closed(reason: try container.decode(Lossless<String>.self, forKey: .reason))
                default: nil
                }
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .open(let since): try encoder.encodeTagged("kind", as: "open", ["since": since])
            case .closed(let reason): try encoder.encodeTagged("kind", as: "closed", ["reason": reason])
            }
        }
    }
    private struct Doubled: Codable, Equatable {
        enum Twice: CodingStrategy {
            static func decode(from decoder: any Decoder) throws -> Int { try Int.decodeLosslessly(from: decoder) * 2 }
            static func encode(_ value: Int, to encoder: any Encoder) throws { try "\(value / 2)".encode(to: encoder) }
        }
        @Coded<Twice> var id: Int
        @Lossless var count: Int
    }

    private static let commonStrategies = SuiteCase.of(
        "CommonStrategiesValueCoderTests",
        [
            SuiteCase("testParsing", "All properties convert, and missing optional ones are nil") { coder in
                let text = document(flag: #""true""#, count: #""7""#, ratio: #""2.25""#, name: "12345678901")
                let decoded = try coder.decode(Values.self, text)
                for values in [decoded, try coder.roundTrip(decoded)] {
                    try expect(values.flag, is: true)
                    try expect(values.count, is: 7)
                    try expect(values.ratio, is: 2.25)
                    try expect(values.name, is: "12345678901")
                    try expect(values.maybeFlag == nil && values.maybeName == nil, "not nil")
                }
            },
            SuiteCase("NonConformingTypes.testNonConformingTypes", "URLs and UUIDs are decoded beside them") { coder in
                let text = #"{"count":"7","url":"https://a.example","id":"0F0E0D0C-0B0A-4908-8706-050403020100"}"#
                let url = try #require(URL(string: "https://a.example"))
                let id = try #require(UUID(uuidString: "0F0E0D0C-0B0A-4908-8706-050403020100"))
                try coder.expect(text, is: Mixed(count: 7, url: url, id: id))
            },
            SuiteCase("CustomStrategies.testCustomStrategies", "A strategy of the program converts a type") { coder in
                let sized = try coder.decode(Sized.self, #"{"name":"a","width":7,"note":"b"}"#)
                try expect(sized, is: Sized(name: "a", width: 7, note: "b"))
                try expect(coder.encode(sized), is: #"{"name":"a","note":"b","width":7}"#)
            },
            SuiteCase("EmptyStrategies.testEmptyStrategies", "Without strategies the types are exact") { coder in
                let exact = try coder.decode(Exact.self, document())
                try expect(exact, is: Exact(flag: true, count: 7, ratio: 2.25, name: "a"))
                try expect(coder.encode(exact), is: #"{"count":7,"flag":true,"name":"a","ratio":2.25}"#)
            },
            SuiteCase("EnumTests.testEnumWithCommonStrategies", "Associated values of a tagged enumeration convert") {
                coder in
                let open = try coder.decode(State.self, #"{"kind":"open","since":20200101}"#)
                try expect(open, is: .open(since: Lossless(wrappedValue: "20200101")))
                try expect(coder.encode(open), is: #"{"kind":"open","since":"20200101"}"#)
                let closed = try coder.decode(State.self, #"{"kind":"closed","reason":7}"#)
                try expect(closed, is: .closed(reason: Lossless(wrappedValue: "7")))
            },
            SuiteCase("HelperCoderOverrideTests.testHelperCoderOverride", "A property has a strategy of its own") {
                coder in
                let doubled = try coder.decode(Doubled.self, #"{"id":"6","count":"7"}"#)
                try expect(doubled, is: Doubled(id: 12, count: 7))
                try expect(coder.encode(doubled), is: #"{"count":7,"id":"6"}"#)
            },
        ])

    static let values = SuiteCase.of("ValueCoderTests", booleans + numbers + texts) + commonStrategies
}
