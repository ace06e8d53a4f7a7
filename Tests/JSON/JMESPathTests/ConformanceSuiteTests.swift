import JMESPath
import JSONText
import TestSupport
import Testing

@Suite("Published cases of JMESPath")
struct ConformanceSuiteTests {
    /// The expressions for which the suites name an error, and the results here: nulls go last in sorts, and are left out
    /// elsewhere.
    private static let differences: [String: String] = {
        let (a, b) = (
            #"{"age":20,"age_str":"20","bool":true,"name":"a","extra":"foo"}"#,
            #"{"age":40,"age_str":"40","bool":false,"name":"b","extra":"bar"}"#
        )
        let others = [
            #"{"age":30,"age_str":"30","bool":true,"name":"c"}"#, #"{"age":50,"age_str":"50","bool":false,"name":"d"}"#,
            #"{"age":10,"age_str":"10","bool":true,"name":3}"#,
        ]
        return [
            "max_by(people, &extra)": a, "min_by(people, &extra)": b,
            "sort_by(people, &extra)": "[\(([b, a] + others).joined(separator: ","))]",
        ]
    }()

    @Test("All cases have the result or the error that they name", arguments: ["compliance", "community"])
    func suite(folder: String) throws {
        var wrong: [String] = []
        for file in Checkout.sharedFiles("suites/jmespath/\(folder)", ending: ".json") {
            try forEachCase(of: file.bytes) { given, test in
                let expression = test["expression"]?.string ?? ""
                // A benchmark names no result, but has one.
                let value = test["result"].map { JMESValue.node($0) }
                let isBenchmark = test["bench"] != nil
                let result = Self.outcome(expression, given, of: value, isBenchmark)
                let expected = Self.differences[expression] ?? test["error"]?.string ?? "as expected"
                if result != expected { wrong.append("\(file.name): \(expression): \(result), not \(expected)") }
            }
        }
        #expect(wrong == [])
    }

    private func forEachCase(of bytes: [UInt8], _ body: (JSONNode, JSONNode) -> Void) throws {
        var parser = JSONParser()
        try parser.withDocument(bytes) { root in
            for group in root.elements {
                guard let given = group["given"], let cases = group["cases"] else { continue }
                for test in cases.elements { body(given, test) }
            }
        }
    }

    /// Returns `as expected` for the expected value, another value as JSON, or the suite's name of an error.
    private static func outcome(_ expression: String, _ given: JSONNode, of expected: JMESValue?, _ isBenchmark: Bool)
        -> String
    {
        do {
            let expression = try JMESPath(expression)
            var context = JMESContext(root: .node(given))
            let value = try expression.value(of: .node(given), in: &context)
            var writer = JSONWriter()
            try expression.write(.node(given), in: &context, to: &writer)
            let text = String(decoding: writer.bytes, as: UTF8.self)
            guard text == value.text || value.kind == .string else { return "\(text) when written at once" }
            if isBenchmark { return "as expected" }
            return try expected?.isEqual(to: value, in: &context) == true ? "as expected" : value.text
        } catch let error as JMESPathError {
            switch error.kind {
            case .syntax: return "syntax"
            case .arity: return "invalid-arity"
            case .type: return "invalid-type"
            case .value: return "invalid-value"
            case .unknownFunction: return "unknown-function"
            case .unknownVariable: return "undefined-variable"
            }
        } catch JMESFailure.invalidType {
            return "invalid-type"
        } catch {
            return "invalid-value"
        }
    }
}
