public import Settings
import API
public import Proxy
public import EventLoop
import Contracts
import HTTPClient
public import HTTPCore
import HTTPServer
import Records
import Store
import Synchronization
public import Operations

/// The service: event loops, upstreams, routes and the server.
public final class Service: Sendable {
    /// What a reload replaces.
    private struct Current {
        var configuration: Configuration
        var samples: [SampleUpstream]
        var keys: [KeyReading]
        var tls: TLSContext?
        /// The upstreams that are asked while no client asks them.
        var probed: [Upstream]
        var probes: IdleProbes?
    }

    /// The time at the end in which the reader of the access log must take the last lines.
    private static let flushTime = Duration.seconds(1)
    /// The lines of the access log that may wait for a slow reader: about a second of them; further ones are dropped.
    private static let waitingLogBytes = 1 << 20

    private let lifecycle = Lifecycle()
    /// The event loops.
    public let shards: [Shard]
    private let contexts: [ShardContext]
    private let sources: FigureSources
    private let limits: LimitLedger
    private let operations: OperationsRoutes
    private let reloads: Reloads
    let registry: UpstreamRegistry
    private let handler: ServiceHandler
    private let server: Server
    /// The handler of the address for operators.
    private let operationsHandler: ServiceHandler
    /// The configuration of the start, with the number of shards: its fixed settings are in force until the end.
    private let initial: Configuration
    private let current: Mutex<Current>
    /// Exchange the counts of shared quotas and of clients under limits with the other replicas.
    private let balancing = Mutex<[Task<Void, Never>]>([])
    private let snapshot: DocumentSnapshot?
    private let memory: MemoryWatch?
    private let log: Log
    private let clock: Clock

