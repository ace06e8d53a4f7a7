import EventLoop
import HTTPCore

/// The properties of a request that its response and the record of its exchange depend on.
struct AnsweredRequest {
    var method: Method?
    let client: ClientAddress
    var version = Version.http11
    var keepsAlive = false
    /// Whether bytes may follow that are not read, so that the connection has to linger.
    var leavesInput = true
    let progress: RequestProgress
    /// The reason, if the server answers in place of the handler.
    var refusal: Refusal?

    /// A request that is refused for `refusal`.
    init(
        refusedFor refusal: Refusal, _ request: RefusedRequest, from client: ClientAddress, _ progress: RequestProgress
    ) {
        (method, self.client, self.refusal, self.progress) = (request.method, client, refusal, progress)
        version = request.version
    }

    /// A request that the handler answers.
    init(_ request: Request, from client: ClientAddress, _ progress: RequestProgress) {
        (method, self.client, version, self.progress) = (request.method, client, request.version, progress)
        keepsAlive = request.keepsAlive && !request.hasBody
        // A client that asked to close sends nothing but a body.
        leavesInput = request.keepsAlive || request.hasBody
    }

    /// The record of the exchange; the bytes sent and the end are added when the response has been sent.
    func exchange(_ status: Status?, _ note: consuming ExchangeNote) -> ExchangeRecord {
        var exchange = ExchangeRecord(start: progress.start, method: method, version: version, note: note)
        exchange.status = status
        exchange.client = client
        exchange.bytesReceived = progress.bytes
        exchange.headComplete = progress.headComplete
        if status != nil { exchange.answered = MonotonicTime.now.nanoseconds }
        if let refusal { exchange.outcome = .refused(refusal) }
        return exchange
    }
}

extension Refusal {
    /// The reason of the parser's failure.
    init(_ failure: RequestFailure) {
        self =
            switch failure.status {
            case .requestTimeout: .requestTimeout
            case .uriTooLong: .targetTooLong
            case .headerFieldsTooLarge: .headTooLarge
            case .serviceUnavailable: .connectionLimit
            default: .malformed
            }
    }
}

/// A request that a task answers.
///
/// The task holds this object and not the connection, whose socket would stay open until a cancelled task ends.
final class Answering {
    let request: AnsweredRequest
    /// The handler's note for the record, if the client leaves before the response.
    let note: ExchangeNote
    private var connection: Connection?
    private var task: Task<Void, Never>?
    /// The record of a response whose body is being streamed, with the bytes written so far as sent; nil for others.
    var streamed: ExchangeRecord?
    /// The most bytes of the stream that the client's system had taken at a look, and the first such look.
    private var taken: (bytes: Int, at: MonotonicTime)?
    /// Waits for the client to take the last piece of a stream.
    private var room: CheckedContinuation<Void, Never>?
    private(set) var response: Response?

    init(_ request: AnsweredRequest, _ note: ExchangeNote, on connection: Connection) {
        (self.request, self.note, self.connection) = (request, note, connection)
    }

    func start(_ work: @escaping @Sendable () async -> Response) {
        guard let shard = connection?.host.shard else { return }
        let answering = ShardBound(self, to: shard)
        task = Task(executorPreference: shard) {
            let response = await work()
            answering.open.finish(response)
        }
    }

    /// Takes the response, which the shard sends together with responses to other clients.
    private func finish(_ response: Response) {
        guard let connection else { return }
        self.response = response
        self.connection = nil
        connection.host.sendSoon(connection)
    }

    func start(streaming next: @escaping @Sendable () async -> [UInt8]?) {
        guard let shard = connection?.host.shard else { return }
        let answering = ShardBound(self, to: shard)
        task = Task(executorPreference: shard) {
            while let piece = await next() {
                guard let connection = answering.open.connection else { return }
                connection.send(piece: piece)
                await withCheckedContinuation { answering.open.waitForRoom($0) }
            }
            answering.open.connection?.send(piece: nil)
        }
    }

    /// Whether the client has taken nothing of the stream for `time`, while this system keeps `untaken` bytes for it.
    func hasStalled(for time: Duration, untaken: Int, at now: MonotonicTime) -> Bool {
        let bytes = (streamed?.bytesSent ?? 0) - untaken
        if untaken > 0, let taken, bytes <= taken.bytes { return now - taken.at > time }
        taken = (bytes, now)
        return false
    }

    private func waitForRoom(_ continuation: CheckedContinuation<Void, Never>) {
        if connection?.pending == nil { return continuation.resume() }
        room = continuation
    }

    /// Lets a stream go on, because its client has taken all of the output or has left.
    func resume() {
        room?.resume()
        room = nil
    }

    /// Cancels the task and drops its response.
    func cancel() {
        connection = nil
        task?.cancel()
        resume()
    }
}

// Bodies that are sent while they are made.
extension Connection {
    /// Writes the head of a stream, whose pieces follow; a HEAD gets nothing more.
    func stream(
        _ response: Response, _ next: @escaping @Sendable () async -> [UInt8]?, to request: AnsweredRequest,
        _ work: inout Workspace
    ) {
        let start = work.output.count
        response.serializeStreamHead(into: &work.output, date: host.date(), version: request.version)
        let answering = Answering(request, response.note, on: self)
        var exchange = request.exchange(response.status, response.note)
        exchange.bytesSent = work.output.count - start
        answering.streamed = exchange
        if request.method == .head { return endStream(answering, &work) }
        state = .answering(answering)
        answering.start(streaming: next)
    }

    /// Writes a piece of the stream; nil is the end.
    func send(piece: [UInt8]?) {
        guard case .answering(let answering) = state else { return }
        // Small pieces find room in the kernel for many minutes.
        let isStalled = answering.hasStalled(
            for: host.options.writeTimeout, untaken: transport.socket.untaken, at: host.shard.now)
        if isStalled { return close(.timedOut) }
        host.withWorkspace { work in
            // An empty chunk would end the body (RFC 9112 §7.1).
            let content = piece ?? []
            if answering.request.version == .http10 {
                work.output += content
            } else if !content.isEmpty || piece == nil {
                work.output += Array("\(String(content.count, radix: 16))\r\n".utf8) + content + Array("\r\n".utf8)
            }
            answering.streamed?.bytesSent += work.output.count
            if piece == nil { endStream(answering, &work) }
            flush(&work)
        }
        settle()
    }

    /// Ends the stream and then the connection; the exchange ends when the client has taken the last byte.
    private func endStream(_ answering: Answering, _ work: inout Workspace) {
        state = .closing(lingering: true)
        guard let exchange = answering.streamed else { return }
        let end = (pending?.end ?? 0) + work.output.count
        work.exchanges.append(PendingExchange(exchange: exchange, size: exchange.bytesSent, end: end))
    }
}
