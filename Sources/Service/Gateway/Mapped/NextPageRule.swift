import Settings
import API
import HTTPCore
import JMESPath
import JSONText
import Mapping
import Records

/// Where the next page of a list starts, and the parameter of the route that asks for the page.
struct NextPageRule: Sendable {
    private enum Source: Sendable {
        case document(JMESPath)
        case field(String)
    }

    /// The setting as JSON: equal texts are equal rules.
    let text: String
    private let parameter: String
    private let source: Source
    private let member: String?

    /// Reads the setting of a route with parameters called `names`.
    init?(
        _ setting: NextConfiguration, names: Set<String>, inQuery: Set<String>, _ note: SettingNotes<NextConfiguration>
    ) {
        text = String(decoding: setting.json?.text ?? [], as: UTF8.self)
        parameter = setting.parameter
        member = setting.member
        if !inQuery.contains(parameter) {
            let hint = Quotation.hint(parameter, among: inQuery.sorted())
            note(
                \.parameter,
                "names \(Quotation.quote(parameter)), which is no parameter in the query of the route\(hint)")
        }
        switch (setting.from, setting.header) {
        case (let text?, nil):
            do throws(JMESPathError) { source = .document(try JMESPath(text, variables: names)) } catch {
                note(\.from, "\(error)")
                return nil
            }
        case (nil, let header?):
            if !MappedRequest.isFieldName(header) { note(\.header, "must be the name of a header field") }
            source = .field(header.lowercased())
        default:
            note(\.self, "must have either from or header")
            return nil
        }
    }

    /// The name of the field of the response, in lower case; nil if the document has the value.
    var field: String? {
        if case .field(let name) = source { name } else { nil }
    }

    /// The parameters on which the value depends.
    var parameters: Set<String> { if case .document(let expression) = source { expression.variables } else { [] } }

    /// The members of documents that the rule reads.
    var readings: [(expression: String, path: [String?])] {
        if case .document(let expression) = source { expression.readings } else { [] }
    }

    /// Returns the value of the parameter for the next page; nil on the last page.
    func value(_ root: JSONNode, _ headers: HeaderFields, _ parameters: [String: JSONValue]) -> String? {
        let text =
            switch source {
            case .field("link"): headers.values("Link").lazy.compactMap(Self.target).first
            case .field(let name): headers[name]
            case .document(let expression): Self.text(expression, root, parameters)
            }
        guard let text, !text.isEmpty else { return nil }
        guard let member else { return text }
        let query = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first ?? ""
        let pairs = query.prefix { $0 != "#" }.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
        let pair = pairs.first { $0.first.map { PercentCoding.decodeLeniently($0) } == member }
        return pair.flatMap { $0.count == 2 ? PercentCoding.decodeLeniently($0[1]) : nil }
    }

    private static func text(
        _ expression: JMESPath, _ root: JSONNode, _ parameters: [String: JSONValue]
    ) -> String? {
        var context = JMESContext(root: .node(root), maximumSteps: 1_000_000) { root.isExpired }
        for (name, value) in parameters { context.bind(name, to: JMESValue(value)) }
        guard let value = try? expression.value(of: .node(root), in: &context) else { return nil }
        switch value.kind {
        case .string: return value.string
        case .number: return value.numberText
        case .null, .boolean, .array, .object: return nil
        }
    }

    /// Returns the target of the link with `rel=next` in a field (RFC 8288); its parts are read once, however many there are.
    private static func target(of field: String) -> String? {
        var rest = field.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")),
            let end = rest[start...].firstIndex(of: UInt8(ascii: ">"))
        {
            let target = rest[rest.index(after: start)..<end]
            var isQuoted = false
            let parameters = rest[rest.index(after: end)...].prefix { byte in
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                return isQuoted || byte != UInt8(ascii: ",")
            }
            rest = rest[parameters.endIndex...]
            if parameters.count >= "rel=next".utf8.count, isNext(parameters) { return String(target) }
        }
        return nil
    }

    /// Whether the first `rel` among the parameters of a link has `next`, and no `anchor` makes the link that of another page.
    private static func isNext(_ parameters: Substring.UTF8View) -> Bool {
        var relation: String?
        for parameter in parameters.split(separator: UInt8(ascii: ";")) {
            let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2, parts[0].count <= 16 else { continue }
            switch Substring(parts[0]).lowercased().filter({ $0 != " " && $0 != "\t" }) {
            case "anchor": return false
            case "rel": relation = relation ?? Substring(parts[1]).lowercased()
            default: break
            }
        }
        return relation?.split { " \t\"".contains($0) }.contains("next") == true
    }

    /// Returns the link to the same request for the next page.
    func link(to value: String, _ question: MappedQuestion) -> String {
        let pairs = question.pairs.filter { $0.name != parameter } + [(parameter, value)]
        let query = pairs.map { pair in
            [pair.name, pair.value].map { PercentCoding.encode($0, allowing: .queryComponent) }.joined(separator: "=")
        }
        return "<\(PercentCoding.plainPath(question.rawPath))?\(query.joined(separator: "&"))>; rel=\"next\""
    }
}
