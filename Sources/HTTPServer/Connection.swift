import EventLoop
import HTTPCore

/// One client's connection: reads requests, has them answered in order, writes the answers.
///
/// Belongs to one shard.
final class Connection: ReadinessHandler {
    /// Answers that wait for a client to take them, in bytes; past it no further request of that client is read.
    private static let maximumBacklog = 256 << 10
    /// Buffers larger than this are not kept while a connection is idle.
    private static let maximumIdleBuffer = 16 << 10
    private static let lingerTimeout = Duration.seconds(2)

    private let socket: Socket
    private unowned let host: ServerShard
    private var watch: Shard.Watch?
    private var interest: Readiness = []
    private var parser: RequestParser
    /// What has arrived of requests that are not complete or not yet due.
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private var sent = 0
    private var state = State.reading
    private var task: Task<Void, Never>?
    /// When the client has taken too long over what it is at; nil while it has nothing to do but wait for an answer.
    private(set) var deadline: MonotonicTime?

    init(_ socket: Socket, host: ServerShard) {
        self.socket = socket
        self.host = host
        parser = RequestParser(limits: host.options.requestLimits)
        deadline = host.shard.now + host.options.requestTimeout
    }

    /// Begins to read.
    ///
    /// False when the system has no watch left.
    func start() -> Bool {
        interest = [.readable, .peerFinished]
        watch = try? host.shard.watch(socket, for: interest, self)
        return watch != nil
    }

    /// Answers with a refusal and closes.
    func refuse(_ failure: RequestFailure) {
        write(host.handler.refusal(of: failure), Exchange())
        state = .closing(lingering: true)
        flush()
    }

    func descriptorIsReady(_ readiness: Readiness) {
        if !readiness.isDisjoint(with: [.failed, .hungUp]) { return close() }
        if readiness.contains(.writable) { flush() }
        if reads, !readiness.isDisjoint(with: [.readable, .peerFinished]) { receive() }
    }

    /// What the time-out of the state at hand asks for.
    func deadlinePassed() {
        if case .reading = state, output.isEmpty, parser.hasStarted {
            return refuse(RequestFailure(status: .requestTimeout, detail: "The request took too long to arrive."))
        }
        close()
    }

    /// Ends the connection soon if it is idle; one with a request in flight ends after its answer.
    func drain() {
        guard case .reading = state, !parser.hasStarted, output.isEmpty else { return }
        deadline = min(deadline ?? .now, host.shard.now + host.options.drainGrace)
    }

    /// Ends the connection at once.
    func close() {
        if case .closed = state { return }
        state = .closed
        deadline = nil
        task?.cancel()
        if let watch { host.shard.remove(watch) }
        watch = nil
        host.remove(self)
    }

    /// Whether closing now would cut an answer.
    var isBusy: Bool {
        switch state {
        case .answering, .closing: true
        case .reading: parser.hasStarted || !output.isEmpty
        case .lingering, .closed: false
        }
    }
}

// Reading.
extension Connection {
    /// Whether what the socket has to read is wanted: nothing more of a client that does not take its answers.
    private var reads: Bool { state.reads && output.count - sent < Self.maximumBacklog }

    /// Reads once: then it is the others' turn, and what is left is told again.
    private func receive() {
        // Taken for the time of reading, so that it is nobody else's and never copied.
        var scratch: [UInt8] = []
        swap(&scratch, &host.scratch)
        defer { swap(&scratch, &host.scratch) }
        switch socket.receive(into: &scratch) {
        case .bytes(let count): if state.isReading { take(scratch.span.extracting(..<count)) }
        case .end: peerFinished()
        case .wouldBlock: break
        case .failed: close()
        }
    }

    private func peerFinished() {
        // A request cut short has nobody left to hear what was wrong with it.
        if output.isEmpty { return close() }
        state = .closing(lingering: false)
        watchForState()
    }

    private func take(_ bytes: Span<UInt8>) {
        if input.isEmpty {
            let consumed = answerRequests(in: bytes)
            keep(bytes.extracting(consumed...))
        } else {
            keep(bytes)
            answerInput()
        }
        flush()
    }

    private func keep(_ bytes: Span<UInt8>) {
        for index in bytes.indices { input.append(bytes[index]) }
    }

