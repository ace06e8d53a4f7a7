import Store
import HTTPCore
import HTTPServer
import JSONText
import Records
import API
import Operations
import Proxy

/// `GET /healthz`: the state of all that the service needs (draft-inadarei-api-health-check-06).
///
/// The status is `fail`, with 503, where `/readyz` answers 503; `warn` if a check has another status than `pass`, because
/// clients are still served.
struct HealthReport: Sendable {
    /// A certificate with less time than this is a warning.
    private static let shortTerm = 14 * 86_400

    let lifecycle: Lifecycle
    let metrics: MetricsRoute
    var maximumCacheBytes = 0
    var snapshot: DocumentSnapshot?

    var route: Route {
        var description = RouteDescription(
            "healthz", "/healthz", tag: "operations", "The state of upstreams, cache, logs and certificate",
            answer: RouteDescription.Answer(HealthRoutes.mediaType) { ServiceHealth.schema(in: &$0) })
        description.otherAnswers = [
            RouteDescription.Answer(HealthRoutes.mediaType, status: 503, "The service starts or drains.") {
                ServiceHealth.schema(in: &$0)
            }
        ]
        description.isProbe = true
        return Route(description) { _ in
            let health = health
            return .now(Response(health, HealthRoutes.mediaType, health.status == .fail ? .serviceUnavailable : .ok))
        }
    }

    private var health: ServiceHealth {
        var health = ServiceHealth()
        // Each part has names of its own.
        for part in [UpstreamHealth(metrics.registry).checks, cache, sharedStore, logs, certificateCheck, lastReload] {
            health.checks.merge(part) { first, _ in first }
        }
        let stage = lifecycle.stage
        let passes = health.checks.values.allSatisfy { $0.allSatisfy { $0.status == .pass } }
        (health.status, health.output) = (stage != .serving ? .fail : passes ? .pass : .warn, "\(stage)")
        return health
    }

    private var cache: HealthChecks {
        let statistics = metrics.registry.cache.statistics
        var checks = [
            "cache:documents": [HealthCheck(.integer(statistics.entries), "documents")],
            "cache:bytes": [
                HealthCheck(.integer(statistics.bytes), "bytes", of: "used"),
                HealthCheck(.integer(maximumCacheBytes), "bytes", of: "limit"),
            ],
        ]
        if let state = snapshot?.state {
            let fault = state.fault.map { "It \($0)." }
            checks["snapshot:written"] = [
                HealthCheck(status: fault == nil ? .pass : .warn, time: state.written.map(timestamp), output: fault)
            ]
        }
        return checks
    }

    /// The listeners for clients may show this check, so the address and the reason are in the log alone.
    private var sharedStore: HealthChecks {
        guard let state = metrics.shared?.state, let rule = metrics.registry.shared?.onLoss else { return [:] }
        var checks = [
            "shared:quotas": [
                HealthCheck(
                    .string(state.isReachable ? "together" : rule.rawValue), status: state.isReachable ? .pass : .warn,
                    output: state.isReachable ? nil : "The shared store does not answer, or refuses to write.")
            ]
        ]
        if let milliseconds = state.lastMilliseconds {
            checks["shared:duration"] = [HealthCheck(.number("\(milliseconds)"), "ms", of: "last")]
        }
        return checks
    }

    private var logs: HealthChecks {
        let lines = [("service", metrics.log.droppedLines), ("access", metrics.accessLog?.droppedLines ?? 0)]
        return ["log:droppedLines": lines.map { HealthCheck(.integer($1), "lines", of: $0) }]
    }

    /// The listeners for clients may show this check, so the faults are in `/-/config` and in the log alone.
    private var lastReload: HealthChecks {
        guard let last = metrics.reloads.report.lastReload else { return [:] }
        let isRefused = last.result == ReloadReport.Result.refused.rawValue
        return [
            "configuration:lastReload": [
                HealthCheck(
                    .string(last.result), status: isRefused ? .warn : .pass, time: last.at,
                    output: isRefused ? "The former configuration is in use." : nil)
            ]
        ]
    }

    private var certificateCheck: HealthChecks {
        guard let end = metrics.certificate.end else { return [:] }
        let left = end - metrics.registry.clock.seconds
        let status: HealthCheck.Status = left < 0 ? .fail : left < Self.shortTerm ? .warn : .pass
        return [
            "certificate:daysLeft": [
                HealthCheck(.integer(left / 86_400), "days", status: status, time: timestamp(end))
            ]
        ]
    }
}

private struct ServiceHealth: Record {
    var status = HealthCheck.Status.pass, version = weirVersion, output = "", checks: HealthChecks = [:]

    static let schema = Schema<ServiceHealth> {
        Field(\.status, .note("`pass`, `warn` or `fail`."))
        Field(\.version, .note("The version of the program."))
        Field(\.output, .note("The stage of the service."))
        Field(\.checks, .note("The checks by their names."))
    }
}
