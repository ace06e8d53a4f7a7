package import Telemetry

/// The figures of all upstreams as metrics.
package struct UpstreamMetrics: Sendable {
    private let registry: UpstreamRegistry

    package init(_ registry: UpstreamRegistry) { self.registry = registry }

    /// Writes the figures of the upstreams: `weir_upstream_*`, with the upstream's name as a label.
    package func write(to text: inout MetricsText) {
        let states = registry.allStates
        text.begin(
            "weir_upstream_transfer_duration_seconds", .summary,
            "Time of the transfers from an upstream; the quantiles are those of the latest ones.")
        for (name, state) in states {
            let latencies = state.latencies
            for quantile in [0.5, 0.95, 0.99] {
                guard let duration = latencies.percentile(quantile) else { continue }
                text.sample(duration / .seconds(1), ["upstream": name, "quantile": "\(quantile)"])
            }
            let seconds = (latencies.mean ?? .zero) / .seconds(1) * Double(latencies.count)
            text.sample(seconds, ["upstream": name], suffix: "_sum")
            text.sample(Double(latencies.count), ["upstream": name], suffix: "_count")
        }
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
        text.begin("weir_upstream_active_requests", .gauge, "Requests to an upstream that are under way.")
        for (name, state) in states { text.sample(Double(state.slots.figures.used), ["upstream": name]) }
        text.begin("weir_upstream_waiting_requests", .gauge, "Requests that wait for a slot at an upstream.")
        for (name, state) in states { text.sample(Double(state.waiting), ["upstream": name]) }
    }
}
