import Foundation
import LenientCoding
import Testing

private enum Shape: Codable, Equatable {
    case point
    case circle(radius: Double)
    case line(Int, Int)
}

private class Animal: Decodable {
    let name: String
    init(name: String) { self.name = name }
    private enum CodingKeys: CodingKey { case name }
    required init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
    }
}

/// Decodes its superclass from the same object.
private final class Dog: Animal {
    let tricks: [String]
    private enum CodingKeys: CodingKey { case tricks }
    required init(from decoder: any Decoder) throws {
        tricks = try decoder.container(keyedBy: CodingKeys.self).decode([String].self, forKey: .tricks)
        try super.init(from: decoder)
    }
}

/// Decodes its superclass from a member.
private final class Cat: Animal {
    let lives: Int
    private enum CodingKeys: CodingKey { case lives, parent }
    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        lives = try container.decode(Int.self, forKey: .lives)
        try super.init(
            from: container.contains(.parent) ? container.superDecoder(forKey: .parent) : container.superDecoder())
    }
}

private struct Nested: Decodable, Equatable {
    var name = ""
    var sums: [Int] = []
    var paths: [String] = []

    private enum Outer: CodingKey { case user, matrix }
    private enum Inner: CodingKey { case name }

    init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Outer.self)
        let inner = try outer.nestedContainer(keyedBy: Inner.self, forKey: .user)
        var rows = try outer.nestedUnkeyedContainer(forKey: .matrix)
        while !rows.isAtEnd {
            var row = try rows.nestedUnkeyedContainer()
            var sum = 0
            while !row.isAtEnd { sum += try row.decode(Int.self) }
            sums.append(sum)
            paths.append((row.codingPath + inner.codingPath).map(\.stringValue).joined(separator: "/"))
        }
        name = try inner.decode(String.self, forKey: .name)
    }
}

private struct Keys: Decodable {
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
    let names: [String]
    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue).sorted()
    }
}

private struct Wrapped: Decodable {
    let value: Int?
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        value = container.decodeNil() ? nil : try container.decode(Int.self)
    }
}

private struct Label: Hashable, CodingKeyRepresentable, Decodable {
    let text: String
    var codingKey: any CodingKey { Keys.Key(stringValue: text) }
    init(text: String) { self.text = text }
    init?(codingKey: some CodingKey) { text = codingKey.stringValue }
}

@Suite("Containers decode as with Foundation")
struct ContainerDecodingTests {
    @Test("Enumerations with associated values are decoded")
    func payloads() throws {
        let text = #"[{"point":{}},{"circle":{"radius":1.5}},{"line":{"_0":1,"_1":2}}]"#
        for decoder in decoders {
            #expect(try decoder.decode([Shape].self, text: text) == [.point, .circle(radius: 1.5), .line(1, 2)])
            #expect(result(Shape.self, #"{"square":{}}"#, by: decoder).hasPrefix("typeMismatch"))
        }
    }

