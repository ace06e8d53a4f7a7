import LenientCoding

// The test cases of MetaCodable for generic types and for names.
extension MetaCodableCases {
    private struct Box<Value: Codable & Equatable & Sendable>: Codable, Equatable { let value: Value }
    private struct Triple<A: Codable & Equatable & Sendable, B: Codable & Equatable & Sendable, C>: Codable, Equatable
    where C: Codable & Equatable & Sendable {
        let first: A
        let second: B
        let third: C
    }
    private enum Choice<A: Codable & Equatable & Sendable, B: Codable & Equatable & Sendable>: Codable, Equatable {
        case first(A), second(B)

        enum CodingKeys: CodingKey { case first, second }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if let value = try container.decodeIfPresent(A.self, forKey: .first) {
                self = .first(value)
            } else {
                self = .second(try container.decode(B.self, forKey: .second))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .first(let value): try container.encode(value, forKey: .first)
            case .second(let value): try container.encode(value, forKey: .second)
            }
        }
    }
    private struct Names: Codable, Equatable { let given, middle, family: String }

    private struct Reserved: Codable, Equatable { let `internal`: String }
    private struct ReservedPaths: Record, Equatable {
        var first = "", second = ""
        static let schema = Schema<ReservedPaths> {
            Field("associatedtype.first", \.first)
            Field("continue.second", \.second)
        }
    }

    static let generics = SuiteCase.of(
        "GenericsTests",
        [
            .survives("SingleGenericTypeExpansion.decodingAndEncoding", "A generic struct survives", Box(value: "a")),
            .survives("SingleGenericTypeExpansion.decodingAndEncodingWithInt", "An integer in it", Box(value: 7)),
            .decodes(
                "SingleGenericTypeExpansion.decodingFromJSON", "A generic struct", #"{"value":"a"}"#,
                to: Box(value: "a")),
            .survives(
                "MultipleGenericTypeExpansion.decodingAndEncoding", "A struct with three generic types survives",
                Triple(first: "a", second: 7, third: false)),
            .decodes(
                "MultipleGenericTypeExpansion.decodingFromJSON", "A struct with three generic types",
                #"{"first":"a","second":7,"third":true}"#, to: Triple(first: "a", second: 7, third: true)),
            .survives(
                "EnumMultipleGenericTypeExpansion.decodingAndEncodingCaseOne",
                "The first case of a generic enumeration",
                Choice<String, Int>.first("a")),
            .survives(
                "EnumMultipleGenericTypeExpansion.decodingAndEncodingCaseTwo", "The second case of it",
                Choice<String, Int>.second(7)),
            .decodes(
                "EnumMultipleGenericTypeExpansion.decodingFromJSON", "A generic enumeration", #"{"second":true}"#,
                to: Choice<String, Bool>.second(true)),
        ])

    static let names =
        SuiteCase.of(
            "GroupedVariableTests.WithoutAnyCustomization",
            [
                .survives(
                    "decodingAndEncoding", "Properties in one declaration survive",
                    Names(given: "a", middle: "b", family: "c")),
                .decodes(
                    "decodingFromJSON", "Properties in one declaration",
                    #"{"family":"c","given":"a","middle":"b"}"#, to: Names(given: "a", middle: "b", family: "c")),
                .encodes(
                    "encodingToJSON", "Properties in one declaration are encoded",
                    Names(given: "a", middle: "b", family: "c"), as: #"{"family":"c","given":"a","middle":"b"}"#),
            ])
        + SuiteCase.of(
            "CodingKeysGenerationTests",
            [
                .survives(
                    "BacktickExpression.decodingAndEncoding", "A keyword as name survives", Reserved(internal: "a")),
                .decodes(
                    "BacktickExpression.decodingFromJSON", "A keyword as name", #"{"internal":"a"}"#,
                    to: Reserved(internal: "a")),
                .survives(
                    "ReservedNames.decodingAndEncoding", "Keywords in paths survive",
                    ReservedPaths(first: "a", second: "b")),
                .decodes(
                    "ReservedNames.decodingFromJSON", "Keywords in paths",
                    #"{"associatedtype":{"first":"a"},"continue":{"second":"b"}}"#,
                    to: ReservedPaths(first: "a", second: "b")),
            ])
}
