import Routing
import Upstreams
import EventLoop
import HTTPCore
import HTTPServer
import Telemetry

/// A route, and the function that answers its requests.
///
/// A class, because each request holds it.
final class Route: Sendable {
    struct Call: Sendable {
        let client: ClientCall
        private let path: RoutePath
        private let route: Route

        init(
            _ request: Request, _ path: RoutePath, _ route: Route, _ label: RouteLabel?, _ context: ShardContext,
            trace: TraceContext?, edition: Int
        ) {
            client = ClientCall(request, label, context, trace: trace, edition: edition)
            (self.path, self.route) = (path, route)
        }

        var request: Request { client.request }
        var context: ShardContext { client.context }

        /// The decoded segments of the path.
        var segments: [String] { path.segments }

        /// The parameters in the query, the path and the head.
        var parameters: Parameters {
            let description = route.description, template = description.template
            let values = zip(template.parameters, template.values(in: path)).map { (name: $0, value: $1) }
            let fields = description.parameters.filter { $0.location == .header }.flatMap { spec in
                request.headers.values(spec.name).map { (name: spec.name, value: $0) }
            }
            return Parameters(
                request.target.query, values: values + fields, known: description.parameters,
                takesOthers: description.takesOtherParameters)
        }
    }

    let description: RouteDescription
    /// Makes the response for a problem, in the form that the route's clients expect.
    let problem: @Sendable (Problem) -> Response
    let answer: @Sendable (Call) -> Reply
    /// Makes the fields of an answer from the cache that differ from request to request; nil if there are none.
    let fieldsOfHits: (@Sendable (ShardContext) -> [(name: String, value: String)])?

    init(
        _ description: RouteDescription, problem: @escaping @Sendable (Problem) -> Response = { $0.response },
        fieldsOfHits: (@Sendable (ShardContext) -> [(name: String, value: String)])? = nil,
        answer: @escaping @Sendable (Call) -> Reply
    ) {
        self.description = description
        (self.problem, self.fieldsOfHits, self.answer) = (problem, fieldsOfHits, answer)
    }

    /// A route that reads a call synchronously and responds asynchronously; both functions may throw a problem.
    convenience init<Question: Sendable>(
        _ description: RouteDescription, problem: @escaping @Sendable (Problem) -> Response = { $0.response },
        read: @escaping @Sendable (Call) throws(Problem) -> Question,
        respond: @escaping @Sendable (Question, Call) async throws(Problem) -> Response
    ) {
        self.init(description, problem: problem) { call in
            do throws(Problem) {
                let question = try read(call)
                return .later {
                    do throws(Problem) {
                        return try await respond(question, call)
                    } catch {
                        var response = problem(error)
                        error.cacheNote?.add(to: &response)
                        return response
                    }
                }
            } catch {
                return .now(problem(error))
            }
        }
    }
}
