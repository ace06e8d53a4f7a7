import EventLoop
import HTTPCore

/// A client's connection: reads requests, has them answered in order, and writes the responses; used on one shard only.
final class Connection: ReadinessHandler {
    /// The maximum of unsent response bytes; beyond it no further request of the client is read.
    private static let maximumBacklog = 256 << 10
    /// A larger output buffer is released while the connection is idle.
    private static let maximumIdleBuffer = 16 << 10
    /// A body from this size on is sent without being copied into the output buffer.
    private static let largeBody = 4 << 10
    private static let lingerTimeout = Duration.seconds(2)

    private let socket: Socket
    // The host references its connections too; `close` breaks the cycle. An unowned reference takes 14 % more time.
    private let host: ServerShard
    private var watch: Shard.Watch?
    private var interest: Readiness = []
    private var parser: RequestParser
    /// The received bytes of requests that are incomplete or wait for earlier ones to be answered.
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    /// The number of bytes of `output` that the kernel has taken.
    private var sent = 0
    private var state = ConnectionState.reading
    private var task: Task<Void, Never>?
    /// The response that is sent after the current events.
    private var finished: Response?
    /// Whether the client has closed its sending side.
    private var peerHasFinished = false
    /// The time at which the client has taken too long; nil while it can only wait for a response.
    private(set) var deadline: MonotonicTime?

    init(_ socket: Socket, host: ServerShard) {
        self.socket = socket
        self.host = host
        parser = RequestParser(limits: host.options.requestLimits)
        deadline = host.shard.now + host.options.requestTimeout
    }

    /// Starts to read; returns false if the socket cannot be watched.
    func start() -> Bool {
        interest = [.readable, .peerFinished]
        watch = try? host.shard.watch(socket, for: interest, self)
        return watch != nil
    }

    /// Sends the response to `failure` and closes.
    func refuse(_ failure: RequestFailure) {
        writeRefusal(of: failure)
        flush()
    }

    func descriptorIsReady(_ readiness: Readiness) {
        if !readiness.isDisjoint(with: [.failed, .hungUp]) { return close() }
        if readiness.contains(.writable) { flush() }
        if receives, !readiness.isDisjoint(with: [.readable, .peerFinished]) {
            receive()
        } else if readiness.contains(.peerFinished), case .answering = state {
            peerFinishedWhileAnswering()
        } else if readiness.contains(.readable) {
            updateInterest()
        }
    }

    /// Ends the connection because its deadline has passed, with a 408 if a request has started to arrive.
    func deadlinePassed() {
        if state.isReading, output.isEmpty, parser.hasStarted {
            return refuse(RequestFailure(status: .requestTimeout, detail: "The request took too long to arrive."))
        }
        close()
    }

    /// Ends the connection after the grace period if it is idle; with a request in flight it ends after the response.
    func drain() {
        guard state.isReading, !isBusy else { return }
        deadline = min(deadline ?? .now, host.shard.now + host.options.drainGrace)
    }

    /// Ends the connection immediately.
    func close() {
        if case .closed = state { return }
        state = .closed
        deadline = nil
        task?.cancel()
        if let watch { host.shard.remove(watch) }
        watch = nil
        host.remove(self)
    }

    /// Whether closing now would cut a request or a response.
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
    /// Whether to read from the socket: not while the client takes no responses.
    private var receives: Bool { state.receives && output.count - sent < Self.maximumBacklog }

    /// Reads once per event, so that one client cannot starve the others.
    private func receive() {
        // Swaps, so that the buffer has one owner while it is written to; a second owner would make the array copy it.
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
        // An incomplete request gets no response.
        if output.isEmpty { return close() }
        state = .closing(lingering: false)
        updateInterest()
    }

    /// Cancels the work for a client that has probably gone.
    ///
    /// A client that has only closed its sending side looks the same until something is sent to it: it gets whatever
    /// response the cancelled work gives.
    private func peerFinishedWhileAnswering() {
        peerHasFinished = true
        task?.cancel()
        updateInterest()
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

    /// Answers the complete requests in `input`.
    private func answerInput() {
        let bytes = input
        input = []
        let consumed = answerRequests(in: bytes.span)
        input = consumed == 0 ? bytes : Array(bytes[consumed...])
    }

    /// Answers the complete requests in `bytes`, one after another, and returns the number of bytes they took.
    private func answerRequests(in bytes: Span<UInt8>) -> Int {
        var start = 0
        let hadStarted = parser.hasStarted
        while state.isReading, start < bytes.count, output.count - sent < Self.maximumBacklog {
            switch parser.parse(bytes.extracting(start...)) {
            case .needsMore:
                if parser.takeContinueExpectation() { output += "HTTP/1.1 100 Continue\r\n\r\n".utf8 }
                if output.isEmpty, parser.hasStarted, !hadStarted || start > 0 { deadline = nextDeadline }
                return start
            case .request(let request, let consumed):
                start += consumed
                answer(request)
            case .failure(let failure):
                writeRefusal(of: failure)
                return bytes.count
            }
        }
        return start
    }
}

// Answering.
extension Connection {
    private func answer(_ request: Request) {
        let framing = ResponseFraming(request)
        switch host.handler.reply(to: request, on: host.shard) {
        case .now(let response): write(response, framing)
        case .later(let work):
            state = .answering(framing)
            if output.isEmpty { deadline = nil }
            let connection = ShardBound(self, to: host.shard)
            task = Task(executorPreference: host.shard) {
                let response = await work()
                connection.open.finish(response)
            }
            if peerHasFinished { task?.cancel() }
        }
    }

