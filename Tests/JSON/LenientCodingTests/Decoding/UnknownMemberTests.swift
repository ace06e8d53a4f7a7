import LenientCoding
import Testing

private struct Model: Decodable {
    var id: Int?
    var imageURL: String?
    var inner: Inner?
    var list: [Inner]?
    var values: [String: Int]?
    @Default<EmptyArray> var lossy: [Inner]

    struct Inner: Decodable { var x: Int }
    enum EmptyArray: DefaultValueProvider { static var defaultValue: [Inner] { [] } }
}

private class Base: Decodable {
    var base: Int?
}

private final class Derived: Base {
    var derived: Int?

    private enum CodingKeys: CodingKey { case derived }

    required init(from decoder: any Decoder) throws {
        derived = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Int.self, forKey: .derived)
        try super.init(from: decoder)
    }
}

private final class Nested: Base {
    required init(from decoder: any Decoder) throws {
        enum CodingKeys: CodingKey { case derived }
        try super.init(from: decoder.container(keyedBy: CodingKeys.self).superDecoder())
    }
}

/// Decodes one of two forms, whichever succeeds.
private struct Either: Decodable {
    init(from decoder: any Decoder) throws {
        struct Number: Decodable { var number: Int }
        struct Text: Decodable { var text: String }
        if (try? Number(from: decoder)) == nil { _ = try Text(from: decoder) }
    }
}

private struct Tree: Decodable {
    var children: [Tree]?
}

@Suite("Unknown members")
struct UnknownMemberTests {
    @Test(
        "Unknown members are reported in the document's spelling",
        arguments: [
            (#"{"id":1}"#, []), (#"{"ID":1}"#, ["unexpectedKey ID unknownKey 1 ID"]),
            (
                #"{"a":null,"inner":{"x":1,"y":{"z":1}}}"#,
                [
                    "unexpectedKey a unknownKey 1 a", "unexpectedKey inner.y unknownKey 1 inner.y",
                ]
            ),
            (#"{"list":[{"x":1},{"x":2,"y":0},{"x":3,"y":0}]}"#, ["unexpectedKey list[].y unknownKey 2 list[1].y"]),
            // The keys of dictionaries are data.
            (#"{"values":{"any":1}}"#, []),
            // A duplicate unknown member is reported once.
            (#"{"a":1,"a":2}"#, ["duplicateKey a duplicate 1 a", "unexpectedKey a unknownKey 1 a"]),
            // Unknown members inside a dropped value are not reported.
            (#"{"inner":{"y":1}}"#, ["dropped inner invalid 1 inner"]),
            (#"{"x.y":1}"#, ["unexpectedKey x.y unknownKey 1 x.y"]),
        ])
    func reported(text: String, expected: [String]) throws {
        #expect(try repaired(Model.self, text).drift.sorted() == expected)
    }

    @Test("Keys that match by conversion or by their letters are not reported")
    func snakeCase() throws {
        let text = #"{"image_url":"a","Image_id":1,"list":[{"x":1,"some_thing":1}]}"#
        #expect(
            try repaired(Model.self, text, by: .snakeCase).drift == [
                "unexpectedKey Image_id unknownKey 1 Image_id",
                "unexpectedKey list[].some_thing unknownKey 1 list[0].some_thing",
            ])
    }

    @Test("Keys of a custom strategy are reported as the strategy returns them")
    func customStrategy() throws {
        var decoder = LenientDecoder()
        decoder.keyDecodingStrategy = .custom { RawCodingKey($0[$0.count - 1].stringValue.lowercased()) }
        #expect(
            try repaired(Model.self, #"{"ID":1,"Other":2}"#, by: decoder).drift
                == ["unexpectedKey other unknownKey 1 other"])
    }

    @Test("A member of an object that is read with several key types is unknown only if no type has its key")
    func severalKeyTypes() throws {
        #expect(try repaired(Derived.self, #"{"base":1,"derived":2}"#).drift == [])
        #expect(
            try repaired(Derived.self, #"{"base":1,"derived":2,"more":3}"#).drift
                == ["unexpectedKey more unknownKey 1 more"])
        #expect(
            try repaired([Either].self, #"[{"text":"a"},{"number":1,"text":"b"},{"text":"c","more":1}]"#).drift.sorted()
                == ["unexpectedKey [].more unknownKey 1 [2].more", "unexpectedKey [].text unknownKey 1 [1].text"])
        #expect(
            try repaired(Nested.self, #"{"super":{"base":1,"more":1}}"#).drift
                == ["unexpectedKey super.more unknownKey 1 super.more"])
    }

    @Test("A type that can read any key has no unknown members")
    func anyKeys() throws {
        struct Open: Decodable {
            init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: RawCodingKey.self)
                _ = try members.decode("a") as Int
            }
        }
        #expect(try repaired(Open.self, #"{"a":1,"b":2}"#).drift == [])
        #expect(try repaired([String: AnyCodable].self, #"{"a":{"b":1}}"#).drift == [])
        #expect(try repaired([JSONValue].self, #"[{"a":{"b":1}}]"#).drift == [])
    }

    @Test("Entries inside a dropped element are removed from the report")
    func droppedElements() throws {
        struct Lists: Decodable { @Lossy var list: [Model.Inner] }
        #expect(
            try repaired(Lists.self, #"{"list":[{"y":1},{"x":"1","y":1},{"z":1,"x":[]}]}"#).drift.sorted() == [
                "coerced list[].x numericString 1 list[1].x", "dropped list[] invalid 2 list[0]",
                "unexpectedKey list[].y unknownKey 1 list[1].y",
            ])
    }

    @Test("Entries of wrappers inside a dropped element are removed from the report")
    func droppedWrappers() throws {
        struct Row: Decodable {
            @Lossy var cells: [Int]
            var id: Int
        }
        struct Lists: Decodable { @Lossy var rows: [Row] }
        #expect(
            try repaired(Lists.self, #"{"rows":[{"cells":["a"]},{"cells":["b",1],"id":1}]}"#).drift.sorted() == [
                "dropped rows[] invalid 1 rows[0]", "dropped rows[].cells[] mistyped 1 rows[1].cells[0]",
            ])
    }

    @Test("The report of many unknown members at many depths is bounded and counts all of them")
    func bounded() throws {
        let objects = (0..<1000).map { "{\"k\($0)\":1,\"children\":[]}" }.joined(separator: ",")
        var drift = DriftReport()
        _ = try LenientDecoder().decode([Tree].self, from: Array("[\(objects)]".utf8), drift: &drift)
        #expect(drift.entries.count == DriftReport.maximumEntries)
        #expect(drift.entries.map(\.count).reduce(drift.unlisted, +) == 1000)

        let deep = String(repeating: #"{"unknown":1,"children":["#, count: 200) + String(repeating: "]}", count: 200)
        _ = try LenientDecoder().decode(Tree.self, from: Array(deep.utf8), drift: &drift)
        #expect(drift.entries.map(\.count).reduce(drift.unlisted, +) == 200)
    }

    @Test("A failed decode reports its unknown members")
    func afterFailure() {
        var drift = DriftReport()
        #expect(throws: DecodingError.self) {
            try LenientDecoder().decode(Model.Inner.self, from: Array(#"{"X":1}"#.utf8), drift: &drift)
        }
        #expect(lines(drift) == ["unexpectedKey X unknownKey 1 X"])
    }
}
