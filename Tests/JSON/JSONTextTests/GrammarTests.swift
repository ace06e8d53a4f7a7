import JSONText
import Testing

@Suite("The grammar of RFC 8259")
struct GrammarTests {
    @Test(
        "Documents of the grammar are accepted",
        arguments: [
            "null", "true", "false", "0", "-0", "10", "-1", "0.5", "1e5", "1E+5", "1e-05", "0e0", "-0.0E-0", "\"\"",
            "\"a\"", "[]", "{}", " [ ] ", "\t{\r\n}\n", "[1]", "[1,2]", "[[],{}]", "{\"\":0}", "{\"a\":1,\"a\":2}",
            "{\"a\" : [ 1 , { \"b\" : null } ] }", "\"\u{7F}\"", "\"\u{2028}\"", "\"é💧\"",
        ])
    func accepted(document: String) { #expect(refusal(of: document) == nil) }

    @Test(
        "Documents outside the grammar are refused with an explanation",
        arguments: [
            ("", "the document is empty"),
            (" \n", "the document is empty"),
            ("[", "the document ends in the middle of a value"),
            ("[1", "the document ends in the middle of a value"),
            ("[1,", "the document ends in the middle of a value"),
            ("{", "the document ends in the middle of a value"),
            ("{\"a\"", "the document ends in the middle of a value"),
            ("{\"a\":", "the document ends in the middle of a value"),
            ("\"a", "the document ends in the middle of a value"),
            ("\"a\\", "the document ends in the middle of a value"),
            ("\"\\u12", "the document ends in the middle of a value"),
            ("tru", "the document ends in the middle of a value"),
            ("]", "expected a value, found \"]\""),
            ("[1,]", "expected a value, found \"]\""),
            ("[,1]", "expected a value, found \",\""),
            ("[1 2]", "expected \",\" or \"]\", found \"2\""),
            ("[1}", "expected \",\" or \"]\", found \"}\""),
            ("{\"a\":1]", "expected \",\" or \"}\", found \"]\""),
            ("{\"a\":1,}", "expected a key in quotes, found \"}\""),
            ("{a:1}", "expected a key in quotes, found \"a\""),
            ("{1:1}", "expected a key in quotes, found \"1\""),
            ("{\"a\",1}", "expected \":\", found \",\""),
            ("{\"a\":}", "expected a value, found \"}\""),
            ("'a'", "expected a value, found \"'\""),
            ("nul!", "expected null, found \"!\""),
            ("True", "expected a value, found \"T\""),
            ("NaN", "expected a value, found \"N\""),
            ("Infinity", "expected a value, found \"I\""),
            ("-Infinity", "invalid number"),
            ("+1", "expected a value, found \"+\""),
            (".5", "expected a value, found \".\""),
            ("1.", "invalid number"),
            ("1.e1", "invalid number"),
            ("01", "invalid number"),
            ("-01", "invalid number"),
            ("-", "invalid number"),
            ("1e", "invalid number"),
            ("1e+", "invalid number"),
            ("0x1", "something follows the end of the document"),
            ("1 2", "something follows the end of the document"),
            ("{}{}", "something follows the end of the document"),
            ("null,", "something follows the end of the document"),
            ("\"\\x41\"", "invalid escape in a string"),
            ("\"\\u12G4\"", "invalid escape in a string"),
            ("\"\\U0041\"", "invalid escape in a string"),
            ("\"a\nb\"", "byte 0x0A must be escaped in a string"),
            ("\"\u{0}\"", "byte 0x00 must be escaped in a string"),
            ("\u{FEFF}{}", "expected a value, found byte 0xEF"),
            ("[\u{A0}1]", "expected a value, found byte 0xC2"),
            ("[1\u{C}]", "expected \",\" or \"]\", found byte 0x0C"),
            ("// a\n1", "expected a value, found \"/\""),
            ("/**/1", "expected a value, found \"/\""),
        ])
    func refused(document: String, explanation: String) {
        #expect(refusal(of: document)?.explanation == explanation)
    }

    @Test("A parser reads one document after another, also after a refused one")
    func reuse() throws {
        var parser = JSONParser()
        var sums: [Int64] = []
        for document in ["[1,2]", "[[[1", "[3]", "\"a", "[[4],[5,6]]"] {
            let elements = try? parser.withDocument(Array(document.utf8)) { root in
                root.elements.map { $0.int64 ?? Int64($0.count) }
            }
            sums.append(elements?.reduce(0, +) ?? -1)
        }
        #expect(sums == [3, -1, 3, -1, 3])
    }

    @Test("An error that the body throws passes through the parser")
    func bodyError() {
        #expect(throws: CancellationError.self) { try reading("1") { _ in throw CancellationError() } }
    }
}

@Suite("Comments")
struct CommentTests {
    private let options = JSONOptions(allowsComments: true)

    @Test(
        "Comments between tokens are white space if they are allowed",
        arguments: [
            "// a\n[1,2]", "[1,2]// a", "/**/[/*1*/1/***/,// a\n2/* ] */]/* * / */", "//\n//\n[1,2]//",
            "[1,2]/* a\n b */",
        ])
    func accepted(document: String) throws {
        #expect(try reading(document, options: options) { $0.elements.map(\.int64) } == [1, 2])
    }

    @Test("A comment begins only between tokens")
    func insideString() throws {
        #expect(try reading("\"// a /* b */\"", options: options) { $0.string } == "// a /* b */")
    }

    @Test(
        "An unterminated or misspelled comment is refused",
        arguments: [
            ("/", "the document ends in the middle of a value"),
            ("[1]/* a", "the document ends in the middle of a value"),
            ("[1]/*/", "the document ends in the middle of a value"),
            ("/x/ 1", "expected a value, found \"/\""),
            ("// only a comment", "the document is empty"),
            ("# a\n1", "expected a value, found \"#\""),
        ])
    func refused(document: String, explanation: String) {
        #expect(refusal(of: document, options: options)?.explanation == explanation)
    }
}
