import Contracts
public import EventLoop
import HTTPClient
import HTTPCore
import HTTPServer
import LenientCoding

/// The whole service: event loops, upstreams, routes and the server in front of them.
public final class Service: Sendable {
    private let lifecycle = Lifecycle()
    /// The event loops.
    public let shards: [Shard]
    private let clients: [Client]
    private let samples: [SampleUpstream]
    private let server: Server
    private let drainDelay: Duration

    /// Builds the service and listens; it accepts nothing yet.
    ///
    /// Folders of samples are relative to `folder`.
    /// - Throws: `SystemError` when it cannot listen, `ConfigurationError` when a key or a sample is not there.
    public init(_ configuration: Configuration, file: String, log: Log) throws {
        guard let address = SocketAddress(configuration.listen) else {
            throw ConfigurationError(file: file, faults: ["listen must be HOST:PORT or unix:PATH"])
        }
        let keys = try configuration.readKeys(file: file)
        shards = try (0..<(configuration.shards ?? Processors.available)).map { try Shard(index: $0) }
        let clients = shards.map { Client(on: $0) }
        self.clients = clients
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
        var samples: [SampleUpstream] = []
        var upstreams: [String: Upstream] = [:]
        for (upstream, reading) in zip(configuration.upstreams, keys) {
            var key: Secret?
            switch reading {
            case .none: break
            case .key(let secret): key = secret
            case .missing(let reason):
                log.write(.info, "upstream left out", ["upstream": upstream.name, "reason": reason])
                continue
            }
            var baseURL = upstream.baseURL
            if let name = upstream.sample {
                let sample = try SampleUpstream(folder: name.hasPrefix("/") ? name : "\(folder)/\(name)")
                log.write(.info, "sample upstream started", ["upstream": upstream.name, "url": sample.baseURL])
                samples.append(sample)
                baseURL = sample.baseURL
            }
            upstreams[upstream.name] = Upstream(upstream, baseURL: baseURL ?? "", key: key, log: log)
        }
        self.samples = samples
        let weather = configuration.weather
        func ordered<Kind>(
            _ names: [String], _ make: (UpstreamConfiguration, Upstream?) -> Kind?
        ) -> UpstreamOrder<Kind> {
            let found = names.compactMap { name in
                configuration.upstreams.first { $0.name == name }.flatMap { make($0, upstreams[name]) }
            }
            return UpstreamOrder(upstreams: found, clients: clients, log: log)
        }
        let source = ordered(weather.upstreams) {
            ForecastUpstream($0, $1, coordinateDigits: weather.coordinateDigits)
        }
        let tweets = ordered(configuration.tweets.upstreams) { TweetUpstream($0, $1) }
        // The configuration has been checked: the units are some.
        let units = Shaping.Units(weather.units) ?? .system(.si)
        let routes = [WeatherRoute(source: source, units: units).route, DarkSkyRoute(source: source).route]
        let tweetRoutes = tweets.upstreams.isEmpty ? [] : TweetRoutes(source: tweets).all
        let examples = [WeatherRoute.example] + (tweetRoutes.isEmpty ? [] : [TweetRoutes.example]) + ["/readyz"]
        let router = Router(routes + tweetRoutes + HealthRoutes.all(lifecycle), examples: examples)
        server = try Server(address, shards: shards, handler: router, options: configuration.server.options)
        drainDelay = .milliseconds(configuration.server.drainDelay)
    }

    /// Where the service listens, with the port that was chosen where 0 was asked for.
    public var address: SocketAddress { server.address }

    /// How many event loops there are.
    public var shardCount: Int { shards.count }

    /// Accepts requests from now on.
    public func start() {
        for shard in shards { shard.start() }
        server.start()
        lifecycle.enter(.serving)
    }

    /// Says no on `/readyz` for the drain delay, then lets requests in flight finish and stops.
    /// - Returns: the number of connections that were cut because their requests took too long.
    public func drain() async -> Int {
        lifecycle.enter(.draining)
        // A sleep that is cut short only shortens the delay.
        if drainDelay > .zero { try? await Task.sleep(for: drainDelay) }
        let cut = await server.drain()
        for client in clients { client.stop() }
        for sample in samples { await sample.stop() }
        for shard in shards { shard.stop() }
        return cut
    }

    /// Ends every connection at once; a `drain` that is under way then ends too.
    public func cut() { server.cut() }
}

extension Upstream {
    init(_ configuration: UpstreamConfiguration, baseURL: String, key: Secret?, log: Log) {
        name = configuration.name
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.key = key
        deadline = .milliseconds(configuration.deadline)
        maximumBytes = configuration.maximumBytes
        self.log = log
    }
}

// The configuration has been checked: the dialects are those of the routes that name them. An upstream that lacks its
// optional key is not there.
extension ForecastUpstream {
    init?(_ configuration: UpstreamConfiguration, _ upstream: Upstream?, coordinateDigits: Int) {
        guard let upstream, let dialect = Dialect.named(configuration.dialect) else { return nil }
        let units = UnitSystem(rawValue: configuration.units) ?? .si
        self.init(upstream: upstream, dialect: dialect, units: units, coordinateDigits: coordinateDigits)
    }
}

extension TweetUpstream {
    init?(_ configuration: UpstreamConfiguration, _ upstream: Upstream?) {
        guard let upstream, let dialect = TweetDialect.named(configuration.dialect) else { return nil }
        self.init(upstream: upstream, dialect: dialect)
    }
}
