import JSONText
import Routing
import HTTPCore
import Telemetry

/// The lines that the log has about one upstream, once for each change.
struct UpstreamLog: Sendable {
    let upstream: String
    let log: Log

    func write(_ level: Log.Level, _ message: String, _ fields: KeyValuePairs<String, any LogValue>) {
        log.write(level, message, fields)
    }

    /// Notes a quota that is used up, or an outage that the upstream has announced, if there is one.
    func exhausted(_ quota: SpentQuota?, _ kind: RequestKind) {
        guard let quota else { return }
        log.write(
            .warning, quota.isOutage ? "upstream pauses" : "upstream quota used up",
            ["upstream": upstream, "requests": kind.name, "detail": quota.sentence(of: upstream)])
    }

    func surplus() {
        log.write(
            .warning, "upstream sends surplus bytes",
            [
                "upstream": upstream,
                "detail":
                    "The upstream sends bytes that belong to no answer. Its connections are not reused for five minutes, "
                    + "or another request could get these bytes.",
            ])
    }

    /// Notes a change of the circuit breaker's state, if there is one.
    func changed(_ change: CircuitBreaker.Change?, _ kind: RequestKind) {
        guard let change else { return }
        let (level, state, detail): (Log.Level, String, String) =
            switch change {
            case .opened(let seconds):
                (.warning, "open", "Too many requests fail; the next may be made within \(seconds) s.")
            case .halfOpened: (.info, "half-open", "One request shows whether the others may be made.")
            case .closed: (.info, "closed", "The requests are made again.")
            }
        log.write(
            level, "circuit breaker",
            ["upstream": upstream, "requests": kind.name, "state": state, "detail": detail])
    }

    /// Notes a request that has failed and that no client waits for.
    func failedRefresh(_ failure: FetchFailure, _ kind: RequestKind, _ tries: [UpstreamTry]) {
        let problem = UpstreamProblem.problem(of: failure, from: upstream)
        log.write(
            .warning, "refresh failed",
            [
                "requests": kind.name, "upstream": upstream, "status": problem.status.code,
                "detail": problem.detail,
            ]
        ) { line in
            line.write(raw: #","tries":"#)
            line.write(tries)
        }
    }
}
