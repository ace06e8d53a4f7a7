public import LenientCoding

/// What the service is told by its configuration file.
///
/// The tables are the reference: what is not in them is refused.
public struct Configuration: Record {
    /// Where to listen: `HOST:PORT` or `unix:PATH`.
    public var listen = "127.0.0.1:8080"
    /// How many event loops to run; by default one for each processor that the container has.
    public var shards: Int?
    /// The bounds kept towards clients.
    public var server = ServerConfiguration()
    /// Where documents come from.
    public var upstreams: [UpstreamConfiguration] = []
    /// The route `/weather`.
    public var weather = WeatherConfiguration()
    /// The routes of tweets.
    public var tweets = TweetsConfiguration()

    /// The defaults.
    public init() {}

    /// One line a setting.
    public static let schema = Schema<Configuration>(.exact) {
        Field(\.listen, .defaulted, .note("HOST:PORT or unix:PATH"))
        Field(\.shards, .plausible(1...256), .note("event loops; default: the processors available"))
        Field(\.server, .defaulted)
        Field(\.upstreams)
        Field(\.weather)
        Field(\.tweets, .defaulted)
    }
}

/// The routes `/tweets/{id}`, `/timelines/{screenName}` and `/search`.
public struct TweetsConfiguration: Record {
    /// The names of the upstreams to ask, the first one first; without any there are no such routes.
    public var upstreams: [String] = []

    /// No upstream.
    public init() {}

    /// One line a setting.
    public static let schema = Schema<TweetsConfiguration>(.exact) {
        Field(\.upstreams, .note("names of upstreams, in order of failover"))
    }
}

/// The route `/weather`.
public struct WeatherConfiguration: Record {
    /// The names of the upstreams to ask, the first one first.
    public var upstreams: [String] = []
    /// The units of clients that ask for none: si, us, ca, uk2 or auto.
    public var units = "si"
    /// To how many decimals of a degree upstreams are asked.
    ///
    /// Three are about a hundred metres.
    public var coordinateDigits = 3

    /// No upstream.
    public init() {}

    /// One line a setting.
    public static let schema = Schema<WeatherConfiguration>(.exact) {
        Field(\.upstreams, .note("names of upstreams, in order of failover"))
        Field(\.units, .defaulted, .note("si, us, ca, uk2 or auto"))
        Field(\.coordinateDigits, .defaulted, .plausible(0...7))
    }
}
