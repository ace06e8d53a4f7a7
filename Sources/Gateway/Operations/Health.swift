import HTTPCore
import HTTPServer

/// What monitoring asks: `/livez`, the process turns, and `/readyz`, it wants requests.
///
/// Both are application/health+json.
enum HealthRoutes {
    static func all(_ lifecycle: Lifecycle) -> [Route] {
        [
            Route("/livez") { _ in .now(response(.ok, passes: true, "the process answers")) },
            Route("/readyz") { _ in
                let stage = lifecycle.stage
                return .now(
                    stage == .serving
                        ? response(.ok, passes: true, stage.rawValue)
                        : response(.serviceUnavailable, passes: false, stage.rawValue))
            },
        ]
    }

    private static func response(_ status: Status, passes: Bool, _ output: String) -> Response {
        Response(
            status: status,
            headers: [("Content-Type", "application/health+json"), ("Cache-Control", "no-store")],
            body: Array("{\"status\":\"\(passes ? "pass" : "fail")\",\"output\":\"\(output)\"}".utf8))
    }
}
