public import HTTPCore

/// The bounds that a server keeps towards its clients.
public struct ServerOptions: Sendable {
    /// The sizes of requests.
    public var requestLimits = RequestLimits()
    /// How many connections may be open at a time; further ones get a 503.
    public var maximumConnections = 10_000
    /// How long a request may take to arrive whole, from its first byte, or from the connection's start.
    public var requestTimeout = Duration.seconds(10)
    /// How long a connection may wait for its next request.
    public var idleTimeout = Duration.seconds(75)
    /// How long a client may take nothing of an answer that waits for it.
    public var writeTimeout = Duration.seconds(30)
    /// While draining: how long an idle connection is kept for a request that may be on its way.
    public var drainGrace = Duration.seconds(1)
    /// While draining: how long requests in flight may take before they are cut.
    public var drainTimeout = Duration.seconds(30)

    /// The defaults.
    public init() {}
}
