import JMESPath
import JSONText
import Testing

private let fraction = "0.1234567890123456789012345678901234567890"
/// Numbers that no double holds, or that a double would spell in another way.
private let numbers = [
    "9223372036854775808", "9223372036854775807", "-9223372036854775809", "1234567890123456789", "0.10", "1e400",
    "-1E+400", "1E-400", "-0", "-0.0", fraction, "123456789012345678901234567890.5", "1.50e1",
]

@Suite("Exact values")
struct ExactnessTests {
    @Test("A number that is only selected keeps its text", arguments: numbers)
    func selected(text: String) {
        for (expression, expected) in [
            ("a", text), ("@", #"{"a":N,"b":[{"c":N}]}"#), ("b[*].c", "[N]"), ("b[0].c", "N"), ("b[].c", "[N]"),
            ("*", #"[N,[{"c":N}]]"#), ("b[?c == $.a].c", "[N]"), ("b[?c >= $.a && c <= $.a].c", "[N]"),
            ("sort_by(b, &c)[0].c", "N"), ("max_by(b, &c).c", "N"), ("sort([a, b[0].c])", "[N,N]"),
            ("{x: a, y: [b[0].c]}", #"{"x":N,"y":[N]}"#), ("let $x = a in b[*].[$x, c]", "[[N,N]]"),
            ("a ? a : b", "N"), ("b[:1].c | [0]", "N"), ("to_string(a)", #""N""#), ("to_number(to_string(a))", "N"),
            ("to_string(b)", #""[{\"c\":N}]""#), ("not_null(x, a)", "N"), ("values(@)[0]", "N"), ("+a", "N"),
            ("`N`", "N"), ("[`[N]`, a]", "[[N],N]"), ("items(b[0])", #"[["c",N]]"#), ("max([a])", "N"),
            ("group_by(b, &'k')", #"{"k":[{"c":N}]}"#), ("merge(b[0], `{\"d\": N}`)", #"{"c":N,"d":N}"#),
        ] {
            let document = "{\"a\": \(text), \"b\": [ {\"c\": \(text)} ]}"
            let expression = expression.replacing("N", with: text)
            #expect(search(expression, document) == expected.replacing("N", with: text), "\(expression)")
        }
    }

    @Test(
        "Numbers are compared by their exact value",
        arguments: [
            ("1", "==", "1.0"), ("1", "==", "10e-1"), ("-0", "==", "0.000"), ("0.10", "==", "0.1"),
            ("100", "==", "1E2"),
            ("9223372036854775808", "<", "9223372036854775809"), ("9223372036854775807", "<", "9223372036854775808"),
            ("-9223372036854775809", "<", "-9223372036854775808"), ("1e400", "<", "1e401"), ("1e400", "==", "10e399"),
            ("-1e401", "<", "-1e400"), ("0", "<", "1e-400"), ("-1e-400", "<", "0"), ("1e-401", "<", "1e-400"),
            ("0.1", "<", "0.10000000000000000001"), (fraction, "<", fraction + "1"), (fraction, "==", fraction + "0"),
            ("0.3", "==", "0.30"), ("12345678901234567890123", "<", "12345678901234567890124"), ("9.99", "<", "10"),
            ("1e1000000000000000000000", "==", "1e1000000000000000000000"),
        ])
    func compared(left: String, relation: String, right: String) {
        let document = "[\(left), \(right)]"
        let isEqual = relation == "=="
        #expect(search("[[0] == [1], [1] == [0], [0] != [1]]", document) == "[\(isEqual),\(isEqual),\(!isEqual)]")
        #expect(search("[[0] < [1], [1] < [0], [0] >= [1]]", document) == "[\(!isEqual),false,\(isEqual)]")
        #expect(search("sort(reverse(@))", document) == (isEqual ? "[\(right),\(left)]" : "[\(left),\(right)]"))
        #expect(search("contains([[0]], [1])", document) == "\(isEqual)")
    }

    @Test(
        "Numbers are computed exactly as long as 38 digits suffice, and else as doubles",
        arguments: [
            ("`0.1` + `0.2`", "0.3"), ("`0.1` + `0.2` == `0.3`", "true"), ("`1.10` - `0.1`", "1"),
            ("`3` * `0.1`", "0.3"),
            ("`9223372036854775807` + `1`", "9223372036854775808"), ("`9007199254740993` * `3`", "27021597764222979"),
            ("`1` / `3`", "0.3333333333333333"), ("`1` / `4`", "0.25"), ("`0.3` / `0.1`", "3"), ("`6` / `2`", "3"),
            ("`9007199254740993` / `1`", "9007199254740993"), ("`2e3` ÷ `-4`", "-500"), ("`7` − `8`", "-1"),
            ("`7` // `2`", "3"), ("`-7` // `2`", "-4"), ("`7` % `3`", "1"), ("`-7` % `3`", "2"),
            ("`5.5` % `0.2`", "0.1"),
            ("`1e400` * `1`", "1e400"), ("`0` + `1e400`", "1e400"), ("`1e-400` * `2`", "2e-400"), ("-`0.10`", "-0.10"),
            ("-`-0.10`", "0.10"), ("-`0`", "0"), ("abs(`-0.10`)", "0.10"), ("abs(`0.10`)", "0.10"),
            ("abs(`-1e400`)", "1e400"),
            ("ceil(`1.01`)", "2"), ("ceil(`-1.01`)", "-1"), ("floor(`-1.01`)", "-2"), ("floor(`-3`)", "-3"),
            ("floor(`0.00000000000000000000000000000000000000000000001`)", "0"), ("ceil(`1e-400`)", "1"),
            ("floor(`1.5e1`)", "15"),
            ("floor(`1e400`)", "1e400"), ("sum(`[0.1, 0.2, 0.3]`)", "0.6"), ("avg(`[1, 2]`)", "1.5"),
            ("sum(`[]`)", "0"),
            ("avg(`[9223372036854775807, 9223372036854775807]`)", "9223372036854775807"), ("`1` × `2` + `3`", "5"),
            ("`1e30` + `1`", "1000000000000000000000000000001"), ("`1e50` + `1`", "1e50"), ("`2` + `3` * `4`", "14"),
            ("`123456789012345678901234567890123456789` + `1`", "1.2345678901234568e38"),
            ("`1e200` * `1e200` > `1e399`", "true"), ("`0` / `5`", "0"), ("`10` - `3` - `2`", "5"),
        ])
    func computed(expression: String, expected: String) { #expect(search(expression, "null") == expected) }

    @Test(
        "Of equal keys, the last value stands at the place of the first",
        arguments: [
            ("@", #"{"a":3,"b":2}"#), ("a", "3"), ("*", "[3,2]"), ("keys(@)", #"["a","b"]"#), ("length(@)", "2"),
            ("values(@)", "[3,2]"), ("items(@)", #"[["a",3],["b",2]]"#), ("merge(@, `{\"b\": 4}`)", #"{"a":3,"b":4}"#),
            ("@ == `{\"b\": 2, \"a\": 3}`", "true"), ("to_string(@)", #""{\"a\":3,\"b\":2}""#),
            ("from_items(`[[\"x\", 1], [\"y\", 2], [\"x\", 3]]`)", #"{"x":3,"y":2}"#), ("{x: a, x: b}", #"{"x":2}"#),
        ])
    func duplicateKeys(expression: String, expected: String) {
        #expect(search(expression, #"{"a": 1, "b": 2, "\u0061": 3}"#) == expected)
    }

    @Test("Of a hundred equal keys, one remains")
    func manyDuplicateKeys() {
        let members = (0..<100).map { "\"k\($0 % 40)\":\($0)" }.joined(separator: ",")
        #expect(search("length(@)", "{\(members)}") == "40")
        #expect(search("[k0, k39]", "{\(members)}") == "[80,79]")
    }

    @Test(
        "Empty, null and absent values stay different",
        arguments: [
            ("@", #"{"n":null,"a":[],"o":{},"s":""}"#), ("[n, a, o, s, x]", #"[null,[],{},"",null]"#),
            ("{n: n, a: a, o: o, x: x}", #"{"n":null,"a":[],"o":{},"x":null}"#), ("*", #"[[],{},""]"#),
            ("[n, a, o, x][]", "[{}]"), ("a[*]", "[]"), ("n[*]", "null"), ("o.*", "[]"), ("a[?x]", "[]"),
            ("a == o", "false"), ("n == x", "true"), ("to_array(a)", "[]"), ("to_array(n)", "[null]"), ("a[]", "[]"),
        ])
    func emptiness(expression: String, expected: String) {
        #expect(search(expression, #"{"n": null, "a": [], "o": {}, "s": ""}"#) == expected)
    }

    @Test(
        "A string that is selected keeps its escapes, and a lone surrogate becomes U+FFFD",
        arguments: [
            ("a", #""\u00e9\/""#), ("b", #""x\ufffdy""#), ("[a, b]", #"["\u00e9\/","x\ufffdy"]"#), ("length(b)", "3"),
            ("a == 'é/'", "true"), ("[?@]", "null"), ("values(@)[?@ == 'é/']", #"["\u00e9\/"]"#),
            ("upper(a)", #""É/""#),
            ("sort([a, b])[0]", #""x\ufffdy""#), ("to_string([b])", #""[\"x\\ufffdy\"]""#),
            ("\"\\u0061\"", #""\u00e9\/""#),
            ("join('-', [b, a])", "\"x\u{FFFD}y-é/\""), ("b == $.b", "true"), ("a < b", "false"),
            ("lower(b)", "\"x\u{FFFD}y\""),
        ])
    func strings(expression: String, expected: String) {
        #expect(search(expression, #"{"a": "\u00e9\/", "b": "x\ud800y"}"#) == expected)
    }

    @Test("Texts are ordered by code points, and the order of equal elements stays")
    func order() {
        #expect(
            search("sort(@)", #"["\ud83d\ude00", "\uff5e", "é", "e\u0301", "z", "Z", ""]"#)
                == #"["","Z","e\u0301","z","é","\uff5e","\ud83d\ude00"]"#)
        #expect(
            search("sort_by(@, &k)[].v", #"[{"k":1,"v":1},{"k":1.0,"v":2},{"k":0,"v":3},{"k":10e-1,"v":4}]"#)
                == "[3,1,2,4]")
        #expect(
            search("[?@ < '2024-03-01T00:00:00Z']", #"["2024-02-29T23:59:59Z", "2024-03-01T00:00:00Z"]"#)
                == #"["2024-02-29T23:59:59Z"]"#)
        #expect(
            search("group_by(@, &k)", #"[{"k":"b"},{"k":"a"},{"k":"b"},{"k":null}]"#)
                == #"{"b":[{"k":"b"},{"k":"b"}],"a":[{"k":"a"}]}"#)
        #expect(search("[contains(@, 'é'), length([0])]", #"["e\u0301"]"#) == "[false,2]")
    }
}
