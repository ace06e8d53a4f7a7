import Contracts
import HTTPCore
import HTTPServer
import LenientCoding

/// `GET /tweets/{id}`, `/timelines/{screenName}` and `/search?q=`.
struct TweetRoutes: Sendable {
    static let example = "/tweets/1"

    let source: UpstreamOrder<TweetUpstream>

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
        Route(template) { call in
            do throws(Problem) {
                let request = try read(call)
                return .later { await answer(request, call, template) }
            } catch {
                return .now(error.response)
            }
        }
    }

    private func answer(_ request: TweetRequest, _ call: Route.Call, _ template: String) async -> Response {
        do throws(Problem) {
            let found = try await source.find(request, route: template, on: call.shard)
            let document = found.document
            var headers = WeatherRoute.headers(document)
            if let next = document.nextMaxId { headers.append(("Link", Self.link(to: next, from: call))) }
            return Response(
                headers: headers,
                body: request.isExplained ? document.explained(source: found.source) : document.body)
        } catch {
            return error.response
        }
    }

    /// The same question from `maxId` on (RFC 8288).
    private static func link(to maxId: String, from call: Route.Call) -> String {
        let others = call.request.target.query.pairs.filter { $0.name != "maxId" } + [("maxId", maxId)]
        let query = others.map {
            PercentCoding.encode($0.name, allowing: .pathSegment) + "="
                + PercentCoding.encode($0.value, allowing: .pathSegment)
        }
        return "<\(call.request.target.path)?\(query.joined(separator: "&"))>; rel=\"next\""
    }
}