    /// Builds the service and listens, without accepting connections yet.
    ///
    /// `file` is the source of `configuration`: sample folders are relative to it, and errors name it. `registry` holds
    /// what is known about the upstreams, so that a new service can continue with it; a new one without it. `output`
    /// takes the lines of the access log instead of standard output, `clock` stands for the clocks of the system,
    /// `memory` is the limit of the container, and `replicas` stand for the store of the configuration.
    /// - Throws: `SystemError` if it cannot listen, `ConfigurationError` if a key or a sample does not exist, or the
    ///   certificate cannot be used.
    public init(
        _ configuration: Configuration, from file: ConfigurationFile, log: Log, registry: UpstreamRegistry? = nil,
        shared replicas: SharedReplicas? = nil, output: LineWriter? = nil, clock: Clock = .system,
        memory: MemoryLimit? = MemoryLimit()
    ) throws {
        let addresses = configuration.listen.addresses
        guard addresses.count == configuration.listen.texts.count else {
            throw file.error(ConfigurationChecks(configuration).faults())
        }
        let keys = try configuration.readKeys(in: file)
        log.setLeastLevel(configuration.leastLevel)
        for warning in configuration.retired { log.write(.warning, "setting retired", ["detail": warning]) }
        let tls = try configuration.readCertificate(in: file, now: clock.seconds) {
            log.write(.warning, "certificate not valid", ["detail": $0])
        }
        shards = try (0..<(configuration.shards ?? Processors.available)).map { try Shard(index: $0) }
        let accessLog = output ?? .standardOutput(maximumBytes: Self.waitingLogBytes, log)
        let settings = configuration.accessLog
        let logSwitch = AccessLogSwitch(isOn: settings != nil)
        let memoBytes = configuration.cache.maximumBytes / TargetCache.share / shards.count
        let labels = RouteLabels()
        let tracer = try configuration.tracer(in: file, on: shards[0], log)
        contexts = shards.map { shard in
            let client = Client(on: shard, maximumConnections: configuration.maximumConnections)
            let lines = AccessLogBuffer(
                settings ?? AccessLogSettings(), writer: accessLog, logSwitch, clock: clock)
            return ShardContext(
                shard, client: client, clock: clock, log: lines, tracer: tracer, labels: labels, memoBytes: memoBytes)
        }
        let redis = try configuration.readShared(in: file).map { [shards] in RedisStore($0, on: shards, log: log) }
        let sharing = configuration.shared ?? SharedConfiguration()
        let replicas =
            replicas
            ?? redis.map { store in
                SharedReplicas(
                    store, replicas: sharing.replicas, onLoss: .init(rawValue: sharing.onLoss) ?? .share)
            }
        let registry =
            registry
            ?? UpstreamRegistry(
                shared: replicas, maximumBodyBytes: configuration.fetching.maximumBodyBytes,
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
                    log: log, clock: clock)
            }
        snapshot?.restore(upstreams.policy)
        reloads = Reloads(try ConfigurationReport(configuration, keys, file, takenAt: clock.milliseconds()), file)
        limits = LimitLedger(
            bytes: memory.map { $0.bytes / 64 } ?? ClientTable.mostBytes, shared: registry.shared, log: log)
        sources = FigureSources(
            lifecycle: lifecycle, contexts: contexts, registry: registry, limits: limits,
            interventions: Interventions(registry, labels: labels, log: log, accessLog: logSwitch),
            memoryLimit: memory?.bytes,
            maximumCacheBytes: configuration.cache.maximumBytes, addresses: configuration.addresses, log: log,
            accessLog: accessLog, reloads: reloads, shared: redis, snapshot: snapshot, tracer: tracer)
        sources.certificate.replace(with: tls)
        operations = OperationsRoutes(sources)
        handler = ServiceHandler(
            Router(configuration, upstreams, labels: labels, operations, limits, log: log), on: contexts)
        operationsHandler = ServiceHandler(
            Router(operations, configuration.server, labels: labels), on: contexts)
        sources.interventions.serve(handler)
        var initial = configuration
        initial.shards = shards.count
        self.initial = initial
        current = Mutex(
            Current(
                configuration: configuration, samples: upstreams.samples, keys: keys, tls: tls, probed: upstreams.probed
            ))
        let listeners = configuration.listeners(as: configuration.server, tls, handler, operationsHandler)
        var options = configuration.server.options
        options.upstreamFiles = shards.count * (configuration.maximumConnections + (redis == nil ? 0 : 1))
        if tracer != nil { options.upstreamFiles += 1 }
        // Half of the memory stays free for the bodies of upstreams.
        let untaken = UntakenOutput(maximum: configuration.fetching.maximumBodyBytes / 2) { [registry] change in
            registry.note(untaken: change)
        }
        server = try Server(
            listeners, shards: shards, options: options, untaken: untaken, seconds: { clock.seconds })
        self.memory = memory.map { [server] in MemoryWatch($0, registry, server, log) }
        self.memory?.begin(configuration)
        if server.maximumConnections < options.maximumConnections {
            log.write(
                .warning, "fewer connections than configured",
                ["maximumConnections": server.maximumConnections, "openFiles": OpenFileLimit.current])
        }
        reloads.serve(self)
    }

    /// The first address on which the service listens, with the port that the system chose if 0 was configured.
    public var address: SocketAddress { server.address }

    /// The addresses on which the service listens for clients.
    public var addresses: [SocketAddress] { server.addresses(forOperators: false) }

    /// The address for operators alone, if one is configured.
    public var operationsAddress: SocketAddress? { server.addresses(forOperators: true).first }

    /// Starts accepting requests.
    public func start() {
        for shard in shards { shard.start() }
        sources.shared?.start()
        server.start()
        snapshot?.start()
        memory?.start()
        current.withLock { $0.probes = IdleProbes($0.probed, on: contexts[0]) }
        if registry.shared != nil { balancing.withLock { $0 = balance() } }
        lifecycle.enter(.serving)
    }

    /// Reads the configuration's file again, with the keys and the certificate that are in their files now, and takes the
    /// configuration over, or keeps the old one if the new one has a fault.
    ///
    /// Connections stay open, requests in flight end as they began, and what is known about the upstreams stays known. Call
    /// it after `start`; reloads run one after another. The log and `/-/config` say how the reload ended.
    public func reload() async { _ = await reloads.run() }

    /// Takes over a configuration, unless it is the one in use.
    /// - Returns: The settings that have changed; nil if the configuration, its keys and its certificate are those in use.
    /// - Throws: `ConfigurationError` if a key or a sample does not exist, or the certificate cannot be used; `SystemError`
    ///   if the service cannot listen at a new address.
    func take(
        _ configuration: Configuration, _ keys: [KeyReading], from file: ConfigurationFile
    ) async throws -> [String]? {
        let old = current.withLock(\.self)
        // A process that starts without TLS has none until its end, and one that starts with TLS always has it.
        let read = try configuration.readCertificate(in: file, now: clock.seconds) {
            log.write(.warning, "certificate not valid", ["detail": $0])
        }
        let tls = old.tls == nil ? nil : read ?? old.tls
        let changed = Configuration.schema.descriptions.differences(
            of: configuration.json ?? .null, from: old.configuration.json ?? .null)
        if changed.isEmpty, keys == old.keys, tls?.identity == old.tls?.identity {
            sources.interventions.end(.reload)
            return nil
        }
        let listeners = try server.prepare(configuration.listeners(as: initial.server, tls, handler, operationsHandler))
        var running = configuration
        running.cache.maximumBytes = initial.cache.maximumBytes
        let upstreams: ConfiguredUpstreams
        do { upstreams = try ConfiguredUpstreams(running, keys, file, registry, log, clock) } catch {
            listeners.discard()
            throw error
        }
        if let tls {
            server.replace(tls)
            sources.certificate.replace(with: tls)
        }
        sources.interventions.end(.reload)
        log.setLeastLevel(configuration.leastLevel)
        for warning in configuration.retired { log.write(.warning, "setting retired", ["detail": warning]) }
        // Before requests can need more connections.
        for context in contexts {
            context.client.resize(maximumConnections: configuration.maximumConnections)
        }
        await handler.replace(
            with: Router(configuration, upstreams, labels: contexts[0].labels, operations, limits, log: log))
        await operationsHandler.replace(
            with: Router(operations, configuration.server, labels: contexts[0].labels))
        current.withLock { current in
            current.probes?.cancel()
            current = Current(
                configuration: configuration, samples: upstreams.samples, keys: keys, tls: tls,
                probed: upstreams.probed,
                probes: IdleProbes(upstreams.probed, on: contexts[0]))
        }
        let (added, removed) = server.use(listeners)
        for address in added { log.write(.info, "listening", ["address": "\(address)"]) }
        for address in removed { log.write(.info, "listening no more", ["address": "\(address)"]) }
        return changed.map(\.setting)
    }

    /// Why no configuration can be taken over; nil if one can.
    var stops: Bool { lifecycle.stage == .draining }

    /// Returns the settings of `configuration` that need another process.
    func settingsForRestart(of configuration: Configuration) -> [String] {
        configuration.fixedSettings(unlike: initial)
    }

    /// Writes to the log of the service.
    func note(_ level: Log.Level, _ message: String, _ fields: KeyValuePairs<String, any LogValue>) {
        log.write(level, message, fields)
    }

    /// Answers 503 on `/readyz` for the drain delay, then lets requests in flight finish and stops.
    /// - Returns: the number of connections that were closed because their requests took too long.
    public func drain() async -> Int {
        lifecycle.enter(.draining)
        current.withLock { $0.probes?.cancel() }
        let delay = Duration.milliseconds(current.withLock { $0.configuration.server.drainDelayMilliseconds })
        // A cancelled sleep only shortens the delay.
        if delay > .zero { try? await Task.sleep(for: delay) }
        let cut = await server.drain()
        let grace = current.withLock { $0.configuration.server.drainGrace }
        await registry.cache.coalesced.settle(until: MonotonicTime.now + grace, on: shards[0])
        for task in balancing.withLock(\.self) { task.cancel() }
        await registry.balanceQuotas(isEnding: true, on: shards[0])
        await contexts.flushLogs()
        await sources.tracer?.finish()
        sources.accessLog?.flush(within: Self.flushTime)
        for context in contexts { context.client.stop() }
        sources.shared?.stop()
        for sample in current.withLock({ $0.samples }) { await sample.stop() }
        for shard in shards { shard.stop() }
        snapshot?.finish()
        registry.finish(log)
        return cut
    }

    private func balance() -> [Task<Void, Never>] {
        func every(_ milliseconds: Int, _ body: @escaping @Sendable (Shard) async -> Void) -> Task<Void, Never> {
            Task(executorPreference: shards[0]) { [shard = shards[0]] in
                // A cancelled sleep is the end.
                while (try? await Task.sleep(for: .milliseconds(milliseconds))) != nil { await body(shard) }
            }
        }
        return [
            every(500) { [registry] in await registry.balanceQuotas(on: $0) },
            every(100) { [limits] in await limits.exchange(on: $0) },
        ]
    }

    /// Closes every connection at once, which also ends a `drain` in progress.
    public func cut() {
        server.cut()
        registry.cache.coalesced.cancel()
    }
}

