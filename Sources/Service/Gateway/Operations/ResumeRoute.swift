import HTTPCore
import HTTPServer
import Records
import API
import Operations
import Proxy

/// `POST /-/upstreams/{name}/resume`: ends the pauses of an upstream and closes its breakers, at the address for operators.
struct ResumeRoute: Sendable {
    private static let name = Parameter(
        "name", .text(atMost: 200), in: .path, "The name of the upstream in the configuration.", example: "openMeteo")

    private static let description = {
        var description = RouteDescription(
            "resume", "/-/upstreams/{name}/resume", tag: "operations", "Ask an upstream again at once",
            answer: RouteDescription.Answer("application/json") { ResumedUpstream.schema(in: &$0) })
        (description.method, description.parameters) = (.post, [name.spec])
        description.problems = [.notFound, .invalidParameters]
        return description
    }()

    let registry: UpstreamRegistry
    let log: Log

    var route: Route {
        Route(Self.description) { (call) throws(Problem) -> String in
            var parameters = call.parameters
            let name = parameters.read(Self.name)
            try parameters.finish()
            return name ?? ""
        } respond: { (name: String, _) throws(Problem) -> Response in
            guard let resumed = registry.resume(name) else {
                let nearest = NearestName.find(name, among: registry.configured.map(\.name))
                let hint = nearest.map { "; did you mean \($0)?" } ?? "."
                throw Problem(.notFound, "There is no upstream of this name\(hint)")
            }
            log.write(
                .info, "upstream resumed",
                ["upstream": name, "pauses": resumed.pauses.count, "breakers": resumed.breakers.count])
            return Response(resumed, "application/json", .ok)
        }
    }
}
