public import Configuration
import Routing
public import Upstreams
import Samples
import Contracts
public import EventLoop
import Forecast
import HTTPClient
import HTTPCore
import HTTPServer
import Records
import Synchronization
public import Telemetry
import Tweets

/// The service: event loops, upstreams, routes and the server.
public final class Service: Sendable {
    /// What a reload replaces.
    private struct Current {
        var configuration: Configuration
        var samples: [SampleUpstream]
    }

    /// The time at the end in which the reader of the access log must take the last lines.
    private static let flushTime = Duration.seconds(1)

    private let lifecycle = Lifecycle()
    /// The event loops.
    public let shards: [Shard]
    private let contexts: [ShardContext]
    private let metrics: MetricsRoute
    let registry: UpstreamRegistry
    private let handler: ServiceHandler
    private let server: Server
    private let clientAddresses: Int
    /// The configuration of the start, with the number of shards: its fixed settings are in force until the end.
    private let initial: Configuration
    private let current: Mutex<Current>
    private let snapshot: DocumentSnapshot?
    private let memory: MemoryWatch?
    private let log: Log
    private let clock: Clock

    /// Builds the service and listens, without accepting connections yet.
    ///
    /// `file` is the source of `configuration`: sample folders are relative to it, and errors name it. `registry` holds
    /// what is known about the upstreams, so that a new service can continue with it; a new one without it. `output`
    /// takes the lines of the access log instead of standard output, `clock` stands for the clocks of the system, and
    /// `memory` is the limit of the container.
    /// - Throws: `SystemError` if it cannot listen, `ConfigurationError` if a key or a sample does not exist, or the
    ///   certificate cannot be used.
    public init(
        _ configuration: Configuration, from file: ConfigurationFile, log: Log, registry: UpstreamRegistry? = nil,
        output: LineWriter? = nil, clock: Clock = .system, memory: MemoryLimit? = MemoryLimit()
    ) throws {
        let addresses = configuration.listen.addresses
        guard addresses.count == configuration.listen.texts.count else {
            throw file.error(ConfigurationChecks(configuration).faults())
        }
        let keys = try configuration.readKeys(in: file)
        let tls = try configuration.readCertificate(in: file, now: clock.seconds) {
            log.write(.warning, "certificate not valid", ["detail": $0])
        }
        shards = try (0..<(configuration.shards ?? Processors.available)).map { try Shard(index: $0) }
        let accessLog = configuration.server.accessLog.settings.map { settings in
            (settings, output ?? .standardOutput(maximumBytes: configuration.server.accessLog.maximumWaitingBytes, log))
        }
        let memoBytes = configuration.cache.maximumBytes / HitMemo.share / shards.count
        let labels = RouteLabels()
        contexts = shards.map { shard in
            let client = Client(
                on: shard, maximumConnections: configuration.maximumConnections,
                maximumHostConnections: configuration.fetching.maximumConnectionsPerUpstream ?? 0)
            let lines = accessLog.map { AccessLogBuffer($0.0, writer: $0.1, clock: clock) }
            return ShardContext(
                shard, client: client, clock: clock, log: lines, labels: labels, memoBytes: memoBytes)
        }
        let registry =
            registry
            ?? UpstreamRegistry(
                maximumBodyBytes: configuration.fetching.maximumBodyBytes,
                maximumCacheBytes: configuration.cache.maximumBytes,
                quotaPath: configuration.fetching.quotaFile.map { file.resolve($0) }, log: log, clock: clock)
        (self.registry, self.log, self.clock) = (registry, log, clock)
        let upstreams = try ConfiguredUpstreams(configuration, keys, file, registry, log, clock)
        snapshot =
            configuration.cache.maximumBytes == 0
            ? nil
            : configuration.cache.snapshotFile.map { path in
                DocumentSnapshot(
                    path: file.resolve(path), of: registry.cache, registry.drift,
                    maximumBytes: configuration.cache.maximumBytes, seconds: configuration.cache.snapshotSeconds,
                    log: log)
            }
        snapshot?.restore(upstreams.policy)
        metrics = MetricsRoute(
            contexts: contexts, registry: registry, memoryLimit: memory?.bytes, log: log, accessLog: accessLog?.1)
        let probes = HealthRoutes.all(lifecycle)
        handler = ServiceHandler(
            Router(configuration, upstreams, labels: labels, probes: probes, metrics: metrics, log: log), on: contexts)
        var initial = configuration
        initial.shards = shards.count
        self.initial = initial
        current = Mutex(Current(configuration: configuration, samples: upstreams.samples))
        clientAddresses = addresses.count
        var listeners = addresses.map { [handler] in configuration.server.listener(at: $0, tls, handler) }
        if let operations = configuration.server.operationsListen.flatMap(SocketAddress.init) {
            let drift = DriftRoute(book: registry.drift)
            let router = Router(probes + [metrics.route, drift.route], labels: labels)
            listeners.append(
                Listener(operations, handler: ServiceHandler(router, on: contexts), isForOperators: true))
        }
        var options = configuration.server.options
        options.upstreamFiles = shards.count * configuration.maximumConnections
        server = try Server(listeners, shards: shards, options: options, seconds: { clock.seconds })
        self.memory = memory.map { [server] in MemoryWatch($0, registry, server, log) }
        self.memory?.begin(configuration)
        if server.maximumConnections < options.maximumConnections {
            log.write(
                .warning, "fewer connections than configured",
                ["maximumConnections": "\(server.maximumConnections)", "openFiles": "\(OpenFileLimit.current)"])
        }
    }

