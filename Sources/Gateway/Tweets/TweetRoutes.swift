import Contracts
import HTTPCore
import LenientCoding

/// `GET /tweets/{id}`, `/timelines/{screenName}` and `/search?q=`.
struct TweetRoutes: Sendable {
    static let example = "/tweets/1"

    let chain: FailoverChain<TweetUpstream>

    var all: [Route] {
        [
            route("/tweets/{id}") { call throws(Problem) in
                try TweetRequest(tweet: call.values["id"] ?? "", call.request.target.query)
            },
            route("/timelines/{screenName}") { call throws(Problem) in
                try TweetRequest(timeline: call.values["screenName"] ?? "", call.request.target.query)
            },
            route("/search") { call throws(Problem) in try TweetRequest(search: call.request.target.query) },
        ]
    }

    private func route(
        _ template: String, _ read: @escaping @Sendable (Route.Call) throws(Problem) -> TweetRequest
    ) -> Route {
        Route(template, read: read) { request, call throws(Problem) in
            let found = try await chain.find(request, route: template, on: call.shard)
            var response = found.response(isExplained: request.isExplained)
            if let next = found.document.nextMaxId {
                response.headers.append(("Link", Self.link(to: next, from: call)))
            }
            return response
        }
    }

    /// Returns a link to the same request from `maxId` on (RFC 8288).
    private static func link(to maxId: String, from call: Route.Call) -> String {
        let others = call.request.target.query.pairs.filter { $0.name != "maxId" } + [("maxId", maxId)]
        let query = others.map { pair in
            [pair.name, pair.value].map { PercentCoding.encode($0, allowing: .queryComponent) }.joined(separator: "=")
        }
        return "<\(call.request.target.path)?\(query.joined(separator: "&"))>; rel=\"next\""
    }
}
