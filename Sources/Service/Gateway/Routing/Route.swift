import Routing
import Upstreams
import EventLoop
import HTTPCore
import HTTPServer

/// A route, and the function that answers its requests.
///
/// A class, because each request holds it.
final class Route: Sendable {
    struct Call: Sendable {
        let client: ClientCall
        fileprivate let path: RoutePath
        fileprivate let pattern: RoutePattern

        init(
            _ request: Request, _ path: RoutePath, _ route: Route, _ context: ShardContext, trace: TraceContext?,
            edition: Int
        ) {
            client = ClientCall(request, route.name, context, trace: trace, edition: edition)
            (self.path, pattern) = (path, route.pattern)
        }

        var request: Request { client.request }
        var context: ShardContext { client.context }

        /// The decoded segments of the path behind the literal ones.
        var segments: [String] { pattern.segments(of: path) }

        /// The first of them.
        var value: String { segments.first ?? "" }
    }

    let name: RouteName
    let pattern: RoutePattern
    let label: RouteLabel
    /// Makes the response for a problem, in the form that the route's clients expect.
    let problem: @Sendable (Problem) -> Response
    let answer: @Sendable (Call) -> Reply
    /// Makes the fields of an answer from the cache that differ from request to request; nil if there are none.
    let fieldsOfHits: (@Sendable (ShardContext) -> [(name: String, value: String)])?

    init(
        _ name: RouteName, problem: @escaping @Sendable (Problem) -> Response = { $0.response },
        fieldsOfHits: (@Sendable (ShardContext) -> [(name: String, value: String)])? = nil,
        answer: @escaping @Sendable (Call) -> Reply
    ) {
        self.name = name
        (pattern, label) = (name.pattern, name.label)
        (self.problem, self.fieldsOfHits, self.answer) = (problem, fieldsOfHits, answer)
    }

    /// A route that reads a call synchronously and responds asynchronously; both functions may throw a problem.
    convenience init<Question: Sendable>(
        _ name: RouteName, problem: @escaping @Sendable (Problem) -> Response = { $0.response },
        read: @escaping @Sendable (Call) throws(Problem) -> Question,
        respond: @escaping @Sendable (Question, Call) async throws(Problem) -> Response
    ) {
        self.init(name, problem: problem) { call in
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
