import LenientCoding

// The test cases of MetaCodable for plain structs and classes.
extension MetaCodableCases {
    private class OpenNote: Codable {
        let text: String
    }
    /// A public model.
    public struct PublicNote: Codable, Equatable, Sendable { let text: String }

    private class Base: Codable {
        init() {}
        required init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {}
    }
    private final class Derived: Base {
        var text = ""

        enum CodingKeys: CodingKey { case text }

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            try super.init(from: decoder)
            text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
        }

        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(text, forKey: .text)
        }
    }
    private final class Plain: Codable {
        var text = ""
        init() {}
    }

    private struct Note: Codable, Equatable {
        static let shared = "shared"
        static var changing: String { "changing" }
        let text: String
    }
    @available(macOS 10.15, *)
    private struct Available: Codable, Equatable { let text: String }
    private enum Single: Codable, Equatable { case only }

    private struct Reading: Decodable, Equatable { let name: String, value: Int }
    private struct Written: Encodable { let flag: Bool, count: Int, ratio: Double, name: String }
    private struct Read: Decodable, Equatable {
        @Lossless var flag: Bool
        @Lossless var count: Int
        @Lossless var ratio: Double
        @Lossless var name: String
    }

    private struct Defaults: Codable, Equatable {
        enum Untitled: DefaultValueProvider { static var defaultValue: String { "untitled" } }
        @Default<Untitled> var title: String
        @Default<IntegerValue<12>> var count: Int

        init(_ title: String, _ count: Int) { (self.title, self.count) = (title, count) }
    }
    /// A computed property that is encoded.
    private struct Computed: Codable, Equatable {
        enum CodingKeys: CodingKey { case text }
        var text: String { "fixed" }
        init() {}
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(text, forKey: .text)
        }
    }
    /// A constant with a value, which is encoded and not decoded.
    private struct Constant: Encodable, Decodable, Equatable {
        let text = "fixed"
        enum CodingKeys: CodingKey { case text }
        init() {}
        init(from decoder: any Decoder) throws {}
    }

    static let models = access + inheritance + basics + generics + names + conformances + defaults

    private static let access = SuiteCase.of(
        "AccessModifierTests",
        [
            SuiteCase("Open.openClassDecodingOnly", "A class is decoded") {
                try expect($0.decode(OpenNote.self, #"{"text":"a"}"#).text, is: "a")
            },
            SuiteCase("Open.openClassFromJSON", "A class is decoded beside unknown members") {
                try expect($0.decode(OpenNote.self, #"{"x":1,"text":"b"}"#).text, is: "b")
            },
            .survives("Public.publicStructDecodingAndEncoding", "A public struct survives", PublicNote(text: "a")),
            .decodes("Public.publicStructFromJSON", "A public struct", #"{"text":"a"}"#, to: PublicNote(text: "a")),
        ])

    private static let inheritance = SuiteCase.of(
        "CodableInheritanceTests",
        [
            SuiteCase("NoInheritance.decodingAndEncoding", "A class without a superclass survives") { coder in
                let note = Plain()
                note.text = "a"
                try expect(coder.roundTrip(note).text, is: "a")
            },
            SuiteCase("NoInheritance.decodingFromJSON", "A class without a superclass is decoded") {
                try expect($0.decode(Plain.self, #"{"text":"a"}"#).text, is: "a")
            },
            SuiteCase("NoInheritance.encodingToJSON", "A class without a superclass is encoded") { coder in
                let note = Plain()
                note.text = "a"
                try expect(coder.encode(note), is: #"{"text":"a"}"#)
            },
            SuiteCase("WithExplicitInheritance.inheritanceDecodingAndEncoding", "A subclass survives") { coder in
                let note = Derived()
                note.text = "a"
                try expect(coder.roundTrip(note).text, is: "a")
            },
            SuiteCase("WithExplicitInheritance.inheritanceFromJSON", "A subclass is decoded") {
                try expect($0.decode(Derived.self, #"{"text":"a"}"#).text, is: "a")
            },
        ])

    private static let basics = SuiteCase.of(
        "CodableTests",
        [
            .survives(
                "WithoutAvailableAttribute.availableAttributeEncoding", "A struct with an availability survives",
                Available(text: "a")),
            .decodes(
                "WithoutAvailableAttribute.availableAttributeFromJSON", "A struct with an availability",
                #"{"text":"a"}"#, to: Available(text: "a")),
            .survives("WithoutAnyCustomization.basicCodableEncoding", "A struct survives", Note(text: "a")),
            .decodes("WithoutAnyCustomization.basicCodableFromJSON", "A struct", #"{"text":"a"}"#, to: Note(text: "a")),
            .encodes(
                "WithoutAnyCustomization.staticPropertiesIgnored", "Static properties are not encoded",
                Note(text: "a"), as: #"{"text":"a"}"#),
            .decodes(
                "EnumWithoutAssociatedVariables.decodingFromJSON", "A case without values is an empty object",
                #"{"only":{}}"#, to: Single.only),
            .encodes(
                "EnumWithoutAssociatedVariables.encodingToJSON", "A case without values is encoded as an empty object",
                Single.only, as: #"{"only":{}}"#),
        ])

    private static let conformances = [
        SuiteCase.encodes(
            "ConformEncodableTests.WithCommonStrategies.testParsing", "A type that is only encodable",
            Written(flag: true, count: 7, ratio: 2.25, name: "12345678901"),
            as: #"{"count":7,"flag":true,"name":"12345678901","ratio":2.25}"#),
        .decodes(
            "ConformDecodableTests.WithoutCommonStrategies.decodingOnly", "A type that is only decodable",
            #"{"name":"a","value":7}"#, to: Reading(name: "a", value: 7)),
        .decodes(
            "ConformDecodableTests.WithoutCommonStrategies.decodingFromJSON", "Members in another order",
            #"{"value":8,"name":"b"}"#, to: Reading(name: "b", value: 8)),
        .decodes(
            "ConformDecodableTests.WithCommonStrategies.testParsing", "A decodable type whose values convert",
            #"{"flag":"true","count":"7","ratio":"2.25","name":12345678901}"#,
            to: Read(flag: true, count: 7, ratio: 2.25, name: "12345678901")),
    ]

    private static let defaults =
        SuiteCase.of(
            "DefaultTests.DefaultValueBehavior",
            [
                .decodes(
                    "defaultValueUsage", "Missing keys are the default values", "{}", to: Defaults("untitled", 12)),
                .decodes(
                    "overrideDefaultValues", "Values count before default values", #"{"title":"a","count":7}"#,
                    to: Defaults("a", 7)),
                .survives("encodingWithDefaults", "Values with defaults survive", Defaults("b", 8)),
            ])
        + ["GetterOnlyVariable", "ExplicitGetterOnlyVariable", "GetterOnlyVariableWithMultiLineStatements"].flatMap {
            SuiteCase.of(
                "ExplicitCodingTests.\($0)",
                [
                    .encodes("encodingOnly", "A computed property is encoded", Computed(), as: #"{"text":"fixed"}"#),
                    .decodes("decodingEmpty", "A computed property is not decoded", "{}", to: Computed()),
                ])
        }
        + SuiteCase.of(
            "VariableDeclarationTests.InitializedImmutableVariable",
            [
                .survives("decodingAndEncoding", "A constant with a value survives", Constant()),
                .decodes("decodingFromEmptyJSON", "A constant with a value needs no member", "{}", to: Constant()),
                .encodes("encodingToJSON", "A constant with a value is encoded", Constant(), as: #"{"text":"fixed"}"#),
            ])
}
