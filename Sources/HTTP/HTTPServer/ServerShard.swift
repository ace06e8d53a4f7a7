import CivilDates
import EventLoop
import HTTPCore

/// The part of a server on one shard: its listener and its connections; used on that shard only.
final class ServerShard: ReadinessHandler {
    /// The connections accepted at a time, so that a burst of them does not delay the others.
    private static let acceptBatch = 64
    private static let sendBatch = 8
    private static let exhaustedPause = Duration.milliseconds(100)

    let shard: Shard
    let options: ServerOptions
    let handler: any RequestHandler
    private let limits: ConnectionLimits
    let untaken: UntakenOutput
    /// Asks all shards to close the connections that take their answers slowest.
    private let makeRoom: @Sendable () -> Void
    let trustedProxies: TrustedProxies
    private let readsProxyHeader: Bool
    /// The certificate for new connections; nil without TLS.
    private var tls: TLSContext?
    private var listener: ListeningSocket?
    private var listenerWatch: Shard.Watch?
    private var connections: [ObjectIdentifier: Connection] = [:]
    /// The open connections beyond the maximum, the oldest first.
    private var reserved: [Connection] = []
    private var sweepTimer: ShardTimer?
    private var whenDrained: [(Int) -> Void] = []
    private var cut = 0
    /// While draining: the time that an idle connection stays open for a request that may be on its way.
    private(set) var drainGrace: Duration?
    /// The connections whose responses are sent after the current events.
    @exclusivity(unchecked) private var sending: [Connection] = []
    /// Storage for the next `sending`.
    private var spare: [Connection] = []
    /// The connections that have requests left from their last turn.
    private var continuing: [Connection] = []
    private var workspace: Workspace
    /// Returns the time of day, in seconds since 1970.
    private let seconds: () -> Int
    private var dateExpiry = MonotonicTime(nanoseconds: 0)
    private var dateText: [UInt8] = []

    init(
        _ shard: Shard, _ socket: ListeningSocket, _ listener: Listener, _ options: ServerOptions,
        _ limits: ConnectionLimits, _ untaken: UntakenOutput, makeRoom: @escaping @Sendable () -> Void,
        _ seconds: @escaping () -> Int
    ) {
        self.shard = shard
        self.seconds = seconds
        self.listener = socket
        (handler, trustedProxies) = (listener.handler, listener.trustedProxies)
        (readsProxyHeader, tls) = (listener.readsProxyHeader, listener.tls)
        self.options = options
        (self.limits, self.untaken, self.makeRoom) = (limits, untaken, makeRoom)
        workspace = Workspace(limits: options.requestLimits)
    }

    var isDraining: Bool { drainGrace != nil }

    /// Returns the value of the Date field, which is at most 50 ms old.
    func date() -> [UInt8] {
        if dateExpiry <= shard.now {
            dateExpiry = shard.now + .milliseconds(50)
            dateText = HTTPDate.format(secondsSinceEpoch: seconds())
        }
        return dateText
    }

    /// Calls `body` with the buffers that connections share; `body` must not call this function again.
    func withWorkspace(_ body: (inout Workspace) -> Void) { body(&workspace) }

    func finish(_ exchange: ExchangeRecord) { handler.finished(exchange, on: shard) }

    /// Completes the records and passes them on.
    ///
    /// `sent` is how much of their output has been sent, in bytes.
    func finish(_ exchanges: inout [PendingExchange], sent: Int, _ outcome: ExchangeRecord.Outcome) {
        let now = MonotonicTime.now
        while !exchanges.isEmpty {
            // Moved out, not copied.
            var next = exchanges.remove(at: 0)
            next.complete(sent: sent, outcome, at: now)
            handler.finished(next.exchange, on: shard)
        }
    }

