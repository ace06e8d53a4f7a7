public import Settings
public import API
import HTTPCore
public import JSONText
import Records

/// A configured route that is applied to a document of a file, as the service applies the route to an upstream's document.
public struct RouteNormalization: Sendable {
    /// Why there is no such route, or the parameters cannot be read.
    public struct Fault: Error, CustomStringConvertible {
        /// The reason, in one line.
        public let description: String
    }

    private let route: MappedRoute
    private let question: MappedQuestion
    private let hasLenientSyntax: Bool
    /// Whether the answer lists its repairs.
    public var isExplained: Bool { question.form.explanation != .none }

    /// The route of a configuration whose template is `path`, or that answers the path `path`.
    ///
    /// `settings` are the values of parameters by name, as clients write them.
    /// - Throws: `Fault` if there is no such route, or a parameter is missing, wrong or unknown.
    public init(
        _ configuration: Configuration, route path: String, settings: [(name: String, value: String)]
    ) throws(Fault) {
        let routes = configuration.mappedRoutes
        var tree = RouteTree()
        for (index, route) in routes.enumerated() { tree.insert(route.description.template, index) }
        let target = try? RequestTarget(path)
        let found =
            routes.first { $0.description.template.text == path }
            ?? target.flatMap { tree.find(RoutePath($0)) }.map { routes[$0] }
        guard let found else {
            let known = routes.map(\.description.template.text)
            throw Fault(
                description: "there is no configured route \(Quotation.quote(path))"
                    + (known.isEmpty ? "" : "; the routes are \(known.joined(separator: ", "))"))
        }
        route = found
        let name = found.fetches.first?.upstream
        hasLenientSyntax = configuration.upstreams.first { $0.name == name }?.syntax != nil
        let description = found.description, template = description.template
        var values: [(name: String, value: String)] = []
        if template.text != path, let target {
            values = zip(template.parameters, template.values(in: RoutePath(target))).map { ($0, $1) }
        }
        let settings = settings.map { (name: found.parameters.clientName(of: $0.name), value: $0.value) }
        let inQuery = Set(description.parameters.filter { $0.location == .query }.map(\.name))
        values += settings.filter { !inQuery.contains($0.name) && description.parameters.map(\.name).contains($0.name) }
        let others = settings.filter { setting in !values.contains { $0.name == setting.name } }
        let text = others.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }
        guard let query = Query(text.joined(separator: "&")) else {
            throw Fault(description: "the settings are no text")
        }
        do throws(Problem) {
            question = try found.question(
                Parameters(
                    query, values: values, known: description.parameters, takesOthers: description.takesOtherParameters),
                rawPath: path, pairs: query.pairs)
        } catch {
            throw Fault(description: error.detail)
        }
    }

    /// Returns the answer that a document becomes, or an object with the documents of the parts by name.
    /// - Throws: `JSONSyntaxError` if the document is not JSON, `ContractError` if it has no value for the answer.
    public func normalize(_ bytes: [UInt8], options: JSONOptions) throws -> ShapedDocument {
        let syntax = hasLenientSyntax ? LenientSyntax(bytes) : nil
        return try route.document(syntax?.document ?? bytes, question, options)
            .adding(DriftReport(.coerced, .lenientSyntax, ofDocument: syntax?.repairs ?? 0))
    }
}
