import JSONText
import Testing

@Suite("Syntax errors")
struct SyntaxErrorTests {
    @Test(
        "An error has the byte offset, the line, and the column in code points",
        arguments: [
            ("", 0, 1, 1),
            ("x", 0, 1, 1),
            ("[1 2]", 3, 1, 4),
            ("{\n  \"a\": 1,\n  b\n}", 14, 3, 3),
            ("[\r\n1,\r\nx]", 7, 3, 1),
            ("[\"é\",x]", 6, 1, 6),
            ("[\"💧💧\",\n\"ß\" x]", 18, 2, 5),
            ("[\"e\u{301}\" x]", 7, 1, 7),
            ("{\"a\":\n\n  tru}", 12, 3, 6),
            ("[1,\n01]", 4, 2, 1),
            ("[\"a\\q\"]", 3, 1, 4),
            ("[\"é\\u00zz\"]", 4, 1, 4),
            ("[\"é\tb\"]", 4, 1, 4),
            ("[\"a\n\"]", 3, 1, 4),
            ("[1]\n\n x", 6, 3, 2),
            ("[1,\n", 4, 2, 1),
            ("\"aé", 4, 1, 4),
        ])
    func location(document: String, offset: Int, line: Int, column: Int) throws {
        let error = try #require(refusal(of: document))
        #expect([error.offset, error.line, error.column] == [offset, line, column], "\(document.debugDescription)")
    }

    @Test("Invalid UTF-8 is located at the first byte of the invalid sequence")
    func invalidUTF8() throws {
        let error = try #require(refusal(of: Array("[\"é".utf8) + [0xE2, 0x82] + Array("\"]".utf8)))
        #expect(error.description == "line 1, column 4 (byte 4): a string is not valid UTF-8")
    }

    @Test("The description is one readable line")
    func description() throws {
        let error = try #require(refusal(of: "{\n  \"a\": [1, ]\n}"))
        #expect(error.description == "line 2, column 12 (byte 13): expected a value, found \"]\"")
    }

    @Test("A truncated document is refused at or before its end")
    func truncated() {
        let document = Array(
            """
            {"a\\u00e9":[true,false,null,-1.5e+3,"é💧\\ud83d\\ude00\\"",{"b":{}}, [ ] ],
             "c\\n":0.25, "d" : "" }
            """.utf8)
        #expect(refusal(of: document) == nil)
        var read: [Int] = []
        var beyond: [Int] = []
        for length in 0..<document.count {
            guard let error = refusal(of: Array(document[..<length])) else {
                read.append(length)
                continue
            }
            if error.offset > length { beyond.append(length) }
        }
        #expect(read == [])
        #expect(beyond == [])
    }

    @Test("An error in a document with one changed byte has an offset inside the document")
    func mutated() {
        let document = Array("{\"a\":[true,null,-1.5e+3,\"é\\ud83d\\ude00\"],\"b\":{\"c\":\"\"}}".utf8)
        var beyond: [String] = []
        for index in document.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = document
                changed[index] = byte
                if let error = refusal(of: changed), error.offset > changed.count { beyond.append("\(index): \(byte)") }
            }
        }
        #expect(beyond == [])
    }
}
