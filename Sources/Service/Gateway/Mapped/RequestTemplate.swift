import API
import HTTPCore
import JMESPath
import JSONText
import Mapping
import Records

/// A text with expressions in braces, such as `/stations/{station}`; `{{` stands for a brace.
///
/// An expression is applied to one object with the parameters of the route, and the parts of a route that has some.
struct RequestTemplate: Sendable {
    /// Why a template cannot be used; the text follows the path of the setting.
    struct Fault: Error {
        let detail: String
    }

    private enum Part: Sendable {
        case text(String)
        case expression(JMESPath)
    }

    /// The most bytes that the values of one template may have.
    private static let maximumBytes = 8192

    private let parts: [Part]

    /// Reads a template whose expressions may name `names`.
    init(_ text: String, names: TemplateNames) throws(Fault) {
        var parts: [Part] = []
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{") {
            if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
            rest = rest[rest.index(after: brace)...]
            if rest.first == "{" {
                parts.append(.text("{"))
                rest = rest.dropFirst()
                continue
            }
            guard let end = rest.firstIndex(of: "}") else {
                throw Fault(detail: "has a brace without an end; write {{ for a brace")
            }
            parts.append(.expression(try Self.expression(String(rest[..<end]), names)))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    /// Compiles an expression that may name `names`.
    static func expression(_ text: String, _ names: TemplateNames) throws(Fault) -> JMESPath {
        let expression: JMESPath
        let known = names.all
        do throws(JMESPathError) { expression = try JMESPath(text, variables: known) } catch {
            throw Fault(detail: "has the expression {\(text)}, which is wrong \(error)")
        }
        if let name = expression.namedMembers.first(where: { !known.contains($0) }) {
            let hint = Quotation.hint(name, among: known.sorted())
            let kinds = names.parts == nil ? "parameter" : "parameter or part"
            throw Fault(
                detail: "has the expression {\(text)}, but there is no \(kinds) \(Quotation.quote(name))\(hint)")
        }
        return expression
    }

    /// The names of parameters and parts that the expressions use.
    var names: Set<String> { expressions.reduce(into: []) { $0.formUnion($1.usedNames) } }

    var expressions: [JMESPath] {
        parts.compactMap { part in if case .expression(let expression) = part { expression } else { nil } }
    }

    /// Returns the text with the values of the expressions, of which each byte that `allowed` does not have is escaped.
    ///
    /// Nil if a value is null; without `allowed`, values are not escaped.
    func text(
        _ values: TemplateValues, allowing allowed: PercentCoding.AllowedCharacters?
    ) throws(Fault) -> String? {
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .expression(let expression):
                guard let value = try values.value(of: expression), let text = try Self.text(of: value) else {
                    return nil
                }
                guard text.utf8.count <= Self.maximumBytes else { throw Fault(detail: "is too long") }
                result += allowed.map { PercentCoding.encode(text, allowing: $0) } ?? text
            }
        }
        guard result.utf8.count <= Self.maximumBytes else { throw Fault(detail: "is too long") }
        return result
    }

    /// The value of a template that is one expression; nil for others.
    func value(_ values: TemplateValues) throws(Fault) -> JMESValue? {
        guard parts.count == 1, case .expression(let expression) = parts[0] else { return nil }
        return try values.value(of: expression) ?? .null
    }

    /// Returns a value as it stands in a URL; nil for null.
    static func text(of value: JMESValue) throws(Fault) -> String? {
        if value.kind == .object { throw Fault(detail: "has an object as a value") }
        guard let elements = value.elements else { return value.urlText }
        var texts: [String] = []
        for element in elements { if let text = try text(of: element) { texts.append(text) } }
        return texts.joined(separator: ",")
    }
}

extension RequestTemplate {
    /// The template of no text, in place of one with a fault.
    static var empty: RequestTemplate { RequestTemplate(parts: []) }

    private init(parts: [Part]) { self.parts = parts }

    /// The template whose own text is percent-encoded where a path needs it; its escapes and slashes stay.
    var withEscapes: RequestTemplate {
        RequestTemplate(
            parts: parts.map { part in
                guard case .text(let text) = part else { return part }
                let encoded = text.split(separator: "/", omittingEmptySubsequences: false).map { segment in
                    segment.split(separator: "%", omittingEmptySubsequences: false)
                        .map { PercentCoding.encode(String($0), allowing: .pathSegment) }.joined(separator: "%")
                }
                return .text(encoded.joined(separator: "/"))
            })
    }

    /// The template as logs show it, such as `/stations/{station}`.
    var shown: String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .expression(let expression): "{\(expression.text)}"
            }
        }.joined()
    }

    /// Whether the text itself ends in a slash.
    var endsWithSlash: Bool {
        if case .text(let text)? = parts.last { text.hasSuffix("/") } else { false }
    }
}

extension JMESPath {
    /// The members and the variables that the expression names.
    var usedNames: Set<String> { variables.union(namedMembers) }
}

extension JMESValue {
    /// A scalar as it stands in a URL; nil for others.
    var urlText: String? {
        switch kind {
        case .string: string
        case .number: numberText.map(JSONValue.shortest)
        case .boolean: bool == true ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}

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
    private let limits: Limits

    /// What all expressions of a request may do together.
    private final class Limits {
        /// A request that is made of parameters alone is made on the event loop.
        var steps = 20_000, output = 1 << 20
        let document: JSONNode?

        init(_ document: JSONNode?) {
            self.document = document
            if document != nil { (steps, output) = (1_000_000, 64 << 20) }
        }
    }

    /// The values of parameters; `document` has the parts, if there are some, and knows when to stop.
    init(_ parameters: [String: JSONValue], document: JSONNode? = nil) {
        limits = Limits(document)
        members = parameters.map { JMESValue.Member($0.key, JMESValue($0.value)) }
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
    func value(of expression: JMESPath) throws(RequestTemplate.Fault) -> JMESValue? {
        let limits = limits
        var context = JMESContext(root: object, maximumSteps: limits.steps, maximumOutput: limits.output) {
            limits.document?.isExpired == true
        }
        defer { (limits.steps, limits.output) = (context.remainingSteps, context.output) }
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
