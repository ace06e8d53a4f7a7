import Foundation
import LenientCoding

// The test cases of MetaCodable for enumerations with associated values and for values of several types.
extension MetaCodableCases {
    /// A command whose tag is text, a number, a Boolean or in a range of numbers.
    private enum Valve: Codable, Equatable {
        case open(name: String), close(name: String, after: Int)

        enum CodingKeys: CodingKey { case kind, name, after }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let kind = try container.decode(JSONValue.self, forKey: .kind)
            guard let isOpen = Self.isOpen(kind) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .kind, in: container, debugDescription: "No such command.")
            }
            let name = try container.decode(String.self, forKey: .name)
            self =
                isOpen ? .open(name: name) : .close(name: name, after: try container.decode(Int.self, forKey: .after))
        }

        static func isOpen(_ kind: JSONValue) -> Bool? {
            if let truth = kind.boolValue { return truth }
            if let text = kind.stringValue { return text == "open" ? true : text == "close" ? false : nil }
            guard let number = kind.doubleValue else { return nil }
            if number == 12 || (15..<20).contains(number) { return true }
            if number == 30 || (35...40).contains(number) { return false }
            return number >= -0.5 ? true : number < -2.5 ? false : nil
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .open(let name):
                try container.encode("open", forKey: .kind)
                try container.encode(name, forKey: .name)
            case .close(let name, let after):
                try container.encode("close", forKey: .kind)
                try container.encode(name, forKey: .name)
                try container.encode(after, forKey: .after)
            }
        }
    }

    private static func opens(_ origin: String, _ behaviour: String, _ kinds: String...) -> SuiteCase {
        SuiteCase(origin, behaviour) { coder in
            for kind in kinds {
                try expect(coder.decode(Valve.self, #"{"kind":\#(kind),"name":"a"}"#), is: .open(name: "a"))
            }
        }
    }

    private static func closes(_ origin: String, _ behaviour: String, _ kinds: String...) -> SuiteCase {
        SuiteCase(origin, behaviour) { coder in
            for kind in kinds {
                let text = #"{"kind":\#(kind),"name":"a","after":7}"#
                try expect(coder.decode(Valve.self, text), is: .close(name: "a", after: 7))
            }
        }
    }

    private static let tags = SuiteCase.of(
        "CodedAsTests.WithAnyCodableLiteralEnum",
        [
            .survives(
                "enumMixedLiteralRoundtrip", "A case whose tag has several forms survives", Valve.open(name: "a")),
            opens("enumStringTypeDecoding", "A tag that is text", #""open""#),
            opens("enumIntegerTypeDecoding", "A tag that is an integer", "12"),
            opens("enumBooleanTypeDecoding", "A tag that is true", "true"),
            opens("enumDoubleTypeDecoding", "A tag that is a number with a fraction", "2.25"),
            closes("enumStoreWithIntegerType", "An integer tag of the second case", "30"),
            closes("enumStoreWithBooleanType", "A tag that is false", "false"),
            closes("enumStoreWithDoubleType", "A negative number as tag", "-3.0"),
            .encodes(
                "enumEncodingStructure", "The tag is encoded as text", Valve.close(name: "a", after: 7),
                as: #"{"after":7,"kind":"close","name":"a"}"#),
            .encodes(
                "enumLoadEncodingStructure", "The first case has no members of the second", Valve.open(name: "a"),
                as: #"{"kind":"open","name":"a"}"#),
            .refuses(
                "enumInvalidTypeDecoding", "An unknown tag is an error", Valve.self, #"{"kind":"turn","name":"a"}"#),
            .refuses("enumMissingTypeDecoding", "A missing tag is an error", Valve.self, #"{"name":"a"}"#),
            opens("enumIntegerRangeLoadCase", "An integer in a half-open range", "17"),
            closes("enumIntegerRangeStoreCase", "An integer in a closed range", "38"),
            SuiteCase("enumIntegerRangeBoundaryValues", "The bounds of ranges of integers") { coder in
                for kind in [15, 19] {
                    try expect(coder.decode(Valve.self, #"{"kind":\#(kind),"name":"a"}"#), is: .open(name: "a"))
                }
                for kind in [35, 40] {
                    let text = #"{"kind":\#(kind),"name":"a","after":7}"#
                    try expect(coder.decode(Valve.self, text), is: .close(name: "a", after: 7))
                }
            },
            opens("enumDoublePartialRangeLoadCase", "A number above a bound", "5.5"),
            closes("enumDoublePartialRangeStoreCase", "A number below a bound", "-4.5"),
            SuiteCase("enumDoubleRangeBoundaryValues", "A bound belongs to one range and not to the other") { coder in
                try expect(coder.decode(Valve.self, #"{"kind":-0.5,"name":"a"}"#), is: .open(name: "a"))
                try expectDecodingError { try coder.decode(Valve.self, #"{"kind":-2.5,"name":"a","after":7}"#) }
            },
            opens("enumRangeValuesPriorityOverLiterals", "A range beside single values", "16"),
        ])

    // MARK: Tags beside the members and around them

    private struct Circle: Codable, Equatable { let radius: Int }
    private enum Shape: Codable, Equatable {
        case circle(Circle)

        init(from decoder: any Decoder) throws {
            self = try decoder.decodeTagged("kind") { $0 == "circle" ? .circle(try Circle(from: $1)) : nil }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .circle(let circle): try encoder.encodeTagged("kind", as: "circle", circle)
            }
        }
    }
    private enum Only: Codable, Equatable {
        case one
        init(from decoder: any Decoder) throws {
            self = try decoder.decodeTagged("kind") { kind, _ in kind == "one" ? .one : nil }
        }
        func encode(to encoder: any Encoder) throws { try encoder.encodeTagged("kind", as: "one", [String: Int]()) }
    }
    /// A tagged value whose members are in an object of their own when it is encoded.
    private struct Wrapped: Codable, Equatable {
        var valve: Valve
        init(valve: Valve) { self.valve = valve }
        init(from decoder: any Decoder) throws { valve = try Valve(from: decoder) }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: RawCodingKey.self)
            var content = container.nestedContainer(keyedBy: RawCodingKey.self, forKey: "content")
            switch valve {
            case .open(let name):
                try container.encode("open", forKey: "kind")
                try content.encode(name, forKey: "name")
            case .close(let name, let after):
                try container.encode("close", forKey: "kind")
                try content.encode(name, forKey: "name")
                try content.encode(after, forKey: "after")
            }
        }
    }

    private static let contents =
        SuiteCase.of(
            "CodedAtEnumTests",
            [
                .survives(
                    "WithOnlyAssociatedVariablesAtTopLevel.decodingAndEncoding", "A struct with a tag survives",
                    Shape.circle(Circle(radius: 7))),
                .decodes(
                    "WithOnlyAssociatedVariablesAtTopLevel.decodingFromJSON", "A struct with a tag",
                    #"{"kind":"circle","radius":7}"#, to: Shape.circle(Circle(radius: 7))),
                .encodes(
                    "WithOnlyAssociatedVariablesAtTopLevel.encodingToJSON", "The tag is beside the members",
                    Shape.circle(Circle(radius: 7)), as: #"{"kind":"circle","radius":7}"#),
                .decodes(
                    "WithoutAssociatedVariables.decodingFromJSON", "A tag alone", #"{"kind":"one"}"#, to: Only.one),
                .encodes(
                    "WithoutAssociatedVariables.encodingToJSON", "A tag alone is encoded", Only.one,
                    as: #"{"kind":"one"}"#),
            ])
        + SuiteCase.of(
            "ContentAtTests.WithoutExplicitType",
            [
                .encodes(
                    "contentAtEncodingStructure", "The members are in an object beside the tag",
                    Wrapped(valve: .open(name: "a")), as: #"{"content":{"name":"a"},"kind":"open"}"#),
                .decodes(
                    "contentAtFromJSON", "The members are read beside the tag",
                    #"{"kind":"close","name":"a","after":7}"#, to: Wrapped(valve: .close(name: "a", after: 7))),
                .encodes(
                    "contentAtJSONStructure", "Two members are in an object beside the tag",
                    Wrapped(valve: .close(name: "a", after: 7)),
                    as: #"{"content":{"after":7,"name":"a"},"kind":"close"}"#),
            ])

    // MARK: Values of several types

    private enum Mixed: Codable, Equatable {
        case bool(Bool), uint(UInt), int(Int), double(Double), string(String), array([Mixed]), object([String: Mixed])
        case none

        init(from decoder: any Decoder) throws {
            self = try decoder.decodeFirst(
                { .bool(try Bool(from: $0)) }, { .uint(try UInt(from: $0)) }, { .int(try Int(from: $0)) },
                { .double(try Double(from: $0)) }, { .string(try String(from: $0)) },
                { .array(try [Mixed](from: $0)) }, { .object(try [String: Mixed](from: $0)) }, { _ in .none })
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let value): try container.encode(value)
            case .uint(let value): try container.encode(value)
            case .int(let value): try container.encode(value)
            case .double(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            case .array(let value): try container.encode(value)
            case .object(let value): try container.encode(value)
            case .none: try container.encodeNil()
            }
        }
    }

    private static let untagged = SuiteCase.of(
        "UntaggedEnumTests",
        [
            .survives("WithoutFallbackCase.decodingAndEncodingBool", "A Boolean stays one", Mixed.bool(true)),
            .survives("WithoutFallbackCase.decodingAndEncodingString", "A string stays one", Mixed.string("true")),
            SuiteCase("WithoutFallbackCase.decodingFromJSONPrimitives", "Each scalar is the first type that fits") {
                try expect($0.decode(Mixed.self, "false"), is: .bool(false))
                try expect($0.decode(Mixed.self, #""1""#), is: .string("1"))
                try expect($0.decode(Mixed.self, "1"), is: .uint(1))
            },
            .decodes(
                "WithoutFallbackCase.decodingFromJSONArray", "An array of several types", #"[true,"a",7]"#,
                to: Mixed.array([.bool(true), .string("a"), .uint(7)])),
            SuiteCase("WithFallbackCase.decoding", "A deep document of all types") { coder in
                let inner = #"{"a":true,"b":12,"c":-43,"d":36.5,"e":"x","f":[null,{"g":[]}]}"#
                let text = #"[true,12,-43,36.5,"x",[\#(inner),[\#(inner)]],{"h":\#(inner),"i":{"j":\#(inner)}}]"#
                guard case .array(let elements) = try coder.decode(Mixed.self, text) else {
                    throw UnmetExpectation(description: "no array")
                }
                try expect(elements.count, is: 7)
                try expect(coder.roundTrip(Mixed.array(elements)), is: .array(elements))
            },
        ])

    static let enumerations = tags + contents + posts + untagged
}
