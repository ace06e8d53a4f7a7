import JSONText
import TestSupport
import Testing

@Suite("Documents with the syntax of scripts")
struct LenientSyntaxTests {
    private func rewritten(_ text: String) -> String? {
        LenientSyntax(Array(text.utf8)).map { String(decoding: $0.document, as: UTF8.self) }
    }

    @Test(
        "What is rewritten, with the number of places",
        arguments: [
            ("[1,2,]", "[1,2 ]", 1),
            ("{\"a\": [1, ],}", "{\"a\": [1  ] }", 2),
            ("[{},]", "[{} ]", 1),
            ("[1 , /* , */ ]", "[1           ]", 2),
            ("// a\n[1]// b", "    \n[1]    ", 2),
            ("[1// a\r,2]", "[1    \r,2]", 1), ("\u{FEFF}cb([1])", "\u{FEFF}   [1] ", 1),
            ("/**/[1/*\n*/]", "    [1  \n  ]", 2),
            ("cb([1])", "   [1] ", 1),
            ("/**/ a.b_$1 ({} ) ;\n", "             {}    \n", 2),
            ("[None, True,False]", "[null, true,false]", 3),
            ("None", "null", 1),
            ("cb(None,)", "   null, ", 2),
        ])
    func repairs(_ text: String, _ expected: String, _ count: Int) {
        #expect(rewritten(text) == expected)
        #expect(LenientSyntax(Array(text.utf8))?.repairs == count)
    }

    @Test(
        "JSON stays as it is, and so does what nobody can mean",
        arguments: [
            "", "  ", "[1]", "{\"a\": \"// no, /* comment */ None,]\"}", "[\"\\\",]\"]", "[,]", "[1,,2]", "{,}",
            "{\"a\":,\"b\":1,\"c\"",
            "/* open", "[1, /* open ]", "cb([1]", "cb(", "Nonesuch", "[Trueish]", "1(2)", "\"a\"(1)", "/", "[1 / 2]",
            "\"open",
        ])
    func unchanged(_ text: String) { #expect(rewritten(text) == nil) }

    @Test(
        "What remains wrong is refused by the parser",
        arguments: [
            "[,],]", "[1,],,", "cb([1]))", "cb([1]) x", "a(b([1]))", "cb([1]); cb([2])", "// only a comment", "[1 // ]",
            "{\"a\" None}",
            "None None", "cb()", "[1,] /* open",
        ])
    func refused(_ text: String) {
        let document = rewritten(text) ?? text
        #expect(refusal(of: document) != nil, "\(document)")
    }

    @Test("A name of a function is at most 128 characters long")
    func longNames() {
        #expect(rewritten(String(repeating: "a", count: 128) + "([1])") != nil)
        #expect(rewritten(String(repeating: "a", count: 129) + "([1])") == nil)
    }

    @Test("A text keeps its length, so places in errors stay")
    func lengths() {
        for text in ["cb([1,],\n]) ;", "[None,/* é */]", "{\"é\": True,}"] {
            #expect(rewritten(text)?.utf8.count == text.utf8.count)
        }
    }

    @Test(
        "Many beginnings take no longer than they are",
        arguments: ["/*", "[", "//", "a(", "(", "None,", ",", "]", "\"", "\\", "a.", "/", "[None,", "/**/"])
    func hostile(_ piece: String) {
        let document = Array(String(repeating: piece, count: (1 << 18) / piece.utf8.count).utf8)
        let start = ContinuousClock.now
        let made = LenientSyntax(document)?.document ?? document
        #expect(made.count == document.count)
        #expect(refusal(of: made) != nil)
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test("Generated documents read as without the syntax of scripts")
    func generated() throws {
        var generator = SystemRandomNumberGenerator()
        func value(_ depth: Int, _ isLenient: Bool, _ seed: inout UInt64) -> String {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let comma = isLenient && seed >> 40 & 1 == 0 ? "," : ""
            let gap = isLenient && seed >> 41 & 1 == 0 ? "/* ],' */" : ""
            switch seed >> 33 % 7 {
            case 0: return gap + (isLenient ? "None" : "null")
            case 1: return gap + (isLenient ? "True" : "true")
            case 2: return "\"a, // ]\\\" None\"" + gap
            case 3 where depth > 0:
                return "[" + value(depth - 1, isLenient, &seed) + "," + value(depth - 1, isLenient, &seed) + comma + gap
                    + "]"
            case 4 where depth > 0: return "{\"k\"\(gap):" + value(depth - 1, isLenient, &seed) + comma + "}"
            default: return "-1.5e3"
            }
        }
        for _ in 0..<500 {
            let seed = UInt64.random(in: 0 ... .max, using: &generator)
            var (first, second) = (seed, seed)
            let (plain, lenient) = (value(6, false, &first), "cb(" + value(6, true, &second) + ");")
            let made = try #require(rewritten(lenient), "\(lenient)")
            #expect(try transformed(made) == transformed(plain), "\(lenient)")
        }
    }
}
