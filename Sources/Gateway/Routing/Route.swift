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
    let answer: @Sendable (Call) -> Reply

    init(_ template: String, answer: @escaping @Sendable (Call) -> Reply) {
        self.template = PathTemplate(template)
        self.answer = answer
    }
}
