/// The limits for the clients of a server.
public struct ServerOptions: Sendable {
    /// The maximum of shards in a process: Dispatch has 255 threads, and stalls if shards take all of them.
    public static let maximumShards = 128

    /// The limits of a request's size.
    public var requestLimits = RequestLimits()
    /// The number of connections that may be open at a time; further ones get a 503.
    ///
    /// A server takes fewer if the process may not open that many files.
    public var maximumConnections = 10_000
    /// The number of connections beyond the maximum that are open at a time until their first request is read.
    ///
    /// So health and metrics are answered, and the others get a 503. Each listener has the same share of them on each
    /// shard, at least one. If it is full, a new connection takes the slot of the oldest connection there that has sent no
    /// complete request, or that is answered.
    public var reservedConnections = 32
    /// The number of connections that one client may have open at a time; further ones get a 503.
    ///
    /// A client is an IPv4 address or an IPv6 network of 64 bits: the address in a PROXY header, or else the peer's.
    /// Connections of trusted proxies do not count, because each carries requests of many clients. No limit by default,
    /// because all connections through a proxy that is not known as one have one address.
    public var maximumConnectionsPerClient = Int.max
    /// The number of requests that are answered on one connection; the last response closes it.
    public var maximumRequestsPerConnection = 100_000
    /// The number of pipelined requests that are answered before other clients have their turn.
    public var maximumPipelinedRequests = 64
    /// The time for the head of a request to arrive, from its first byte, or from the start of the connection; then 408.
    public var requestTimeout = Duration.seconds(10)
    /// The time that a connection may wait for its next request.
    public var idleTimeout = Duration.seconds(75)
    /// The time that a client may go without taking any byte of a response.
    public var writeTimeout = Duration.seconds(30)
    /// The time for a client to take all responses that wait for it, or 256 KiB of them.
    public var answerTimeout = Duration.seconds(60)
    /// Whether a client that closes its sending side still waits for responses; otherwise it has left.
    public var allowsHalfClose = false
    /// The files that the process needs for other things than this server's connections.
    public var otherFiles = 128
    /// The files for connections to upstreams; clients keep at least half of the files for connections.
    public var upstreamFiles = 0
    /// While draining: the time that an idle connection stays open for a request that may be on its way.
    public var drainGrace = Duration.seconds(1)
    /// While draining: the time for requests in flight before they are cut.
    public var drainTimeout = Duration.seconds(30)

    /// The default limits.
    public init() {}
}
