import EventLoop
import JSONText
package import Records
package import API
import Operations

/// The state of all upstreams as checks of `/healthz`.
package struct UpstreamHealth: Sendable {
    private let registry: UpstreamRegistry

    package init(_ registry: UpstreamRegistry) { self.registry = registry }

    /// The checks of each configured upstream; their texts hold no keys.
    package var checks: HealthChecks {
        let all = upstreams.flatMap { upstream in upstream.checks.map { ("\(upstream.name):\($0.key)", $0.value) } }
        return HealthChecks(all) { first, _ in first }
    }

    /// The state of each configured upstream, in the order of their names.
    package var upstreams: [UpstreamStatus] {
        let states = Dictionary(registry.allStates.map { ($0.name, $0.state) }) { first, _ in first }
        return registry.configured.map { name, isUsed in
            var status = UpstreamStatus()
            status.name = name
            guard isUsed, let state = states[name] else {
                status.checks["configured"] = [
                    HealthCheck(.bool(false), status: .warn, output: "Its key does not exist.")
                ]
                return status
            }
            for (measurement, found) in checks(of: state) where !found.isEmpty { status.checks[measurement] = found }
            (status.active, status.waiting) = (state.slots.figures.used, state.waiting)
            for (_, result, count) in state.tries { status.tries[result, default: 0] += count }
            return status
        }
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

/// The state of one upstream, for operators.
package struct UpstreamStatus: Record {
    package var name = "", checks: HealthChecks = [:], active = 0, waiting = 0, tries: [String: Int] = [:]

    package init() {}

    /// The fields in the order in which they are written.
    package static let schema = Schema<UpstreamStatus> {
        Field(\.name, .note("The name in the configuration."))
        Field(\.checks, .note("The checks of `/healthz` for the upstream, such as `breaker` and `quotaLeft`."))
        Field(\.active, .note("The requests to the upstream that are under way."))
        Field(\.waiting, .note("The requests that wait for a slot."))
        Field(
            \.tries, .note("The tries since the start by their results; `200` and `304` are no errors."))
    }
}
