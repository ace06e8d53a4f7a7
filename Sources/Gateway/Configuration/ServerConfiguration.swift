import HTTPCore
public import HTTPServer
public import LenientCoding

/// The bounds kept towards clients.
///
/// Times are in milliseconds, sizes in bytes.
public struct ServerConfiguration: Record {
    /// Connections open at a time.
    public var maximumConnections = 10_000
    /// The request line's target, the whole head, and a body.
    public var maximumTargetBytes = 8192, maximumHeadBytes = 16_384, maximumBodyBytes = 65_536
    /// Time for a request to arrive, for the next one to begin, and for a client to take its answer.
    public var requestTimeout = 10_000, idleTimeout = 75_000, writeTimeout = 30_000
    /// On SIGTERM: time to go on serving while `/readyz` says no, time for idle connections to send one more request,
    /// and time for requests in flight.
    public var drainDelay = 0, drainGrace = 1000, drainTimeout = 30_000

    /// The defaults.
    public init() {}

    /// One line a setting.
    public static let schema = Schema<ServerConfiguration>(.exact, .defaulted) {
        Field(\.maximumConnections, .plausible(1...1_000_000))
        Field(\.maximumTargetBytes, .plausible(64...65_536))
        Field(\.maximumHeadBytes, .plausible(256...1_048_576))
        Field(\.maximumBodyBytes, .plausible(0...67_108_864))
        Field("requestTimeoutMilliseconds", \.requestTimeout, .plausible(10...3_600_000))
        Field("idleTimeoutMilliseconds", \.idleTimeout, .plausible(10...3_600_000))
        Field("writeTimeoutMilliseconds", \.writeTimeout, .plausible(10...3_600_000))
        Field("drainDelayMilliseconds", \.drainDelay, .plausible(0...3_600_000))
        Field("drainGraceMilliseconds", \.drainGrace, .plausible(0...60_000))
        Field("drainTimeoutMilliseconds", \.drainTimeout, .plausible(0...3_600_000))
    }

    /// The same as the server takes them.
    public var options: ServerOptions {
        var options = ServerOptions()
        options.requestLimits.maximumTargetBytes = maximumTargetBytes
        options.requestLimits.maximumHeadBytes = maximumHeadBytes
        options.requestLimits.maximumBodyBytes = maximumBodyBytes
        options.maximumConnections = maximumConnections
        options.requestTimeout = .milliseconds(requestTimeout)
        options.idleTimeout = .milliseconds(idleTimeout)
        options.writeTimeout = .milliseconds(writeTimeout)
        options.drainGrace = .milliseconds(drainGrace)
        options.drainTimeout = .milliseconds(drainTimeout)
        return options
    }
}
