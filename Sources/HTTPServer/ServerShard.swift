import CivilDates
import EventLoop
import HTTPCore

/// A server's part on one shard: its listener, its connections, and what they share.
///
/// Belongs to that shard.
final class ServerShard: ReadinessHandler {
    /// Connections taken at a time, so that a burst of them does not hold up those that are there.
    private static let acceptBatch = 64
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
    /// Where the shard's sockets are read to.
    ///
    /// One is enough, as they are read one after the other.
    var scratch = [UInt8](repeating: 0, count: 64 << 10)
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

    /// Accepts connections, now or, while the system has no watch left, as soon as it can.
    func start() {
        guard let listener, listenerWatch == nil, !isDraining else { return }
        do {
            listenerWatch = try shard.watch(listener, self)
        } catch {
            pauseAccepting()
        }
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
        let isOneTooMany = connectionCount.add(1) > options.maximumConnections
        guard connection.start() else { return connection.close() }
        if isOneTooMany {
            let limit = options.maximumConnections
            connection.refuse(
                RequestFailure(status: .serviceUnavailable, detail: "More than \(limit) connections are open."))
        }
        scheduleSweep()
    }

    /// Out of descriptors: a level-triggered listener would wake the loop again and again for nothing.
    private func pauseAccepting() {
        if let listenerWatch { shard.remove(listenerWatch) }
        listenerWatch = nil
        shard.schedule(at: shard.now + Self.exhaustedPause) { [weak self] in self?.start() }
    }

    func remove(_ connection: Connection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        _ = connectionCount.add(-1)
        finishDrainIfDone()
    }

    /// The value of the Date field, made once a second.
    func date() -> [UInt8] {
        let second = WallClock.seconds
        if second != dateSecond {
            dateSecond = second
            dateText = HTTPDate.format(secondsSinceEpoch: second)
        }
        return dateText
    }
}

// Time.
extension ServerShard {
    /// How often deadlines are looked at: a quarter of the shortest time-out, within 10 ms and a second.
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

// The end.
extension ServerShard {
    /// Takes no more connections, lets what is in flight finish, and calls `whenDrained` with the number of
    /// connections that had to be cut.
    func drain(_ whenDrained: @escaping (Int) -> Void) {
        isDraining = true
        self.whenDrained.append(whenDrained)
        // Those in the queue have been promised a connection: closing the listener would reset them.
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

    /// Ends every connection at once.
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
