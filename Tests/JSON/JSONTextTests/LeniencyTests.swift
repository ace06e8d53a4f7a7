import JSONText
import Testing

@Suite("Leniencies")
struct LeniencyTests {
    /// A document that is accepted only with `leniency`, and the same document in strict JSON.
    struct Case: Sendable, CustomTestStringConvertible {
        let document: [UInt8]
        let leniency: JSONLeniency
        let strict: String

        init(_ document: String, _ leniency: JSONLeniency, _ strict: String) {
            self.init(Array(document.utf8), leniency, strict)
        }

        init(_ document: [UInt8], _ leniency: JSONLeniency, _ strict: String) {
            self.document = document
            self.leniency = leniency
            self.strict = strict
        }

        var testDescription: String { String(decoding: document, as: UTF8.self).debugDescription }
    }

    private static let cases = [
        Case("\u{FEFF}{}", .byteOrderMark, "{}"), Case("\u{FEFF} 1", .byteOrderMark, "1"),
        Case("\u{FEFF}\u{FEFF}1", .byteOrderMark, "1"),
        Case("[1,]", .trailingCommas, "[1]"), Case("[1 , ]", .trailingCommas, "[1]"),
        Case("{\"a\":1,}", .trailingCommas, #"{"a":1}"#), Case("[{\"a\":[],},[],]", .trailingCommas, #"[{"a":[]},[]]"#),
        Case("[1,\n]\n", .trailingCommas, "[1]"),
        Case("/*a*/{/*b*/\"c\"/*d*/:/*e*/1/*f*/,/*g*/\"h\":2}/*i*/", .comments, #"{"c":1,"h":2}"#),
        Case("{/**/}", .comments, "{}"), Case("[/**/]", .comments, "[]"), Case("[//\n]", .comments, "[]"),
        Case("[1,//a\n2]//b", .comments, "[1,2]"), Case("{\"a\"//\n:1}", .comments, #"{"a":1}"#),
        Case("[1,/**/]", [.comments, .trailingCommas], "[1]"),
        Case("{\"a\":1,/**/}", [.comments, .trailingCommas], #"{"a":1}"#),
        Case("[NaN,Infinity,-Infinity]", .notANumber, "[null,null,null]"), Case("NaN", .notANumber, "null"),
        Case("{\"a\":-Infinity}", .notANumber, #"{"a":null}"#),
        Case(
            "[nan,-nan,+NaN,NAN,inf,-inf,+INF,infinity,Inf, -NaN ]", .notANumber,
            "[\(Array(repeating: "null", count: 10).joined(separator: ","))]"),
        Case("nan", .notANumber, "null"), Case("[null,nan,null]", .notANumber, "[null,null,null]"),
        Case("\"a\u{1}\u{1F}\0b\"", .controlCharacters, #""a\u0001\u001f\u0000b""#),
        Case("{\"a\nb\":\"\tc\"}", .controlCharacters, #"{"a\nb":"\tc"}"#),
        Case("[\"\\\\\",\"\n\"]", .controlCharacters, #"["\\","\n"]"#),
        Case("[/*\"*/\"\n\"]", [.comments, .controlCharacters], #"["\n"]"#),
        Case([0x22, 0xFF, 0x22], .invalidUTF8, "\"\u{FFFD}\""),
        Case([0x22, 0x61, 0xE2, 0x82, 0x62, 0x22], .invalidUTF8, "\"a\u{FFFD}b\""),
        Case([0x22, 0xF0, 0x9F, 0x98, 0x22], .invalidUTF8, "\"\u{FFFD}\""),
        Case([0x22, 0xED, 0xA0, 0x80, 0x22], .invalidUTF8, "\"\u{FFFD}\u{FFFD}\u{FFFD}\""),
        Case([0x22, 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80, 0x22], .invalidUTF8, "\"😀\""),
        Case(
            [0x22, 0xED, 0xB8, 0x80, 0xED, 0xA0, 0xBD, 0x22], .invalidUTF8,
            "\"\(String(repeating: "\u{FFFD}", count: 6))\""),
        Case([0x22, 0xED, 0xAF, 0xBF, 0xED, 0xBF, 0xBF, 0x22], .invalidUTF8, "\"\u{10FFFF}\""),
        Case(
            [0x22, 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x22], .invalidUTF8, "\"\(String(repeating: "\u{FFFD}", count: 5))\""),
        Case([0x22, 0xC0, 0xAF, 0x5C, 0x6E, 0x22], .invalidUTF8, "\"\u{FFFD}\u{FFFD}\\n\""),
        Case([0x7B, 0x22, 0x80, 0x22, 0x3A, 0x31, 0x7D], .invalidUTF8, "{\"\u{FFFD}\":1}"),
        Case([0x22, 0x0A, 0xFF, 0x22], [.controlCharacters, .invalidUTF8], "\"\\n\u{FFFD}\""),
    ]

    @Test("Each document is accepted with its leniencies only, and becomes strict JSON", arguments: cases)
    func exactLeniencies(_ example: Case) throws {
        let read = try transformed(example.document, JSONOptions(leniency: example.leniency), keys: .keep, nulls: .keep)
        #expect(read == example.strict)
        #expect(refusal(of: read) == nil)
        #expect(refusal(of: example.document) != nil)
        for (_, leniency) in JSONLeniency.named where example.leniency.contains(leniency) {
            let others = JSONLeniency.all.subtracting(leniency)
            #expect(refusal(of: example.document, options: JSONOptions(leniency: others)) != nil)
        }
        #expect(
            try transformed(example.document, JSONOptions(leniency: .all), keys: .keep, nulls: .keep) == example.strict)
    }

    @Test(
        "Other errors are refused with their offset even with every leniency",
        arguments: [
            ("[,]", 1), ("[,1]", 1), ("[1,,]", 3), ("{,}", 1), ("{\"a\":1,,}", 7), ("{\"a\":}", 5), ("[1}", 2),
            ("]", 0),
            ("[1,}", 3), ("{\"a\":1,]", 7), ("nano", 1), ("+1", 0), ("-in", 0), ("Infinit", 0), ("Na", 0), ("+", 0),
            ("nul", 3),
            ("-nan1", 4), ("infinitya", 0),
            ("1\u{FEFF}", 1), ("[\u{FEFF}1]", 1), ("{a:1}", 1), ("'a'", 0), ("01", 0), ("\"\\\n\"", 1),
            ("\"a", 2),
            ("[1/]", 2), ("/* a", 4), ("", 0), (" // a", 5), ("\"\n\\x\"", 2), ("[\"\t\u{1}\",x]", 6),
        ])
    func refused(document: String, offset: Int) {
        let options = JSONOptions(leniency: JSONLeniency.all.subtracting(.concatenated))
        #expect(refusal(of: document, options: options)?.offset == offset)
    }

    @Test("An error after repaired strings is located in the original document")
    func errorAfterRepairs() throws {
        let document = Array("{\n\"a\":\"".utf8) + [0x01, 0xFF, 0x02, 0xE2, 0x82] + Array("é\",\n\"b\":x}".utf8)
        let error = try #require(refusal(of: document, options: JSONOptions(leniency: .all)))
        #expect([error.offset, error.line, error.column] == [document.count - 2, 3, 5])
        #expect(error.explanation == "expected a value, found \"x\"")
    }

    @Test("NaN and the infinities have no integer and no text, and are written as null")
    func notANumber() throws {
        let read = try reading("[NaN,-Infinity,Infinity]", options: JSONOptions(leniency: .notANumber)) { root in
            root.elements.map { node in
                (
                    node.isNumber, node.double, node.int64, node.uint64, node.numberText,
                    written { $0.write(node.double ?? 0) }
                )
            }
        }
        #expect(read.map(\.0) == [true, true, true])
        #expect(read[0].1?.isNaN == true)
        #expect(read.dropFirst().map(\.1) == [-.infinity, .infinity])
        #expect(read.allSatisfy { $0.2 == nil && $0.3 == nil && $0.4 == nil && $0.5 == "null" })
    }

    @Test("Repaired strings are read and compared in their repaired form")
    func repairedStrings() throws {
        let options = JSONOptions(leniency: [.invalidUTF8, .controlCharacters])
        var parser = JSONParser(options: options)
        let document = Array("{\"k\n\":\"a\tb".utf8) + [0xFF] + Array("\",\"c\":\"d\"}".utf8)
        let read = try parser.withDocument(document) { ($0["k\n"]?.string, $0["c"]?.string, $0.count) }
        #expect(read == ("a\tb\u{FFFD}", "d", 2))
    }

    @Test("A document in another encoding is read if that is allowed, with or without a byte order mark")
    func encodings() throws {
        let text = "[\"\u{1F600}\"]"
        func utf16(_ text: String, _ isBigEndian: Bool) -> [UInt8] {
            text.utf16.flatMap {
                isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)]
            }
        }
        func utf32(_ text: String, _ isBigEndian: Bool) -> [UInt8] {
            text.unicodeScalars.flatMap { scalar in
                let bytes = (0..<4).map { UInt8(scalar.value >> (8 * UInt32($0)) & 0xFF) }
                return isBigEndian ? bytes.reversed() : bytes
            }
        }
        var lenient = JSONParser(options: JSONOptions(leniency: .otherEncodings))
        var strict = JSONParser()
        for mark in ["", "\u{FEFF}"] {
            for document in [true, false].flatMap({ [utf16(mark + text, $0), utf32(mark + text, $0)] }) {
                let read = try lenient.withDocument(document) { $0.elements.map(\.string) }
                #expect(read == ["\u{1F600}"])
                #expect(throws: JSONSyntaxError.self) { try strict.withDocument(document) { _ in } }
            }
        }
        #expect(try lenient.withDocument(Array("1".utf8)) { $0.int64 } == 1)
        for isBigEndian in [true, false] {
            // The fault is the character after a mark, a quote, a pair of surrogates, a quote and a line break.
            let text = "\u{FEFF}\"\u{1F600}\"\n]"
            for (document, offset) in [(utf16(text, isBigEndian), 12), (utf32(text, isBigEndian), 20)] {
                let error = #expect(throws: JSONSyntaxError.self) { try lenient.withDocument(document) { _ in } }
                #expect(error?.offset == offset)
                #expect(error?.line == 2)
                #expect(error?.column == 1)
            }
        }
        let faulty: [[UInt8]] = [
            [0x31, 0, 0x20], [0x22, 0, 0, 0xD8, 0x22, 0], [0xFF, 0xFE], [0, 0, 0xFE, 0xFF], [0, 0], [0xFF, 0xFF],
        ]
        for document in faulty {
            #expect(throws: JSONSyntaxError.self) { try lenient.withDocument(document) { _ in } }
        }
    }

    @Test("Each leniency has its name on the command line, and `all` names all of them")
    func names() {
        let names = [
            "bom", "trailing-commas", "comments", "nan", "utf8", "control-characters", "concatenated", "encodings",
        ]
        #expect(JSONLeniency.named.map(\.name) == names)
        #expect(names.compactMap(JSONLeniency.init).reduce(into: []) { $0.formUnion($1) } == JSONLeniency.all)
        #expect(JSONLeniency(name: "all") == .all)
        #expect(JSONLeniency(name: "BOM") == nil)
    }
}

@Suite("Concatenated values")
struct ConcatenationTests {
    private func values(_ document: [UInt8], _ leniency: JSONLeniency = .concatenated) throws -> [String] {
        var parser = JSONParser(options: JSONOptions(leniency: leniency))
        var values: [String] = []
        try parser.withDocuments(document) { values.append(String(decoding: $0.text, as: UTF8.self)) }
        return values
    }

    @Test(
        "Each value is passed on in order",
        arguments: [
            ("{}", ["{}"]), ("{}\n[1]\n", ["{}", "[1]"]), ("1 2", ["1", "2"]), ("{}{}[]", ["{}", "{}", "[]"]),
            ("\"a\"\"b\"", ["a", "b"]), ("truefalse", ["true", "false"]), ("1\r\n\r\n\"2\"", ["1", "2"]),
        ])
    func order(document: String, expected: [String]) throws {
        #expect(try values(Array(document.utf8)) == expected)
        #expect(refusal(of: document, options: JSONOptions(leniency: .concatenated)) == nil || expected.count > 1)
    }

    @Test("A byte order mark may stand before each value, and at the end")
    func byteOrderMarks() throws {
        let document = Array("\u{FEFF}{}\n\u{FEFF}[1]\u{FEFF}\u{FEFF} 2\u{FEFF}\n".utf8)
        #expect(try values(document, [.concatenated, .byteOrderMark]) == ["{}", "[1]", "2"])
        #expect(throws: JSONSyntaxError.self) { try values(Array("{}\u{FEFF}[1]".utf8)) }
        #expect(throws: JSONSyntaxError.self) { try values(Array("{} \u{FEFF}".utf8), .byteOrderMark) }
    }

    @Test("Without the leniency only one value is accepted")
    func singleValue() throws {
        #expect(try values(Array(" [1] ".utf8), []) == ["[1]"])
        #expect(throws: JSONSyntaxError.self) { try values(Array("1 2".utf8), []) }
    }

    @Test("An error is located in the input of all values, and the values before it have been passed on")
    func errorLocation() throws {
        var parser = JSONParser(options: JSONOptions(leniency: .all))
        var count = 0
        let document = Array("{\"a\":1}\n[2,]\n\"\u{1}\"\n{x".utf8)
        let error = #expect(throws: JSONSyntaxError.self) { try parser.withDocuments(document) { _ in count += 1 } }
        #expect(count == 3)
        #expect([error?.offset, error?.line, error?.column] == [18, 4, 2])
    }

    @Test("A comment may follow the last value, and empty input is refused")
    func endOfInput() throws {
        #expect(try values(Array("1 // a".utf8), .all) == ["1"])
        #expect(throws: JSONSyntaxError.self) { try values(Array(" \n".utf8)) }
    }
}
