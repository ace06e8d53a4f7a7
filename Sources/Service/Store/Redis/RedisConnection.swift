import EventLoop
import HTTPCore

/// A connection to Redis or a sentinel: the socket, its TLS, the greeting, and replies in their order; used on one shard.
final class RedisConnection: ReadinessHandler {
    /// A change of a connection, told on its shard.
    enum Event {
        /// Commands may be sent; the reply is the last one of the greeting.
        case ready(RedisReply)
        case reply(RedisReply)
        /// The connection has ended, and tells nothing more.
        case ended(RedisEnding)
    }

    private enum Stage {
        case connecting, encrypting, greeting, ready, closed
    }

    /// The time for a connection with its greeting.
    static let connectTimeout = Duration.seconds(1)
    private static let bufferBytes = 64 << 10

    let address: SocketAddress
    private let tls: (context: TLSClientContext, host: String)?
    /// The commands of the greeting that have no reply yet.
    private var greeting: [RedisGreeting]
    private let reader: RedisReader?
    private let shard: Shard
    private var tell: ((RedisConnection, Event) -> Void)?
    private var stage = Stage.connecting
    private var transport: Transport?
    private var watch: Shard.Watch?
    private var interest: Readiness = []
    private var timer: ShardTimer?
    private var buffer: [UInt8] = []
    private var output = OutputQueue()
    private var willFlush = false
    private var greetedAt: MonotonicTime?
    /// When the greeting was over; nil before.
    private(set) var readySince: MonotonicTime?

    /// A connection to a numeric address or a path, which `start` begins; `host` has the name in the certificate.
    ///
    /// Both the host and the greeting are those of Redis by default.
    init(
        to address: SocketAddress, _ settings: RedisSettings, host: SocketAddress? = nil,
        greeting: [RedisGreeting]? = nil, on shard: Shard, _ tell: @escaping (RedisConnection, Event) -> Void
    ) {
        (self.address, self.greeting) = (address, greeting ?? settings.greeting)
        (self.shard, self.tell) = (shard, tell)
        let name = if case .network(let name, _) = host ?? settings.address { name } else { "localhost" }
        tls = settings.tls.map { ($0, name) }
        // A script's answer is a little longer than the document in it.
        reader = RedisReader(maximumBytes: settings.maximumDocumentBytes + Self.bufferBytes)
    }

    /// The time that Redis took for the greeting; nil before its end.
    var greetingTime: Duration? { greetedAt.flatMap { start in readySince.map { $0 - start } } }

    /// Whether commands can be sent.
    var isReady: Bool { stage == .ready }

    /// The bytes that Redis has not taken.
    var unsentBytes: Int { output.count }

    func start() {
        do {
            let socket = try Socket.connecting(to: address)
            let session = tls.flatMap { TLSSession($0.context, to: $0.host, on: socket) }
            if tls != nil, session == nil { return end(.unreachable, "no memory for TLS") }
            transport = Transport(socket, session: session)
            interest = .writable
            watch = try shard.watch(socket, for: interest, self)
        } catch {
            return end(.unreachable, "\(error)")
        }
        timer = shard.schedule(at: .now + Self.connectTimeout) { [self] in
            let isEncrypting = stage == .encrypting
            end(.timeout, "\(address) does not answer \(isEncrypting ? "the TLS handshake " : "")in time")
        }
    }

    /// Sends a command, together with others of this turn of the loop.
    func send(_ command: RedisCommand) {
        output.append(copying: command.bytes[...])
        guard !willFlush else { return }
        willFlush = true
        shard.runBeforeWaiting { [self] in
            willFlush = false
            flush()
        }
    }

    /// Ends the connection without telling.
    func close() {
        if let watch { shard.remove(watch) }
        transport?.finish()
        timer?.cancel()
        (stage, watch, transport, tell, timer) = (.closed, nil, nil, nil, nil)
    }

    private func end(_ fault: SharedFault, _ detail: String) { end(RedisEnding(fault, detail)) }

    /// Ends the connection, and tells why.
    func end(_ ending: RedisEnding) {
        let tell = tell
        close()
        tell?(self, .ended(ending))
    }

    func descriptorIsReady(_ readiness: Readiness) {
        guard let transport else { return }
        if stage == .connecting {
            if let error = transport.socket.connectionError(to: address) { return end(.unreachable, "\(error)") }
            buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
            guard tls != nil else { return greet() }
            stage = .encrypting
            return receive()
        }
        if readiness.contains(.writable), !transport.waitsToSend { flush() }
        if stage != .closed { receive() }
    }

    private func greet() {
        (stage, greetedAt) = (.greeting, .now)
        for greeting in greeting { output.append(copying: greeting.command.bytes[...]) }
        flush()
    }

    private func flush() {
        guard let transport, stage != .encrypting else { return }
        while !output.isEmpty {
            switch output.send(to: transport) {
            case .bytes: continue
            case .wouldBlock: return updateInterest()
            case .end, .failed: return end(.unreachable, "\(address) has closed the connection")
            }
        }
        updateInterest()
    }

    /// Reads what has arrived.
    func receive() {
        guard let transport, stage != .connecting else { return }
        switch transport.receive(into: &buffer) {
        case .bytes(let count):
            guard let reader, reader.feed(buffer, count) else { return end(.broken) }
            readReplies(reader)
        case .wouldBlock: break
        case .end: return end(.unreachable, "\(address) has closed the connection")
        case .failed: return transportFailed()
        }
        if stage == .closed { return }
        if transport.ending != nil { return transportFailed() }
        if stage == .encrypting, transport.isEstablished { greet() } else { updateInterest() }
    }

    private func transportFailed() {
        guard let tls, let refusal = transport?.session?.refusal else {
            return end(.unreachable, "the connection to \(address) broke off")
        }
        end(.unreachable, "the certificate of \(tls.host) is refused: \(refusal)")
    }

    private func readReplies(_ reader: RedisReader) {
        do throws(RedisReader.Broken) {
            while stage != .closed, let reply = try reader.next() {
                switch stage {
                case .ready: tell?(self, .reply(reply))
                case .greeting:
                    if let refusal = greeting.removeFirst().refusal(reply) { return end(refusal) }
                    guard greeting.isEmpty else { continue }
                    (stage, readySince) = (.ready, .now)
                    timer?.cancel()
                    tell?(self, .ready(reply))
                case .connecting, .encrypting, .closed: return end(.broken)
                }
            }
        } catch {
            end(.broken)
        }
    }

    private func updateInterest() {
        guard let watch, let transport else { return }
        var wanted: Readiness = .readable
        if !output.isEmpty && stage != .encrypting || transport.waitsToSend { wanted.insert(.writable) }
        guard wanted != interest else { return }
        interest = wanted
        shard.change(watch, to: wanted)
    }
}
