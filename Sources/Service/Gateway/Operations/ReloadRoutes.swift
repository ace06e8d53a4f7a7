import HTTPCore
import HTTPServer
import Records
import API

/// The routes about the configuration: `GET /-/config` shows the one in use, `POST /-/reload` reads the file again.
struct ReloadRoutes: Sendable {
    let reloads: Reloads

    var all: [Route] {
        [
            Route(Self.configuration) { [reloads] _ in .now(Response(reloads.report, Self.mediaType, .ok)) },
            Route(Self.reload) { [reloads] _ in
                .later {
                    let outcome = await reloads.run()
                    if outcome.stops {
                        return Problem(.configurationRefused, "The service stops.", status: Status(409)).response
                    }
                    guard outcome.report.result == ReloadReport.Result.refused.rawValue else {
                        return Response(outcome.report, Self.mediaType, .ok)
                    }
                    let faults = (outcome.report.faults ?? []).map { fault in
                        Parameters.Fault(name: fault.setting, detail: "\(fault.place): \(fault.detail)")
                    }
                    return Problem(.configurationRefused, outcome.report.detail ?? "", faults: faults).response
                }
            },
        ]
    }

    private static let mediaType = "application/json"

    private static let configuration = RouteDescription(
        "configuration", "/-/config", tag: "operations", "The configuration in use",
        answer: RouteDescription.Answer(mediaType) { ConfigurationReport.schema(in: &$0) })

    private static let reload = {
        var description = RouteDescription(
            "reload", "/-/reload", tag: "operations", "Read the configuration again",
            answer: RouteDescription.Answer(mediaType) { ReloadReport.schema(in: &$0) })
        description.method = .post
        description.problems = [.configurationRefused]
        return description
    }()
}
