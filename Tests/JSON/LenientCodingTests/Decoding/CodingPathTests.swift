import LenientCoding
import Testing

/// Coding paths contain the keys that the models use, of any size.
@Suite("Coding paths")
struct CodingPathTests {
    @Test("A coding path contains the models' own keys: of one case, of several cases, and with strings")
    func keys() throws {
        let error = #expect(throws: DecodingError.self) {
            try LenientDecoder().decode(Root.self, from: Array(#"{"only":[{"b":1,"c":{"free":true}}]}"#.utf8))
        }
        guard case .typeMismatch(_, let context)? = error else {
            Issue.record("Not a mismatch: \(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["only", "Index 0", "c", "free"])
        #expect(context.codingPath[0] as? Root.CodingKeys == .only)
        #expect(context.codingPath[2] as? Element.CodingKeys == .c)
        #expect(context.codingPath[3] as? RawCodingKey == "free")
    }

    @Test("The path of a dictionary's value has the key, and its number if it is one")
    func dictionaryKeys() throws {
        for type in [[String: [Bool]].self, [String: [String: Bool]].self] as [any Decodable.Type] {
            let error = #expect(throws: DecodingError.self) {
                try LenientDecoder().decode(type, from: Array(#"{"a":[],"7":1}"#.utf8))
            }
            guard case .typeMismatch(_, let context)? = error else {
                Issue.record("Not a mismatch: \(String(describing: error))")
                continue
            }
            let path = context.codingPath.map { "\($0.stringValue) \($0.intValue ?? -1)" }
            #expect(path == (type == [String: [Bool]].self ? ["7 7"] : ["a -1"]))
        }
    }

    @Test("Keys of two models with the same byte keep their meaning, decoded and encoded")
    func sameByte() throws {
        let bytes = Array(#"[{"x":1,"y":2},{"y":3,"x":4}]"#.utf8)
        let pair = try LenientDecoder().decode(Pair.self, from: bytes)
        #expect([pair.first.x, pair.first.y, pair.second.y, pair.second.x] == [1, 2, 3, 4])
        #expect(String(decoding: try CompactEncoder().encode(pair), as: UTF8.self) == #"[{"x":1,"y":2},{"y":3,"x":4}]"#)
    }

    private struct Root: Decodable {
        enum CodingKeys: CodingKey { case only }

        let only: [Element]
    }

    private struct Element: Decodable {
        enum CodingKeys: CodingKey { case a, b, c }

        let b: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            b = try container.decode(Int.self, forKey: .b)
            let free = try container.nestedContainer(keyedBy: RawCodingKey.self, forKey: .c)
            _ = try free.decode([Int].self, forKey: "free")
        }
    }

    /// Elements whose keys have the same bytes in another order.
    private struct Pair: Codable {
        struct First: Codable { var x: Int, y: Int }
        struct Second: Codable { var y: Int, x: Int }

        let first: First
        let second: Second

        init(from decoder: any Decoder) throws {
            var elements = try decoder.unkeyedContainer()
            first = try elements.decode(First.self)
            second = try elements.decode(Second.self)
        }

        func encode(to encoder: any Encoder) throws {
            var elements = encoder.unkeyedContainer()
            try elements.encode(first)
            try elements.encode(second)
        }
    }
}
