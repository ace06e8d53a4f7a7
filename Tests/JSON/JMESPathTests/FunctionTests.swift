import JMESPath
import JSONText
import TestSupport
import Testing

@Suite("Functions beyond those of the published suites")
struct FunctionTests {
    @Test(
        "Each function has its result",
        arguments: [
            // Nulls
            ("sort(@)", "[3, null, 1]", "[1,3,null]"),
            ("sort_by(@, &a)[*].b", #"[{"b": 1}, {"a": 2, "b": 2}]"#, "[2,1]"),
            ("sort(@)", "[null, null]", "[null,null]"), ("max(@)", "[null, 2, 7]", "7"), ("min(@)", "[null]", "null"),
            ("max_by(@, &a).b", #"[{"b": 1}, {"a": 2, "b": 2}]"#, "2"), ("min_by(@, &a)", "[{}, {}]", "null"),
            ("sum(@)", "[1, null, 0.5]", "1.5"), ("avg(@)", "[1, null, 2]", "1.5"), ("avg(@)", "[null]", "null"),
            ("sum(@)", "[null]", "0"), ("sort(@)", #"[1, "a"]"#, "error: sort() takes numbers, not a string"),
            // Slices of texts
            ("a[0:3]", #"{"a": "Straße"}"#, #""Str""#), ("a[-2:]", #"{"a": "Straße"}"#, #""ße""#),
            ("a[::-1]", #"{"a": "😀é"}"#, #""é😀""#), ("a[5:2]", #"{"a": "Straße"}"#, #""""#),
            ("a[0:2].length(@)", #"{"a": "Straße"}"#, "2"),
            ("[*].a[:1]", #"[{"a": "xy"}, {"a": [1, 2]}]"#, #"["x",[1]]"#),
            ("a[0:2]", #"{"a": 12}"#, "null"),
            // round
            ("round(@)", "2.5", "3"), ("round(@)", "-2.5", "-3"), ("round(@, `1`)", "0.25", "0.3"),
            ("round(@, `2`)", "1.005", "1.01"), ("round(@, `-2`)", "1250", "1300"), ("round(@, `3`)", "7", "7"),
            ("round(@, `2`)", "1234567890123456789012345678901234567890.55", "1.2345678901234568e39"),
            ("round(@, `2`)", "1e400", "1e400"), ("round(@)", "1e-400", "0"),
            ("round(@, `39`)", "1.5", "error: round() takes -38 to 38 decimals, not 39"),
            ("round(@, `0.5`)", "1.5", "error: round() takes whole numbers, not 0.5"),
            ("round(@)", #""1""#, "error: round() takes a number, not a string"),
            // parse_json
            ("parse_json(@).a[1]", #""{\"a\": [1, 2.50]}""#, "2.50"), ("parse_json(@)", #""null""#, "null"),
            ("parse_json(@)", #""\"x\"""#, #""x""#), ("parse_json(@)", #""[1, 2]""#, "[1,2]"),
            // lookup and index_by
            ("lookup(@, 'a')", #"{"a": 1, "a": 2}"#, "2"), ("lookup(@, `7`)", #"{"7": "x"}"#, #""x""#),
            ("lookup(@, 'b')", #"{"a": 1}"#, "null"), ("lookup(@, `null`)", #"{"a": 1}"#, "null"),
            ("lookup(@, `true`)", "{}", "error: lookup() takes a string or a number as the key, not a boolean"),
            ("lookup(@, 'a')", "1", "error: lookup() takes an array or an object, not a number"),
            ("lookup(@, '1')", "[5, 6]", "6"), ("lookup(@, `-1`)", "[5, 6]", "6"), ("lookup(@, `2`)", "[5, 6]", "null"),
            ("lookup(@, `1.5`)", "[5, 6]", "null"), ("lookup(@, '-9223372036854775808')", "[5]", "null"),
            (
                "index_by(@, &id)", #"[{"id": 7}, {"id": "b"}, {}, {"id": 7, "c": 1}]"#,
                #"{"7":{"id":7,"c":1},"b":{"id":"b"}}"#
            ),
            ("index_by(@, &@)", "[true]", "error: index_by() takes keys that are strings or numbers, not a boolean"),
            (
                "let $by = index_by(b, &id) in a[*].{x: lookup($by, id).name}",
                #"{"a": [{"id": 1}, {"id": null}, {"id": 3}], "b": [{"id": 3, "name": "c"}, {"id": 1, "name": "a"}]}"#,
                #"[{"x":"a"},{"x":null},{"x":"c"}]"#
            ),
            (
                "match(@, 'a')", #""a""#, "error: at character 1: match() needs a library of patterns"
            ),
        ])
    func result(expression: String, document: String, expected: String) {
        #expect(search(expression, document) == expected)
    }

    @Test("A text that is no JSON is a failure that says so", arguments: ["{", "", "01", "[1] 2"])
    func notJSON(text: String) {
        let result = search("parse_json(@)", JSONWriter.text { $0.write(text) })
        #expect(result.hasPrefix("error: parse_json() takes a text of JSON: "))
    }

    @Test("Texts of JSON nest to a limit")
    func deepJSON() {
        let nested = { (levels: Int) in
            "\"" + String(repeating: "[", count: levels) + String(repeating: "]", count: levels) + "\""
        }
        #expect(search("parse_json(@)", nested(64)).hasPrefix("[["))
        #expect(search("parse_json(@)", nested(65)).hasPrefix("error: parse_json() takes a text of JSON: "))
    }

    @Test("Lookups take the same time in objects of any size, also in several at once, and stay right")
    func lookups() throws {
        let rows = (0..<2500).map { "{\"id\": \($0), \"name\": \"n\($0)\"}" }.joined(separator: ",")
        let keys = (0..<2500).map { "\"\($0)\": \($0)" }.joined(separator: ",")
        let document = "{\"a\": [\(rows)], \"b\": [\(rows)], \"d\": {\(keys)}}"
        let join = """
            let $by = index_by(b, &id), $of = group_by(b, &name), $d = d in
            a[*].[lookup($by, id).name == name, lookup($of, name)[0].id == id, lookup($d, id) == id] | [*] | [?!@[0] || !@[1] || !@[2]]
            """
        var parser = JSONParser()
        let (text, steps) = try parser.withDocument(Array(document.utf8)) { root in
            var context = JMESContext(root: .node(root), maximumSteps: 1_000_000)
            let value = try JMESPath(join).value(of: .node(root), in: &context)
            return (value.text, 1_000_000 - context.remainingSteps)
        }
        #expect(text == "[]")
        #expect(steps < 400_000)
    }

    @Test("More objects than there are tables for are looked up as well")
    func manyObjects() {
        let others = (0..<20).map { "\"m\($0)\": 0" }.joined(separator: ",")
        let objects = (0..<20).map { "{\(others), \"k\": \($0)}" }.joined(separator: ",")
        let expected = (0..<20).map(String.init).joined(separator: ",")
        #expect(search("[*].lookup(@, 'k')", "[\(objects)]") == "[\(expected)]")
    }
}
