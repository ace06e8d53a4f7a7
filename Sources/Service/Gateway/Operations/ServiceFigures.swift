import API
import Proxy
import Store
import EventLoop
import HTTPCore
import HTTPServer
import Operations
import Synchronization

/// What the figures of a service are read from.
struct FigureSources: Sendable {
    var lifecycle = Lifecycle()
    var contexts: [ShardContext] = []
    let registry: UpstreamRegistry
    var limits = LimitLedger()
    let interventions: Interventions
    /// The memory limit of the container, if there is one, and the most bytes of the cache.
    var memoryLimit: Int?, maximumCacheBytes = 0
    /// How addresses of clients are shown.
    var addresses = AccessLogSettings.Addresses.full
    var log = Log.standard
    /// The writer of the access log, if there is one.
    var accessLog: LineWriter?
    var reloads = Reloads()
    /// The store that replicas share, if there is one.
    var shared: RedisStore?
    var snapshot: DocumentSnapshot?
    /// The exporter of spans, if there is one.
    var tracer: Tracer?
    /// The end of the certificate in use, if there is one.
    let certificate = CertificateTerm()

    /// The figures, without those of requests and of the process.
    var figures: ServiceFigures { ServiceFigures(self) }

    /// The figures with those of requests; the shards must run.
    var withRequests: ServiceFigures {
        get async {
            var figures = figures
            figures.requests = RequestFigures(await contexts.counters(), routes: contexts.first?.labels.all ?? [])
            for clients in await contexts.recent({ $0.clients }) {
                figures.clients.merge(clients, uniquingKeysWith: +)
            }
            return figures
        }
    }

    /// `GET /metrics`, for Prometheus.
    var metrics: Route {
        var description = RouteDescription(
            "metrics", "/metrics", tag: "operations", "Counters for Prometheus",
            answer: RouteDescription.Answer(MetricsFormat.prometheus.rawValue))
        description.isProbe = true
        return Route(description) { call in
            let accepted = call.request.headers.values("Accept").joined().lowercased()
            let format = accepted.contains("application/openmetrics-text") ? MetricsFormat.openMetrics : .prometheus
            return .later {
                var figures = await withRequests
                figures.memoBytes = await contexts.memoBytes()
                figures.process = await WorkPool.run { ProcessMetrics.read() }
                return Response(
                    headers: [("Content-Type", format.rawValue), ("Cache-Control", "no-store"), ("Vary", "Accept")],
                    body: ServiceFigures.table.text(of: figures, as: format))
            }
        }
    }
}

/// The figures of a service at one moment: metrics, health and status are functions of them.
struct ServiceFigures: Sendable {
    let sources: FigureSources
    let stage: Lifecycle.Stage, upstreams: UpstreamFigures, documents: CacheStatistics
    var requests = RequestFigures(), process: ProcessMetrics?
    /// The clients of the last requests, with the numbers of these.
    var clients: [ClientAddress: Int] = [:]
    /// The bytes that the memos of the shards take up.
    var memoBytes = 0
    /// The configuration in use, with the time of the last reload, and the last one that was refused.
    let configuration: (report: ConfigurationReport, seconds: Int, lastRefusal: ReloadReport?)
    /// The store of the replicas, and what counts for quotas: `together`, or the rule while the store does not answer.
    let shared: (quotas: String, isReachable: Bool, lastMilliseconds: Double?, lastLoss: String?)?

    fileprivate init(_ sources: FigureSources) {
        let registry = sources.registry
        (self.sources, stage, upstreams) = (sources, sources.lifecycle.stage, UpstreamFigures(registry))
        (documents, configuration) = (registry.cache.statistics, sources.reloads.current)
        shared = sources.shared.flatMap { store in
            let state = store.state
            return registry.shared.map { replicas in
                let quotas = state.isReachable ? "together" : replicas.onLoss.rawValue
                return (quotas, state.isReachable, state.lastMilliseconds, state.detail)
            }
        }
    }