    /// Counts a connection, whose proxy has named the client, as one of that client; returns false if it has too many.
    ///
    /// A trusted proxy carries requests of many clients, also behind another one.
    func admitClient(of connection: Connection) -> Bool {
        if trustedProxies.isTrusted(connection.client) { return true }
        connection.isCountedForClient = limits.admitClient(connection.client)
        return connection.isCountedForClient
    }

    func limitFailure(_ refusal: Refusal) -> RequestFailure {
        RequestFailure(status: .serviceUnavailable, detail: limits.detail(of: refusal))
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
            case .connection(let socket, let peer): open(socket, from: peer)
            case .none: return
            case .exhausted:
                // Nobody is refused yet, but the operator must learn why clients wait.
                var exchange = ExchangeRecord(start: shard.now.nanoseconds)
                (exchange.end, exchange.outcome) = (exchange.start, .refused(.exhausted))
                finish(exchange)
                return pauseAccepting()
            }
        }
    }

    private func open(_ socket: Socket, from peer: ClientAddress) {
        var isReserved = false
        // Connections of a proxy carry requests of many clients. A PROXY header names the client of one connection later.
        let isProxy = readsProxyHeader || trustedProxies.isTrusted(peer)
        switch limits.admit(isProxy ? nil : peer) {
        case .admitted: break
        case .reserved:
            isReserved = true
            guard reserved.count < limits.reservedPerPart || reserved.contains(where: \.canYield) else {
                limits.remove(isProxy ? nil : peer)
                return refuse(socket, from: peer, .connectionLimit)
            }
        case .refused(let refusal): return refuse(socket, from: peer, refusal)
        }
        let connection = Connection(
            Transport(socket, tls), from: peer, isReserved: isReserved, readsProxyHeader: readsProxyHeader,
            host: self)
        connection.isCountedForClient = !isProxy
        connections[ObjectIdentifier(connection)] = connection
        handler.connectionsChanged(by: 1, on: shard)
        guard connection.start() else { return connection.close(.clientLeft) }
        if isReserved { reserve(connection) }
        scheduleSweep()
    }

    /// Gives a connection beyond the maximum a reserved slot, if necessary the slot of an older connection.
    ///
    /// Otherwise 32 clients that send nothing would keep out the probes of an orchestrator.
    private func reserve(_ connection: Connection) {
        reserved.append(connection)
        guard reserved.count > limits.reservedPerPart else { return }
        for candidate in reserved where candidate !== connection && candidate.canYield {
            candidate.yield()
            if reserved.count <= limits.reservedPerPart { return }
        }
        // Each of them has sent a request that is being answered.
        connection.yield()
        connection.close(.clientLeft)
    }

    /// Sends a 503 and closes, without waiting for the client; with TLS, closes without an answer.
    private func refuse(_ socket: Socket, from peer: ClientAddress, _ refusal: Refusal) {
        var exchange = ExchangeRecord(start: shard.now.nanoseconds)
        if tls == nil {
            let response = handler.refusal(of: limitFailure(refusal), to: RefusedRequest(), on: shard)
            exchange.note = response.note
            var output: [UInt8] = []
            response.serialize(into: &output, date: date(), version: .http11, keepsAlive: false, omittingBody: false)
            // Unread bytes would make the end of the connection a reset, which can overtake the response.
            _ = socket.receive(into: &workspace.input)
            if case .bytes(let count) = socket.send(output, from: 0) { exchange.bytesSent = count }
            socket.finishSending()
            (exchange.status, exchange.answered) = (response.status, exchange.start)
        }
        (exchange.client, exchange.outcome) = (peer, .refused(refusal))
        exchange.end = MonotonicTime.now.nanoseconds
        finish(exchange)
    }

    /// Uses another certificate for new connections, if there is TLS.
    func replace(_ tls: TLSContext) {
        if self.tls != nil { self.tls = tls }
    }

    /// Stops watching the listener for a while: without descriptors, its level-triggered event would repeat endlessly.
    private func pauseAccepting() {
        if let listenerWatch { shard.remove(listenerWatch) }
        listenerWatch = nil
        shard.schedule(at: shard.now + Self.exhaustedPause) { [weak self] in self?.start() }
    }

    /// Sends the response of a connection together with those of others.
    func sendSoon(_ connection: Connection) {
        if sending.isEmpty { shard.runBeforeWaiting { [self] in sendFinished() } }
        sending.append(connection)
        if sending.count == Self.sendBatch { sendFinished() }
    }

    private func sendFinished() {
        // Swapped and not copied: a copy would share the storage, and each batch would allocate another one.
        var connections: [Connection] = []
        swap(&connections, &spare)
        swap(&connections, &sending)
        for connection in connections { connection.sendAnswer() }
        connections.removeAll(keepingCapacity: true)
        swap(&connections, &spare)
    }

    /// Answers more requests of a connection, after the events of others.
    func continueSoon(_ connection: Connection) {
        if continuing.isEmpty { shard.runBeforeWaiting { [self] in continueAnswering() } }
        continuing.append(connection)
    }

    private func continueAnswering() {
        let connections = continuing
        continuing.removeAll(keepingCapacity: true)
        for connection in connections { connection.continueAnswering() }
    }

    func remove(_ connection: Connection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        if connection.isReserved { reserved.removeAll { $0 === connection } }
        limits.remove(connection.isCountedForClient ? connection.client : nil)
        handler.connectionsChanged(by: -1, on: shard)
        finishDrainIfDone()
    }
}

