import HTTPCore
public import HTTPServer

/// The limits on clients.
///
/// Sizes are in bytes.
public struct ServerConfiguration: Codable, Sendable {
    /// The most connections that are open at a time, 1 to 1,000,000.
    public var maximumConnections = 10_000
    /// The longest request target, 64 to 65,536.
    public var maximumTargetBytes = 8192
    /// The longest request head, 256 to 1,048,576.
    public var maximumHeadBytes = 16_384
    /// The longest request body, up to 67,108,864.
    public var maximumBodyBytes = 65_536
    /// The time for a request to arrive, 10 to 3,600,000.
    public var requestTimeoutMilliseconds = 10_000
    /// The time a connection may stay open between requests, 10 to 3,600,000.
    public var idleTimeoutMilliseconds = 75_000
    /// The time for a client to take its response, 10 to 3,600,000.
    public var writeTimeoutMilliseconds = 30_000
    /// The time after SIGTERM in which `/readyz` answers 503 and everything else is served, up to 3,600,000.
    public var drainDelayMilliseconds = 0
    /// The time while draining for idle connections to send one more request, up to 60,000.
    public var drainGraceMilliseconds = 1000
    /// The time while draining for requests in flight to finish, up to 3,600,000.
    public var drainTimeoutMilliseconds = 30_000

    init() {}

    /// Reads the settings, or throws a list of everything that is wrong with them.
    public init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        settings.read(&maximumConnections, .maximumConnections, in: 1...1_000_000)
        settings.read(&maximumTargetBytes, .maximumTargetBytes, in: 64...65_536)
        settings.read(&maximumHeadBytes, .maximumHeadBytes, in: 256...1_048_576)
        settings.read(&maximumBodyBytes, .maximumBodyBytes, in: 0...67_108_864)
        settings.read(&requestTimeoutMilliseconds, .requestTimeoutMilliseconds, in: 10...3_600_000)
        settings.read(&idleTimeoutMilliseconds, .idleTimeoutMilliseconds, in: 10...3_600_000)
        settings.read(&writeTimeoutMilliseconds, .writeTimeoutMilliseconds, in: 10...3_600_000)
        settings.read(&drainDelayMilliseconds, .drainDelayMilliseconds, in: 0...3_600_000)
        settings.read(&drainGraceMilliseconds, .drainGraceMilliseconds, in: 0...60_000)
        settings.read(&drainTimeoutMilliseconds, .drainTimeoutMilliseconds, in: 0...3_600_000)
        try settings.finish()
    }

    /// The limits as the server takes them.
    public var options: ServerOptions {
        var options = ServerOptions()
        options.requestLimits.maximumTargetBytes = maximumTargetBytes
        options.requestLimits.maximumHeadBytes = maximumHeadBytes
        options.requestLimits.maximumBodyBytes = maximumBodyBytes
        options.maximumConnections = maximumConnections
        options.requestTimeout = .milliseconds(requestTimeoutMilliseconds)
        options.idleTimeout = .milliseconds(idleTimeoutMilliseconds)
        options.writeTimeout = .milliseconds(writeTimeoutMilliseconds)
        options.drainGrace = .milliseconds(drainGraceMilliseconds)
        options.drainTimeout = .milliseconds(drainTimeoutMilliseconds)
        return options
    }
}
