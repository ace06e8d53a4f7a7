public import EventLoop
import Glibc
public import HTTPCore
import Synchronization

/// An HTTP/1.1 server on a group of shards.
///
/// Drain it or cut its connections before releasing it.
public final class Server: Sendable {
    /// The address it listens at, with the port that the system chose if 0 was requested.
    public let address: SocketAddress
    private let parts: [ShardBound<ServerShard>]
    private let isDraining = Atomic<Bool>(false)

    /// A server that listens and does not accept yet.
    /// - Throws: `SystemError` if it cannot listen at `address`.
    public init(
        _ address: SocketAddress, shards: [Shard], handler: any RequestHandler, options: ServerOptions = ServerOptions()
    ) throws {
        let listeners = try ListeningSocket.open(address, count: shards.count)
        let connectionCount = ConnectionCount()
        self.address = listeners.first?.address ?? address
        parts = zip(shards, listeners).map { shard, listener in
            ShardBound(ServerShard(shard, listener, handler, options, connectionCount), to: shard)
        }
    }

    /// Starts to accept connections.
    public func start() {
        for part in parts { part.post { $0.start() } }
    }

    /// Stops accepting, lets requests in flight finish, and closes all connections.
    /// - Returns: The number of connections that were cut because they took longer than `drainTimeout`.
    public func drain() async -> Int {
        // Before the sockets close: afterwards a successor can own the path.
        if !isDraining.exchange(true, ordering: .relaxed), case .unix(let path) = address { unlink(path) }
        return await withTaskGroup { group in
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

    /// Closes every connection immediately.
    public func cut() {
        for part in parts { part.post { $0.cutAll() } }
    }
}

/// The limits for the clients of a server.
public struct ServerOptions: Sendable {
    /// The limits of a request's size.
    public var requestLimits = RequestLimits()
    /// The number of connections that may be open at a time; further ones get a 503.
    public var maximumConnections = 10_000
    /// The time for a request to arrive completely, from its first byte, or from the start of the connection.
    public var requestTimeout = Duration.seconds(10)
    /// The time that a connection may wait for its next request.
    public var idleTimeout = Duration.seconds(75)
    /// The time that a client may go without taking any byte of a response.
    public var writeTimeout = Duration.seconds(30)
    /// While draining: the time that an idle connection stays open for a request that may be on its way.
    public var drainGrace = Duration.seconds(1)
    /// While draining: the time for requests in flight before they are cut.
    public var drainTimeout = Duration.seconds(30)

    /// The default limits.
    public init() {}
}

/// The application behind a server.
///
/// Called on the shard of the connection, which waits for it: return anything slow as `Reply.later`.
public protocol RequestHandler: Sendable {
    /// Returns the reply to a request.
    func reply(to request: Request, on shard: Shard) -> Reply
    /// Returns the response to an invalid request, to one that took too long, or to a connection beyond the limit.
    func refusal(of failure: RequestFailure) -> Response
    /// Takes the record of an exchange, when the last byte of its response is sent or the client has left.
    ///
    /// Called once for each `reply` and once for each refused request or connection, on the connection's shard.
    func finished(_ exchange: Exchange, on shard: Shard)
    /// Notes that `change` more connections are open on `shard`: 1 or -1, refused ones included.
    func connectionsChanged(by change: Int, on shard: Shard)
}

extension RequestHandler {
    /// Drops the record.
    public func finished(_ exchange: Exchange, on shard: Shard) {}
    /// Ignores the change.
    public func connectionsChanged(by change: Int, on shard: Shard) {}
}

/// A response, or the work that makes one.
public enum Reply: Sendable {
    /// The response is ready.
    case now(Response)
    /// The response needs time. The work runs on the connection's shard and is cancelled if the client closes its
    /// connection or only its sending side; in the latter case the client still gets the response.
    case later(@Sendable () async -> Response)
}
