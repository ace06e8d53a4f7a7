import Store
import CivilDates
import EventLoop
import HTTPCore
import JSONText
import Records
import Synchronization
import Operations
import Proxy

/// The state of the service for the status page, its streams and `weir status`: made at most four times a second for all.
final class StatusFeed: Sendable {
    /// The state, and the message of streams.
    struct Snapshot: Sendable {
        let status: ServiceStatus
        let message: [UInt8]
    }

    /// The patterns of drift and the routes that a status has at most.
    static let maximumPatterns = 50, maximumRoutes = 200
    /// The streams that are open at a time.
    static let maximumStreams = 16
    private static let freshness = Duration.milliseconds(250)

    private let lifecycle: Lifecycle
    private let metrics: MetricsRoute
    private let latest = Mutex<(made: MonotonicTime, snapshot: Task<Snapshot, Never>)?>(nil)
    private let streams = Atomic(0)

    init(_ lifecycle: Lifecycle, _ metrics: MetricsRoute) { (self.lifecycle, self.metrics) = (lifecycle, metrics) }

    /// Whether streams go on.
    var isOpen: Bool { lifecycle.stage != .draining }

    /// Counts a further stream; returns false if there are too many.
    func admitStream() -> Bool {
        if streams.add(1, ordering: .relaxed).newValue <= Self.maximumStreams { return true }
        removeStream()
        return false
    }

    func removeStream() { streams.subtract(1, ordering: .relaxed) }

    /// The state, at most a quarter of a second old.
    var snapshot: Snapshot {
        get async {
            let task = latest.withLock { latest in
                if let latest, MonotonicTime.now - latest.made < Self.freshness { return latest.snapshot }
                let task = Task { await self.makeSnapshot() }
                latest = (.now, task)
                return task
            }
            return await task.value
        }
    }

    private func makeSnapshot() async -> Snapshot {
        let status = status(await metrics.contexts.counters())
        let tables = status.tables
        let message = JSONWriter.bytes(expecting: 16 << 10) { text in
            text.write(raw: "data: ")
            tables.write(to: &text)
            text.write(raw: "\n\n")
        }
        return Snapshot(status: status, message: message)
    }

    private func status(_ requests: RequestMetrics) -> ServiceStatus {
        let registry = metrics.registry
        var status = ServiceStatus()
        status.stage = "\(lifecycle.stage)"
        status.time = ISO8601Timestamp.format(millisecondsSinceEpoch: registry.clock.milliseconds())
        (status.connections, status.active) = (max(0, requests.connections), max(0, requests.active))
        let configuration = metrics.reloads.report
        (status.configuration.hash, status.configuration.number) = (configuration.hash, configuration.number)
        (status.configuration.takenAt, status.configuration.needsRestart) = (
            configuration.takenAt, configuration.needsRestart
        )
        (status.configuration.lastReload, status.configuration.lastRefusal) = (
            configuration.lastReload, metrics.reloads.lastRefusal
        )
        status.memory.level = "\(registry.memory.level)"
        (status.memory.usedBytes, status.memory.limitBytes) = (
            metrics.memoryLimit.map { _ in registry.memory.used }, metrics.memoryLimit
        )
        status.memory.shed = registry.memory.shed
        let documents = registry.cache.statistics
        (status.cache.documents, status.cache.bytes) = (documents.entries, documents.bytes)
        (status.cache.evictions, status.cache.flights) = (documents.evictions, registry.cache.coalesced.count)
        status.cache.answers = requests.cacheResults
        status.routes = routes(requests)
        status.errors = requests.errors.map { cause, count in
            var error = ErrorCount()
            (error.cause, error.count) = (cause, count)
            return error
        }
        status.upstreams = UpstreamHealth(registry).upstreams
        if let replicas = registry.shared, let state = metrics.shared?.state {
            var shared = SharedStatus()
            shared.quotas = state.isReachable ? "together" : replicas.onLoss.rawValue
            (shared.lastMilliseconds, shared.lastLoss) = (state.lastMilliseconds, state.detail)
            for (event, count) in replicas.events { shared.events[event.rawValue] = count }
            status.shared = shared
        }
        status.drift = registry.drift.summary()
        status.drift.patterns = Array(status.drift.patterns.prefix(Self.maximumPatterns))
        status.log = metrics.log.latestLines
        return status
    }

    private func routes(_ requests: RequestMetrics) -> [RouteStatus] {
        let labels = metrics.contexts.first?.labels.all ?? []
        return requests.byRoute.suffix(Self.maximumRoutes).map { figures in
            var route = RouteStatus()
            route.route = figures.route.flatMap { Int($0) < labels.count ? labels[Int($0)].template : nil } ?? ""
            (route.requests, route.errors) = (figures.requests, figures.errors)
            (route.p50, route.p95) = (figures.percentile(0.5), figures.percentile(0.95))
            route.p99 = figures.percentile(0.99)
            return route
        }
    }
}
