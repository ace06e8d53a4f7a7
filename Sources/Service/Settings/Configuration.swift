import HTTPCore
import JSONText
package import Operations
public import Records

/// The settings of the service in its configuration file; unknown settings are errors.
public struct Configuration: Record {
    /// The schema that an editor checks the file with.
    package var schemaURL: String?
    /// The addresses to listen on.
    public var listen = ListenAddresses("127.0.0.1:8080")
    /// The number of event loops; nil for one per processor that the container may use.
    public var shards: Int?
    package var server = ServerConfiguration()
    package var logLevel = Log.Level.info.rawValue, logAddresses = AccessLogSettings.Addresses.full.rawValue
    package var fetching = FetchingConfiguration()
    package var cache = CacheConfiguration()
    package var shared: SharedConfiguration?
    package var traces: TracesConfiguration?
    package var upstreams: [UpstreamConfiguration] = []
    package var weather = WeatherConfiguration()
    /// The upstreams of the tweet routes.
    package var tweetUpstreams: [String] = []
    package var routes: [RouteConfiguration] = []
    package var mappings: [String: MappingConfiguration]?
    /// The warnings about keys of the file that are no settings any more.
    package var retired: [String] = []

    /// The defaults, without upstreams.
    public init() {}

    /// The settings.
    public static let schema = Schema<Configuration>(.exact, .defaulted) {
        Field(
            "$schema", \.schemaURL, .takes("any text"), .example(#""weir.schema.json""#),
            .note(
                "The JSON Schema of the file, for editors: what `weir check --schema` prints. Weir ignores the value."))
        Field(
            \.listen, .takes("`HOST:PORT`, `unix:PATH` or `fd:NUMBER`, or a list of 1 to 8 of them"),
            .example(#""unix:/run/weir.sock""#),
            .note(
                "The address to listen on, or several with the same answers. Port 0 takes a free port; `fd:3` "
                    + "is a socket that systemd or another parent opened. `--listen` overrides the setting. "
                    + "`weir check` refuses addresses that overlap, such as `127.0.0.1:8080` and `:8080`, and "
                    + "looks up the host names of a port that is listed twice."))
        Field(
            \.shards, .plausible(1...Double(ServerOptions.maximumShards)),
            .takes(orElse: "the processors available to the container"), .fixed,
            .example("2"),
            .note("The number of event loops. `--shards` overrides the setting."))
        Field(\.server, .example(#"{"maximumConnections": 500}"#), .note("The [limits towards clients](#server)."))
        Field(
            "log.level", \.logLevel, .oneOf(Log.Level.allCases.map(\.rawValue)), .example(#""warning""#),
            .note("The least important lines of the [log](operating.md#log) on standard error."))
        Field(
            "log.addresses", \.logAddresses, .oneOf(AccessLogSettings.Addresses.allCases.map(\.rawValue)), .fixed,
            .example(#""shortened""#),
            .note(
                "How the access log, spans, `weir explain` and the status show the addresses of clients: `shortened` to 24 bits of "
                    + "IPv4 and 48 of IPv6."))
        Field(
            \.fetching, .example(#"{"deadlineMilliseconds": 3000}"#),
            .note("The [limits that all upstreams share](#fetching)."))
        Field(\.cache, .example(#"{"maximumBytes": 134217728}"#), .note("The [cache](#cache) of documents."))
        Field(
            \.shared, .takes(orElse: "each replica works alone"), .fixed,
            .example(#"{"redis": "redis://redis.example:6379"}"#),
            .note("The [store that replicas share](#shared)."))
        Field(
            "telemetry.traces", \.traces, .takes(orElse: "none"), .fixed,
            .example(#"{"endpoint": "http://127.0.0.1:4318/v1/traces"}"#),
            .note("The collector of [traces](operating.md#traces)."))
        Field(\.upstreams, .required, .note("The [upstreams](#upstreams)."))
        Field(
            \.weather, .takes(orElse: "no routes of weather"), .example(#"{"upstreams": ["openMeteo"]}"#),
            .note("The routes [`/weather` and `/forecast`](#weather)."))
        Field(
            "tweets.upstreams", \.tweetUpstreams, .takes("names of upstreams, each once"),
            .example(#"["twitterV2"]"#),
            .note("The upstreams in the order of failover. If none is available, there are no tweet routes."))
        Field(\.routes, .takes(orElse: "no others"), .note("The [routes](#routes) to other APIs."))
        Field(
            \.mappings, .takes("objects by name", orElse: "those that Weir has"),
            .example(#"{"ours": {"file": "ours.json"}}"#),
            .note("The [mappings](mappings.md) that make other APIs upstreams of `weather` and `tweets`."))
    }
}

extension Configuration {
    /// Sets the defaults that depend on other settings; `given` has the settings of the file.
    ///
    /// The sizes in memory that are not set follow `memoryLimit`, that of the container in bytes.
    package mutating func settle(given: JSONValue, memoryLimit: Int?) {
        fetching.settle(given: given[\Self.fetching], memoryLimit)
        cache.settle(given: given[\Self.cache], memoryLimit)
        for index in upstreams.indices { upstreams[index].settle(given: given[\Self.upstreams]?[index] ?? .null) }
    }

    /// The settings of the access log; nil without one.
    package var accessLog: AccessLogSettings? {
        var settings = AccessLogSettings()
        (settings.format, settings.addresses) = (.init(rawValue: server.accessLogFormat) ?? .json, addresses)
        return settings.format == .none ? nil : settings
    }

    /// How addresses of clients are shown.
    package var addresses: AccessLogSettings.Addresses { .init(rawValue: logAddresses) ?? .full }

    /// The least level of the lines in the log.
    package var leastLevel: Log.Level { Log.Level(rawValue: logLevel) ?? .info }

    /// The part of the container's memory that no setting gives away.
    ///
    /// The service takes 24 MiB beside its documents while it answers as many requests as it can, and connections need some.
    private static let ownBytes = 32 << 20

    /// Returns what is left of a limit for documents and bodies; as much as anybody needs without a limit.
    static func freeBytes(_ memoryLimit: Int?) -> Int { memoryLimit.map { max(0, $0 - ownBytes) } ?? .max }
}

/// The route `/weather`.
package struct WeatherConfiguration: Record {
    package var upstreams: [String] = []
    package var units = "si"
    package var coordinateDigits = 3
    package var answersJSONP = false
    package var requires: [String] = []

    package init() {}

    /// The blocks that `requires` can name; most places have no alerts at most times.
    package static let requirableBlocks = ["currently", "minutely", "hourly", "daily"]

    package static let schema = Schema<WeatherConfiguration>(.exact, .defaulted) {
        Field(
            \.upstreams, .takes("names of upstreams, each once"),
            .example(#"["openMeteo", "pirateWeather"]"#),
            .note("The upstreams in the order of failover. If none is available, there are no routes of weather."))
        Field(
            \.units, .oneOf(["si", "us", "ca", "uk2", "auto"]), .example(#""auto""#),
            .note("The units on `/weather` for clients that ask for none."))
        Field(
            \.coordinateDigits, .plausible(0...7), .example("2"),
            .note("The decimals to which coordinates are rounded. Three are about 100 m."))
        Field(
            \.answersJSONP, .example("true"),
            .note(
                "Whether [`/forecast`](api.md#get-forecast) answers `callback` with a script, as Dark Sky did. Any site "
                    + "can load such a script, whatever `server.cors.origins` says."))
        Field(
            \.requires, .takes("some of \(requirableBlocks.joined(separator: ", ")), each once"),
            .example(#"["currently", "hourly"]"#),
            .note(
                "The blocks that an answer of an upstream must have, unless the client excludes them. An answer without "
                    + "one counts as failed, and the next upstream is asked. `minutely` is required of the weather now alone."
            ))
    }
}

/// The limits that all upstreams share.
package struct FetchingConfiguration: Record {
    package var deadlineMilliseconds = 5000
    package var maximumQueueMilliseconds: Int?
    package var maximumBodyBytes = 128 << 20
    package var quotaFile: String?

    package init() {}

    package static let schema = Schema<FetchingConfiguration>(.exact, .defaulted) {
        Field(
            \.deadlineMilliseconds, .plausible(1...600_000), .example("3000"),
            .note(
                "The time for a request of a client, over all upstreams and tries. When it has passed, the "
                    + "answer is 504."))
        Field(
            \.maximumQueueMilliseconds, .plausible(1...600_000),
            .takes(orElse: "`upstreams[].maximumWaitMilliseconds`"), .example("200"),
            .note(
                "The time that a request of a client may wait for others at an upstream, if less than that of the upstream. "
                    + "A request that would wait longer gets [503 at once](operating.md#overload)."))
        Field(
            \.maximumBodyBytes, .plausible(1_048_576...68_719_476_736), .fixed, .example("33554432"),
            .note(
                "The bytes that answers of upstreams may take up at a time, from the transfer until they are "
                    + "read, and the windows of their brotli coding, with the answers that clients have not taken. An "
                    + "answer that does not fit gets 503. One upstream leaves 1/32 of them, in steps of 64 KiB, to the others. The default is less in a container "
                    + "with [little memory](operating.md#memory)."))
        Field(
            \.quotaFile, .takes("a path"), .fixed, .example(#""/var/lib/weir/quotas.json""#),
            .note("The file that keeps the [quotas](#quotas) over restarts, relative to the configuration file."))
    }
}

extension FetchingConfiguration {
    /// The answers of upstreams may take up a quarter of the container's memory beyond what the service needs itself.
    mutating func settle(given: JSONValue?, _ memoryLimit: Int?) {
        guard given?[\Self.maximumBodyBytes] == nil else { return }
        maximumBodyBytes = min(maximumBodyBytes, max(1 << 20, Configuration.freeBytes(memoryLimit) / 4))
    }
}
