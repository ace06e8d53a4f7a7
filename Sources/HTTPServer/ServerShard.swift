import CivilDates
import EventLoop
import HTTPCore
import Synchronization

/// The number of open connections of a server, over all its shards.
final class ConnectionCount: Sendable {
    private let count = Atomic<Int>(0)

    /// Adds `change` and returns the new count.
    func add(_ change: Int) -> Int { count.add(change, ordering: .relaxed).newValue }
}

/// The part of a server on one shard: its listener and its connections; used on that shard only.
final class ServerShard: ReadinessHandler {
    /// The connections accepted at a time, so that a burst of them does not delay the others.
    private static let acceptBatch = 64
    private static let sendBatch = 8
    private static let exhaustedPause = Duration.milliseconds(100)

    let shard: Shard
    let options: ServerOptions
    let handler: any RequestHandler
    private let connectionCount: ConnectionCount
    private var listener: ListeningSocket?
    private var listenerWatch: Shard.Watch?
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var sweepTimer: ShardTimer?
    private var whenDrained: [(Int) -> Void] = []
    private var cut = 0
    private(set) var isDraining = false
    /// The buffer for reading from any connection's socket; one is enough, because they are read one after another.
    var scratch = [UInt8](repeating: 0, count: 64 << 10)
    /// The connections whose responses are sent after the current events.
    private var sending: [Connection] = []
    private var dateSecond = 0
    private var dateText: [UInt8] = []

    init(
        _ shard: Shard, _ listener: ListeningSocket, _ handler: any RequestHandler, _ options: ServerOptions,
        _ connectionCount: ConnectionCount
    ) {
        self.shard = shard
        self.listener = listener
        self.handler = handler
        self.options = options
        self.connectionCount = connectionCount
    }

    /// Returns the value of the Date field, which is formatted once a second.
    func date() -> [UInt8] {
        let second = WallClock.seconds
        if second != dateSecond {
            dateSecond = second
            dateText = HTTPDate.format(secondsSinceEpoch: second)
        }
        return dateText
    }
}

// Accepting.
extension ServerShard {
    /// Starts to accept connections; tries again later if the listener cannot be watched.
    func start() {
        guard let listener, listenerWatch == nil, !isDraining else { return }
        listenerWatch = try? shard.watch(listener, self)
        if listenerWatch == nil { pauseAccepting() }
    }

    func descriptorIsReady(_ readiness: Readiness) { accept(atMost: Self.acceptBatch) }

    private func accept(atMost limit: Int) {
        guard let listener else { return }
        for _ in 0..<limit {
            switch listener.accept() {
            case .connection(let socket): open(socket)
            case .none: return
            case .exhausted: return pauseAccepting()
            }
        }
    }

    private func open(_ socket: Socket) {
        let connection = Connection(socket, host: self)
        connections[ObjectIdentifier(connection)] = connection
        let limit = options.maximumConnections
        let exceedsLimit = connectionCount.add(1) > limit
        guard connection.start() else { return connection.close() }
        if exceedsLimit {
            connection.refuse(
                RequestFailure(status: .serviceUnavailable, detail: "More than \(limit) connections are open."))
        }
        scheduleSweep()
    }

    /// Stops watching the listener for a while: without descriptors, its level-triggered event would repeat endlessly.
    private func pauseAccepting() {
        if let listenerWatch { shard.remove(listenerWatch) }
        listenerWatch = nil
        shard.schedule(at: shard.now + Self.exhaustedPause) { [weak self] in self?.start() }
    }

    /// Releases a connection that has closed.
    func sendSoon(_ connection: Connection) {
        if sending.isEmpty { shard.runBeforeWaiting { [self] in sendFinished() } }
        sending.append(connection)
        if sending.count == Self.sendBatch { sendFinished() }
    }

    private func sendFinished() {
        let connections = sending
        sending.removeAll(keepingCapacity: true)
        for connection in connections { connection.sendFinished() }
    }

    func remove(_ connection: Connection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        _ = connectionCount.add(-1)
        finishDrainIfDone()
    }
}

// Deadlines.
extension ServerShard {
    /// The time between two checks of the deadlines: a quarter of the shortest timeout, between 10 ms and a second.
    private var sweepInterval: Duration {
        var shortest = min(options.requestTimeout, options.idleTimeout, options.writeTimeout)
        if isDraining { shortest = min(shortest, options.drainGrace) }
        return max(.milliseconds(10), min(.seconds(1), shortest / 4))
    }

    private func scheduleSweep() {
        guard sweepTimer == nil, !connections.isEmpty else { return }
        sweepTimer = shard.schedule(at: shard.now + sweepInterval) { [weak self] in self?.sweep() }
    }

    private func sweep() {
        sweepTimer = nil
        for connection in connections.values {
            if let deadline = connection.deadline, deadline <= shard.now { connection.deadlinePassed() }
        }
        scheduleSweep()
    }
}

// Draining.
extension ServerShard {
    /// Stops accepting, lets requests in flight finish, and calls `whenDrained` with the number of connections that had
    /// to be cut.
    func drain(_ whenDrained: @escaping (Int) -> Void) {
        isDraining = true
        self.whenDrained.append(whenDrained)
        // Clients in the accept queue are connected already: closing the listener would reset them.
        accept(atMost: .max)
        if let listenerWatch { shard.remove(listenerWatch) }
        listenerWatch = nil
        listener = nil
        for connection in connections.values { connection.drain() }
        sweepTimer?.cancel()
        sweepTimer = nil
        scheduleSweep()
        shard.schedule(at: shard.now + options.drainTimeout) { [weak self] in self?.cutAll() }
        finishDrainIfDone()
    }

    /// Closes every connection immediately.
    func cutAll() {
        for connection in connections.values {
            if connection.isBusy { cut += 1 }
            connection.close()
        }
    }

    private func finishDrainIfDone() {
        guard isDraining, connections.isEmpty else { return }
        let waiting = whenDrained
        whenDrained = []
        for done in waiting { done(cut) }
    }
}
