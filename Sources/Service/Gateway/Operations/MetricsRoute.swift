import Cache
import EventLoop
import HTTPCore
import HTTPServer
import Telemetry

/// `GET /metrics`: the counters of all shards, of the upstreams, of the logs and of the process, for Prometheus.
struct MetricsRoute: Sendable {
    let contexts: [ShardContext]
    let registry: UpstreamRegistry
    let log: Log
    /// The writer of the access log, if there is one.
    let accessLog: LineWriter?

    var route: Route {
        Route(.metrics) { _ in
            .later {
                let requests = await contexts.counters()
                let memos = await contexts.memoBytes()
                let process = await WorkPool.run { ProcessMetrics.read() }
                return Response(
                    headers: [("Content-Type", MetricsText.mediaType), ("Cache-Control", "no-store")],
                    body: body(requests, process, memoBytes: memos))
            }
        }
    }

    private func body(_ requests: RequestMetrics, _ process: ProcessMetrics, memoBytes: Int) -> [UInt8] {
        var text = MetricsText()
        requests.write(to: &text)
        registry.write(to: &text)
        let documents = registry.cache.statistics
        text.single(
            "weir_cache_bytes", .gauge, "Memory of the cache, with its bookkeeping.",
            Double(documents.bytes + memoBytes))
        text.single("weir_cache_documents", .gauge, "Documents in the cache.", Double(documents.entries))
        text.single(
            "weir_cache_evictions_total", .counter, "Documents that left the cache for others.",
            Double(documents.evictions))
        text.begin("weir_log_dropped_lines_total", .counter, "Log lines that a slow reader did not take.")
        text.sample(Double(log.droppedLines), ["log": "service"])
        text.sample(Double(accessLog?.droppedLines ?? 0), ["log": "access"])
        process.write(to: &text)
        return text.bytes
    }
}

extension UpstreamRegistry {
    /// Writes the figures of the upstreams: `weir_upstream_*`, with the upstream's name as a label.
    func write(to text: inout MetricsText) {
        let states = allStates
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
            for (requests, result, count) in state.tryCounts.sorted {
                text.sample(Double(count), ["upstream": name, "requests": requests, "result": result])
            }
        }
        text.begin("weir_upstream_suspended", .gauge, "Whether the circuit breaker refuses requests to an upstream.")
        for (name, state) in states {
            let counts = state.tryCounts
            for endpoint in Upstream.Endpoint.allCases where counts.contains(endpoint.rawValue) {
                let isSuspended = state.refusal(of: endpoint, now: clock.now()) != nil
                text.sample(isSuspended ? 1 : 0, ["upstream": name, "requests": endpoint.rawValue])
            }
        }
        text.begin("weir_upstream_active_requests", .gauge, "Requests to an upstream that are under way.")
        for (name, state) in states { text.sample(Double(state.places.figures.used), ["upstream": name]) }
        text.begin("weir_upstream_waiting_requests", .gauge, "Requests that wait for a place at an upstream.")
        for (name, state) in states { text.sample(Double(state.waiting), ["upstream": name]) }
    }
}
