import CivilDates
import HTTPCore
import Records
import Store
import Operations
import Proxy

/// The state of the service, for operators: the answer of `/-/status`.
struct ServiceStatus: Record {
    var version = weirVersion, stage = "", time = "", connections = 0, active = 0
    var configuration = ConfigurationStatus(), memory = MemoryStatus(), cache = CacheStatusReport()
    var routes: [RouteStatus] = [], clients: [ClientCount] = [], errors: [ErrorCount] = []
    var upstreams: [UpstreamStatus] = []
    var shared: SharedStatus?, interventions: [Intervention] = [], drift = DriftSummary(), log: [String] = []

    /// The patterns of drift and the routes that a status has at most.
    private static let maximumPatterns = 50, maximumRoutes = 200
    /// The clients of a status.
    private static let maximumClients = 10

    static let schema = Schema<ServiceStatus> {
        Field(\.version, .note("The version of the program."))
        Field(\.stage, .note("`starting`, `serving` or `draining`."))
        Field(\.time, .note("The time of the figures, which are at most a quarter of a second old."))
        Field(\.connections, .note("The open connections of clients."))
        Field(\.active, .note("The requests whose responses have not been sent."))
        Field(\.configuration, .note("The configuration in use."))
        Field(\.memory, .note("The memory of the container."))
        Field(\.cache, .note("The cache of documents."))
        Field(
            \.routes, .note("The routes with requests since the start; the last one has no path, for other requests."))
        Field(
            \.clients,
            .note(
                "The \(maximumClients) clients with most of the last \(RecentExchanges.most) requests of each event loop, but "
                    + "for those of monitoring; none with `log.addresses` `none`."))
        Field(\.errors, .note("The exchanges that failed, by cause."))
        Field(\.upstreams, .note("The configured upstreams."))
        Field(\.shared, .note("The store that replicas share; absent without one."))
        Field(\.interventions, .note("What operators have changed by hand, the oldest first."))
        Field(\.drift, .note("The latest patterns of drift, at most \(maximumPatterns) of them."))
        Field(\.log, .note("The last lines of the log, the latest one first."))
    }
}

extension ServiceStatus {
    init(_ figures: ServiceFigures) {
        self.init()
        let (registry, requests) = (figures.sources.registry, figures.requests)
        stage = "\(figures.stage)"
        time = ISO8601Timestamp.format(millisecondsSinceEpoch: registry.clock.milliseconds())
        (connections, active) = (requests.connections, requests.active)
        let (report, _, lastRefusal) = figures.configuration
        configuration = ConfigurationStatus(
            hash: report.hash, number: report.number, takenAt: report.takenAt, needsRestart: report.needsRestart,
            lastReload: report.lastReload, lastRefusal: lastRefusal)
        memory = MemoryStatus(
            level: "\(registry.memory.level)", usedBytes: figures.memoryUsed, limitBytes: figures.sources.memoryLimit,
            shed: figures.shed)
        cache = CacheStatusReport(
            answers: Dictionary(requests.cacheResults.map { ($0.rawValue, $1) }) { first, _ in first },
            documents: figures.documents.entries, bytes: figures.documents.bytes,
            evictions: figures.documents.evictions, flights: registry.cache.coalesced.count)
        routes = requests.byRoute.suffix(Self.maximumRoutes).map { template, durations, errors in
            RouteStatus(
                route: template, requests: durations.count, errors: errors, p50: durations.percentile(0.5),
                p95: durations.percentile(0.95), p99: durations.percentile(0.99))
        }
        let addresses = figures.sources.addresses
        let shown = Dictionary(
            figures.clients.compactMap { client, count in addresses.shown(client).map { ($0, count) } },
            uniquingKeysWith: +)
        clients = shown.sorted { $0.value > $1.value }.prefix(Self.maximumClients).map { client, count in
            ClientCount(client: addresses == .full ? client.text : client.siteText, requests: count)
        }
        errors = requests.errors.map { ErrorCount(cause: $0, count: $1) }
        upstreams = figures.upstreams.statuses
        shared = figures.shared.map { shared in
            SharedStatus(
                quotas: shared.quotas, lastMilliseconds: shared.lastMilliseconds, lastLoss: shared.lastLoss,
                events: Dictionary((registry.shared?.events ?? []).map { ($0.rawValue, $1) }) { first, _ in first })
        }
        interventions = figures.sources.interventions.all
        drift = registry.drift.summary()
        drift.patterns = Array(drift.patterns.prefix(Self.maximumPatterns))
        log = figures.sources.log.latestLines
    }
}

