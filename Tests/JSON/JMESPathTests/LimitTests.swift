import JMESPath
import JSONText
import TestSupport
import Testing

/// Returns an expression with two equal values, each of which holds `1` 2^40 times.
private func doubled(_ body: String) -> String {
    func value(_ name: String) -> String {
        "let $\(name) = `1` in " + String(repeating: "let $\(name) = [$\(name), $\(name)] in ", count: 40)
    }
    return value("a") + value("b") + body
}

@Suite("Limits of expressions")
struct LimitTests {
    /// Returns the result in short, or the reason of the failure.
    ///
    /// A debug build takes a hundred times as long for a step as a release build, so the limits are lower than by default.
    private func outcome(_ expression: String, _ root: JSONNode, _ isExpired: (() -> Bool)? = nil) throws -> String {
        var context = JMESContext(
            root: .node(root), maximumSteps: 400_000, maximumOutput: 8 << 20, isExpired: isExpired)
        let compiled = try JMESPath(expression)
        var writer = JSONWriter()
        do throws(JMESFailure) {
            try compiled.write(.node(root), in: &context, to: &writer)
            return "\(writer.count) bytes"
        } catch {
            #expect(writer.count == 0)
            return "\(error)"
        }
    }

    private func reading<Result>(_ document: [UInt8], _ body: (JSONNode) throws -> Result) throws -> Result {
        var parser = JSONParser()
        return try parser.withDocument(document, body)
    }

    private static let hostile: [(name: String, bytes: [UInt8])] = [
        ("deep", Array((String(repeating: "[", count: 512) + String(repeating: "]", count: 512)).utf8)),
        ("objects", Array((String(repeating: #"{"a":"#, count: 512) + "1" + String(repeating: "}", count: 512)).utf8)),
        ("numbers", Array("[\((0..<200_000).map { "\($0 % 7).50" }.joined(separator: ","))]".utf8)),
        (
            "elements",
            Array("[\((0..<200_000).map { "{\"a\":\"k\($0)\",\"b\":[\($0)]}" }.joined(separator: ","))]".utf8)
        ),
        ("members", Array("{\((0..<200_000).map { "\"k\($0)\":\"v\($0)\"" }.joined(separator: ","))}".utf8)),
        ("equal members", Array("{\((0..<200_000).map { "\"k\":\"v\($0)\"" }.joined(separator: ","))}".utf8)),
        ("text", Array("[\"\(String(repeating: "a", count: 8 << 20))\"]".utf8)),
        (
            "number",
            Array("[\(String(repeating: "9", count: 1 << 20)),1e\(String(repeating: "9", count: 1 << 19))]".utf8)
        ),
        ("escapes", Array("[\"\(String(repeating: "\\ud800", count: 1 << 20))\"]".utf8)),
    ]

    private static let expressions = [
        "@", "*.*", "[][][]", "[*].a", "[?a > 'k5'].b[]", "sort(@)", "sort_by(@, &a)", "sort_by(@, &b[0])",
        "max(@)",
        "group_by(@, &a)", "map(&[@, @, @], @)", "zip(@, @, @)", "[*].[$, $]", "[?contains($, @)]", "[?$ == $]",
        "*[?$.k5]", "values(@)[?contains($, @)]", "[*].{x: $.k1, y: keys($)}", "join('x', [])", "to_string(@)",
        "length(@)", "reverse(@)", "merge(@, @, @)", "items(@)", "from_items(items(@))", "keys(@)", "sum(@)",
        "avg(@)",
        "let $a = [@, @] in let $b = [$a, $a] in let $c = [$b, $b] in let $d = [$c, $c] in [$d, $d, $d, $d]",
        "[*].[$ == $, $]", "[0] == [1]", "[0] + [0]", "ceil([0])", "split([0], '')", "split([0], 'a')",
        "upper([0])",
        "replace([0], 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')", "find_last([0], 'aaaaaaaaaaaaab')",
        "trim([0], 'a')",
        "pad_left([0], `9007199254740991`)", "pad_left('a', `100000000`)", "[0] | contains(@, @)", "reverse([0])",
        "replace([0], [0], [0])", "[*].length($)", "[*].sort($)", "[::-1]", "[*].[$[199999], $[::-1]]", "*.{a: @}",
        "[?to_string($) == 'a']", "length(to_string([@, @, @, @]))", "[*].[`[1, 2, 3]`]", "sort([[0], [1]][?@])",
    ]

    @Test("A hostile document ends within the limits, whatever the expression is", arguments: hostile.map(\.name))
    func ends(name: String) throws {
        let document = try #require(Self.hostile.first { $0.name == name })
        try reading(document.bytes) { root in
            for expression in Self.expressions {
                let start = ContinuousClock.now
                _ = try outcome(expression, root)
                let time = ContinuousClock.now - start
                #expect(time < .seconds(20), "\(expression): \(time)")
            }
        }
    }

    @Test(
        "The limits hold",
        arguments: [
            ("[?length($[:2000]) == `5`]", "the expression takes too many steps"),
            ("[*].[$]", "the expression takes too many steps"),
            ("length([*].[@, @, @, @, @, @, @, @])", "the expression takes too many steps"),
            ("pad_left('a', `9000000`)", "the expression makes too many values"),
            (doubled("$a == $b"), "the expression takes too many steps"),
            (doubled("contains([$a], $b)"), "the expression takes too many steps"),
            (doubled("[$a, $b]"), "the expression takes too many steps"),
            (doubled("length(to_string($a))"), "the expression takes too many steps"),
            (doubled("length($a)"), "1 bytes"), ("length(@)", "6 bytes"),
        ])
    func holds(expression: String, reason: String) throws {
        let document = Array("[\((0..<100_000).map { "[\($0)]" }.joined(separator: ","))]".utf8)
        let outcome = try reading(document) { root in try self.outcome(expression, root) }
        #expect(outcome == reason)
    }

    @Test("The deadline is looked at while an expression is applied")
    func deadline() throws {
        let document = Array("[\((0..<20_000).map(String.init).joined(separator: ","))]".utf8)
        var count = 0
        let reason = try reading(document) { root -> String in
            try outcome("[?@ > `1`]", root) {
                count += 1
                return count > 2
            }
        }
        #expect(reason == "the deadline has passed")
        #expect(count == 3)
    }
}
