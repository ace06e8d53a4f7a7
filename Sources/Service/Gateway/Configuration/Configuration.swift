import EventLoop
import JSONText

/// The settings of the service in its configuration file; unknown settings are errors.
public struct Configuration: Codable, Sendable {
    /// The addresses to listen on.
    public var listen = ListenAddresses("127.0.0.1:8080")
    /// The number of event loops, 1 to 128; nil for one per processor that the container may use.
    public var shards: Int?
    var server = ServerConfiguration()
    var fetching = FetchingConfiguration()
    var cache = CacheConfiguration()
    var upstreams: [UpstreamConfiguration] = []
    var weather = WeatherConfiguration()
    var tweets = TweetsConfiguration()

    /// Reads the settings; throws a list of all their faults.
    public init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        settings.read(&listen, .listen)
        shards = settings.optional(.shards, in: 1...Shard.maximumCount)
        settings.read(&server, .server)
        settings.read(&fetching, .fetching)
        settings.read(&cache, .cache)
        upstreams = settings.elements(.upstreams)
        weather = settings.required(.weather) ?? weather
        settings.read(&tweets, .tweets)
        try settings.finish()
    }
}

extension Configuration {
    /// The most threads beside those of event loops and processors: look-ups of host names, logs, the quota file, signals.
    private static let otherThreads = 12

    /// Checks that the process's limit of address space has room for the threads and the answers of upstreams.
    /// - Throws: `SystemError` if it does not: the service would hang.
    public func requireAddressSpace() throws {
        let processors = Processors.available
        let loops = (shards ?? processors) + upstreams.count { $0.sample != nil }
        try AddressSpaceLimit.require(
            threads: loops + 2 * processors + Self.otherThreads, bytes: fetching.maximumBodyBytes)
    }

    /// Checks that the process's limit of stacks has room for documents as deep as upstreams may send them.
    /// - Throws: `SystemError` if it does not: the service would crash.
    public func requireStacks() throws { try StackLimit.require(depth: upstreams.map(\.maximumDepth).max() ?? 0) }
}

/// The route `/weather`.
struct WeatherConfiguration: Codable, Sendable {
    /// The names of the upstreams, in order of failover.
    var upstreams: [String] = []
    /// The units for requests without the parameter `units`: si, us, ca, uk2 or auto.
    var units = "si"
    /// The number of decimals to which coordinates are rounded; three decimals of a degree are about 100 metres.
    var coordinateDigits = 3

    init() {}

    init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        upstreams = settings.elements(.upstreams)
        settings.read(&units, .units)
        settings.read(&coordinateDigits, .coordinateDigits, in: 0...7)
        try settings.finish()
    }
}

/// The tweet routes.
struct TweetsConfiguration: Codable, Sendable {
    /// The names of the upstreams, in order of failover; without any, the routes do not exist.
    var upstreams: [String] = []

    init() {}

    init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        upstreams = settings.elements(.upstreams)
        try settings.finish()
    }
}

/// An upstream: its address, its dialect and its limits.
struct UpstreamConfiguration: Codable, Sendable {
    /// The name that routes, log lines and problems use.
    var name = ""
    var dialect = ""
    /// The address, http or https without a query; with a path if the upstream is not at the root.
    var baseURL: String?
    /// The addresses for the past, if they differ from `baseURL`: those of Open-Meteo's historical forecast or Pirate
    /// Weather's time machine, and of Open-Meteo's archive.
    var historyURL: String?, archiveURL: String?
    /// Instead of an address: the folder of a sample upstream, relative to the configuration file.
    var sample: String?
    var key: KeyConfiguration?
    /// An `AuthorizationScheme`; nil for the dialect's default.
    var authorization: String?
    /// The name of the header field or parameter that carries the key.
    var keyName: String?
    /// The keys of OAuth 1.0a.
    var oauth1: OAuth1Configuration?
    /// The client credentials of OAuth 2.0.
    var oauth2: OAuth2Configuration?
    /// The key and the claims of JSON Web Tokens.
    var jwt: JWTConfiguration?
    /// The units to request: si, us, ca or uk2.
    var units = "si"
    /// The time zone and the country of the places, for an upstream that must be told; nil if they are not known.
    var timeZone: String?, countryCode: String?
    /// The weather model to ask for; nil for the upstream's choice.
    var model: String?
    /// The time limit of one try, including the time in the queue.
    var deadlineMilliseconds = 5000
    /// The time limit of one try at these addresses.
    var historyDeadlineMilliseconds = 30_000
    /// The requests under way at a time, over all event loops.
    var maximumConcurrent = 64
    /// Whether fewer are allowed while the upstream's transfers take longer than usual.
    var adaptsConcurrency = false
    /// The requests that may wait for one of those to end.
    var maximumWaiting = 1024
    var maximumWaitMilliseconds = 2000
    /// The extra requests for retries, in percent of the others.
    var retryPercent = 20
    /// Whether a second request is made beside one that takes longer than most.
    var hedges = false
    var breaker = BreakerConfiguration()
    var quota = QuotaConfiguration()
    /// Whether the upstream gets a traceparent: that of the client's trace, or of a new one.
    var forwardsTraceparent = false
    /// The time until there is a connection, with the look-up of the name and the TLS handshake.
    var connectTimeoutMilliseconds = 1000
    /// The time until the answer begins; nil for no limit but the deadline.
    var firstByteTimeoutMilliseconds: Int?
    /// The rate below which an answer is too slow; 0 for no limit but the deadline.
    var minimumBytesPerSecond = 0
    /// The largest header section of an answer.
    var maximumHeadBytes = 65_536, maximumHeadFields = 200
    var tls = TLSConfiguration()
    var connections = ConnectionsConfiguration()
    /// The Unix domain socket to connect to instead of the host.
    var unixSocket: String?
    /// The URL of a proxy.
    var proxy: String?
    /// Which redirects are followed: never or sameHost.
    var redirects = "never"
    /// Whether the host's name may lead to addresses inside of networks.
    var allowsPrivateAddresses = false
    /// The largest document in bytes, after decompression.
    var maximumBytes = 8 << 20
    /// The deepest nesting of arrays and objects in a document.
    var maximumDepth = 64

