package import Operations

/// The figures of all upstreams as metrics.
package struct UpstreamMetrics: Sendable {
    private let registry: UpstreamRegistry

    package init(_ registry: UpstreamRegistry) { self.registry = registry }

    /// Writes the figures of the upstreams: `weir_upstream_*`, with the upstream's name as a label.
    package func write(to text: inout MetricsText) {
        let states = registry.allStates
        text.begin(
            "http_client_request_duration_seconds", .histogram,
            "Time of the requests to an upstream, from the connection to the last byte of the response.")
        for (name, state) in states {
            for (requests, durations) in state.durations {
                durations.write(to: &text, upstream: name, requests: requests)
            }
        }
        text.begin(
            "weir_upstream_configured", .gauge, "Whether an upstream is used; 0 if it is left out for lack of a key.")
        for (name, isUsed) in registry.configured { text.sample(isUsed ? 1 : 0, ["upstream": name]) }
        text.begin("weir_upstream_tries_total", .counter, "Tries to get a document from an upstream, by result.")
        for (name, state) in states {
            for (requests, result, count) in state.tries {
                text.sample(Double(count), ["upstream": name, "requests": requests, "result": result])
            }
        }
        text.begin("weir_upstream_suspended", .gauge, "Whether the circuit breaker refuses requests to an upstream.")
        for (name, state) in states {
            for (kind, state) in state.kindStates where !state.tries.isEmpty {
                let isSuspended = state.refusal(at: registry.clock.now()) != nil
                text.sample(isSuspended ? 1 : 0, ["upstream": name, "requests": kind.name])
            }
        }
        text.begin(
            "weir_upstream_last_failure_timestamp_seconds", .gauge,
            "When a request to an upstream failed last, in seconds since 1970, with the result of its try.")
        for (name, state) in states {
            for (kind, state) in state.kindStates {
                guard let failure = state.history.lastFailure else { continue }
                text.sample(
                    Double(failure.time), ["upstream": name, "requests": kind.name, "result": failure.label])
            }
        }
        writeQuotas(of: states, to: &text)
        text.begin("weir_upstream_active_requests", .gauge, "Requests to an upstream that are under way.")
        for (name, state) in states { text.sample(Double(state.slots.figures.used), ["upstream": name]) }
        text.begin("weir_upstream_waiting_requests", .gauge, "Requests that wait for a slot at an upstream.")
        for (name, state) in states { text.sample(Double(state.waiting), ["upstream": name]) }
        registry.shared?.write(to: &text)
    }

    private func writeQuotas(of states: [(name: String, state: UpstreamState)], to text: inout MetricsText) {
        let (now, wallClock) = (registry.clock.now(), registry.clock.seconds)
        let uses = states.flatMap { name, state in state.quotas.uses(wallClock: wallClock).map { (name, $0) } }
        func write(_ name: String, _ help: String, _ value: (QuotaUse) -> Int) {
            text.begin("weir_upstream_quota_\(name)", .gauge, help)
            for (upstream, use) in uses {
                text.sample(Double(value(use)), ["upstream": upstream, "period": use.period.rawValue])
            }
        }
        write("limit", "The configured quota of an upstream.", \.limit)
        write("used", "The part of the quota that has been used in this period.", \.used)
        write("reset_seconds", "The seconds until the next period of the quota.") { max(0, $0.renewal - wallClock) }
        text.begin(
            "weir_upstream_paused_until", .gauge,
            "The end of the pause that an upstream demands, in seconds since 1970; 0 without a pause.")
        for (name, state) in states {
            let longest = state.quotas.pauses(now: now).map(\.pause.seconds).max()
            text.sample(longest.map { Double(wallClock + $0) } ?? 0, ["upstream": name])
        }
    }
}
