import API
import Proxy
import Store
import EventLoop
import HTTPCore
import HTTPServer
import Operations

/// `GET /metrics`: the counters of all shards, of the upstreams, of the logs and of the process, for Prometheus.
struct MetricsRoute: Sendable {
    let contexts: [ShardContext]
    let registry: UpstreamRegistry
    /// The memory limit of the container, if there is one.
    let memoryLimit: Int?
    let log: Log
    /// The writer of the access log, if there is one.
    let accessLog: LineWriter?
    let reloads: Reloads
    /// The store that replicas share, if there is one.
    var shared: RedisStore?
    let certificate = CertificateTerm()

    private static let description = {
        var description = RouteDescription(
            "metrics", "/metrics", tag: "operations", "Counters for Prometheus",
            answer: RouteDescription.Answer(MetricsText.mediaType))
        description.isProbe = true
        return description
    }()

    var route: Route {
        Route(Self.description) { _ in
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
        requests.write(to: &text, routes: contexts.first?.labels.all ?? [])
        UpstreamMetrics(registry).write(to: &text)
        shared?.write(to: &text)
        registry.drift.write(to: &text)
        let documents = registry.cache.statistics
        text.single(
            "weir_cache_bytes", .gauge, "Memory of the cache, with its bookkeeping.",
            Double(documents.bytes + memoBytes))
        text.single("weir_cache_documents", .gauge, "Documents in the cache.", Double(documents.entries))
        text.single(
            "weir_cache_evictions_total", .counter, "Documents that left the cache for others.",
            Double(documents.evictions))
        if let memoryLimit {
            text.single("weir_memory_limit_bytes", .gauge, "Memory limit of the container.", Double(memoryLimit))
            text.single(
                "weir_memory_used_bytes", .gauge, "Memory of the container in use, without the page cache.",
                Double(registry.memory.used))
        }
        text.single(
            "weir_memory_shed_total", .counter, "Requests to upstreams that were refused for lack of memory.",
            Double(registry.memory.shed))
        text.begin("weir_log_dropped_lines_total", .counter, "Log lines that a slow reader did not take.")
        text.sample(Double(log.droppedLines), ["log": "service"])
        text.sample(Double(accessLog?.droppedLines ?? 0), ["log": "access"])
        reloads.metrics.write(to: &text)
        certificate.write(to: &text)
        process.write(to: &text)
        return text.bytes
    }
}
