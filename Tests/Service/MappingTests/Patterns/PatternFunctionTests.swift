import JMESPath
import JSONText
import Mapping
import Testing

@Suite("Patterns in expressions")
struct PatternFunctionTests {
    /// Returns the result for a text as JSON, or the error.
    private static func result(_ expression: String, _ text: String) -> String {
        var context = JMESContext(root: .null)
        return JSONWriter.text { writer in
            do {
                try JMESPath(configured: expression).value(of: .string(text), in: &context).write(to: &writer)
            } catch {
                writer.write("error: \(error)")
            }
        }
    }

    @Test(
        "match() gives the match and its groups, replace_pattern() a text",
        arguments: [
            ("match(@, '([0-9]+) to ([0-9]+)')", "10 to 15 mph", #"["10 to 15","10","15"]"#),
            ("match(@, '^x')", "10", "null"), ("match(@, 'é(.)')", "caféß", #"["éß","ß"]"#),
            ("match(@, 'a(b)?(c)')", "ac", #"["ac",null,"c"]"#), ("match(@, '')", "", #"[""]"#),
            ("match(@, '^([^ ]+)')[1]", "a b", #""a""#),
            ("replace_pattern(@, '[0-9]+', '#')", "a1b22", #""a#b#""#),
            ("replace_pattern(@, '(\\w+) (\\w+)', '$2 $1')", "ab cd", #""cd ab""#),
            ("replace_pattern(@, 'x*', '-')", "abxd", #""-a-b--d-""#),
            ("replace_pattern(@, '', '.')", "é😀", #"".é.😀.""#),
            ("replace_pattern(@, 'a(b)?', '[$0$1$$$2$x]')", "a", #""[a$$2$x]""#),
            ("replace_pattern(@, '<[^>]*>', '')", "<b>x</b> y", #""x y""#),
            ("replace_pattern(@, 'q', 'r')", "abc", #""abc""#), ("replace_pattern(@, '^', '> ')", "a", #""> a""#),
        ])
    func results(expression: String, text: String, expected: String) {
        #expect(Self.result(expression, text) == expected)
    }

    @Test("A pattern of many groups is a fault, and one that takes too long a failure")
    func limits() {
        let groups = String(repeating: "(a)", count: 33)
        #expect(Self.result("match(@, '\(groups)')", "").contains("there are more than 32 groups"))
        let slow = Self.result("match(@, '^(a+)+$')", String(repeating: "a", count: 5000) + "b")
        #expect(slow == #""error: the pattern takes too many steps for a text""#)
        let long = Self.result("match(@, 'a')", String(repeating: "b", count: Pattern.maximumBytes + 1))
        #expect(long == #""error: a pattern looks at texts of at most 65536 bytes""#)
        let replaced = Self.result("length(replace_pattern(@, 'a', 'bc'))", String(repeating: "a", count: 65_536))
        #expect(replaced == "131072")
        let grown = Self.result(
            "replace_pattern(@, 'a', '$0$0$0$0$0$0$0$0$0') | replace_pattern(@, 'a', '\(String(repeating: "x", count: 60_000))')",
            String(repeating: "a", count: 7000))
        #expect(grown == #""error: the expression makes too many values""#)
    }
}
