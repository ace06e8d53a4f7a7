import EventLoop
import HTTPCore
import HTTPServer

/// A path that the service answers, and how.
struct Route: Sendable {
    /// What a route is given.
    struct Call: Sendable {
        let request: Request
        /// The values of the path's template.
        let values: [String: String]
        let shard: Shard
    }

    let template: PathTemplate
    /// How the route's clients are told of problems.
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
}