    init() {}

    init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        name = settings.required(.name) ?? name
        dialect = settings.required(.dialect) ?? dialect
        baseURL = settings.optional(.baseURL)
        historyURL = settings.optional(.historyURL)
        archiveURL = settings.optional(.archiveURL)
        sample = settings.optional(.sample)
        key = settings.optional(.key)
        authorization = settings.optional(.authorization)
        keyName = settings.optional(.keyName)
        oauth1 = settings.optional(.oauth1)
        oauth2 = settings.optional(.oauth2)
        jwt = settings.optional(.jwt)
        settings.read(&units, .units)
        timeZone = settings.optional(.timeZone)
        countryCode = settings.optional(.countryCode)
        model = settings.optional(.model)
        settings.read(&deadlineMilliseconds, .deadlineMilliseconds, in: 1...600_000)
        settings.read(&historyDeadlineMilliseconds, .historyDeadlineMilliseconds, in: 1...600_000)
        maximumConcurrent = settings.optional(.maximumConcurrent, in: 1...10_000) ?? defaultConcurrent
        settings.read(&adaptsConcurrency, .adaptsConcurrency)
        settings.read(&maximumWaiting, .maximumWaiting, in: 0...1_000_000)
        settings.read(&maximumWaitMilliseconds, .maximumWaitMilliseconds, in: 0...600_000)
        settings.read(&retryPercent, .retryPercent, in: 0...20)
        settings.read(&hedges, .hedges)
        settings.read(&breaker, .breaker)
        settings.read(&quota, .quota)
        settings.read(&forwardsTraceparent, .forwardsTraceparent)
        settings.read(&connectTimeoutMilliseconds, .connectTimeoutMilliseconds, in: 1...600_000)
        firstByteTimeoutMilliseconds = settings.optional(.firstByteTimeoutMilliseconds, in: 1...600_000)
        settings.read(&minimumBytesPerSecond, .minimumBytesPerSecond, in: 0...1_000_000_000)
        settings.read(&maximumHeadBytes, .maximumHeadBytes, in: 1024...262_144)
        settings.read(&maximumHeadFields, .maximumHeadFields, in: 1...10_000)
        settings.read(&tls, .tls)
        settings.read(&connections, .connections)
        unixSocket = settings.optional(.unixSocket)
        proxy = settings.optional(.proxy)
        settings.read(&redirects, .redirects)
        settings.read(&allowsPrivateAddresses, .allowsPrivateAddresses)
        settings.read(&maximumBytes, .maximumBytes, in: 1...268_435_455)
        settings.read(&maximumDepth, .maximumDepth, in: 1...JSONOptions.greatestDepth)
        try settings.finish()
    }
}

extension UpstreamConfiguration {
    /// Open-Meteo's free host refuses a sixth request at a time (open-meteo/open-meteo,
    /// `Sources/App/Helper/Vapor/ConcurrencyGroupLimiter.swift`).
    private var defaultConcurrent: Int {
        let isFree = dialect == "openMeteo" && baseURL.flatMap { try? BaseURL($0) }?.host == "api.open-meteo.com"
        return isFree ? 4 : maximumConcurrent
    }
}

/// The source of a key; never the configuration file itself, which is printed and kept.
struct KeyConfiguration: Codable, Sendable {
    var environment: String?
    /// The path of a file that holds only the key, such as a mounted secret.
    var file: String?
    /// Whether the upstream is omitted if the variable or file does not exist.
    var optional = false

    init() {}

    init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        environment = settings.optional(.environment)
        file = settings.optional(.file)
        settings.read(&optional, .optional)
        try settings.finish()
    }
}

/// The sources of the four keys of OAuth 1.0a.
struct OAuth1Configuration: Codable, Sendable {
    var consumerKey = KeyConfiguration(), consumerSecret = KeyConfiguration()
    var token = KeyConfiguration(), tokenSecret = KeyConfiguration()

    init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        consumerKey = settings.required(.consumerKey) ?? consumerKey
        consumerSecret = settings.required(.consumerSecret) ?? consumerSecret
        token = settings.required(.token) ?? token
        tokenSecret = settings.required(.tokenSecret) ?? tokenSecret
        try settings.finish()
    }

    /// The sources by their names.
    var sources: [(name: String, source: KeyConfiguration)] {
        [
            ("consumerKey", consumerKey), ("consumerSecret", consumerSecret), ("token", token),
            ("tokenSecret", tokenSecret),
        ]
    }
}
