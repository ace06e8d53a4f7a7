import EventLoop
import JSONText
import Records
package import Routing
import Telemetry

/// The state of all upstreams as checks of `/healthz`.
package struct UpstreamHealth: Sendable {
    private let registry: UpstreamRegistry

    package init(_ registry: UpstreamRegistry) { self.registry = registry }

    /// The checks of each configured upstream; their texts hold no keys.
    package var checks: HealthChecks {
        let states = Dictionary(registry.allStates.map { ($0.name, $0.state) }) { first, _ in first }
        var checks: HealthChecks = [:]
        for (name, isUsed) in registry.configured {
            guard isUsed, let state = states[name] else {
                checks["\(name):configured"] = [
                    HealthCheck(.bool(false), status: .warn, output: "Its key does not exist.")
                ]
                continue
            }
            for (measurement, found) in self.checks(of: state) where !found.isEmpty {
                checks["\(name):\(measurement)"] = found
            }
        }
        return checks
    }

    private func checks(of state: UpstreamState) -> KeyValuePairs<String, [HealthCheck]> {
        let (now, wallClock) = (registry.clock.now(), registry.clock.seconds)
        let kinds = state.kindStates.map { (name: $0.kind.name, state: $0.state, history: $0.state.history) }
        let latencies = state.latencies
        return [
            "breaker":
                kinds.map { kind in
                    if kind.state.isClosed { return HealthCheck("closed", of: kind.name) }
                    guard let seconds = kind.state.refusal(at: now) else {
                        return HealthCheck(
                            "half-open", of: kind.name, status: .warn, output: "The next request decides.")
                    }
                    return HealthCheck(
                        "open", of: kind.name, status: .fail, output: "It is asked again in \(seconds) s.")
                },
            "lastSuccess":
                kinds.compactMap { kind in
                    kind.history.lastSuccess.map { HealthCheck(of: kind.name, time: timestamp($0)) }
                },
            "lastFailure":
                kinds.compactMap { kind in
                    kind.history.lastFailure.map { failure in
                        HealthCheck(
                            failure.status.map { .integer($0) } ?? .string(failure.label), of: kind.name,
                            status: kind.history.isFailing ? .warn : .pass, time: timestamp(failure.time),
                            output: failure.detail)
                    }
                },
            "latency":
                [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)].compactMap { name, part in
                    latencies.percentile(part).map { HealthCheck(.integer($0.wholeMilliseconds), "ms", of: name) }
                },
            "quotaLeft":
                state.quotas.uses(wallClock: wallClock).map { use in
                    HealthCheck(
                        .integer(use.left), "requests", of: use.period.rawValue,
                        status: use.left == 0 ? .fail : use.isNearlySpent ? .warn : .pass,
                        output: "\(use.used) of \(use.period.text(use.limit)), renewed at \(timestamp(use.renewal))")
                },
            "pause":
                state.quotas.pauses(now: now).map { kind, pause in
                    HealthCheck(
                        .string(timestamp(wallClock + pause.seconds)), of: kind.name, status: .fail,
                        output: pause.cause.rawValue)
                },
        ]
    }
}
