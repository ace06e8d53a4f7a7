import Store
import EventLoop
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
    let sources: FigureSources

    var route: Route {
        let description = HealthRoutes.description(
            "healthz", "/healthz", "The state of upstreams, cache, logs and certificate",
            of: ServiceHealth.self, failure: "The service starts or drains.")
        return Route(description) { _ in
            let health = ServiceHealth(sources.figures)
            return .now(Response(health, HealthRoutes.mediaType, health.status == .fail ? .serviceUnavailable : .ok))
        }
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

extension ServiceHealth {
    /// A certificate with less time than this is a warning.
    private static let shortTerm = 14 * 86_400
    /// The time for which the loss of log lines is a warning.
    private static let recent = Duration.seconds(600)

    init(_ figures: ServiceFigures) {
        self.init()
        checks = figures.upstreams.checks
        checks["cache:documents"] = [HealthCheck(.integer(figures.documents.entries), "documents")]
        checks["cache:bytes"] = [
            HealthCheck(.integer(figures.documents.bytes), "bytes", of: "used"),
            HealthCheck(.integer(figures.sources.maximumCacheBytes), "bytes", of: "limit"),
        ]
        let now = figures.sources.registry.clock.now()
        checks["log:droppedLines"] = figures.droppedLines.map { log, count, latest in
            let isRecent = latest.map { now - $0 < Self.recent } ?? false
            return HealthCheck(
                .integer(count), "lines", of: log, status: isRecent ? .warn : .pass,
                output: isRecent ? "Lines were lost in the last ten minutes." : nil)
        }
        if figures.sources.memoryLimit != nil {
            let level = figures.sources.registry.memory.level
            checks["memory:level"] = [
                HealthCheck(
                    .string("\(level)"), status: level == .short ? .warn : .pass,
                    output: level == .short ? "Requests that the cache cannot answer are refused." : nil)
            ]
        }
        // The listeners for clients may show the checks, so addresses, reasons and faults are in the log and in `/-/config`.
        for file in figures.files {
            let state = file.state
            checks["\(file.name):written"] = [
                HealthCheck(
                    status: state.fault == nil ? .pass : .warn, time: state.written.map(timestamp),
                    output: state.fault.map { "It \($0)." })
            ]
        }
        if let shared = figures.shared {
            checks["shared:quotas"] = [
                HealthCheck(
                    .string(shared.quotas), status: shared.isReachable ? .pass : .warn,
                    output: shared.isReachable ? nil : "The shared store does not answer, or refuses to write.")
            ]
            checks["shared:duration"] = shared.lastMilliseconds.map {
                [HealthCheck(.number("\($0)"), "ms", of: "last")]
            }
        }
        if let last = figures.configuration.report.lastReload {
            checks["configuration:lastReload"] = [
                HealthCheck(
                    .string(last.result), status: last.isRefused ? .warn : .pass, time: last.at,
                    output: last.isRefused ? "The former configuration is in use." : nil)
            ]
        }
        if let end = figures.sources.certificate.end {
            let left = end - figures.sources.registry.clock.seconds
            checks["certificate:daysLeft"] = [
                HealthCheck(
                    .integer(left / 86_400), "days", status: left < 0 ? .fail : left < Self.shortTerm ? .warn : .pass,
                    time: timestamp(end))
            ]
        }
        let passes = checks.values.allSatisfy { $0.allSatisfy { $0.status == .pass } }
        (status, output) = (figures.stage != .serving ? .fail : passes ? .pass : .warn, "\(figures.stage)")
    }
}