// Deadlines.
extension ServerShard {
    /// The time between two checks of the deadlines: a quarter of the shortest timeout, between 10 ms and a second.
    private var sweepInterval: Duration {
        var shortest = min(options.requestTimeout, options.idleTimeout, options.writeTimeout, options.answerTimeout)
        if let drainGrace { shortest = min(shortest, drainGrace) }
        return max(.milliseconds(10), min(.seconds(1), shortest / 4))
    }

    private func scheduleSweep() {
        guard sweepTimer == nil, !connections.isEmpty else { return }
        sweepTimer = shard.schedule(at: shard.now + sweepInterval) { [weak self] in self?.sweep() }
    }

    private func sweep() {
        sweepTimer = nil
        for connection in connections.values {
            if connection.deadline <= shard.now { connection.deadlinePassed() }
        }
        scheduleSweep()
    }

    /// Closes the connections that have waited for their next request for `time` or longer.
    func closeIdle(for time: Duration) {
        let latest = shard.now + (options.idleTimeout - time)
        for connection in connections.values { connection.endIfIdle(withDeadlineUntil: latest) }
    }
}

// Answers that clients do not take.
extension ServerShard {
    /// Asks for room if the answers that clients have not taken are too large together.
    func makeRoomIfNeeded() {
        if untaken.needsRoom() { makeRoom() }
    }

    /// The connections with an output that clients have not taken, with the rates at which they take it.
    func slowConnections() -> [(rate: Double, id: ObjectIdentifier)] {
        let now = shard.now
        return connections.compactMap { id, connection in connection.pending.map { ($0.rate(at: now), id) } }
    }

    /// Closes a connection whose client takes its answer too slowly.
    func closeSlow(_ id: ObjectIdentifier) {
        guard let connection = connections[id], connection.pending != nil else { return }
        connection.close(.refused(.exhausted))
    }
}

// Draining.
extension ServerShard {
    /// Stops accepting, lets requests in flight finish, and calls `whenDrained` with the number of connections that had
    /// to be cut.
    func drain(grace: Duration, _ whenDrained: @escaping (Int) -> Void) {
        drainGrace = grace
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
            connection.close(.stopped)
        }
    }

    private func finishDrainIfDone() {
        guard isDraining, connections.isEmpty else { return }
        let waiting = whenDrained
        whenDrained = []
        for done in waiting { done(cut) }
    }
}
