import LenientCoding

// The test cases of MetaCodable for keys and paths. A record has the paths; a hand-written model has different ones for
// decoding and encoding.
extension MetaCodableCases {
    private struct Aliases: Record, Equatable {
        var name = "", place = ""
        static let schema = Schema<Aliases> {
            Field(\.name, .or("title"))
            Field(\.place, .or("city"), .or("town"))
        }
    }
    private struct Renamed: Codable, Equatable {
        let text: String
        enum CodingKeys: String, CodingKey { case text = "body" }
    }
    private struct RenamedOptional: Codable, Equatable {
        let text: String?
        enum CodingKeys: String, CodingKey { case text = "body" }
    }
    private struct Nested: Record, Equatable {
        var text = ""
        static let schema = Schema<Nested> { Field("outer.inner.text", \.text) }
    }
    /// A model that is an array itself.
    private struct Tags: Codable, Equatable {
        var names: [String]
        init(names: [String]) { self.names = names }
        init(from decoder: any Decoder) throws { names = try [String].decodeLossily(from: decoder) }
        func encode(to encoder: any Encoder) throws { try names.encode(to: encoder) }
    }

    static let paths =
        SuiteCase.of(
            "CodedAsTests.WithValue",
            [
                .survives("codedAsKeyMapping", "Fields with other keys survive", Aliases(name: "a", place: "b")),
                .decodes(
                    "codedAsFromJSON", "Fields are read from other keys", #"{"title":"a","city":"b"}"#,
                    to: Aliases(name: "a", place: "b")),
                .decodes(
                    "codedAsAlternativeKeys", "A field is read from the second of its other keys",
                    #"{"title":"a","town":"b"}"#, to: Aliases(name: "a", place: "b")),
                .encodes(
                    "codedAsJSONStructure", "Fields are encoded with their own keys", Aliases(name: "a", place: "b"),
                    as: #"{"name":"a","place":"b"}"#),
            ])
        + SuiteCase.of(
            "CodedAtTests",
            [
                .survives(
                    "WithSinglePath.decodingAndEncoding", "A property with another key survives", Renamed(text: "a")),
                .decodes(
                    "WithSinglePath.decodingFromJSON", "A property with another key", #"{"body":"a"}"#,
                    to: Renamed(text: "a")),
                .encodes(
                    "WithSinglePath.encodingToJSON", "A property is encoded with another key", Renamed(text: "a"),
                    as: #"{"body":"a"}"#),
                .survives(
                    "WithSinglePathOnOptionalType.decodingAndEncodingWithValue",
                    "An optional property with another key",
                    RenamedOptional(text: "a")),
                .survives(
                    "WithSinglePathOnOptionalType.decodingAndEncodingWithNil", "A nil property with another key",
                    RenamedOptional(text: nil)),
                .decodes(
                    "WithSinglePathOnOptionalType.decodingFromJSONWithMissingKey", "A missing key is nil", "{}",
                    to: RenamedOptional(text: nil)),
            ])
        + SuiteCase.of(
            "CodedAtHelperTests.WithNoPath",
            [
                .survives("decodingAndEncoding", "A model that is an array survives", Tags(names: ["a", "b"])),
                .decodes("decodingFromJSONArray", "A model from an array", #"["a","b"]"#, to: Tags(names: ["a", "b"])),
                .decodes(
                    "lossyDecodingWithInvalidValues", "A model from an array without its invalid elements",
                    #"["a",7,"b",null,true]"#, to: Tags(names: ["a", "b"])),
            ])
        + SuiteCase.of(
            "CodedInTests.WithNestedPath",
            [
                .survives("decodingAndEncoding", "A field with a path survives", Nested(text: "a")),
                .decodes(
                    "decodingFromNestedJSON", "A field with a path", #"{"outer":{"inner":{"text":"a"}}}"#,
                    to: Nested(text: "a")),
                .encodes(
                    "encodingToNestedJSON", "A field is encoded with its path", Nested(text: "a"),
                    as: #"{"outer":{"inner":{"text":"a"}}}"#),
            ])
        + SuiteCase.of(
            "DecodedAtEncodedAtIntegrationTests",
            [
                SuiteCase("differentPathsForDecodingAndEncoding", "A property has one path to read and one to write") {
                    coder in
                    let text = #"{"id":"7","about":{"name":"Ada","years":36}}"#
                    try expect(
                        coder.encode(coder.decode(Person.self, text)), is: #"{"age":36,"full_name":"Ada","id":"7"}"#)
                },
                SuiteCase("complexNestedStructure", "Both paths have several steps") { coder in
                    let text = #"{"data":{"item":{"name":"a","size":7}},"meta":{"made":"2020-01-01"}}"#
                    try expect(
                        coder.encode(coder.decode(Item.self, text)),
                        is: #"{"item":{"size":7},"made":"2020-01-01","name":"a"}"#)
                },
                SuiteCase("optionalValues", "Missing values have no member in the encoded object") { coder in
                    let full = try coder.decode(Partial.self, #"{"data":{"name":"a","size":7}}"#)
                    try expect(coder.encode(full), is: #"{"name":"a","size":7}"#)
                    let part = try coder.decode(Partial.self, #"{"data":{"name":"a"}}"#)
                    try expect(part.size, is: nil)
                    try expect(coder.encode(part), is: #"{"name":"a"}"#)
                },
            ])

    private struct Person: Codable {
        let id: String, name: String, age: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            id = try container.decode("id")
            let about = try container.nestedContainer("about")
            name = try about.decode("name")
            age = try about.decode("years")
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: RawCodingKey.self)
            try container.encode(id, forKey: "id")
            try container.encode(name, forKey: "full_name")
            try container.encode(age, forKey: "age")
        }
    }

    private struct Item: Codable {
        let name: String, size: Int, made: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            let item = try container.nestedContainer("data").nestedContainer("item")
            name = try item.decode("name")
            size = try item.decode("size")
            made = try container.nestedContainer("meta").decode("made")
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: RawCodingKey.self)
            try container.encode(name, forKey: "name")
            var item = container.nestedContainer(keyedBy: RawCodingKey.self, forKey: "item")
            try item.encode(size, forKey: "size")
            try container.encode(made, forKey: "made")
        }
    }

    private struct Partial: Codable {
        let name: String?, size: Int?

        enum CodingKeys: CodingKey { case name, size }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self).nestedContainer("data")
            name = try container.decodeIfPresent("name")
            size = try container.decodeIfPresent("size")
        }
    }
}