    @Test("A subclass can decode its superclass from the same object or from a member")
    func inheritance() throws {
        for decoder in decoders {
            let dog = try decoder.decode(Dog.self, text: #"{"name":"Rex","tricks":["sit"]}"#)
            #expect(dog.name == "Rex" && dog.tricks == ["sit"])
            let cat = try decoder.decode(Cat.self, text: #"{"super":{"name":"Tom"},"lives":9}"#)
            #expect(cat.name == "Tom" && cat.lives == 9)
            #expect(try decoder.decode(Cat.self, text: #"{"parent":{"name":"Kit"},"lives":7}"#).name == "Kit")
            #expect(result(Cat.self, #"{"lives":7}"#, by: decoder) == "valueNotFound at super")
        }
    }

    @Test("Nested containers can be used at the same time and have their own coding paths")
    func nestedContainers() throws {
        for decoder in decoders {
            let nested = try decoder.decode(Nested.self, text: #"{"matrix":[[1,2],[],[3]],"user":{"name":"a"}}"#)
            #expect(nested.name == "a" && nested.sums == [3, 0, 3])
            #expect(nested.paths == (0..<3).map { "matrix/Index \($0)/user" })
            #expect(result(Nested.self, #"{"user":1,"matrix":[]}"#, by: decoder) == "typeMismatch at user")
            #expect(
                result(Nested.self, #"{"user":{"name":[]},"matrix":[[1],["x"]]}"#, by: FoundationDecoder())
                    == "typeMismatch at matrix.1.0")
            #expect(
                result(Nested.self, #"{"user":{"name":[]},"matrix":[]}"#, by: decoder) == "typeMismatch at user.name")
        }
    }

    @Test("Absent, null and present optional members are decoded")
    func optionals() throws {
        struct Model: Decodable, Equatable { var a: Int?, b: String?, c: [Int]?, d: [String: Int?]?, e: [Int?]? }
        for decoder in decoders {
            #expect(try decoder.decode(Model.self, text: "{}") == Model())
            #expect(try decoder.decode(Model.self, text: #"{"a":null,"b":null,"c":null}"#) == Model())
            #expect(
                try decoder.decode(Model.self, text: #"{"a":1,"b":"","c":[],"d":{"x":null,"y":1},"e":[1,null]}"#)
                    == Model(a: 1, b: "", c: [], d: ["x": nil, "y": 1], e: [1, nil]))
            #expect(try decoder.decode([Wrapped].self, text: "[1,null]").map(\.value) == [1, nil])
        }
    }

    @Test("An error has its kind and its coding path")
    func errors() {
        struct Inner: Decodable { var x: Int }
        struct Model: Decodable { var list: [Inner], map: [String: Inner]? }
        let cases = [
            (#"{}"#, "keyNotFound list at "), (#"{"list":null}"#, "valueNotFound at list"),
            (#"{"list":{}}"#, "typeMismatch at list"), (#"{"list":[{"x":1},{}]}"#, "keyNotFound x at list.1"),
            (#"{"list":[{"x":null}]}"#, "valueNotFound at list.0.x"), (#"{"list":[null]}"#, "valueNotFound at list.0"),
            (#"{"list":[],"map":{"k":{"x":[]}}}"#, "typeMismatch at map.k.x"), (#"[]"#, "typeMismatch at "),
            (#"{"list":[],"map":{"k":[]}}"#, "typeMismatch at map.k"), (#"null"#, "valueNotFound at "),
        ]
        for (text, expected) in cases {
            for decoder in strictDecoders { #expect(result(Model.self, text, by: decoder) == expected, "\(text)") }
        }
    }

    @Test("Dictionaries with keys of strings, integers and other types are decoded")
    func dictionaries() throws {
        for decoder in decoders + [LenientDecoder.snakeCase, FoundationDecoder(isSnakeCase: true)] {
            #expect(try decoder.decode([String: Int].self, text: #"{"a_b":1,"aB":2}"#) == ["a_b": 1, "aB": 2])
            #expect(try decoder.decode([Int: String].self, text: #"{"1":"a","-2":"b"}"#) == [1: "a", -2: "b"])
            #expect(
                try decoder.decode([String: [String: [Int]]].self, text: #"{"x_y":{"a_b":[1]}}"#)
                    == ["x_y": ["a_b": [1]]])
            #expect(result([Int: String].self, #"{"x":"a"}"#, by: decoder) == "typeMismatch at x")
        }
        // As in Foundation, only the keys of dictionaries with strings are not converted.
        for decoder in [LenientDecoder.snakeCase, FoundationDecoder(isSnakeCase: true)] as [any AnyTopLevelDecoder] {
            #expect(try decoder.decode([Label: Int].self, text: #"{"a_b":1}"#) == [Label(text: "aB"): 1])
        }
    }

    @Test("A dictionary with many keys is decoded")
    func largeDictionary() throws {
        let expected = Dictionary(uniqueKeysWithValues: (0..<1000).map { ("key_\($0)", $0) })
        let members = expected.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        for decoder in decoders {
            #expect(try decoder.decode([String: Int].self, text: "{\(members)}") == expected)
        }
    }

    @Test("Scalars and null are decoded at the top level")
    func fragments() throws {
        for decoder in decoders {
            #expect(try decoder.decode(Int.self, text: " 1 ") == 1)
            #expect(try decoder.decode(String.self, text: #""a""#) == "a")
            #expect(try decoder.decode(Int?.self, text: "null") == nil)
            #expect(try decoder.decode([Int?].self, text: "[null,1]") == [nil, 1])
        }
    }

    @Test("allKeys contains every key, including escaped keys and lone surrogates")
    func allKeys() throws {
        for decoder in decoders {
            #expect(try decoder.decode(Keys.self, text: #"{"b":1,"\u0061":2,"é":3}"#).names == ["a", "b", "é"])
        }
        let text = #"{"\ud800":1,"x":2,"x":3}"#
        #expect(try LenientDecoder.lenient.decode(Keys.self, text: text).names == ["x", "\u{FFFD}"])
        for decoder in strictDecoders { #expect(result(Keys.self, text, by: decoder) == "dataCorrupted at ") }
    }

    @Test("A composed and a decomposed letter are the same key, as Swift compares strings")
    func normalForms() throws {
        struct Model: Decodable { var é: Int }
        for decoder in decoders {
            for (first, second) in [("\u{E9}", "e\u{301}"), ("e\u{301}", "\u{E9}")] {
                let text = "{\"\(first)\":1,\"\(second)\":2}"
                #expect(
                    try decoder.decode(Keys.self, text: text).names.map { Array($0.utf8).count } == [first.utf8.count])
                #expect(try decoder.decode(Model.self, text: text).é == 1)
                #expect(try decoder.decode([String: Int].self, text: text) == ["é": 1])
            }
        }
    }

    @Test("The first of duplicate members is decoded")
    func duplicates() throws {
        struct Model: Decodable { var a: Int, b: Int }
        let text = #"{"a":1,"b":2,"a":3,"\u0061":[]}"#
        for decoder in decoders {
            let model = try decoder.decode(Model.self, text: text)
            #expect(model.a == 1 && model.b == 2)
        }
        #expect(try repaired(Model.self, text).drift == ["duplicateKey a duplicate 2 a"])
    }

    @Test("The cursor of an array stays at a failed element and moves past one that decodes as any type")
    func unkeyedCursor() throws {
        struct Anything: Decodable { init(from decoder: any Decoder) throws {} }
        struct Model: Decodable {
            var log: [String] = []
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                while !container.isAtEnd {
                    do {
                        log.append("\(try container.decode(Int.self))")
                    } catch {
                        log.append("\(container.currentIndex) of \(container.count ?? -1)")
                        _ = try container.decode(Anything.self)
                    }
                }
                do {
                    _ = try container.decode(Int.self)
                } catch DecodingError.valueNotFound { log.append("end") }
            }
        }
        for decoder in decoders {
            let log = try decoder.decode(Model.self, text: #"[1,"a",2,1.5,[]]"#).log
            #expect(log == ["1", "1 of 5", "2", "3 of 5", "4 of 5", "end"])
        }
    }

    @Test("The decoder's user info is passed to every nested decoder")
    func userInfo() throws {
        struct Model: Decodable {
            let text: String
            init(from decoder: any Decoder) throws {
                text = CodingUserInfoKey(rawValue: "k").flatMap { decoder.userInfo[$0] as? String } ?? ""
            }
        }
        var decoder = LenientDecoder()
        decoder.userInfo[try #require(CodingUserInfoKey(rawValue: "k"))] = "v"
        #expect(try decoder.decode([String: [Model]].self, text: #"{"a":[1]}"#)["a"]?.first?.text == "v")
    }
}
