import EventLoop
import HTTPCore
import HTTPServer

/// A path template, and the function that answers its requests.
struct Route: Sendable {
    struct Call: Sendable {
        let request: Request
        let values: [String: String]
        let shard: Shard
    }

    let template: PathTemplate
    /// Makes the response for a problem, in the form that the route's clients expect.
    let problem: @Sendable (Problem) -> Response
    let answer: @Sendable (Call) -> Reply

    init(
        _ template: String, problem: @escaping @Sendable (Problem) -> Response = { $0.response },
        answer: @escaping @Sendable (Call) -> Reply
    ) {
        self.template = PathTemplate(template)
        self.problem = problem
        self.answer = answer
    }

    /// A route that reads a call synchronously and responds asynchronously; both functions may throw a problem.
    init<Question: Sendable>(
        _ template: String, problem: @escaping @Sendable (Problem) -> Response = { $0.response },
        read: @escaping @Sendable (Call) throws(Problem) -> Question,
        respond: @escaping @Sendable (Question, Call) async throws(Problem) -> Response
    ) {
        self.init(template, problem: problem) { call in
            do throws(Problem) {
                let question = try read(call)
                return .later {
                    do throws(Problem) {
                        return try await respond(question, call)
                    } catch {
                        return problem(error)
                    }
                }
            } catch {
                return .now(problem(error))
            }
        }
    }
}

/// The router of each shard, which a reload replaces; requests that have begun keep theirs.
final class CurrentRouter: RequestHandler {
    private final class Slot {
        var router: Router

        init(_ router: Router) { self.router = router }
    }

    private let slots: [ShardBound<Slot>]

    init(_ router: Router, on shards: [Shard]) { slots = shards.map { ShardBound(Slot(router), to: $0) } }

    /// Replaces the router for the requests that begin after the return; the shards must run.
    func replace(with router: Router) async {
        for slot in slots {
            await withCheckedContinuation { continuation in
                slot.post { slot in
                    slot.router = router
                    continuation.resume()
                }
            }
        }
    }

    func reply(to request: Request, on shard: Shard) -> Reply {
        slots[shard.index].open.router.reply(to: request, on: shard)
    }

    func refusal(of failure: RequestFailure) -> Response { Problem.refused(failure).response }
}

/// Finds the route of a request; all routes take GET and HEAD.
struct Router: Sendable {
    private let routes: [Route]
    private let examples: String

    /// A router for `routes`, of which the first match answers; a 404 suggests `examples`.
    init(_ routes: [Route], examples: [String]) {
        self.routes = routes
        self.examples = examples.joined(separator: ", ")
    }

    func reply(to request: Request, on shard: Shard) -> Reply {
        let path = request.target.path
        let hasDotSegments = DotSegments.arePresent(in: path)
        for route in routes {
            guard let values = route.template.match(path) else { continue }
            if hasDotSegments { return .now(route.problem(.dotSegments)) }
            guard request.method == .get || request.method == .head else {
                return .now(route.problem(.methodNotAllowed(request.method)))
            }
            return route.answer(Route.Call(request: request, values: values, shard: shard))
        }
        if hasDotSegments { return .now(Problem.dotSegments.response) }
        return .now(Problem.notFound(tryInstead: examples).response)
    }
}