    /// The requests to upstreams that were refused for lack of memory.
    var shed: Int { sources.registry.memory.shed }

    /// The memory of the container in use; nil without a limit.
    var memoryUsed: Int? { sources.memoryLimit.map { _ in sources.registry.memory.used } }

    /// The files that outlive the process.
    var files: [FileWrites] { [sources.registry.quotaWrites].compactMap(\.self) + (sources.snapshot?.files ?? []) }

    /// The lines that each log has lost, and when it has lost the last one.
    var droppedLines: [(log: String, count: Int, latest: MonotonicTime?)] {
        [("service", sources.log.writer), ("access", sources.accessLog)].map { name, writer in
            (name, writer?.droppedLines ?? 0, writer?.latestDrop)
        }
    }

    /// All metrics, in their order; those of a room are in the table of the type that knows the facts.
    static let table: [Figure<ServiceFigures>] =
        RequestFigures.table.of { $0.requests } + UpstreamFigures.table.of { $0.upstreams }
        + SharedReplicas.table.of { $0.sources.registry.shared } + RedisStore.table.of { $0.sources.shared }
        + LimitLedger.figures.of { $0.sources.limits } + DriftBook.table.of { $0.sources.registry.drift }
        + FileWrites.table.of { $0.files } + Tracer.table.of { $0.sources.tracer } + own
        + ProcessMetrics.table.of { $0.process }

    private static let own: [Figure<ServiceFigures>] = [
        Figure(
            "weir_cache_bytes", .gauge, "Memory of the cache, with its bookkeeping.",
            value: { $0.documents.bytes + $0.memoBytes }),
        Figure("weir_cache_documents", .gauge, "Documents in the cache.", value: { $0.documents.entries }),
        Figure(
            "weir_cache_evictions_total", .counter, "Documents that left the cache for others.",
            value: { $0.documents.evictions }),
        Figure(
            "weir_memory_limit_bytes", .gauge, "Memory limit of the container.",
            note: "Absent without a [limit](#memory).", value: { $0.sources.memoryLimit }),
        Figure(
            "weir_memory_used_bytes", .gauge, "Memory of the container in use, without the page cache.",
            note: "Absent without a [limit](#memory).", value: { $0.memoryUsed }),
        Figure(
            "weir_memory_shed_total", .counter, "Requests to upstreams that were refused for lack of memory.",
            value: { $0.shed }),
        Figure(
            "weir_log_dropped_lines_total", .counter, ["log"],
            "Log lines that a slow reader or a full disk did not take.",
            note: "The logs are `service` and `access`."
        ) { figures in figures.droppedLines.map { FigureSample($0.count, $0.log) } },
        ProcessMetrics.build.of { _ in (weirVersion, ProcessMetrics.digest, ProcessMetrics.commit) },
        Figure("weir_configuration_hash_info", .info, ["hash"], "The digest of the settings in use.") { figures in
            [FigureSample(1, figures.configuration.report.hash)]
        },
        Figure(
            "weir_configuration_last_reload_successful", .gauge, "Whether the last reload was not refused.",
            value: { $0.configuration.report.lastReload?.isRefused != true }),
        Figure(
            "weir_configuration_last_reload_timestamp_seconds", .gauge,
            "Time of the last reload, refused ones included, or else of the start.",
            value: { $0.configuration.seconds }),
        Figure(
            "weir_certificate_expiry_timestamp_seconds", .gauge, "End of the certificate in use.",
            note: "The certificate is that of `server.tls`, the time in seconds since 1970. Absent without TLS.",
            value: { $0.sources.certificate.end }),
    ]
}

/// The end of the certificate in use.
final class CertificateTerm: Sendable {
    private let seconds = Atomic(Int64.max)

    /// The end in unix seconds; nil without a certificate.
    var end: Int? {
        let seconds = seconds.load(ordering: .relaxed)
        return seconds < .max ? Int(seconds) : nil
    }

    func replace(with context: TLSContext?) { seconds.store(context?.validity.until ?? .max, ordering: .relaxed) }
}
