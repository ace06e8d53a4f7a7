import EventLoop
import HTTPCore

/// The state of a connection; bytes that the client has not taken are in the connection's `pending`.
enum ConnectionState {
    /// Waiting for a request, or for the rest of one.
    case reading
    /// A request is being answered by a task; later requests wait.
    case answering(Answering)
    /// The last response is written; the connection closes when it has been sent.
    case closing(lingering: Bool)
    /// The sending side is closed. Bytes that still arrive are read and dropped, because closing with unread bytes resets
    /// the connection, and the client can lose the response (RFC 9112 §9.6).
    case lingering
    case closed

    var isReading: Bool {
        if case .reading = self { return true }
        return false
    }

    var isAnswering: Bool {
        if case .answering = self { return true }
        return false
    }

    var receives: Bool {
        switch self {
        case .reading, .lingering: true
        case .answering, .closing, .closed: false
        }
    }
}

/// A client's connection: reads requests, has them answered in order, and writes the responses; used on one shard only.
///
/// An idle connection holds no buffer: the connections of a shard share the buffers in its `Workspace`.
final class Connection: ReadinessHandler {
    /// The maximum of response bytes that the client has not taken; beyond it no further request of the client is read.
    static let maximumBacklog = 256 << 10
    /// A body from this size on is sent without being copied into the output buffer.
    static let largeBody = 4 << 10
    /// The same with TLS, which copies everything: a smaller one is in one record with its head.
    static let largeSecureBody = 16 << 10
    /// The time for a client to close after the last response, on an ordinary connection and on a reserved one.
    private static let lingerTimeout = Duration.seconds(2), shortLingerTimeout = Duration.milliseconds(250)
    /// The time for the first request on a connection beyond the maximum.
    private static let reservedTimeout = Duration.seconds(1)

    /// A reason for which complete requests may be in the input.
    enum Waiting {
        case no
        /// Other clients have their turn.
        case turn
        /// The client has to take responses.
        case room
    }

    // In an order that leaves no gaps.
    /// Whether the connection is beyond the maximum of connections.
    let isReserved: Bool
    var awaitsProxyHeader: Bool
    /// Whether the connection counts towards the client's maximum.
    var isCountedForClient = false
    /// Whether the client has closed its sending side.
    var peerHasFinished = false
    /// The reason, besides an answer under way, for which requests that have arrived wait.
    var waiting = Waiting.no
    var state = ConnectionState.reading
    private var watch: Shard.Watch?
    private var interest: Readiness = []
    let transport: Transport
    // The host references its connections too; `close` breaks the cycle. An unowned reference takes 14 % more time.
    let host: ServerShard
    private(set) var deadline: MonotonicTime
    var requests = 0
    var arriving: ArrivingRequest?
    var pending: PendingOutput?
    /// The client, as far as the connection tells: the one in the PROXY header, or else the peer.
    var client: ClientAddress

    init(
        _ transport: Transport, from peer: ClientAddress, isReserved: Bool, readsProxyHeader: Bool, host: ServerShard
    ) {
        (self.transport, client, self.isReserved, self.host) = (transport, peer, isReserved, host)
        awaitsProxyHeader = readsProxyHeader
        let time = host.options.requestTimeout
        deadline = host.shard.now + (isReserved ? min(time, Self.reservedTimeout) : time)
    }

    /// Starts to read; returns false if the socket cannot be watched.
    func start() -> Bool {
        interest = [.readable, .peerFinished]
        watch = try? host.shard.watch(transport.socket, for: interest, self)
        return watch != nil
    }

    func descriptorIsReady(_ readiness: Readiness) {
        if !readiness.isDisjoint(with: [.failed, .hungUp]) { return close(.clientLeft) }
        if readiness.contains(.writable) {
            if transport.waitsToSend { return receive() }
            sendPending()
        }
        if receives, !readiness.isDisjoint(with: [.readable, .peerFinished]) {
            receive()
        } else if readiness.contains(.peerFinished), !peerHasFinished {
            peerFinishedEarly()
        } else if readiness.contains(.readable) {
            updateInterest()
        }
    }

    /// Ends the connection because its deadline has passed, with a 408 if a request has started to arrive.
    func deadlinePassed() {
        // A request may have arrived since the shard looked for events.
        if state.isReading, pending == nil, arriving == nil {
            receive()
            guard deadline <= host.shard.now else { return }
        }
        guard state.isReading, pending == nil, transport.isEstablished else { return close(.timedOut) }
        if let arriving, arriving.parser.hasStarted {
            refuse(RequestFailure(status: .requestTimeout, detail: "The request took too long to arrive."))
        } else if isReserved, requests == 0 {
            refuse(host.limitFailure(.connectionLimit))
        } else {
            close(.timedOut)
        }
    }

    /// Ends the connection if it waits for its next request, and would do so until `latest` at most.
    func endIfIdle(withDeadlineUntil latest: MonotonicTime) {
        guard state.isReading, !isBusy, requests > 0, deadline <= latest else { return }
        deadline = min(deadline, host.shard.now)
        deadlinePassed()
    }

