import JMESPath
import Records

/// The names that templates can use.
struct TemplateNames: Sendable {
    let parameters: Set<String>
    /// The parts of the route; nil for a route without parts.
    var parts: Set<String>?
    /// Whether the requests are made for the values of `each`.
    var hasEach = false

    var all: Set<String> { parameters.union(parts ?? []).union(hasEach ? ["each"] : []) }
}

/// The values that templates use, by name; valid as long as the documents of the parts among them.
struct TemplateValues {
    private(set) var members: [JMESValue.Member]

    init(_ parameters: [String: ParameterValue]) {
        members = parameters.map { JMESValue.Member($0.key, $0.value.value) }
    }

    /// Returns the values with another one.
    func adding(_ name: String, _ value: JMESValue) -> TemplateValues {
        var values = self
        values.members.append(JMESValue.Member(name, value))
        return values
    }

    /// The object to which expressions are applied.
    var object: JMESValue { .object(members) }

    subscript(name: String) -> JMESValue? { members.last { $0.key == name }?.value }

    /// Returns the value of an expression; nil for null.
    func value(of expression: JMESPath, maximumSteps: Int = 100_000) throws(RequestTemplate.Fault) -> JMESValue? {
        var context = JMESContext(root: object, maximumSteps: maximumSteps)
        for member in members { context.bind(member.key, to: member.value) }
        do throws(JMESFailure) {
            let value = try expression.value(of: object, in: &context)
            return value.isNull ? nil : value
        } catch {
            if error.isAbsence { return nil }
            throw RequestTemplate.Fault(detail: "has the expression {\(expression.text)}, which fails: \(error)")
        }
    }
}

extension JMESValue {
    /// The value as JSON.
    var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let text): .number(text)
        case .string(let text): .string(text)
        case .node(let node): JSONValue(node)
        case .array(let elements): .array(elements.map(\.json))
        case .object(let members): .object(members.map { .init($0.key, $0.value.json) })
        }
    }
}
