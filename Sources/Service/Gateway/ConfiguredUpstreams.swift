import Configuration
import Contracts
import EventLoop
import Forecast
import HTTPCore
import Routing
import Samples
import Telemetry
import Tweets
import Upstreams

/// The upstreams of a configuration by their names, without those that lack an optional key, and the running samples.
struct ConfiguredUpstreams {
    private(set) var forecasts: [String: ForecastUpstream] = [:]
    private(set) var tweets: [String: TweetUpstream] = [:]
    /// The configured routes that have an upstream.
    private(set) var mapped: [(route: MappedRoute, upstreams: [MappedUpstream])] = []
    let samples: [SampleUpstream]
    /// The upstreams at their own addresses that are to be asked while no client asks them.
    private(set) var probed: [Upstream] = []
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
                log.write(.warning, "upstream left out", ["upstream": settings.name, "reason": reason])
            }
        }
        samples = available.compactMap(\.sample)
        let names = Set(available.map(\.settings.name))
        registry.configured = configuration.upstreams.map { ($0.name, names.contains($0.name)) }
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
            if upstream.probeInterval > .zero { probed.append(upstream) }
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
                        fetch,
                        upstream: makeUpstream(settings, baseURL, route.description.cachePolicy),
                        keptFields: keptFields, keyLocation: settings.keyLocation)
                    ofRoutes[number, default: []].append((entry, mapped))
                }
            }
        }
        for (number, route) in routes.enumerated() {
            // In the order of failover.
            let upstreams = (ofRoutes[number] ?? []).sorted { $0.entry < $1.entry }.map(\.upstream)
            if route.canAnswer(with: upstreams) { mapped.append((route, upstreams)) }
        }
    }
}

extension ConfiguredUpstreams {
    /// Returns how the documents of an upstream at an address are kept; nil if the configuration has no such upstream.
    func policy(_ key: DocumentKey) -> CachePolicy? {
        var sites: [Upstream] = forecasts[key.upstream]?.sites.map(\.upstream) ?? []
        if let tweets = tweets[key.upstream] { sites.append(tweets.upstream) }
        for (_, upstreams) in mapped { sites += upstreams.map(\.upstream).filter { $0.name == key.upstream } }
        return sites.first { $0.address == key.address }?.caching?.policy
    }
}
