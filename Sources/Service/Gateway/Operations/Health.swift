import Routing
import HTTPCore
import HTTPServer
import Records
import Synchronization

/// The stage of the service's life, for `/readyz`.
final class Lifecycle: Sendable {
    enum Stage: UInt8, CaseIterable {
        case starting, serving, draining
    }

    private let current = Atomic<UInt8>(Stage.starting.rawValue)

    var stage: Stage { Stage(rawValue: current.load(ordering: .relaxed)) ?? .draining }

    func enter(_ stage: Stage) { current.store(stage.rawValue, ordering: .relaxed) }
}

/// The routes for monitoring, both application/health+json: `/livez` always passes, `/readyz` passes while the service
/// takes requests and answers 503 otherwise.
enum HealthRoutes {
    static func all(_ lifecycle: Lifecycle) -> [Route] {
        // Serialized once, so that a probe allocates nothing.
        let alive = StoredResponse(response(.ok, "the process answers"))
        let ready = Lifecycle.Stage.allCases.map { stage in
            StoredResponse(response(stage == .serving ? .ok : .serviceUnavailable, "\(stage)"))
        }
        return [
            Route(description("livez", "/livez", "Whether the process runs")) { _ in .stored(alive) },
            Route(
                description(
                    "readyz", "/readyz", "Whether the service accepts requests",
                    failure: "The service starts or drains.")
            ) { _ in .stored(ready[Int(lifecycle.stage.rawValue)]) },
        ]
    }

    private static func description(
        _ name: String, _ path: String, _ summary: String, failure: String? = nil
    ) -> RouteDescription {
        var description = RouteDescription(
            name, path, tag: "operations", summary,
            answer: RouteDescription.Answer(mediaType) { Health.schema(in: &$0) })
        if let failure {
            description.otherAnswers = [
                RouteDescription.Answer(mediaType, status: 503, failure) { Health.schema(in: &$0) }
            ]
        }
        (description.isProbe, description.isExample) = (true, failure != nil)
        return description
    }

    private static let mediaType = "application/health+json"

    private static func response(_ status: Status, _ output: String) -> Response {
        let health = Health(status: status == .ok ? "pass" : "fail", output: output)
        return Response(health, mediaType, status)
    }
}

private struct Health: Record {
    var status = "", output = ""

    static let schema = Schema<Health> {
        Field(\.status)
        Field(\.output)
    }
}
