import Mapping
import Testing

@Suite("Patterns of configurations")
struct PatternTests {
    @Test(
        "A pattern matches anywhere in a text",
        arguments: [
            ("b", "abc", true), ("^b", "abc", false), ("^[A-Z]{3}$", "KSF", true), ("^[A-Z]{3}$", "KSFO", false),
            ("^a$", "a\n", false), ("^$", "", true), ("ß+$", "Straße Maß", true), ("^.$", "é", true),
            ("^.{1}$", "😀", true),
            (#"^\u00e9$"#, "é", true), (#"^\d$"#, "٣", false), (#"^\p{L}+$"#, "Ñandú", true),
            ("(?i)^ksfo$", "KsFo", true),
            ("^(?=.*[0-9])[a-z0-9]+$", "a1b", true), ("(a)(b)(c)", "abc", true), ("", "", true),
        ])
    func matches(pattern: String, text: String, expected: Bool) throws {
        #expect(try Pattern(pattern).matches(text) == expected)
    }

    @Test(
        "A malformed pattern names the reason and the place",
        arguments: [
            ("[a-", "missing terminating ] for character class at offset 3"),
            ("a(b", "missing closing parenthesis at offset 3"),
            ("*a", "quantifier does not follow a repeatable item at offset 0"),
            (#"\C"#, #"using \C is disabled by the application at offset 2"#),
            ("(?<n", "syntax error in subpattern name (missing terminator?) at offset 4"),
        ])
    func malformed(pattern: String, message: String) {
        #expect { try Pattern(pattern) } throws: { "\($0)" == message }
    }

    @Test(
        "Work and memory are limited, so that no text takes long",
        arguments: [
            ("^(a+)+$", String(repeating: "a", count: 40) + "b"),
            ("(a+)+$", String(repeating: "a", count: 65_000) + "b"),
            ("(?:a|a)*b", String(repeating: "a", count: 65_536)),
            ("^(?:(?:a|b)+c?)+$", String(repeating: "ab", count: 30_000) + "!"),
            ("(?R)?a", String(repeating: "b", count: 65_000)), (".*.*.*.*x", String(repeating: "y", count: 60_000)),
        ])
    func limited(pattern: String, text: String) throws {
        let pattern = try Pattern(pattern), start = ContinuousClock.now
        #expect(!pattern.matches(text))
        #expect(ContinuousClock.now - start < .seconds(3))
    }

    @Test("Usual patterns match long texts, up to the longest")
    func long() throws {
        for length in [10_000, Pattern.maximumBytes] {
            let text = String(repeating: "x", count: length)
            #expect(try Pattern("^[a-z]+$").matches(text))
            #expect(try Pattern("^(?:[a-z]|[0-9])*$").matches(String(text.prefix(2000))))
            #expect(try Pattern("x$").matches(text))
        }
        #expect(try !Pattern("x").matches(String(repeating: "x", count: Pattern.maximumBytes + 1)))
    }
}

extension Pattern {
    /// Whether the pattern matches with as many steps as a document may take.
    fileprivate func matches(_ text: String) -> Bool {
        var work = Work(steps: 20_000_000)
        return matches(text, &work)
    }
}
