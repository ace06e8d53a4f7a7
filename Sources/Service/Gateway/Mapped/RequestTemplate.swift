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
        /// Whether the request has no place in this answer: a value of another part is null or absent, or `when` is not true.
        var isAbsence = false
    }

    private enum Part: Sendable {
        case text(String)
        case expression(TemplateExpression)
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
            guard let end = Self.end(of: rest) else {
                throw Fault(detail: "has a brace without an end; write {{ for a brace")
            }
            parts.append(.expression(try TemplateExpression(String(rest[..<end]), names)))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    /// Returns the index of the brace that ends an expression; braces in the expression, and in its literals, do not.
    private static func end(of rest: Substring) -> Substring.Index? {
        var (depth, quote, isEscaped) = (0, nil as Character?, false)
        return rest.indices.first { index in
            let character = rest[index]
            if let open = quote {
                if !isEscaped, character == open { quote = nil }
                isEscaped = character == "\\" && !isEscaped
                return false
            }
            switch character {
            case "'", "\"", "`": quote = character
            case "{": depth += 1
            case "}" where depth == 0: return true
            case "}": depth -= 1
            default: break
            }
            return false
        }
    }

    /// The expressions in the text.
    var expressions: [TemplateExpression] {
        parts.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
    }

    /// Returns the text with the values of the expressions, of which each byte that `allowed` does not have is escaped.
    ///
    /// Nil if a value is null; without `allowed`, values are not escaped.
    func text(
        _ values: TemplateValues, allowing allowed: PercentCoding.AllowedCharacters?,
        maximumBytes: Int = RequestTemplate.maximumBytes
    ) throws(Fault) -> String? {
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .expression(let expression):
                guard let value = try expression.value(values) else { return nil }
                let found: String?
                do throws(Fault) { found = try Self.text(of: value) } catch {
                    throw Fault(detail: "\(expression) \(error.detail)")
                }
                guard let text = found else { return nil }
                // An empty list, too: without a filter the upstream would answer with everything.
                if text.isEmpty { try expression.requireValue() }
                guard text.utf8.count <= maximumBytes else {
                    throw Fault(detail: "\(expression) has \(text.utf8.count) bytes, more than \(maximumBytes)")
                }
                result += allowed.map { PercentCoding.encode(text, allowing: $0) } ?? text
            }
        }
        guard result.utf8.count <= maximumBytes else {
            throw Fault(detail: "\(shown) makes a text of \(result.utf8.count) bytes, more than \(maximumBytes)")
        }
        return result
    }

    /// The value of a template that is one expression; nil for others.
    func value(_ values: TemplateValues) throws(Fault) -> JMESValue? {
        guard parts.count == 1, case .expression(let expression) = parts[0] else { return nil }
        return try expression.value(values) ?? .null
    }

    /// Returns a value as it stands in a URL; nil for null.
    static func text(of value: JMESValue) throws(Fault) -> String? {
        if value.kind == .object { throw Fault(detail: "is an object, which a text cannot hold") }
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
            case .expression(let expression): "\(expression)"
            }
        }.joined()
    }

    /// Whether the text itself ends in a slash.
    var endsWithSlash: Bool {
        if case .text(let text)? = parts.last { text.hasSuffix("/") } else { false }
    }
}

/// An expression on the values that templates use.
struct TemplateExpression: Sendable, CustomStringConvertible {
    let expression: JMESPath
    /// Whether the expression reads another part, or the value of `each`.
    let readsDocuments: Bool

    /// Compiles an expression that may name `names`.
    init(_ text: String, _ names: TemplateNames) throws(RequestTemplate.Fault) {
        let known = names.all
        do throws(JMESPathError) { expression = try JMESPath(configured: text, variables: known) } catch {
            throw RequestTemplate.Fault(detail: "has the expression {\(text)}, which is wrong \(error)")
        }
        if let name = expression.namedMembers.first(where: { !known.contains($0) }) {
            let hint = Quotation.hint(name, among: known.sorted())
            let kinds = names.parts == nil ? "parameter" : "parameter or part"
            throw RequestTemplate.Fault(
                detail: "has the expression {\(text)}, but there is no \(kinds) \(Quotation.quote(name))\(hint)")
        }
        readsDocuments = !expression.variables.union(expression.namedMembers).isDisjoint(with: names.ofDocuments)
    }

    var description: String { "{\(expression.text)}" }

    /// The members and the variables that the expression names.
    var names: Set<String> { expression.variables.union(expression.namedMembers) }

    /// Returns the value; nil for null.
    /// - Throws: An absence for the null of another part: without the value, the request would ask for something else.
    func value(_ values: TemplateValues) throws(RequestTemplate.Fault) -> JMESValue? {
        let value = try values.value(of: expression)
        if value == nil { try requireValue() }
        return value
    }

    /// Throws an absence if the value, which there is not, would be that of another part.
    func requireValue() throws(RequestTemplate.Fault) {
        if readsDocuments { throw RequestTemplate.Fault(detail: "\(self) is null, absent or empty", isAbsence: true) }
    }

    /// Whether the value is true, as JMESPath's conditions are.
    func isTrue(_ values: TemplateValues) throws(RequestTemplate.Fault) -> Bool {
        try values.value(of: expression)?.isTruthy == true
    }
}

extension JMESValue {
    /// A scalar as it stands in a URL; nil for others.
    var urlText: String? {
        switch kind {
        case .string: string
        case .number: numberText.map(JMESValue.shortest)
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

    /// The names of values that come from documents.
    var ofDocuments: Set<String> { (parts ?? []).union(hasEach ? ["each"] : []) }

    var all: Set<String> { parameters.union(ofDocuments) }
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
