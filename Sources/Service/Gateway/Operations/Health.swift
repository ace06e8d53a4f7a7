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
            Route(.livez) { _ in .stored(alive) },
            Route(.readyz) { _ in .stored(ready[Int(lifecycle.stage.rawValue)]) },
        ]
    }

    private static func response(_ status: Status, _ output: String) -> Response {
        let health = Health(status: status == .ok ? "pass" : "fail", output: output)
        return Response(health, "application/health+json", status)
    }
}

private struct Health: Record {
    var status = "", output = ""

    static let schema = Schema<Health> {
        Field(\.status)
        Field(\.output)
    }
}
