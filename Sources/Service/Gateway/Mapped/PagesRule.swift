import API
import HTTPCore
import JMESPath
import JSONText
import Mapping
import Proxy
import Records
import Settings

/// How the pages of a list are found.
struct PagesRule: Sendable {
    let next: NextPageRule, maximum: Int
    /// The list in a document; nil for the document itself.
    private let items: ResponseExpression?

    /// Compiles the setting of a route with parameters called `names`; with a fault, the rule must not be used.
    init?(_ setting: PagesConfiguration, names: Set<String>, _ note: SettingNotes<PagesConfiguration>) {
        guard let next = NextPageRule(setting, names: names, note) else { return nil }
        (self.next, maximum) = (next, setting.maximum ?? 10)
        items = setting.items.flatMap { ResponseExpression($0, names) { note(\.items, $0) } }
    }

    /// The parameters on which a page depends, and the names of the fields of responses that are read, in lower case.
    var parameters: Set<String> { next.parameters.union(items?.path.variables ?? []) }
    var fields: [String] { next.fields + (items?.fields ?? []) }

    /// Returns the readings of the documents, those of the list included.
    func readings(_ ofList: [(expression: String, path: [String?])]) -> [(expression: String, path: [String?])] {
        var reader = ReadMembers()
        let own = (items?.path.readings ?? []) + next.readings
        let list = items.map { reader.read($0.path, of: .path([])) } ?? .path([])
        return if case .path(let place) = list { own + ofList.map { ($0, place + $1) } } else { own }
    }

    /// Returns the list of a page, or null if there is none.
    func list(_ root: JSONNode, _ headers: HeaderFields, _ parameters: [String: JSONValue]) throws -> ShapedDocument {
        let found = items.map { (try? $0.value(root, headers, parameters)) ?? .null } ?? .node(root)
        if case .node(let node) = found, node.kind == .array {
            return try AnswerRules.verbatim.answer(node, MappedForm())
        }
        var context = JMESContext(root: .null) { root.isExpired }
        let body = try JSONWriter.bytes(expecting: 256) {
            try (found.kind == .array ? found : .null).write(to: &$0, in: &context)
        }
        return ShapedDocument(body: body, drift: DriftReport())
    }
}

/// An expression on the document of a response, in which `$headers` has the header fields.
struct ResponseExpression: Sendable {
    static let headersName = "headers"

    let path: JMESPath
    /// The names of the fields that the expression reads, in lower case.
    let fields: [String]

    /// Compiles an expression of a route with parameters called `names`; nil with a fault.
    init?(_ text: String, _ names: Set<String>, _ fault: (String) -> Void) {
        do throws(JMESPathError) {
            path = try JMESPath(configured: text, variables: names.union([Self.headersName]))
        } catch {
            fault("\(error)")
            return nil
        }
        var reader = ReadMembers()
        reader.variables = [Self.headersName: .path([]), "$": .either([])]
        reader.read(path, of: .either([]))
        fields = reader.paths.compactMap { $0.first ?? nil }
        if fields.count < reader.paths.count || fields.contains(where: { $0 != $0.lowercased() }) {
            fault("must name the fields of $headers in lower case, such as $headers.\"x-next-page\"")
        }
    }

    /// Returns the value, null if something that the expression needs is null or absent.
    func value(
        _ root: JSONNode, _ headers: HeaderFields, _ parameters: [String: JSONValue]
    ) throws(JMESFailure) -> JMESValue {
        var context = JMESContext(root: .node(root)) { root.isExpired }
        for (name, value) in parameters { context.bind(name, to: JMESValue(value)) }
        let members = fields.compactMap { name in headers[name].map { JMESValue.Member(name, .string($0)) } }
        context.bind(Self.headersName, to: .object(members))
        do throws(JMESFailure) { return try path.value(of: .node(root), in: &context) } catch {
            if error.isAbsence { return .null }
            throw error
        }
    }
}