    /// The first address on which the service listens, with the port that the system chose if 0 was configured.
    public var address: SocketAddress { server.address }

    /// The addresses on which the service listens for clients.
    public var addresses: ArraySlice<SocketAddress> { server.addresses.prefix(clientAddresses) }

    /// The address for monitoring alone, if one is configured.
    public var operationsAddress: SocketAddress? { server.addresses.dropFirst(clientAddresses).first }

    /// Starts accepting requests.
    public func start() {
        for shard in shards { shard.start() }
        server.start()
        snapshot?.start()
        memory?.start()
        lifecycle.enter(.serving)
    }

    /// Takes over another configuration, with the keys and the certificate that are in their files now, or keeps the old one if it throws.
    ///
    /// Connections stay open, requests in flight end as they began, and what is known about the upstreams stays known.
    /// Call it after `start` and before `drain`, from one task at a time.
    /// - Returns: The settings that differ from those of this process and need a new one.
    /// - Throws: `ConfigurationError` if a key or a sample does not exist, or the certificate cannot be used.
    public func reload(_ configuration: Configuration, from file: ConfigurationFile) async throws -> [String] {
        let keys = try configuration.readKeys(in: file)
        let tls = try configuration.readCertificate(in: file, now: clock.seconds) {
            log.write(.warning, "certificate not valid", ["detail": $0])
        }
        var running = configuration
        running.cache.maximumBytes = initial.cache.maximumBytes
        let upstreams = try ConfiguredUpstreams(running, keys, file, registry, log, clock)
        if let tls { server.replace(tls) }
        // Before requests can need more connections.
        for context in contexts {
            context.client.resize(
                maximumConnections: configuration.maximumConnections,
                maximumHostConnections: configuration.fetching.maximumConnectionsPerUpstream ?? 0)
        }
        let probes = HealthRoutes.all(lifecycle)
        await handler.replace(
            with: Router(
                configuration, upstreams, labels: contexts[0].labels, probes: probes, metrics: metrics, log: log))
        current.withLock { $0 = Current(configuration: configuration, samples: upstreams.samples) }
        return configuration.fixedSettings(unlike: initial)
    }

    /// Answers 503 on `/readyz` for the drain delay, then lets requests in flight finish and stops.
    /// - Returns: the number of connections that were closed because their requests took too long.
    public func drain() async -> Int {
        lifecycle.enter(.draining)
        let delay = Duration.milliseconds(current.withLock { $0.configuration.server.drainDelayMilliseconds })
        // A cancelled sleep only shortens the delay.
        if delay > .zero { try? await Task.sleep(for: delay) }
        let cut = await server.drain()
        let grace = Duration.milliseconds(current.withLock { $0.configuration.server.drainGraceMilliseconds })
        await registry.cache.flights.settle(until: MonotonicTime.now + grace, on: shards[0])
        await contexts.flushLogs()
        metrics.accessLog?.flush(within: Self.flushTime)
        for context in contexts { context.client.stop() }
        for sample in current.withLock({ $0.samples }) { await sample.stop() }
        for shard in shards { shard.stop() }
        snapshot?.finish()
        registry.finish(log)
        return cut
    }

