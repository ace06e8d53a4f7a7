import EventLoop
import HTTPCore
import HTTPServer

/// Finds the route of a request.
///
/// All routes are read with GET and HEAD.
struct Router: RequestHandler {
    private let literals: [String: Route]
    private let templates: [Route]
    private let examples: String

    /// The routes, and what a client that asked for something else is told to try.
    init(_ routes: [Route], examples: [String]) {
        let (literals, templates) = (routes.filter(\.template.isLiteral), routes.filter { !$0.template.isLiteral })
        self.literals = Dictionary(literals.map { ($0.template.description, $0) }, uniquingKeysWith: { $1 })
        self.templates = templates
        self.examples = examples.joined(separator: ", ")
    }

    func reply(to request: Request, on shard: Shard) -> Reply {
        guard let (route, values) = find(request.target.path) else {
            return .now(Problem.notFound(tryInstead: examples).response)
        }
        guard request.method == .get || request.method == .head else {
            return .now(route.problem(.methodNotAllowed(request.method)))
        }
        return route.answer(Route.Call(request: request, values: values, shard: shard))
    }

    func refusal(of failure: RequestFailure) -> Response {
        Problem.refused(failure).response
    }

    private func find(_ path: String) -> (Route, [String: String])? {
        if let route = literals[path] { return (route, [:]) }
        for route in templates {
            if let values = route.template.match(path) { return (route, values) }
        }
        return nil
    }
}
