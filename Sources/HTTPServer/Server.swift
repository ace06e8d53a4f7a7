public import EventLoop
import Glibc
import HTTPCore
import Synchronization

/// How many connections a server has open, over all its shards.
final class ConnectionCount: Sendable {
    private let count = Atomic<Int>(0)

    /// Adds `change` and returns the count after it.
    func add(_ change: Int) -> Int { count.add(change, ordering: .relaxed).newValue }
}

/// An HTTP/1.1 server on a group of shards.
public final class Server: Sendable {
    /// Where it listens, with the port that was chosen where 0 was asked for.
    public let address: SocketAddress
    private let parts: [ShardBound<ServerShard>]
    private let isDraining = Atomic<Bool>(false)

    /// A server that listens and does not accept yet.
    /// - Throws: `SystemError` when it cannot listen at `address`.
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

    /// Accepts connections from now on.
    public func start() {
        for part in parts { part.post { $0.start() } }
    }

    /// Stops accepting, lets requests in flight finish, and closes all connections.
    /// - Returns: the number of connections that were cut because they took longer than `drainTimeout`.
    public func drain() async -> Int {
        // Before the sockets close: from then on the path may be a successor's.
        if !isDraining.exchange(true, ordering: .relaxed), case .unix(let path) = address { unlink(path) }
        var cut = 0
        for part in parts.map(Self.drain) { cut += await part.value }
        return cut
    }

    private static func drain(_ part: ShardBound<ServerShard>) -> Task<Int, Never> {
        Task {
            await withCheckedContinuation { continuation in
                part.post { $0.drain { continuation.resume(returning: $0) } }
            }
        }
    }

    /// Ends every connection at once.
    public func cut() {
        for part in parts { part.post { $0.cutAll() } }
    }
}