extension Configuration {
    /// The connections that an event loop keeps: as many as all upstreams have requests.
    fileprivate var maximumConnections: Int { upstreams.reduce(0) { $0 + $1.maximumConcurrent } }

    /// The places of the credentials of clients in requests to the route with this template.
    fileprivate func credentialPlaces(_ template: String) -> [CredentialPlace] {
        let parameters = routes.first { $0.path == template }?.parameters ?? [:]
        return parameters.filter { $0.value.credential == true }.sorted { $0.key < $1.key }.map { name, parameter in
            parameter.header.map { .field($0) } ?? .member(name)
        }
    }

    /// The listeners for clients, with the settings of `server`, and the one for operators.
    fileprivate func listeners(
        as server: ServerConfiguration, _ tls: TLSContext?, _ handler: ServiceHandler, _ operations: ServiceHandler
    ) -> [Listener] {
        let clients = listen.addresses.map { server.listener(at: $0, tls, handler) }
        let operators = self.server.operationsListen.flatMap(SocketAddress.init).map {
            Listener($0, handler: operations, isForOperators: true)
        }
        return clients + [operators].compactMap(\.self)
    }

    /// The settings that differ from those of `initial`, and that a process takes at its start only.
    fileprivate func fixedSettings(unlike initial: Configuration) -> [String] {
        let (new, old) = (withShards.json ?? .null, initial.withShards.json ?? .null)
        let differences = Self.schema.descriptions.differences(of: new, from: old)
        var names = differences.filter(\.isFixed).map(\.setting)
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

extension Router {
    /// The router of a configuration.
    convenience init(
        _ configuration: Configuration, _ upstreams: ConfiguredUpstreams, labels: RouteLabels,
        _ operations: OperationsRoutes, _ ledger: LimitLedger, log: Log
    ) {
        let tweets = configuration.tweetUpstreams.compactMap { upstreams.tweets[$0] }
        let routes = ServiceRoutes(
            configuration, forecasts: configuration.weather.upstreams.compactMap { upstreams.forecasts[$0] },
            tweets: tweets, dialects: tweets.map(\.dialect), mapped: upstreams.mapped, cache: upstreams.cache,
            operations: operations, log: log)
        let server = configuration.server, limits = ledger.limits(server.limits)
        self.init(
            routes.pages + routes.all, labels: labels, cache: upstreams.cache,
            crossOrigin: CrossOrigin(server.origins),
            access: OperationsAccess(hosts: server.hosts), notesPaths: true,
            pathPrefix: server.pathPrefix
        ) { template in
            RouteLimits(limits, of: template, template.map(configuration.credentialPlaces) ?? [])
        }
    }

    /// The router of the address for operators.
    fileprivate convenience init(_ operations: OperationsRoutes, _ server: ServerConfiguration, labels: RouteLabels) {
        self.init(operations.pages + operations.all, labels: labels, access: OperationsAccess(hosts: server.hosts))
    }
}

extension LineWriter {
    /// A writer of the access log, which reports the lines that it drops to `log`.
    fileprivate static func standardOutput(maximumBytes: Int, _ log: Log) -> LineWriter {
        standardOutput(maximumBytes: maximumBytes) { lost in
            log.write(.warning, "access log lines dropped", ["lines": lost])
        }
    }
}

extension ServerConfiguration {
    /// The listener for clients at `address`.
    func listener(at address: SocketAddress, _ tls: TLSContext?, _ handler: any RequestHandler) -> Listener {
        var listener = Listener(address, handler: handler)
        (listener.mode, listener.tls) = (mode, tls)
        listener.readsProxyHeader = readsProxyHeader
        listener.trustedProxies = TrustedProxies(
            trustedProxies.compactMap(ClientNetwork.init),
            field: TrustedProxies.Field(rawValue: forwardedField) ?? .xForwardedFor)
        return listener
    }
}
