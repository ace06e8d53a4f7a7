import JMESPath
import JSONText
import Mapping
import Records

/// What rules make of a value: its JSON text, nil for no value, and the drift as `coerced numericString`.
struct AppliedRules {
    let text: String?
    let drift: [String]

    /// Applies the rules to the member `v` of a document.
    ///
    /// Expressions are names of other members in parentheses.
    init(_ rules: JSONValue, _ document: String, dates: DateForm? = nil) throws {
        var faults: [String] = []
        let rules = ScalarRules(rules, at: "", variables: []) { faults.append("\($0) \($1)") }
        if let fault = faults.first { throw Fault(text: fault) }
        var parser = JSONParser()
        (text, drift) = try parser.withDocument(Array(document.utf8)) { root in
            guard let value = root["v"] else { throw Fault(text: "no v") }
            let outcome = rules.apply(.node(value)) { expression in
                root[String(expression.text.dropFirst().dropLast())].map { .node($0) }
            }
            let drift = outcome.drift.map { "\($0.kind) \($0.reason)" }
            guard let value = outcome.value else { return (nil, drift) }
            var writer = JSONWriter()
            value.write(to: &writer, dates: dates)
            return (String(decoding: writer.bytes, as: UTF8.self), drift)
        }
    }

    /// The faults of rules, as `.unit.from: …`.
    static func faults(of rules: JSONValue) -> [String] {
        var faults: [String] = []
        _ = ScalarRules(rules, at: "", variables: []) { faults.append("\($0): \($1)") }
        return faults
    }

    struct Fault: Error {
        let text: String
    }
}
