import EventLoop
import JSONText

/// The settings of the service in its configuration file; unknown settings are errors.
public struct Configuration: Codable, Sendable {
    /// The addresses to listen on.
    public var listen = ListenAddresses("127.0.0.1:8080")
    /// The number of event loops, 1 to 128; nil for one per processor that the container may use.
    public var shards: Int?
    package var server = ServerConfiguration()
    package var fetching = FetchingConfiguration()
    package var cache = CacheConfiguration()
    package var upstreams: [UpstreamConfiguration] = []
    package var weather = WeatherConfiguration()
    package var tweets = TweetsConfiguration()

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
package struct WeatherConfiguration: Codable, Sendable {
    /// The names of the upstreams, in order of failover.
    package var upstreams: [String] = []
    /// The units for requests without the parameter `units`: si, us, ca, uk2 or auto.
    package var units = "si"
    /// The number of decimals to which coordinates are rounded; three decimals of a degree are about 100 metres.
    package var coordinateDigits = 3
    /// Whether the drop-in route answers `callback` with a script, which any site can load (JSONP).
    package var answersJSONP = false

    package init() {}

    package init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        upstreams = settings.elements(.upstreams)
        settings.read(&units, .units)
        settings.read(&coordinateDigits, .coordinateDigits, in: 0...7)
        settings.read(&answersJSONP, .answersJSONP)
        try settings.finish()
    }
}

/// The tweet routes.
package struct TweetsConfiguration: Codable, Sendable {
    /// The names of the upstreams, in order of failover; without any, the routes do not exist.
    package var upstreams: [String] = []

    package init() {}

    package init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        upstreams = settings.elements(.upstreams)
        try settings.finish()
    }
}