    /// Takes the response of a `Reply.later`; it is sent together with those to other clients.
    private func finish(_ response: Response) {
        finished = response
        host.sendSoon(self)
    }

    /// Writes the response that has been taken, and continues with the requests that have arrived since.
    func sendFinished() {
        guard case .answering(let framing) = state, let response = finished else { return }
        finished = nil
        task = nil
        write(response, framing)
        answerInput()
        flush()
    }

    private func writeRefusal(of failure: RequestFailure) {
        write(host.handler.refusal(of: failure), ResponseFraming(nil))
        state = .closing(lingering: true)
    }

    private func write(_ response: Response, _ framing: ResponseFraming) {
        state = framing.nextState(isDraining: host.isDraining)
        let hasContent = !framing.isHead && !response.status.forbidsContent
        let sendsNow = output.isEmpty && hasContent && response.body.count >= Self.largeBody
        if output.isEmpty { deadline = host.shard.now + host.options.writeTimeout }
        response.serialize(
            into: &output, date: host.date(), version: framing.version, keepsAlive: state.isReading,
            omittingBody: framing.isHead || sendsNow)
        if sendsNow { send(body: response.body) }
    }

    /// Sends a body behind its head, which is all of the output; only what the client does not take at once is copied.
    private func send(body: [UInt8]) {
        switch socket.send(output, then: body) {
        case .bytes(let count) where count == output.count + body.count: release(output.count)
        case .bytes(let count):
            output += body
            release(count)
        case .wouldBlock: output += body
        case .end, .failed:
            output.removeAll()
            close()
        }
    }
}

// Sending.
extension Connection {
    /// Sends as much of the output as the client takes, and answers requests that waited for that.
    private func flush() {
        while sent < output.count {
            switch socket.send(output, from: sent) {
            case .bytes(let count):
                release(count)
                if state.isReading, receives, !input.isEmpty, !parser.hasStarted { answerInput() }
            case .wouldBlock: return updateInterest()
            case .end, .failed: return close()
            }
        }
        if case .closing(let lingering) = state {
            guard lingering else { return close() }
            socket.finishSending()
            state = .lingering
            deadline = nextDeadline
        }
        updateInterest(isLazy: true)
    }

    /// Releases `count` more bytes of the output, which the client has taken.
    private func release(_ count: Int) {
        sent += count
        if sent == output.count {
            output.removeAll(keepingCapacity: output.capacity <= Self.maximumIdleBuffer)
            sent = 0
            deadline = nextDeadline
        } else {
            deadline = host.shard.now + host.options.writeTimeout
            // Without this, the output of a client that is always behind would grow without limit.
            if sent >= Self.maximumBacklog, sent > output.count / 2 {
                output.removeFirst(sent)
                sent = 0
            }
        }
    }

    /// The deadline of a client that has taken all its responses.
    private var nextDeadline: MonotonicTime? {
        switch state {
        case .reading where parser.hasStarted: host.shard.now + host.options.requestTimeout
        case .reading: host.shard.now + (host.isDraining ? host.options.drainGrace : host.options.idleTimeout)
        case .closing, .lingering: host.shard.now + Self.lingerTimeout
        case .answering, .closed: nil
        }
    }

    /// Watches for what the connection waits for now.
    ///
    /// With `isLazy`, the watch for requests stays while one is answered: most clients send nothing meanwhile, and each
    /// change is a system call.
    private func updateInterest(isLazy: Bool = false) {
        var wanted: Readiness = receives ? [.readable, .peerFinished] : []
        if case .answering = state, !peerHasFinished {
            wanted.insert(.peerFinished)
            if isLazy, interest.contains(.readable) { wanted.insert(.readable) }
        }
        if sent < output.count { wanted.insert(.writable) }
        guard wanted != interest, let watch else { return }
        interest = wanted
        host.shard.change(watch, to: wanted)
    }
}
