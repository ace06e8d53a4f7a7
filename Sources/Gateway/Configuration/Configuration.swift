/// The settings of the service, as its configuration file has them.
///
/// Settings that are not listed here are refused.
public struct Configuration: Codable, Sendable {
    /// The address to listen on: `HOST:PORT` or `unix:PATH`.
    public var listen = "127.0.0.1:8080"
    /// The number of event loops, 1 to 256; nil for one per processor that the container may use.
    public var shards: Int?
    /// The limits on clients.
    public var server = ServerConfiguration()
    /// The upstreams that routes can name.
    public var upstreams: [UpstreamConfiguration] = []
    /// The route `/weather`.
    public var weather = WeatherConfiguration()
    /// The tweet routes.
    public var tweets = TweetsConfiguration()

    /// Reads the settings, or throws a list of everything that is wrong with them.
    public init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        settings.read(&listen, .listen)
        shards = settings.optional(.shards, in: 1...256)
        settings.read(&server, .server)
        upstreams = settings.elements(.upstreams)
        weather = settings.required(.weather) ?? weather
        settings.read(&tweets, .tweets)
        try settings.finish()
    }
}

/// The route `/weather`.
public struct WeatherConfiguration: Codable, Sendable {
    /// The names of the upstreams, in order of failover.
    public var upstreams: [String] = []
    /// The units for clients that ask for none: si, us, ca, uk2 or auto.
    public var units = "si"
    /// The number of decimals, 0 to 7, to which coordinates are rounded before an upstream is asked.
    ///
    /// Three decimals of a degree are about 100 metres.
    public var coordinateDigits = 3

    init() {}

    /// Reads the settings, or throws a list of everything that is wrong with them.
    public init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        upstreams = settings.elements(.upstreams)
        settings.read(&units, .units)
        settings.read(&coordinateDigits, .coordinateDigits, in: 0...7)
        try settings.finish()
    }
}

/// The routes `/tweets/{id}`, `/timelines/{screenName}` and `/search`.
public struct TweetsConfiguration: Codable, Sendable {
    /// The names of the upstreams, in order of failover; the routes do not exist if it is empty.
    public var upstreams: [String] = []

    init() {}

    /// Reads the settings, or throws a list of everything that is wrong with them.
    public init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        upstreams = settings.elements(.upstreams)
        try settings.finish()
    }
}
