public import EventLoop
import Glibc
public import HTTPCore
import Synchronization

/// An address at which a server listens, and the application that answers there.
public struct Listener: Sendable {
    /// The address; port 0 asks the system for a free one.
    public var address: SocketAddress
    /// The application.
    public var handler: any RequestHandler
    /// Whether it is for operators: its connections do not count as others do, and it closes last when the server drains.
    public var isForOperators: Bool
    /// The permissions of the file of a Unix domain socket, such as 0o660; without it those that the umask leaves.
    public var mode: UInt32?
    /// Whether each connection starts with a header of the PROXY protocol, version 1 or 2; one without it is dropped.
    ///
    /// Only for listeners that nobody but proxies can reach, because the header can name any client.
    public var readsProxyHeader = false
    /// The proxies that name the client of a request.
    public var trustedProxies = TrustedProxies()
    /// The certificate; nil for plain HTTP.
    ///
    /// A header of the PROXY protocol precedes the handshake. The handshake and the first bytes of a request have
    /// `ServerOptions.requestTimeout` together; a connection beyond all limits is closed without an answer.
    public var tls: TLSContext?

    /// A listener at `address`.
    public init(_ address: SocketAddress, handler: any RequestHandler, isForOperators: Bool = false) {
        (self.address, self.handler, self.isForOperators) = (address, handler, isForOperators)
    }
}

/// An HTTP/1.1 server on a group of shards.
///
/// Drain it or cut its connections before releasing it.
public final class Server: Sendable {
    /// The connections of operators that may be open at a time.
    private static let maximumOperatorConnections = 64

    /// The addresses it listens at, with the ports that the system chose where 0 was requested.
    public let addresses: [SocketAddress]
    /// The maximum of connections, which is lower than the option if the process may not open that many files.
    public let maximumConnections: Int
    private let parts: [ShardBound<ServerShard>]
    private let operatorParts: [ShardBound<ServerShard>]
    private let isDraining = Atomic<Bool>(false)

    /// The address of the first listener.
    public var address: SocketAddress { addresses[0] }

    /// A server that listens and does not accept yet.
    /// - Throws: `SystemError` if it cannot listen at `address`.
    public convenience init(
        _ address: SocketAddress, shards: [Shard], handler: any RequestHandler, options: ServerOptions = ServerOptions()
    ) throws {
        try self.init([Listener(address, handler: handler)], shards: shards, options: options)
    }

    /// A server with several listeners, which listens and does not accept yet.
    /// - Parameter seconds: the time of day for the Date field, in seconds since 1970-01-01T00:00:00Z.
    /// - Throws: `SystemError` if it cannot listen at an address, or may open too few files for a single connection.
    public init(
        _ listeners: [Listener], shards: [Shard], options: ServerOptions = ServerOptions(),
        seconds: @escaping @Sendable () -> Int = { WallClock.seconds }
    ) throws {
        precondition(!listeners.isEmpty, "a server needs a listener")
        let limits = try ConnectionLimits(
            options, parts: shards.count * listeners.count { !$0.isForOperators },
            otherFiles: shards.count * (listeners.count + 2))
        var operatorOptions = options
        operatorOptions.maximumConnections = Self.maximumOperatorConnections
        operatorOptions.reservedConnections = 0
        // They drain last, so an idle connection of theirs would only delay the end.
        operatorOptions.drainGrace = .zero
        let operatorLimits = try ConnectionLimits(operatorOptions, parts: 1, otherFiles: 0)
        var addresses: [SocketAddress] = []
        var parts: [ShardBound<ServerShard>] = []
        var operatorParts: [ShardBound<ServerShard>] = []
        for listener in listeners {
            let sockets = try ListeningSocket.open(listener.address, count: shards.count, mode: listener.mode)
            addresses.append(sockets.first?.address ?? listener.address)
            let (options, limits) =
                listener.isForOperators ? (operatorOptions, operatorLimits) : (options, limits)
            let new = zip(shards, sockets).map { shard, socket in
                ShardBound(ServerShard(shard, socket, listener, options, limits, seconds), to: shard)
            }
            if listener.isForOperators { operatorParts += new } else { parts += new }
        }
        (self.addresses, self.parts, self.operatorParts) = (addresses, parts, operatorParts)
        maximumConnections = limits.maximum
    }

    /// Starts to accept connections.
    public func start() {
        for part in parts + operatorParts { part.post { $0.start() } }
    }

    /// Uses another certificate for new connections to the listeners with TLS that are not for operators.
    public func replace(_ tls: TLSContext) {
        for part in parts { part.post { $0.replace(tls) } }
    }

    /// Stops accepting, lets requests in flight finish, and closes all connections, those of operators last.
    /// - Returns: The number of connections that were cut because they took longer than `drainTimeout`.
    public func drain() async -> Int {
        // Before the sockets close: afterwards a successor can own the path.
        if !isDraining.exchange(true, ordering: .relaxed) {
            for case .unix(let path) in addresses { unlink(path) }
        }
        let cut = await Self.drain(parts)
        return await cut + Self.drain(operatorParts)
    }

    private static func drain(_ parts: [ShardBound<ServerShard>]) async -> Int {
        await withTaskGroup { group in
            for part in parts {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        part.post { $0.drain { continuation.resume(returning: $0) } }
                    }
                }
            }
            return await group.reduce(0, +)
        }
    }

    /// Closes the connections of clients that have waited for their next request for `time` or longer.
    public func closeIdle(for time: Duration) {
        for part in parts { part.post { $0.closeIdle(for: time) } }
    }

    /// Closes every connection immediately.
    public func cut() {
        for part in parts + operatorParts { part.post { $0.cutAll() } }
    }
}

/// The limits for the clients of a server.
public struct ServerOptions: Sendable {
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
    /// The files for connections to upstreams; at most half of those that are left for connections, so that clients have some.
    public var upstreamFiles = 0
    /// While draining: the time that an idle connection stays open for a request that may be on its way.
    public var drainGrace = Duration.seconds(1)
    /// While draining: the time for requests in flight before they are cut.
    public var drainTimeout = Duration.seconds(30)

    /// The default limits.
    public init() {}
}
