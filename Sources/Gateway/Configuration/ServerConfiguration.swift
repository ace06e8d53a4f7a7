import HTTPCore
import HTTPServer

/// The limits for clients; sizes are in bytes.
struct ServerConfiguration: Codable, Sendable {
    var maximumConnections = 10_000
    var maximumTargetBytes = 8192, maximumHeadBytes = 16_384, maximumBodyBytes = 65_536
    /// The time for a request to arrive.
    var requestTimeoutMilliseconds = 10_000
    /// The time that a connection may stay open between requests.
    var idleTimeoutMilliseconds = 75_000
    /// The time for a client to take its response.
    var writeTimeoutMilliseconds = 30_000
    /// The time after SIGTERM in which `/readyz` answers 503 while everything else is served.
    var drainDelayMilliseconds = 0
    /// The time that idle connections then have to send one more request.
    var drainGraceMilliseconds = 1000
    /// The time that requests in flight then have to finish.
    var drainTimeoutMilliseconds = 30_000
    /// A second address, for monitoring alone; nil without one.
    var operationsListen: String?
    var accessLog = AccessLogConfiguration()
    var cors = CrossOriginConfiguration()

    init() {}

    init(from decoder: any Decoder) throws {
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
        operationsListen = settings.optional(.operationsListen)
        settings.read(&accessLog, .accessLog)
        settings.read(&cors, .cors)
        try settings.finish()
    }

    var options: ServerOptions {
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
