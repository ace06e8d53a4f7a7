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
    /// The permissions of the file of a Unix domain socket, such as 0o660; nil leaves them to the umask.
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

    /// A listener with its sockets and connections on all shards.
    fileprivate final class OpenListener: Sendable {
        /// The address as requested, and with the port that the system chose.
        let requested: SocketAddress, address: SocketAddress
        let isForOperators: Bool
        let parts: [ShardBound<ServerShard>]

        init(_ listener: Listener, at address: SocketAddress, _ parts: [ShardBound<ServerShard>]) {
            (requested, self.address, self.parts) = (listener.address, address, parts)
            isForOperators = listener.isForOperators
        }
    }

    private struct State {
        var open: [OpenListener]
        /// The removed listeners whose connections have not ended.
        var closing: [OpenListener] = []
        var isDraining = false
    }

    /// The maximum of connections, which is lower than the option if the process may not open that many files.
    public let maximumConnections: Int
    private let shards: [Shard]
    private let options: ServerOptions
    private let limits: ConnectionLimits, operatorLimits: ConnectionLimits
    private let seconds: @Sendable () -> Int
    /// The memory of answers that clients have not taken.
    public let untaken: UntakenOutput
    private let state = Mutex(State(open: []))

    /// The addresses it listens at, with the ports that the system chose where 0 was requested.
    public var addresses: [SocketAddress] { state.withLock { $0.open.map(\.address) } }

    /// The addresses for operators, or those for others.
    public func addresses(forOperators: Bool) -> [SocketAddress] {
        state.withLock { $0.open.filter { $0.isForOperators == forOperators }.map(\.address) }
    }

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
    /// - Parameters:
    ///   - untaken: the memory of answers that clients have not taken; without a limit by default.
    ///   - seconds: the time of day for the Date field, in seconds since 1970-01-01T00:00:00Z.
    /// - Throws: `SystemError` if it cannot listen at an address, or may open too few files for a single connection.
    public init(
        _ listeners: [Listener], shards: [Shard], options: ServerOptions = ServerOptions(),
        untaken: UntakenOutput = UntakenOutput(),
        seconds: @escaping @Sendable () -> Int = { WallClock.seconds }
    ) throws {
        precondition(!listeners.isEmpty, "a server needs a listener")
        limits = try ConnectionLimits(
            options, parts: shards.count * listeners.count { !$0.isForOperators },
            otherFiles: shards.count * (listeners.count + 2))
        var operatorOptions = options
        operatorOptions.maximumConnections = Self.maximumOperatorConnections
        operatorOptions.reservedConnections = 0
        operatorLimits = try ConnectionLimits(operatorOptions, parts: 1, otherFiles: 0)
        maximumConnections = limits.maximum
        (self.shards, self.options, self.untaken, self.seconds) = (shards, options, untaken, seconds)
        let opened = try listeners.map(open)
        state.withLock { $0.open = opened }
    }

    private func open(_ listener: Listener) throws -> OpenListener {
        let sockets = try ListeningSocket.open(listener.address, count: shards.count, mode: listener.mode)
        let limits = listener.isForOperators ? operatorLimits : limits
        let parts = zip(shards, sockets).map { shard, socket in
            let part = ServerShard(
                shard, socket, listener, options, limits, untaken,
                makeRoom: { [weak self] in self?.closeSlowest(until: self?.untaken.maximum ?? 0) }, seconds)
            return ShardBound(part, to: shard)
        }
        return OpenListener(listener, at: sockets.first?.address ?? listener.address, parts)
    }

    /// Starts to accept connections.
    public func start() { Self.start(state.withLock(\.open)) }

    private static func start(_ listeners: [OpenListener]) {
        for listener in listeners { for part in listener.parts { part.post { $0.start() } } }
    }

    /// Uses another certificate for new connections to the listeners with TLS that are not for operators.
    public func replace(_ tls: TLSContext) {
        for listener in state.withLock(\.open) where !listener.isForOperators {
            for part in listener.parts { part.post { $0.replace(tls) } }
        }
    }

    /// Stops accepting, lets requests in flight finish, and closes all connections, those of operators last.
    /// - Returns: The number of connections that were cut because they took longer than `drainTimeout`.
    public func drain() async -> Int {
        let (open, closing, isFirst) = state.withLock { state in
            defer { state.isDraining = true }
            return (state.open, state.closing, !state.isDraining)
        }
        if isFirst { open.removeFiles() }
        let grace = options.drainGrace
        let cut = await Self.drain((open + closing).filter { !$0.isForOperators }, grace: grace)
        // An idle connection of an operator would only delay the end.
        return await cut + Self.drain((open + closing).filter(\.isForOperators), grace: .zero)
    }

    private static func drain(_ listeners: [OpenListener], grace: Duration) async -> Int {
        await withTaskGroup { group in
            for part in listeners.flatMap(\.parts) {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        part.post { $0.drain(grace: grace) { continuation.resume(returning: $0) } }
                    }
                }
            }
            return await group.reduce(0, +)
        }
    }

    /// Closes the connections of clients that have waited for their next request for `time` or longer.
    public func closeIdle(for time: Duration) {
        for listener in state.withLock(\.open) where !listener.isForOperators {
            for part in listener.parts { part.post { $0.closeIdle(for: time) } }
        }
    }

    /// Closes the connections that take their answers slowest, until clients have at most `maximum` bytes left to take.
    public func closeSlowest(until maximum: Int) {
        let parts = state.withLock({ $0.open + $0.closing }).flatMap(\.parts)
        let closing = SlowestFirst(parts.count, untaken, until: maximum)
        for part in parts { part.post { closing.add($0.slowConnections().map { ($0.rate, $0.id, part) }) } }
    }

    /// Closes every connection immediately.
    public func cut() {
        for listener in state.withLock({ $0.open + $0.closing }) {
            for part in listener.parts { part.post { $0.cutAll() } }
        }
    }
}