    /// Answers what is complete in `input`.
    private func answerInput() {
        let bytes = input
        input = []
        let consumed = answerRequests(in: bytes.span)
        input = consumed == 0 ? bytes : Array(bytes[consumed...])
    }

    /// Answers the requests that are complete in `bytes`, one after the other, and returns how many bytes they took.
    private func answerRequests(in bytes: Span<UInt8>) -> Int {
        var start = 0
        let hadStarted = parser.hasStarted
        while state.isReading, start < bytes.count, output.count - sent < Self.maximumBacklog {
            switch parser.parse(bytes.extracting(start...)) {
            case .needsMore:
                if parser.takeContinueExpectation() { output += "HTTP/1.1 100 Continue\r\n\r\n".utf8 }
                if output.isEmpty, parser.hasStarted, !hadStarted || start > 0 { deadline = restingDeadline }
                return start
            case .request(let request, let consumed):
                start += consumed
                answer(request)
            case .failure(let failure):
                write(host.handler.refusal(of: failure), Exchange())
                state = .closing(lingering: true)
                return bytes.count
            }
        }
        return start
    }
}

// Answering.
extension Connection {
    private func answer(_ request: Request) {
        let exchange = Exchange(request)
        switch host.handler.reply(to: request, on: host.shard) {
        case .now(let response): write(response, exchange)
        case .later(let work):
            state = .answering(exchange)
            if output.isEmpty { deadline = nil }
            let connection = ShardBound(self, to: host.shard)
            task = Task(executorPreference: host.shard) {
                let response = await work()
                connection.open.finish(response)
            }
        }
    }

    /// Writes the answer that was made meanwhile, and goes on with what the client has sent since.
    private func finish(_ response: Response) {
        guard case .answering(let exchange) = state else { return }
        task = nil
        write(response, exchange)
        answerInput()
        flush()
    }

    private func write(_ response: Response, _ exchange: Exchange) {
        state = exchange.next(isDraining: host.isDraining)
        if output.isEmpty { deadline = host.shard.now + host.options.writeTimeout }
        response.serialize(
            into: &output, date: host.date(), version: exchange.version, keepsAlive: state.isReading,
            omittingBody: exchange.isHead)
    }

    /// Sends what is written, as far as the client takes it, and answers what waited for that.
    private func flush() {
        while sent < output.count {
            switch socket.send(output, from: sent) {
            case .bytes(let count):
                forget(count)
                answerWaiting()
            case .wouldBlock: return watchForState()
            case .end, .failed: return close()
            }
        }
        if case .closing(let lingering) = state { return finishClosing(lingering: lingering) }
        watchForState()
    }

    /// Forgets `count` more bytes of the output, which the client has taken.
    private func forget(_ count: Int) {
        sent += count
        if sent == output.count {
            output.removeAll(keepingCapacity: output.capacity <= Self.maximumIdleBuffer)
            sent = 0
            deadline = restingDeadline
        } else {
            deadline = host.shard.now + host.options.writeTimeout
            // A client that is always behind would have all it ever took kept.
            if sent >= Self.maximumBacklog, sent > output.count / 2 {
                output.removeFirst(sent)
                sent = 0
            }
        }
    }

    /// Answers the requests that waited for the backlog to go.
    private func answerWaiting() {
        if state.isReading, reads, !input.isEmpty, !parser.hasStarted { answerInput() }
    }

    /// When a client that has taken all its answers has taken too long over what comes next.
    private var restingDeadline: MonotonicTime? {
        switch state {
        case .reading where parser.hasStarted: host.shard.now + host.options.requestTimeout
        case .reading: host.shard.now + (host.isDraining ? host.options.drainGrace : host.options.idleTimeout)
        case .closing, .lingering: host.shard.now + Self.lingerTimeout
        case .answering, .closed: nil
        }
    }

    private func finishClosing(lingering: Bool) {
        guard lingering else { return close() }
        socket.finishSending()
        state = .lingering
        deadline = restingDeadline
        watchForState()
    }

    private func watchForState() {
        var wanted: Readiness = reads ? [.readable, .peerFinished] : []
        if sent < output.count { wanted.insert(.writable) }
        guard wanted != interest, let watch else { return }
        interest = wanted
        host.shard.change(watch, to: wanted)
    }
}
