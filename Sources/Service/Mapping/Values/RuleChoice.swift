import JMESPath

/// A unit or a time zone of a rule: one for all values, or the one whose name an expression finds.
enum RuleChoice<Value: Sendable>: Sendable {
    case fixed(Value)
    case expression(JMESPath)

    /// Reads a text that is an expression in parentheses; nil for other texts, or with a fault noted.
    init?(_ text: String, _ key: String, _ keys: KeyReader) {
        guard text.hasPrefix("("), let expression = keys.expression(text, key) else { return nil }
        self = .expression(expression)
    }

    /// The expression, if there is one.
    var expressions: [JMESPath] { if case .expression(let expression) = self { [expression] } else { [] } }

    /// Returns the value; nil if the expression finds no name, or one that `named` does not know.
    func value(_ evaluate: ScalarRules.Evaluation, named: (String) -> Value?) -> Value? {
        switch self {
        case .fixed(let value): value
        case .expression(let expression): (try? evaluate(expression))?.flatMap(\.shortText).flatMap(named)
        }
    }
}