    /// Closes every connection at once, which also ends a `drain` in progress.
    public func cut() {
        server.cut()
        registry.cache.flights.cancel()
    }
}

extension Configuration {
    /// The connections that an event loop keeps: as many as all upstreams have requests, unless they are set.
    fileprivate var maximumConnections: Int {
        fetching.maximumConnections ?? upstreams.reduce(0) { $0 + $1.maximumConcurrent }
    }

    /// The settings that differ from those of `initial`, and that a process takes at its start only.
    fileprivate func fixedSettings(unlike initial: Configuration) -> [String] {
        let (new, old) = (withShards.json ?? .null, initial.withShards.json ?? .null)
        var names = Self.schema.descriptions.fixedNames(where: new, differsFrom: old)
        // A certificate can be replaced, but not TLS as such.
        if (server.tls == nil) != (initial.server.tls == nil) { names.append(Self.schema.path(of: \.server.tls)) }
        return names
    }

    private var withShards: Configuration {
        var settings = self
        settings.shards = shards ?? Processors.available
        return settings
    }
}

extension [FieldDescription] {
    /// Returns the paths of the fixed settings in which two objects differ.
    fileprivate func fixedNames(where new: JSONValue, differsFrom old: JSONValue) -> [String] {
        flatMap { field in
            let (new, old) = (new[field.name] ?? .null, old[field.name] ?? .null)
            if field.rules.isFixed { return new == old ? [] : [field.name] }
            return field.isList
                ? [] : field.members.fixedNames(where: new, differsFrom: old).map { "\(field.name).\($0)" }
        }
    }
}

extension Router {
    /// The router of a configuration.
    fileprivate convenience init(
        _ configuration: Configuration, _ upstreams: ConfiguredUpstreams, labels: RouteLabels, probes: [Route],
        metrics: MetricsRoute, log: Log
    ) {
        let tweets = configuration.tweets.upstreams.compactMap { upstreams.tweets[$0] }
        let routes = ServiceRoutes(
            configuration, forecasts: configuration.weather.upstreams.compactMap { upstreams.forecasts[$0] },
            tweets: tweets, dialects: tweets.map(\.dialect), mapped: upstreams.mapped, cache: upstreams.cache,
            probes: probes, metrics: metrics,
            log: log)
        let server = configuration.server
        self.init(
            routes.all, labels: labels, cache: upstreams.cache,
            crossOrigin: CrossOrigin(server.cors.origins, maximumAgeSeconds: server.cors.maximumAgeSeconds),
            notesPaths: server.accessLog.settings != nil)
    }
}

/// The upstreams of a configuration by their names, without those that lack an optional key, and the running samples.
private struct ConfiguredUpstreams {
    private(set) var forecasts: [String: ForecastUpstream] = [:]
    private(set) var tweets: [String: TweetUpstream] = [:]
    /// The configured routes that have an upstream.
    private(set) var mapped: [(route: MappedRoute, upstreams: [MappedUpstream])] = []
    let samples: [SampleUpstream]
    /// The cache of documents; nil if none are kept.
    let cache: DocumentCache?

