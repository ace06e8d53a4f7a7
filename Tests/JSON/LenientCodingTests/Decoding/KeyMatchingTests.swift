import Foundation
import LenientCoding
import Testing

private struct Address: Decodable, Equatable {
    var address1: String?
    var imageURL: String?
    var idStr: String?
    var temperature2m: Double?
}

private struct Explicit: Decodable, Equatable {
    var id: String
    var name: String
    enum CodingKeys: String, CodingKey {
        case id = "id_str"
        case name = "screenName"
    }
}

private struct Pair: Decodable, Equatable { var aZ: Int, aB: Int }
private struct One: Decodable, Equatable { var aB: Int? }

private let snakeCaseDecoders: [any AnyTopLevelDecoder] = [
    LenientDecoder.snakeCase, LenientDecoder.strictSnakeCase, FoundationDecoder(isSnakeCase: true),
]

/// The names of the coding keys that match the members of an object.
private struct Names: Decodable {
    var names: [String]
    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: RawCodingKey.self).allKeys.map(\.stringValue).sorted()
    }
}

@Suite("Matching members to coding keys")
struct KeyMatchingTests {
    @Test("Members in snake_case match properties in camelCase")
    func snakeCase() throws {
        struct Model: Decodable, Equatable { var createdAt: Int, id: Int, _private: Int?, a: Int? }
        for decoder in snakeCaseDecoders {
            #expect(
                try decoder.decode(Model.self, text: #"{"id":1,"created_at":2,"_private":3,"a":4}"#)
                    == Model(createdAt: 2, id: 1, _private: 3, a: 4))
            #expect(result(Model.self, #"{"id":1}"#, by: decoder) == "keyNotFound createdAt at ")
            #expect(
                try decoder.decode([Pair].self, text: #"[{"aZ":1,"a_b":2},{"a_b":2,"a_z":1}]"#) == [
                    Pair(aZ: 1, aB: 2), Pair(aZ: 1, aB: 2),
                ])
        }
    }

    @Test(
        "Without leniency, a key matches the member that Foundation matches, in every spelling",
        arguments: [
            "a", "a_b", "_a_b_", "a__b", "aB_c", "a_bC", "__", "_", "a_", "_a", "URL_x", "éa_bé", "a_1b", "a1_b2c",
            "a_ß",
            "A_b", "ABC", "ABC_DEF", "a_b-c", "a-b_c", "a.b_c", "a_\u{301}b", "İ_x", "ΑΣ_Σ", "full_text", "image_url",
            "1_2", "x_1", "a_b_", "_1_a", "a_ b", "a b_c d", "", "\u{212A}_b",
        ])
    func strictSnakeCase(name: String) throws {
        let text = "{\"\(name)\":1}"
        let names = try FoundationDecoder(isSnakeCase: true).decode(Names.self, text: text).names
        #expect(try LenientDecoder.strictSnakeCase.decode(Names.self, text: text).names == names)
        for key in names + [name, "aB", "fullText", "imageURL", "KB"] {
            for document in [text, "[\(text),\(text)]"] {
                let isFound =
                    (try? Finder.$key.withValue(key) {
                        try FoundationDecoder(isSnakeCase: true).decode(Finder.self, text: document)
                    }) != nil
                let isOurs =
                    (try? Finder.$key.withValue(key) {
                        try LenientDecoder.strictSnakeCase.decode(Finder.self, text: document)
                    }) != nil
                #expect(isOurs == isFound, "\(key)")
            }
        }
    }

    /// Decodes an object, or several, with a member for one key.
    private struct Finder: Decodable {
        @TaskLocal static var key = ""
        init(from decoder: any Decoder) throws {
            if var list = try? decoder.unkeyedContainer() {
                while !list.isAtEnd { _ = try list.decode(Finder.self) }
            } else {
                _ = try decoder.container(keyedBy: RawCodingKey.self)
                    .decode(Int.self, forKey: RawCodingKey(Self.key))
            }
        }
    }

    @Test("Without leniency, the first member that is converted to a key counts")
    func strictDuplicates() {
        for text in [#"{"a_b":1,"aB":2}"#, #"{"aB":2,"a_b":1}"#, #"{"ab":1}"#, #"{"a_b":1,"a__b":2,"aB":3}"#] {
            let expected = result(One.self, text, by: FoundationDecoder(isSnakeCase: true))
            #expect(result(One.self, text, by: LenientDecoder.strictSnakeCase) == expected)
        }
    }

    @Test("Members that Foundation's conversion misses match by their letters and digits")
    func canonical() throws {
        let text = #"{"address_1":"a","image_url":"b","id_str":"c","temperature_2m":1.5}"#
        #expect(
            try LenientDecoder.snakeCase.decode(Address.self, text: text)
                == Address(address1: "a", imageURL: "b", idStr: "c", temperature2m: 1.5))
        #expect(try LenientDecoder.snakeCase.decode(Address.self, text: #"{"Image-Url":"b"}"#).imageURL == "b")
    }

    @Test("Keys spelled out in the model match exactly")
    func explicitKeys() throws {
        let expected = Explicit(id: "1", name: "a")
        #expect(
            try LenientDecoder.snakeCase.decode(Explicit.self, text: #"{"id_str":"1","screen_name":"a"}"#) == expected)
        #expect(
            try LenientDecoder.snakeCase.decode(Explicit.self, text: #"{"screenName":"a","id_str":"1"}"#) == expected)
    }

    @Test(
        "An exact match takes precedence over a converted key, and that over the first match by letters",
        arguments: [
            (#"{"a_b":1,"aB":2}"#, 2), (#"{"aB":2,"a_b":1}"#, 2), (#"{"AB":3,"a_b":1}"#, 1), (#"{"a_b":1,"AB":3}"#, 1),
            (#"{"A-B":5,"AB":3}"#, 5), (#"{"a_b":1,"a_b":4,"AB":3}"#, 1), (#"{"AB":3,"A-B":5,"AB":6}"#, 3),
            (#"{"ab":null}"#, nil), (#"{"__":1}"#, nil),
        ] as [(String, Int?)])
    func precedence(text: String, expected: Int?) throws {
        #expect(try LenientDecoder.snakeCase.decode(One.self, text: text).aB == expected)
        #expect(
            try LenientDecoder.snakeCase.decode([One].self, text: "[\(text),\(text)]").map(\.aB) == [
                expected, expected,
            ])
    }

    @Test("Objects of one type with different members in different orders are decoded")
    func changingShapes() throws {
        let texts = (0..<40).map { index in
            "{" + (0..<index).map { "\"x\($0)\":0" }.joined(separator: ",") + (index > 0 ? "," : "")
                + "\"a_b\":\(index)}"
        }
        let ones = try LenientDecoder.snakeCase.decode(
            [One].self, text: "[" + (texts + texts.reversed()).joined(separator: ",") + "]")
        #expect(ones.map(\.aB) == Array(0..<40) + (0..<40).reversed())
    }

    @Test("Members are found after nested objects of the same type with other members")
    func evictedShapes() throws {
        struct Node: Decodable {
            let name: String
            let children: [Node]
            enum CodingKeys: CodingKey { case children, myName }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                children = try container.decodeIfPresent([Node].self, forKey: .children) ?? []
                name = try container.decode(String.self, forKey: .myName)
            }
        }
        let leaves = (0..<100).map { #"{"x\#($0)":{"x":1},"my_name":"\#($0)"}"# }.joined(separator: ",")
        let node = try LenientDecoder.snakeCase.decode(Node.self, text: #"{"children":[\#(leaves)],"my_name":"root"}"#)
        #expect(node.name == "root" && node.children.map(\.name) == (0..<100).map(String.init))
    }

    @Test("allKeys contains the model's keys in the model's spelling")
    func allKeys() throws {
        struct Model: Decodable {
            enum CodingKeys: String, CodingKey { case idStr = "id_str", screenName }
            let keys: [CodingKeys]
            init(from decoder: any Decoder) throws { keys = try decoder.container(keyedBy: CodingKeys.self).allKeys }
        }
        let text = #"{"id_str":1,"screen_name":2,"other":3}"#
        #expect(try LenientDecoder.snakeCase.decode(Model.self, text: text).keys == [.idStr, .screenName])
    }

    @Test("Non-ASCII letters are converted as with Foundation")
    func nonASCIILetters() throws {
        struct Model: Decodable { var maxÄrger: Int, größeMax: Int }
        for decoder in snakeCaseDecoders {
            let model = try decoder.decode(Model.self, text: #"{"max_ärger":1,"größe_max":2}"#)
            #expect(model.maxÄrger == 1 && model.größeMax == 2)
        }
    }

    @Test("Without a strategy only the exact spelling matches")
    func exact() throws {
        for decoder in decoders {
            #expect(try decoder.decode(One.self, text: #"{"a_b":1,"ab":2}"#).aB == nil)
            #expect(try decoder.decode(One.self, text: #"{"a\u0042":3}"#).aB == 3)
        }
    }

    @Test("A custom strategy gets the coding path and returns the key")
    func custom() throws {
        struct Inner: Decodable, Equatable { var b: Int }
        struct Model: Decodable, Equatable { var a: Inner, list: [Inner] }
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        var decoder = LenientDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            let name = path.last?.stringValue ?? ""
            return Key(stringValue: path.count == 1 ? name.lowercased() : String(name.dropFirst()))
        }
        let model = try decoder.decode(Model.self, text: #"{"A":{"xb":1},"LIST":[{"yb":2},{"yb":3}]}"#)
        #expect(model == Model(a: Inner(b: 1), list: [Inner(b: 2), Inner(b: 3)]))
    }
}
