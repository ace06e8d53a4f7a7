import Settings
import API
import EventLoop
import Contracts
import HTTPCore
import Operations
import Proxy

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
    /// How documents are kept, for each kind of request to an address.
    private var policies: [(upstream: Upstream, address: UpstreamAddress, policy: CachePolicy)] = []

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
        var credentialKey: Secret?
        if case .key(let key)? = try? configuration.cache.credentialKey?.readWord(in: file) { credentialKey = key }
        let keptFields = Set(routes.flatMap(\.fetches).flatMap(\.neededFields))
        var ofRoutes: [Int: [(entry: Int, upstream: MappedUpstream)]] = [:]
        for (settings, credentials, sample) in available {
            if let sample {
                log.write(.info, "sample upstream started", ["upstream": settings.name, "url": sample.baseURL])
            }
            let baseURL = sample?.baseURL ?? settings.baseURL ?? ""
            // Not that of the past: forecasts wait for the same token.
            let tokenDeadline = min(settings.deadlineMilliseconds, configuration.fetching.deadlineMilliseconds)
            let dialect = settings.knownDialect
            let sites = (dialect as? ForecastDialect).map { settings.forecastSites(of: $0, at: baseURL) } ?? []
            let others = sites.dropFirst().map { site, url in
                (
                    site: site,
                    address: UpstreamAddress(settings, baseURL: url, settings.connectionPolicy(to: url, in: file))
                )
            }
            let upstream = Upstream(
                settings, baseURL: baseURL, others: others.map(\.address), server: sample, credentials: credentials,
                reread: { settings.reread(in: file) }, log: log, registry: registry,
                connection: settings.connectionPolicy(to: baseURL, in: file),
                tokenConnection: settings.tokenConnectionPolicy(in: file),
                tokenDeadline: .milliseconds(tokenDeadline), cache: registry.cache)
            if upstream.probeInterval > .zero { probed.append(upstream) }
            func kept(_ address: UpstreamAddress, _ policy: CachePolicy?) -> CachePolicy? {
                guard keeps, let policy else { return nil }
                policies.append((upstream, address, policy))
                return policy
            }
            let caches = configuration.cache
            if let dialect = dialect as? ForecastDialect {
                let own = ForecastUpstream.Place(
                    sites[0].site, upstream.address, .forecast, kept(upstream.address, caches.weather.policy),
                    upstream.deadline)
                let places = others.map { site, address in
                    ForecastUpstream.Place(
                        site, address, .history, kept(address, CacheConfiguration.ofHistory.policy),
                        UpstreamConfiguration.historyDeadline)
                }
                forecasts[settings.name] = ForecastUpstream(
                    upstream: upstream, places: [own] + places, dialect: dialect, settings: settings,
                    coordinateDigits: configuration.weather.coordinateDigits)
            } else if let dialect = dialect as? TweetDialect {
                tweets[settings.name] = TweetUpstream(
                    upstream: upstream, dialect: dialect, mapping: settings.mapping as? TweetMapping,
                    policy: kept(upstream.address, caches.tweets.policy))
            }
            for (number, route) in routes.enumerated() {
                for (entry, fetch) in route.fetches.enumerated() where fetch.upstream == settings.name {
                    let mapped = MappedUpstream(
                        fetch, upstream: upstream, policy: kept(upstream.address, route.description.cachePolicy),
                        keptFields: keptFields, keyLocation: settings.keyLocation,
                        credentialKey: credentialKey)
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
        policies.first { upstream, address, _ in
            upstream.name == key.upstream && upstream.checksum(of: address) == key.address
        }?.policy
    }
}

extension RequestKind {
    /// The kinds that need no configuration.
    static let builtIn = ofForecasts + ofTweets + [.probe]
}