    init(
        _ configuration: Configuration, _ keys: [KeyReading], _ file: ConfigurationFile, _ registry: UpstreamRegistry,
        _ log: Log, _ clock: Clock
    ) throws {
        var available: [(settings: UpstreamConfiguration, credentials: Credentials, sample: SampleUpstream?)] = []
        // First, because a sample can fail, and the registry takes new limits over at once.
        for (settings, key) in zip(configuration.upstreams, keys) {
            switch key {
            case .credentials(let credentials):
                let sample = try settings.sample.map { try SampleUpstream(folder: file.resolve($0), clock: clock) }
                available.append((settings, credentials, sample))
            case .missing(let reason):
                log.write(.info, "upstream left out", ["upstream": settings.name, "reason": reason])
            }
        }
        samples = available.compactMap(\.sample)
        let keeps = configuration.cache.maximumBytes > 0
        cache = keeps ? registry.cache : nil
        let routes = configuration.mappedRoutes
        let keptFields = Set(routes.flatMap(\.fetches).flatMap(\.neededFields))
        var ofRoutes: [Int: [(entry: Int, upstream: MappedUpstream)]] = [:]
        for (settings, credentials, sample) in available {
            if let sample {
                log.write(.info, "sample upstream started", ["upstream": settings.name, "url": sample.baseURL])
            }
            let baseURL = sample?.baseURL ?? settings.baseURL ?? ""
            // Not that of the past: forecasts wait for the same token.
            let tokenDeadline = min(settings.deadlineMilliseconds, configuration.fetching.deadlineMilliseconds)
            func makeUpstream(
                _ settings: UpstreamConfiguration, _ baseURL: String, _ policy: CachePolicy?
            ) -> Upstream {
                Upstream(
                    settings, baseURL: baseURL, server: sample, credentials: credentials,
                    reread: { settings.reread(in: file) }, log: log, registry: registry,
                    connection: settings.connectionPolicy(to: baseURL, in: file),
                    tokenConnection: settings.tokenConnectionPolicy(in: file),
                    tokenDeadline: .milliseconds(tokenDeadline),
                    caching: Caching(cache: registry.cache, policy: keeps ? policy : nil))
            }
            let caches = configuration.cache
            let dialect = settings.knownDialect
            let upstream = makeUpstream(
                settings, baseURL, dialect is TweetDialect ? caches.tweets.policy : caches.weather.policy)
            if let dialect = dialect as? ForecastDialect {
                let sites = settings.forecastSites(of: dialect, at: baseURL).map { site, url in
                    (
                        site: site,
                        upstream: site.isPast
                            ? makeUpstream(settings.forHistory(at: url), url, caches.history.policy) : upstream
                    )
                }
                forecasts[settings.name] = ForecastUpstream(
                    upstream: upstream, sites: sites, dialect: dialect, settings: settings,
                    coordinateDigits: configuration.weather.coordinateDigits)
            } else if let dialect = dialect as? TweetDialect {
                tweets[settings.name] = TweetUpstream(upstream: upstream, dialect: dialect)
            }
            for (number, route) in routes.enumerated() {
                // The upstream has one state for all routes, and the cache policy of each.
                for (entry, fetch) in route.fetches.enumerated() where fetch.upstream == settings.name {
                    let mapped = MappedUpstream(
                        fetch, entry: entry,
                        upstream: makeUpstream(settings, baseURL, route.description.cachePolicy),
                        keptFields: keptFields, keyLocation: settings.keyLocation)
                    ofRoutes[number, default: []].append((entry, mapped))
                }
            }
        }
        for (number, route) in routes.enumerated() {
            // In the order of failover.
            let entries = (ofRoutes[number] ?? []).sorted { $0.entry < $1.entry }
            if !entries.isEmpty { mapped.append((route, entries.map(\.upstream))) }
        }
    }
}

extension ConfiguredUpstreams {
    /// Returns how the documents of an upstream at an address are kept; nil if the configuration has no such upstream.
    fileprivate func policy(_ key: DocumentKey) -> CachePolicy? {
        var sites: [Upstream] = forecasts[key.upstream]?.sites.map(\.upstream) ?? []
        if let tweets = tweets[key.upstream] { sites.append(tweets.upstream) }
        for (_, upstreams) in mapped { sites += upstreams.map(\.upstream).filter { $0.name == key.upstream } }
        return sites.first { $0.address == key.address }?.caching?.policy
    }
}

extension LineWriter {
    /// A writer of the access log, which reports the lines that it drops to `log`.
    fileprivate static func standardOutput(maximumBytes: Int, _ log: Log) -> LineWriter {
        standardOutput(maximumBytes: maximumBytes) { lost in
            log.write(.warning, "access log lines dropped", ["lines": "\(lost)"])
        }
    }
}
