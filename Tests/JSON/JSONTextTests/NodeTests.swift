import JSONText
import Testing

@Suite("Nodes")
struct NodeTests {
    @Test("A subscript finds the last of several members with one key, as in ECMAScript")
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
        "A scalar has neither members nor elements, an array no members, and an object no elements",
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

    @Test("A large array has its count and all of its elements")
    func largeArray() throws {
        let document = "[" + (0..<70_000).map(String.init).joined(separator: ",") + "]"
        #expect(try reading(document) { $0.count } == 70_000)
        #expect(try reading(document) { $0.elements.reduce(0) { $0 + ($1.int64 ?? 0) } } == 69_999 * 35_000)
    }

    @Test("The text of a value is its text in the document, and the offset is its position")
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

    @Test("A value can be read only as its own kind")
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

    @Test("A member is found by its key, escaped or not; other keys and kinds return nil")
    func lookup() throws {
        let keys = [
            "time", "summary", "icon", "temperature", "dewPoint", "humidity", "windSpeed", "cloudCover", "ozone",
        ]
        let others = ["id", "text", "user", "created_at", "entities", "lang", "source", "truncated", "place", "geo"]
        let object = "{\(keys.map { "\"\($0)\":0" }.joined(separator: ",")),\"\":1}"
        let (present, absent) = try reading("[\(object),{\"\\u0061b\":0},{},1]") { root in
            let nodes = root.elements.map { $0 }
            return (
                (keys + [""]).allSatisfy { nodes[0][$0] != nil } && nodes[1]["ab"] != nil,
                others.allSatisfy { nodes[0][$0] == nil } && nodes[1]["\\u0061b"] == nil && nodes[2]["ab"] == nil
                    && nodes[2][""] == nil && nodes[3]["ab"] == nil
            )
        }
        #expect(present)
        #expect(absent)
    }

    @Test("A document in the caller's buffer is read without a copy, and an empty buffer is refused")
    func buffers() throws {
        var parser = JSONParser()
        let text = Array("xx[1,2]xx".utf8)
        let sum = try text.withUnsafeBufferPointer { buffer in
            try parser.withDocument(UnsafeBufferPointer(rebasing: buffer[2..<7])) { root in
                root.elements.reduce(0) { $0 + ($1.int64 ?? 0) }
            }
        }
        #expect(sum == 3)
        #expect(throws: JSONSyntaxError.self) {
            try parser.withDocument(UnsafeBufferPointer(start: nil, count: 0)) { _ in }
        }
    }

    @Test("Parsers can be nested and used concurrently")
    func nested() async throws {
        let sums = try await withThrowingTaskGroup(of: Int64.self) { group in
            for index in 0..<32 {
                group.addTask {
                    try reading("[\(index),{\"a\":[1,2,3]}]") { outer in
                        try reading("[\(String(repeating: "7,", count: index * 50))7]") { inner in
                            inner.elements.reduce(0) { $0 + ($1.int64 ?? 0) }
                                + (outer.elements.first { _ in true }?.int64 ?? 0)
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted()
        }
        let expected = (0..<32).map { (index: Int64) in (index * 50 + 1) * 7 + index }
        #expect(sums == expected)
    }
}
