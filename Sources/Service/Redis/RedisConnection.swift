import Cache
import EventLoop
import HTTPServer

/// What a connection tells about itself, on its shard.
protocol RedisConnectionOwner: AnyObject {
    /// The greeting is over; commands may be sent.
    func connectionIsReady(_ connection: RedisConnection)
    func connection(_ connection: RedisConnection, received reply: RedisReply)
    /// The connection has ended, and tells nothing more.
    func connection(_ connection: RedisConnection, ended ending: RedisEnding)
}

/// A connection to Redis or a sentinel: the socket, its TLS, the greeting, and replies in their order; used on one shard.
final class RedisConnection: ReadinessHandler {
    private enum Stage: Equatable {
        case connecting, encrypting
        /// Waits for the reply to the greeting with this index.
        case greeting(Int)
        case ready, closed
    }

    /// The time for a connection with its greeting.
    static let connectTimeout = Duration.seconds(1)
    private static let bufferBytes = 64 << 10

    let address: SocketAddress
    private let tls: (context: TLSClientContext, host: String)?
    private let greeting: [RedisGreeting]
    private let reader: RedisReader?
    private let shard: Shard
    private var owner: (any RedisConnectionOwner)?
    private var stage = Stage.connecting
    private var transport: Transport?
    private var watch: Shard.Watch?
    private var interest: Readiness = []
    private var timer: ShardTimer?
    private var buffer: [UInt8] = []
    private var output: [UInt8] = []
    private var sent = 0
    private var willFlush = false
    /// When the greeting was over; nil before.
    private(set) var readySince: MonotonicTime?

    /// A connection to a numeric address or a path, which `owner` starts.
    init(
        to address: SocketAddress, _ settings: RedisSettings, host: SocketAddress, greeting: [RedisGreeting],
        on shard: Shard, owner: any RedisConnectionOwner
    ) {
        (self.address, self.greeting, self.shard, self.owner) = (address, greeting, shard, owner)
        let name = if case .network(let name, _) = host { name } else { "localhost" }
        tls = settings.tls.map { ($0, name) }
        // A script's answer is a little longer than the document in it.
        reader = RedisReader(maximumBytes: settings.maximumDocumentBytes + Self.bufferBytes)
    }

    /// Whether commands can be sent.
    var isReady: Bool { stage == .ready }

    /// The bytes that Redis has not taken.
    var unsentBytes: Int { output.count - sent }

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
            end(.timeout, "\(address) does not answer in time")
        }
    }

    /// Sends a command, together with others of this turn of the loop.
    func send(_ command: RedisCommand) {
        output += command.bytes
        guard !willFlush else { return }
        willFlush = true
        shard.runBeforeWaiting { [self] in
            willFlush = false
            flush()
        }
    }

    /// Ends the connection without telling its owner.
    func close() {
        if let watch { shard.remove(watch) }
        transport?.finish()
        timer?.cancel()
        (stage, watch, transport, owner, timer) = (.closed, nil, nil, nil, nil)
    }

    private func end(_ fault: SharedFault, _ detail: String) { end(RedisEnding(fault, detail)) }

    private func end(_ ending: RedisEnding) {
        let owner = owner
        close()
        owner?.connection(self, ended: ending)
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
        stage = .greeting(0)
        for greeting in greeting { output += greeting.command.bytes }
        if greeting.isEmpty { becomeReady() }
        flush()
    }

    private func becomeReady() {
        (stage, readySince) = (.ready, shard.now)
        timer?.cancel()
        owner?.connectionIsReady(self)
    }

    private func flush() {
        guard let transport, stage != .encrypting else { return }
        while sent < output.count {
            switch transport.send(output, from: sent) {
            case .bytes(let count): sent += count
            case .wouldBlock: return updateInterest()
            case .end, .failed: return end(.unreachable, "\(address) has closed the connection")
            }
        }
        // One large document must not hold memory for ever.
        output.removeAll(keepingCapacity: output.count <= Self.bufferBytes)
        sent = 0
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
        let refusal = transport?.session?.refusal
        end(
            .unreachable,
            refusal.map { "the certificate of \(address) is refused: \($0)" }
                ?? "the connection to \(address) broke off")
    }

    private func readReplies(_ reader: RedisReader) {
        do throws(RedisReader.Broken) {
            while stage != .closed, let reply = try reader.next() {
                guard case .greeting(let index) = stage else {
                    owner?.connection(self, received: reply)
                    continue
                }
                if let refusal = greeting[index].refusal(reply) { return end(refusal) }
                if index + 1 == greeting.count { becomeReady() } else { stage = .greeting(index + 1) }
            }
        } catch {
            end(.broken)
        }
    }

    private func updateInterest() {
        guard let watch, let transport else { return }
        var wanted: Readiness = .readable
        if unsentBytes > 0 && stage != .encrypting || transport.waitsToSend { wanted.insert(.writable) }
        guard wanted != interest else { return }
        interest = wanted
        shard.change(watch, to: wanted)
    }
}
