import Contracts
import HTTPCore
import JMESPath
import JSONText
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
    var names: Set<String> {
        parts.reduce(into: []) { names, part in if case .expression(let text) = part { names.formUnion(text.usedNames) }
        }
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
    private static func text(of value: JMESValue) throws(Fault) -> String? {
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
        case .number: numberText.map(ParameterValue.shortest)
        case .boolean: bool == true ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