// Other listeners.
extension Server {
    /// The listeners that a server is about to have; use them or discard them.
    public struct Listeners: Sendable {
        fileprivate let all: [OpenListener], new: [OpenListener]

        /// Closes the sockets of the new listeners, which have accepted no connection.
        public func discard() { new.removeFiles() }
    }

    /// Opens the sockets of the listeners with new addresses; the server goes on as before.
    /// - Throws: `SystemError` if it cannot listen at an address, or if a new one is a descriptor to inherit.
    public func prepare(_ listeners: [Listener]) throws -> Listeners {
        let known = state.withLock(\.open)
        var all: [OpenListener] = [], new: [OpenListener] = []
        do {
            for listener in listeners {
                let old = known.first {
                    ($0.requested, $0.isForOperators) == (listener.address, listener.isForOperators)
                }
                if let old {
                    all.append(old)
                    continue
                }
                if case .inherited = listener.address {
                    throw SystemError("listen on \(listener.address), which must be there at the start", code: ENOTSUP)
                }
                new.append(try open(listener))
                all += new.suffix(1)
            }
        } catch {
            new.removeFiles()
            throw error
        }
        return Listeners(all: all, new: new)
    }

    /// Accepts connections at the new listeners, and closes those that `listeners` lacks.
    ///
    /// A removed listener accepts its queue first. Requests in flight end, and an idle connection has `drainGrace` for one
    /// more request; the answers close the connections.
    /// - Returns: The addresses of the new listeners and of the removed ones.
    public func use(_ listeners: Listeners) -> (added: [SocketAddress], removed: [SocketAddress]) {
        let removed: [OpenListener]? = state.withLock { state in
            if state.isDraining { return nil }
            let removed = state.open.filter { listener in !listeners.all.contains { $0 === listener } }
            state.open = listeners.all
            state.closing += removed
            return removed
        }
        guard let removed else {
            listeners.discard()
            return ([], [])
        }
        Self.start(listeners.new)
        removed.removeFiles()
        if !removed.isEmpty { Task { await finish(removed) } }
        return (listeners.new.map(\.address), removed.map(\.address))
    }

    private func finish(_ removed: [OpenListener]) async {
        _ = await Self.drain(removed, grace: options.drainGrace)
        state.withLock { state in
            state.closing.removeAll { listener in removed.contains { $0 === listener } }
        }
    }
}

extension [Server.OpenListener] {
    /// Removes the files of Unix sockets, before these close: afterwards a successor can own the path.
    fileprivate func removeFiles() { for case .unix(let path) in map(\.address) { unlink(path) } }
}
