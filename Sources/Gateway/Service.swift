import Contracts
public import EventLoop
import HTTPClient
import HTTPCore
import HTTPServer
import LenientCoding

/// The service: event loops, upstreams, routes and the server.
public final class Service: Sendable {
    private let lifecycle = Lifecycle()
    /// The event loops.
    public let shards: [Shard]
    private let clients: [Client]
    private let samples: [SampleUpstream]
    private let registry: UpstreamRegistry
    private let server: Server
    private let drainDelay: Duration
    private let log: Log

    /// Builds the service and listens, without accepting connections yet.
    ///
    /// `file` is the source of `configuration`: sample folders are relative to it, and errors name it. `registry` holds
    /// what is known about the upstreams, so that a new service can continue with it; a new one without it.
    /// - Throws: `SystemError` if it cannot listen, `ConfigurationError` if a key or a sample does not exist.
    public init(
        _ configuration: Configuration, from file: ConfigurationFile, log: Log, registry: UpstreamRegistry? = nil
    ) throws {
        guard let address = SocketAddress(configuration.listen) else { throw file.error(configuration.faults) }
        let keys = try configuration.readKeys(in: file)
        shards = try (0..<(configuration.shards ?? Processors.available)).map { try Shard(index: $0) }
        // As many as all upstreams may use: one that is slow leaves the others their part.
        let transfers = configuration.upstreams.reduce(0) { $0 + $1.maximumConcurrent }
        let connections = configuration.fetching.maximumConnections
        clients = shards.map { Client(on: $0, maximumActive: transfers, maximumConnections: connections) }
        let registry =
            registry
            ?? UpstreamRegistry(
                maximumBodyBytes: configuration.fetching.maximumBodyBytes,
                quotaPath: configuration.fetching.quotaFile.map { file.resolve($0) }, log: log)
        (self.registry, self.log) = (registry, log)
        let upstreams = try ConfiguredUpstreams(configuration, keys, file, registry, log)
        samples = upstreams.samples
        let deadline = Duration.milliseconds(configuration.fetching.deadlineMilliseconds)
        let forecasts = FailoverChain(
            upstreams: configuration.weather.upstreams.compactMap { upstreams.forecasts[$0] }, clients: clients,
            deadline: deadline, logsEveryRequest: configuration.fetching.logsEveryRequest, log: log)
        let tweets = FailoverChain(
            upstreams: configuration.tweets.upstreams.compactMap { upstreams.tweets[$0] }, clients: clients,
            deadline: deadline, logsEveryRequest: configuration.fetching.logsEveryRequest, log: log)
        // Units were validated at load; this fallback is unreachable.
        let units = Shaping.Units(configuration.weather.units) ?? .system(.si)
        var routes = [WeatherRoute(chain: forecasts, units: units).route, DarkSkyRoute(chain: forecasts).route]
        var examples = [WeatherRoute.example]
        if !tweets.upstreams.isEmpty {
            routes += TweetRoutes(chain: tweets).all
            examples.append(TweetRoutes.example)
        }
        let router = Router(routes + HealthRoutes.all(lifecycle), examples: examples + ["/readyz"])
        server = try Server(address, shards: shards, handler: router, options: configuration.server.options)
        drainDelay = .milliseconds(configuration.server.drainDelayMilliseconds)
    }

    /// The address on which the service listens, with the port that the system chose if 0 was configured.
    public var address: SocketAddress { server.address }

    /// Starts accepting requests.
    public func start() {
        for shard in shards { shard.start() }
        server.start()
        lifecycle.enter(.serving)
    }

    /// Answers 503 on `/readyz` for the drain delay, then lets requests in flight finish and stops.
    /// - Returns: the number of connections that were closed because their requests took too long.
    public func drain() async -> Int {
        lifecycle.enter(.draining)
        // A cancelled sleep only shortens the delay.
        if drainDelay > .zero { try? await Task.sleep(for: drainDelay) }
        let cut = await server.drain()
        for client in clients { client.stop() }
        for sample in samples { await sample.stop() }
        for shard in shards { shard.stop() }
        registry.finish(log)
        return cut
    }

    /// Closes every connection at once, which also ends a `drain` in progress.
    public func cut() { server.cut() }
}

/// The upstreams of a configuration by their names, without those that lack an optional key, and the running samples.
private struct ConfiguredUpstreams {
    private(set) var forecasts: [String: ForecastUpstream] = [:]
    private(set) var tweets: [String: TweetUpstream] = [:]
    private(set) var samples: [SampleUpstream] = []

    init(
        _ configuration: Configuration, _ keys: [KeyReading], _ file: ConfigurationFile, _ registry: UpstreamRegistry,
        _ log: Log
    ) throws {
        for (settings, key) in zip(configuration.upstreams, keys) {
            let credentials: Credentials
            switch key {
            case .credentials(let value): credentials = value
            case .missing(let reason):
                log.write(.info, "upstream left out", ["upstream": settings.name, "reason": reason])
                continue
            }
            var baseURL = settings.baseURL ?? ""
            if let folder = settings.sample {
                let sample = try SampleUpstream(folder: file.resolve(folder))
                log.write(.info, "sample upstream started", ["upstream": settings.name, "url": sample.baseURL])
                samples.append(sample)
                baseURL = sample.baseURL
            }
            let connection = (try? BaseURL(baseURL)).map { settings.connectionPolicy(for: $0, in: file) }
            let upstream = Upstream(
                settings, baseURL: baseURL, credentials: credentials, log: log, registry: registry,
                connection: connection ?? .standard)
            if let dialect = Dialect.named(settings.dialect) {
                forecasts[settings.name] = ForecastUpstream(
                    upstream: upstream, dialect: dialect, units: UnitSystem(rawValue: settings.units) ?? .si,
                    coordinateDigits: configuration.weather.coordinateDigits)
            } else if let dialect = TweetDialect.named(settings.dialect) {
                tweets[settings.name] = TweetUpstream(upstream: upstream, dialect: dialect)
            }
        }
    }
}