/// The configuration in use, and how reloads ended.
struct ConfigurationStatus: Record {
    var hash = "", number = 0, takenAt = "", needsRestart: [String] = []
    var lastReload: ReloadReport?, lastRefusal: ReloadReport?

    static let schema = Schema<ConfigurationStatus> {
        Field(\.hash, .note("A digest of all settings."))
        Field(\.number, .note("The reloads since the start that changed something."))
        Field(\.takenAt, .note("The time since which the configuration is in use."))
        Field(\.needsRestart, .note("The settings that the process takes over at its next start only."))
        Field(\.lastReload, .note("How the last reload ended; absent before the first one."))
        Field(\.lastRefusal, .note("The last reload that was refused, and why; absent if none was."))
    }
}

/// The requests of a client among the last ones.
struct ClientCount: Record {
    var client = "", requests = 0

    static let schema = Schema<ClientCount> {
        Field(\.client, .note("The address, or its network."))
        Field(\.requests, .note("The requests."))
    }
}

/// The memory of the container.
struct MemoryStatus: Record {
    var level = "", usedBytes: Int?, limitBytes: Int?, shed = 0

    static let schema = Schema<MemoryStatus> {
        Field(\.level, .note("`normal`, `tight` or `short`."))
        Field(\.usedBytes, .note("The bytes in use; absent without a limit."))
        Field(\.limitBytes, .note("The limit, if there is one."))
        Field(\.shed, .note("The requests to upstreams that were refused for lack of memory."))
    }
}

/// The cache of documents.
struct CacheStatusReport: Record {
    var answers: [String: Int] = [:], documents = 0, bytes = 0, evictions = 0, flights = 0

    static let schema = Schema<CacheStatusReport> {
        Field(\.answers, .note("The answers by the part that the cache took: `hit`, `miss`, `stale` and others."))
        Field(\.documents, .note("The documents in the cache."))
        Field(\.bytes, .note("The bytes that the documents take up."))
        Field(\.evictions, .note("The documents that left the cache for others."))
        Field(\.flights, .note("The requests for documents that are under way."))
    }
}

/// The store that replicas share.
struct SharedStatus: Record {
    var quotas = "", lastMilliseconds: Double?, lastLoss: String?, events: [String: Int] = [:]

    static let schema = Schema<SharedStatus> {
        Field(\.quotas, .note("`together`, or the rule in force while the store does not answer."))
        Field(\.lastMilliseconds, .note("The time that the last answer took."))
        Field(\.lastLoss, .note("Why the store was lost last; absent if it never was."))
        Field(\.events, .note("What has happened between the replica and the store, as in the metrics."))
    }
}

/// The requests of one route since the start.
struct RouteStatus: Record {
    var route = "", requests = 0, errors = 0, p50: Double?, p95: Double?, p99: Double?

    static let schema = Schema<RouteStatus> {
        Field(\.route, .note("The template of the path; empty for requests without a route."))
        Field(\.requests, .note("The exchanges that have ended."))
        Field(\.errors, .note("The exchanges with a status from 400."))
        Field(
            \.p50,
            .note("The milliseconds that half of them took at most, rounded up to a bound of the histogram."))
        Field(\.p95, .note("The same for 95 %; absent above the greatest bound."))
        Field(\.p99, .note("The same for 99 %."))
    }
}

/// The failures of one cause.
struct ErrorCount: Record {
    var cause = "", count = 0

    static let schema = Schema<ErrorCount> {
        Field(
            \.cause,
            .note(
                "A status, a refusal, or an early end; a refused request counts under its status, too."))
        Field(\.count, .note("The exchanges since the start."))
    }
}
