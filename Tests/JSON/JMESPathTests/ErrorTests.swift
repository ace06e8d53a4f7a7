import JMESPath
import JSONText
import Testing

@Suite("Errors of expressions")
struct ErrorTests {
    @Test(
        "An expression that can never work is refused with the place and what to do",
        arguments: [
            ("lenght(@)", 1, "there is no function \"lenght\"; did you mean \"length\"?"),
            ("a | soort_by(@, &b)", 5, "there is no function \"soort_by\"; did you mean \"sort_by\"?"),
            ("é.xyzzy()", 1, "\"é\" has no meaning here"), ("xyzzy()", 1, "there is no function \"xyzzy\""),
            (
                "headers.rate-limit", 9,
                "quote a name with \"-\": \"rate-limit\"; a subtraction needs spaces: rate - …"
            ),
            ("$limt", 1, "there is no variable $limt; did you mean \"$limit\"?"),
            ("a.$limit", 3, "a name, \"*\", \"[\" or \"{\" is expected, not $limit"),
            ("let $a = b in $c", 15, "there is no variable $c"),
            ("let $a = b $c", 12, "\",\" or \"in\" is expected, not $c"),
            ("a.b.", 5, "a name, \"*\", \"[\" or \"{\" is expected, not the end"),
            ("", 1, "a name, a value or a function is expected, not the end"),
            ("a b", 3, "an operator or the end is expected, not b"),
            ("a[0", 4, "\"]\" or \":\" is expected, not the end"),
            ("a[b]", 3, "lookup(value, name), or an index, a slice, \"*\", \"?\" or \"]\" is expected, not b"),
            ("a.#text", 3, "\"#\" has no meaning here; quote the name: \"#text\""),
            ("to_upper(a)", 1, "there is no function \"to_upper\"; write upper(text)"),
            ("asciiDowncase(a)", 1, "there is no function \"asciiDowncase\"; write lower(text)"),
            ("[a, b", 6, "\",\" or \"]\" is expected, not the end"),
            ("{a: b", 6, "\",\" or \"}\" is expected, not the end"),
            ("{'a': b}", 2, "the name of a member is expected, not a literal"),
            ("a > 5", 5, "a number is written in backquotes: `5`"), ("'a", 1, "there is no closing '"),
            ("a == `x`", 6, "the literal is not JSON; a text is '…' or `\"…\"`"),
            ("\"\\x\"", 1, "the quoted name is not a string of JSON"),
            ("\"abs\"(@)", 1, "the name of a function is not quoted"),
            ("abs()", 1, "abs() takes 1 argument, not 0"), ("join('a')", 1, "join() takes 2 arguments, not 1"),
            ("merge()", 1, "merge() takes at least 1 argument, not 0"),
            ("trim(a, b, c)", 1, "trim() takes 1 to 2 arguments, not 3"),
            ("sort_by(a, b)", 12, "argument 2 of sort_by() is an &expression, such as &name"),
            ("abs(&a)", 5, "argument 1 of abs() is a value, not an &expression"), ("a[::0]", 5, "a step is not 0"),
            ("&a", 1, "a name, a value or a function is expected, not \"&\""),
            ("a ? b", 6, "\":\" is expected, not the end"),
            ("a[1234567890123456789]", 3, "the index has more than 18 digits"),
            ("a = b", 3, "an operator or the end is expected, not \"=\""),
        ])
    func refused(expression: String, character: Int, reason: String) throws {
        do throws(JMESPathError) {
            _ = try JMESPath(expression, variables: ["limit"])
            Issue.record("\(expression) is accepted")
        } catch {
            #expect(error.description == "at character \(character): \(reason)")
            #expect(error.offset == character - 1)
        }
    }

    @Test(
        "An expression that is too long or too deep is refused",
        arguments: [
            String(repeating: "(", count: 257) + "a" + String(repeating: ")", count: 257),
            String(repeating: "[", count: 257) + "a" + String(repeating: "]", count: 257),
            String(repeating: "!", count: 60_000) + "a", Array(repeating: "a", count: 300).joined(separator: " + "),
            Array(repeating: "[@]", count: 257).joined(separator: "|"), String(repeating: "a ? ", count: 10_000),
            String(repeating: "let $a = ", count: 5000), "`" + String(repeating: "[", count: 1000) + "`",
            String(repeating: "a", count: 70_000), Array(repeating: "a", count: 300).joined(separator: " || "),
            String(repeating: "abs(", count: 10_000), String(repeating: "*[?", count: 10_000),
            String(repeating: "(a + ", count: 255) + "a" + String(repeating: ") + a + a", count: 255),
        ])
    func deep(expression: String) { #expect(throws: JMESPathError.self) { try JMESPath(expression) } }

    @Test("A path of many members is no deep expression")
    func longPath() throws {
        let path = Array(repeating: "a", count: 1000).joined(separator: ".")
        #expect(search(path, "{}") == "null")
        #expect(search("@" + String(repeating: "[0]", count: 512), "null") == "null")
    }

    @Test(
        "A failure says what is wrong, and whether something is null",
        arguments: [
            ("sum(t)", "sum() takes an array, not a string", false),
            ("sum([t])", "sum() takes numbers, not a string", false),
            ("abs(x)", "abs() takes a number, not null", true),
            ("t + `1`", "+ takes numbers, not a string", false), ("x + `1`", "+ takes numbers, not null", true),
            ("-x", "- takes a number, not null", true),
            ("`1` / `0`", "a division by zero", false), ("`1` % `0.0`", "a division by zero", false),
            ("join(',', [x])", "join() takes strings, not null", false),
            ("join(',', n)", "join() takes strings, not a number", false),
            ("length(`true`)", "length() takes a string or an array or an object, not a boolean", false),
            ("sort(['a', `1`])", "sort() takes strings, not a number", false),
            ("sort_by([`1`, t], &@)", "sort_by() takes numbers, not a string", false),
            ("pad_left(t, `1.5`)", "pad_left() takes whole numbers, not 1.5", false),
            ("split(t, ',', `-1`)", "split() takes a number that is not negative, not -1", false),
            ("pad_left(t, `9`, 'ab')", "pad_left() takes one character to fill up with, not \"ab\"", false),
            ("keys(n)", "keys() takes an object, not an array", false),
            ("from_items(n)", "from_items() takes arrays of a string and a value, not a number", false),
            ("group_by(o, &k)", "group_by() takes keys that are strings, not a number", false),
            ("`1e200` / `1e-200` + `1e400` - `1`", "the result is beyond the range of numbers", false),
            ("t > `1` || x", "null", true),
        ])
    func failures(expression: String, reason: String, isAbsence: Bool) throws {
        let document = #"{"t":"a","n":[1,2],"o":[{"k":1},{}]}"#
        guard reason != "null" else { return #expect(search(expression, document) == "null") }
        #expect(search(expression, document) == "error: \(reason)")
        let compiled = try JMESPath(expression)
        var parser = JSONParser()
        try parser.withDocument(Array(document.utf8)) { root in
            var context = JMESContext(root: .node(root))
            do throws(JMESFailure) {
                _ = try compiled.value(of: .node(root), in: &context)
                Issue.record("\(expression) has a value")
            } catch {
                #expect(error.isAbsence == isAbsence)
            }
        }
    }
}
