import EventLoop
import HTTPCore

/// The state of a connection; unsent bytes are in the connection's `unsent`.
enum ConnectionState {
    /// Waiting for a request, or for the rest of one.
    case reading
    /// A request is being answered; later requests wait.
    case answering
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

    /// Whether to read from the socket.
    var receives: Bool {
        switch self {
        case .reading, .lingering: true
        case .answering, .closing, .closed: false
        }
    }
}

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
    /// Waits for the client to take the last piece of a stream.
    private var room: CheckedContinuation<Void, Never>?
    /// The response, once there is one.
    private(set) var response: Response?

    init(_ request: AnsweredRequest, _ note: ExchangeNote, on connection: Connection) {
        (self.request, self.note, self.connection) = (request, note, connection)
    }

    /// Starts the task.
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

    /// Starts the task of a stream.
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

    private func waitForRoom(_ continuation: CheckedContinuation<Void, Never>) {
        if connection?.unsent == nil { return continuation.resume() }
        room = continuation
    }

    /// Lets a stream go on, because its client has taken all of the output or has left.
    func resume() {
        room?.resume()
        room = nil
    }

    /// Cancels the task, whose response nobody gets.
    func cancel() {
        connection = nil
        task?.cancel()
        resume()
    }
}
