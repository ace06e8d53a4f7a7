import API
import JMESPath
import Records

/// Reads the keys of a shape's object, and notes what is wrong with them.
struct KeyReader {
    private let object: JSONValue
    /// The place of the object.
    private let path: String
    private let variables: Set<String>
    private let faults: Faults

    /// The faults with their paths.
    final class Faults {
        private(set) var all: [(path: String, detail: String)] = []

        func note(_ path: String, _ detail: String) { all.append((path, detail)) }
    }

    init(_ object: JSONValue, at path: String, variables: Set<String>, _ faults: Faults) {
        (self.object, self.path, self.variables, self.faults) = (object, path, variables, faults)
    }

    /// The value of a key; nil if it is absent.
    subscript(key: String) -> JSONValue? { object[key] }

    /// The members of the object.
    var members: [JSONValue.Member] { object.members ?? [] }

    /// Notes what is wrong with a key's value.
    func note(_ key: String, _ detail: String) { faults.note("\(path).\(key)", detail) }

    /// Returns what `read` makes of a key's value; nil if the key is absent, or its value is not what is expected.
    func value<Value>(_ key: String, _ expected: String, _ read: (JSONValue) -> Value?) -> Value? {
        guard let value = self[key] else { return nil }
        let result = read(value)
        if result == nil { note(key, "must be \(expected), not \(value.kindName)") }
        return result
    }

    /// Returns a reader for the object of a key.
    func object(_ key: String) -> KeyReader? {
        value(key, "an object") { value in
            value.members.map { _ in KeyReader(value, at: "\(path).\(key)", variables: variables, faults) }
        }
    }

    func text(_ key: String) -> String? { value(key, "a text", \.stringValue) }

    func array(_ key: String) -> [JSONValue]? { value(key, "an array", \.elements) }

    func flag(_ key: String) -> Bool { value(key, "true or false", \.boolValue) ?? false }

    /// Returns a case of an enumeration; nil if the key is absent, or its value another.
    func choice<Choice: CaseIterable & RawRepresentable>(_ key: String, _ type: Choice.Type) -> Choice?
    where Choice.RawValue == String {
        guard let text = text(key) else { return nil }
        let words = type.allCases.map(\.rawValue)
        let choice = type.allCases.first { $0.rawValue == text }
        if choice == nil {
            note(key, "must be \(words.joined(separator: " or "))\(Quotation.hint(text, among: words))")
        }
        return choice
    }

    /// Returns the expression that a text is; nil, with a fault noted, if it is none.
    func expression(_ text: String, _ key: String) -> JMESPath? {
        do throws(JMESPathError) {
            return try JMESPath(configured: text, variables: variables)
        } catch {
            note(key, "\(error)")
            return nil
        }
    }
}

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
