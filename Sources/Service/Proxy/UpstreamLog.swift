import JSONText
import API
import HTTPCore
import Operations

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
            .warning, quota.cause == .quota ? "upstream quota used up" : "upstream pauses",
            [
                "upstream": upstream, "requests": kind.name, "period": quota.period?.rawValue,
                "limit": quota.period == nil ? nil : quota.limit, "renewed": quota.renewal.map(timestamp),
                "detail": quota.sentence(of: upstream),
            ])
    }

    /// Warns of quotas of which little is left.
    func nearlyExhausted(_ quotas: [QuotaUse]) {
        for quota in quotas {
            log.write(
                .warning, "upstream quota nearly used up",
                [
                    "upstream": upstream, "period": quota.period.rawValue, "used": quota.used, "limit": quota.limit,
                    "renewed": timestamp(quota.renewal),
                ])
        }
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

    /// Notes that the clock of the upstream differs from the service's by more than a minute, or no longer does.
    func clock(ahead seconds: Int, isWrong: Bool) {
        log.write(
            isWrong ? .warning : .info, "upstream clock",
            [
                "upstream": upstream, "state": isWrong ? "wrong" : "right", "offsetSeconds": seconds,
                "detail": ClockOffset.sentence(seconds),
            ])
    }

    /// Notes a change of the circuit breaker's state, if there is one.
    ///
    /// `last` says how the last failure ended.
    func changed(_ change: CircuitBreaker.Change?, _ kind: RequestKind, last: String? = nil) {
        guard let change else { return }
        let (level, state, detail): (Log.Level, String, String) =
            switch change {
            case .opened(let seconds):
                (
                    .warning, "open",
                    "Too many requests fail\(last.map { ", the last \($0)" } ?? ""); the next may be made within "
                        + "\(seconds) s."
                )
            case .halfOpened: (.info, "half-open", "One request shows whether the others may be made.")
            case .closed: (.info, "closed", "The requests are made again.")
            }
        log.write(
            level, "circuit breaker",
            ["upstream": upstream, "requests": kind.name, "state": state, "detail": detail])
    }

    /// Notes that the probes of an idle upstream fail now, or fail in another way, or succeed again.
    func probed(_ failure: FetchFailure?) {
        guard let failure else { return log.write(.info, "upstream probe succeeded", ["upstream": upstream]) }
        let problem = UpstreamProblem.problem(of: failure, from: upstream)
        log.write(
            .warning, "upstream probe failed",
            ["upstream": upstream, "status": failure.responseStatus, "detail": problem.detail])
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
