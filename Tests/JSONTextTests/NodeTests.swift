import JSONText
import Testing

@Suite("Nodes")
struct NodeTests {
    @Test("The last of several members with one key is found, as in ECMAScript")
    func duplicates() throws {
        let values = try reading(#"{"a":1,"b":2,"a":{"c":3},"\u0062":4}"#) { root in
            (root["a"]?["c"]?.int64, root["b"]?.int64, root["c"] == nil, root.count)
        }
        #expect(values == (3, 4, true, 4))
    }

    @Test("Members and elements come in the order of the document, duplicates included")
    func iteration() throws {
        let document = #"{"z":[[1,[2]],{},"x"],"a":{"b":{"c":[]}},"z":null}"#
        let keys = try reading(document) { $0.members.map { $0.key.string } }
        let kinds = try reading(document) { root in root.members.map { $0.value.kind } }
        let inner = try reading(document) { root in root.members.first { _ in true }?.value.elements.map(\.kind) }
        #expect(keys == ["z", "a", "z"])
        #expect(kinds == [.array, .object, .null])
        #expect(inner == [.array, .object, .string])
    }

    @Test(
        "What is no container has neither members nor elements, and no container has the other's",
        arguments: ["null", "true", "1", "1.5", "\"a\"", "\"\\n\"", "[1,2]", "{\"a\":1}"])
    func wrongKind(document: String) throws {
        let counts = try reading(document) { ($0.members.map { _ in 1 }.count, $0.elements.map { _ in 1 }.count) }
        let isArray = document.hasPrefix("[")
        let isObject = document.hasPrefix("{")
        #expect(counts == (isObject ? 1 : 0, isArray ? 2 : 0))
        #expect(try reading(document) { $0["a"] != nil } == isObject)
    }

    @Test(
        "Counts are those of direct elements and members",
        arguments: [
            ("[]", 0), ("[[]]", 1), ("[1,[2,3],{\"a\":4}]", 3), ("{}", 0), ("{\"a\":[1,2,3],\"b\":2}", 2), ("7", 0),
        ])
    func counts(document: String, count: Int) throws { #expect(try reading(document) { $0.count } == count) }

    @Test("A large array counts and gives all of its elements")
    func largeArray() throws {
        let document = "[" + (0..<70_000).map(String.init).joined(separator: ",") + "]"
        #expect(try reading(document) { $0.count } == 70_000)
        #expect(try reading(document) { $0.elements.reduce(0) { $0 + ($1.int64 ?? 0) } } == 69_999 * 35_000)
    }

    @Test("The text of a value is what stands in the document, and the offset says where")
    func text() throws {
        let document = #"{ "a" : [ 1.50 , "x\n" ] , "b":{ "c":[] } }"#
        let texts = try reading(document) { root in
            root.members.map { String(decoding: $0.value.text, as: UTF8.self) }
        }
        #expect(texts == [#"[ 1.50 , "x\n" ]"#, #"{ "c":[] }"#])
        let elements = try reading(document) { root in
            root["a"].map { $0.elements.map { ($0.offset, String(decoding: $0.text, as: UTF8.self)) } } ?? []
        }
        #expect(elements.map(\.0) == [10, 18])
        #expect(elements.map(\.1) == ["1.50", #"x\n"#])
    }

    @Test("A value answers for its own kind only")
    func kinds() throws {
        let nodes = try reading(#"[null,true,false,1,1.5,"1","\n",[],{}]"#) { root in
            root.elements.map { node in
                [
                    node.isNull, node.bool != nil, node.double != nil, node.int64 != nil, node.string != nil,
                    node.isNumber, node.isString,
                ].map { $0 ? "x" : "-" }.joined()
            }
        }
        #expect(
            nodes == [
                "x------", "-x-----", "-x-----", "--xx-x-", "--x--x-", "----x-x", "----x-x", "-------", "-------",
            ])
    }
}