    /// Whether another connection can take the reserved slot: no complete request has arrived, or the answer is sent.
    var canYield: Bool {
        switch state {
        case .reading: requests == 0
        case .lingering: true
        case .answering, .closing, .closed: false
        }
    }

    /// Gives up its reserved slot, unless a request has arrived meanwhile that is still being answered.
    func yield() {
        if state.isReading { receive() }
        guard canYield else { return }
        if state.isReading {
            guard transport.isEstablished else { return drop(.connectionLimit) }
            refuse(host.limitFailure(.connectionLimit))
        }
        close(.clientLeft)
    }

    /// Ends the connection after the grace period if it is idle; with a request in flight it ends after the response.
    func drain() {
        guard state.isReading, !isBusy else { return }
        deadline = min(deadline, host.shard.now + (host.drainGrace ?? .zero))
    }

    /// Ends the connection immediately; its unfinished exchanges get `outcome`.
    func close(_ outcome: ExchangeRecord.Outcome) {
        if case .closed = state { return }
        let last = state
        state = .closed
        deadline = .distantFuture
        if let watch { host.shard.remove(watch) }
        watch = nil
        transport.finish()
        arriving = nil
        let pendingCount = pending?.queue.count ?? 0
        if let pending {
            self.pending = nil
            host.finish(&pending.exchanges, sent: pending.sent, outcome)
        }
        if case .answering(let answering) = last {
            answering.cancel()
            var exchange = answering.streamed ?? answering.request.exchange(nil, answering.note)
            exchange.bytesSent = max(0, exchange.bytesSent - pendingCount)
            (exchange.end, exchange.outcome) = (MonotonicTime.now.nanoseconds, outcome)
            host.finish(exchange)
        }
        host.remove(self)
    }

    /// Whether closing now would cut a request or a response.
    var isBusy: Bool {
        switch state {
        case .answering, .closing: true
        case .reading: pending != nil || waiting != .no || arriving?.parser.hasStarted == true
        case .lingering, .closed: false
        }
    }
}

// Waiting.
extension Connection {
    /// Whether to read from the socket: not while the client takes no responses.
    var receives: Bool {
        (state.receives || receivesAhead) && waiting == .no && (pending?.queue.count ?? 0) < Self.maximumBacklog
    }

    /// Whether to read once while a request is answered, because the socket doesn't tell a close_notify from requests.
    private var receivesAhead: Bool {
        transport.isSecure && state.isAnswering && !peerHasFinished && arriving?.hasBytes != true
    }

    func peerFinished() {
        if state.isAnswering { return peerFinishedEarly() }
        // An incomplete request gets no response.
        if pending == nil { return close(.clientLeft) }
        peerHasFinished = true
        state = .closing(lingering: false)
        updateInterest()
    }

    /// Notes that the client has closed its sending side while the connection reads nothing.
    ///
    /// The client has probably left; one that still waits for responses looks the same until a response is sent.
    private func peerFinishedEarly() {
        if state.isAnswering, !host.options.allowsHalfClose { return close(.clientLeft) }
        peerHasFinished = true
        updateInterest()
    }

    /// Waits for the next event, after all responses so far have been written.
    func settle() {
        switch state {
        case .closed: return
        case .closing(let lingering) where pending == nil:
            guard lingering else { return close(.completed) }
            transport.finishSending()
            state = .lingering
            deadline = host.shard.now + (isReserved ? Self.shortLingerTimeout : Self.lingerTimeout)
        case .lingering: break
        case .reading, .answering, .closing: updateDeadline()
        }
        if let ending = transport.ending, receives { return ending == .end ? peerFinished() : transportFailed() }
        updateInterest(isLazy: true)
    }

    private func updateDeadline() {
        if let pending {
            deadline = pending.deadline
        } else if !state.isReading || waiting == .turn {
            deadline = .distantFuture
        } else if let arriving, arriving.parser.hasStarted {
            // On a reserved connection, the time for the first request is from its start.
            if !isReserved {
                deadline = MonotonicTime(nanoseconds: arriving.progress.start) + host.options.requestTimeout
            }
        } else if requests > 0 {
            deadline = host.shard.now + (host.drainGrace ?? host.options.idleTimeout)
        }
    }

    /// Watches the socket for the events that the connection waits for now.
    ///
    /// With `isLazy`, the watch for requests stays while one is answered: most clients send nothing meanwhile, and each
    /// change is a system call.
    func updateInterest(isLazy: Bool = false) {
        var wanted: Readiness = receives ? [.readable, .peerFinished] : []
        if state.isAnswering, !peerHasFinished {
            wanted.insert(.peerFinished)
            if isLazy, interest.contains(.readable) { wanted.insert(.readable) }
        }
        if pending != nil { wanted.insert(.writable) }
        if transport.waitsToSend { wanted = .writable }
        guard wanted != interest, let watch else { return }
        interest = wanted
        host.shard.change(watch, to: wanted)
    }
}
