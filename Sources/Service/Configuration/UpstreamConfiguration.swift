import JSONText

/// An upstream: its address, its dialect and its limits.
package struct UpstreamConfiguration: Codable, Sendable {
    /// The name that routes, log lines and problems use.
    package var name = ""
    package var dialect = ""
    /// The address, http or https without a query; with a path if the upstream is not at the root.
    package var baseURL: String?
    /// The addresses for the past, if they differ from `baseURL`: those of Open-Meteo's historical forecast or Pirate
    /// Weather's time machine, and of Open-Meteo's archive.
    package var historyURL: String?, archiveURL: String?
    /// Instead of an address: the folder of a sample upstream, relative to the configuration file.
    package var sample: String?
    package var key: KeyConfiguration?
    /// An `AuthorizationScheme`; nil for the dialect's default.
    package var authorization: String?
    /// The name of the header field or parameter that carries the key.
    package var keyName: String?
    /// The keys of OAuth 1.0a.
    package var oauth1: OAuth1Configuration?
    /// The client credentials of OAuth 2.0.
    package var oauth2: OAuth2Configuration?
    /// The key and the claims of JSON Web Tokens.
    package var jwt: JWTConfiguration?
    /// The units to request: si, us, ca or uk2.
    package var units = "si"
    /// The time zone and the country of the places, for an upstream that must be told; nil if they are not known.
    package var timeZone: String?, countryCode: String?
    /// The weather model to ask for; nil for the upstream's choice.
    package var model: String?
    /// The time limit of one try, including the time in the queue.
    package var deadlineMilliseconds = 5000
    /// The time limit of one try at these addresses.
    package var historyDeadlineMilliseconds = 30_000
    /// The requests under way at a time, over all event loops.
    package var maximumConcurrent = 64
    /// The requests that may wait for one of those to end.
    package var maximumWaiting = 1024
    package var maximumWaitMilliseconds = 2000
    /// The extra requests for retries, in percent of the others.
    package var retryPercent = 20
    /// Whether a second request is made beside one that takes longer than most.
    package var hedges = false
    package var breaker = BreakerConfiguration()
    package var quota = QuotaConfiguration()
    /// Whether the upstream gets a traceparent: that of the client's trace, or of a new one.
    package var forwardsTraceparent = false
    /// The time until there is a connection, with the look-up of the name and the TLS handshake.
    package var connectTimeoutMilliseconds = 1000
    /// The time until the answer begins; nil for no limit but the deadline.
    package var firstByteTimeoutMilliseconds: Int?
    /// The rate below which an answer is too slow; 0 for no limit but the deadline.
    package var minimumBytesPerSecond = 0
    /// The largest header section of an answer.
    package var maximumHeadBytes = 65_536, maximumHeadFields = 200
    package var tls = TLSConfiguration()
    package var connections = ConnectionsConfiguration()
    /// The Unix domain socket to connect to instead of the host.
    package var unixSocket: String?
    /// The URL of a proxy.
    package var proxy: String?
    /// Which redirects are followed: never or sameHost.
    package var redirects = "never"
    /// Whether the host's name may lead to addresses inside of networks.
    var allowsPrivateAddresses = false
    /// The largest document in bytes, after decompression.
    package var maximumBytes = 8 << 20
    /// The deepest nesting of arrays and objects in a document.
    package var maximumDepth = 64

    package init() {}

    package init(from decoder: any Decoder) throws {
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
