import HTTPCore
import HTTPServer
import LenientCoding
import Synchronization

/// The stage of the service's life, for `/readyz`.
final class Lifecycle: Sendable {
    enum Stage: String {
        case starting, serving, draining
    }

    private let current = Mutex(Stage.starting)

    var stage: Stage { current.withLock { $0 } }

    func enter(_ stage: Stage) { current.withLock { $0 = stage } }
}

/// The routes for monitoring, both application/health+json: `/livez` always passes, `/readyz` passes while the service
/// takes requests and answers 503 otherwise.
enum HealthRoutes {
    static func all(_ lifecycle: Lifecycle) -> [Route] {
        [
            Route("/livez") { _ in .now(response(.ok, "the process answers")) },
            Route("/readyz") { _ in
                let stage = lifecycle.stage
                return .now(response(stage == .serving ? .ok : .serviceUnavailable, stage.rawValue))
            },
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
