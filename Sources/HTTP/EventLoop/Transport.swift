/// The transport of a connection: a socket, or TLS on a socket.
///
/// All outcomes are about the bytes of HTTP. Without TLS each call is the socket's own.
package struct Transport {
    package let socket: Socket
    package let session: TLSSession?

    /// A socket, with TLS on it if there is a context.
    package init(_ socket: Socket, _ context: TLSContext?) {
        self.socket = socket
        session = context.map { TLSSession($0, on: socket) }
    }

    /// A socket, with a session on it if there is one.
    package init(_ socket: Socket, session: TLSSession?) { (self.socket, self.session) = (socket, session) }

    /// Whether bytes are encrypted.
    package var isSecure: Bool { session?.isOpen ?? false }

    /// Whether requests can arrive and responses be sent: there is no TLS, or its handshake is complete.
    package var isEstablished: Bool { session?.isEstablished ?? true }

    /// Whether `receive` goes on only when the socket is writable.
    package var waitsToSend: Bool { session?.waitsToSend ?? false }

    /// The end or the failure behind the last bytes, if no event of the socket reports it.
    package var ending: Socket.Outcome? { session?.ending }

    /// Reads the available bytes into `buffer`, once for each event of the socket.
    package func receive(into buffer: inout [UInt8]) -> Socket.Outcome {
        session?.receive(into: &buffer) ?? socket.receive(into: &buffer)
    }

    /// Sends as many bytes of `buffer` from `start` on as the socket takes; the next call begins with the others.
    package func send(_ buffer: [UInt8], from start: Int) -> Socket.Outcome {
        session?.send(buffer, from: start) ?? socket.send(buffer, from: start)
    }

    /// Sends as many bytes of `first` and then of `second` as the socket takes.
    package func send(_ first: [UInt8], then second: [UInt8]) -> Socket.Outcome {
        guard let session, session.isOpen else { return socket.send(first, then: second) }
        let outcome = session.send(first, from: 0, more: true)
        guard outcome == .bytes(first.count), case .bytes(let count) = session.send(second, from: 0) else {
            return outcome
        }
        return .bytes(first.count + count)
    }

    /// Closes the sending side; bytes that arrive afterwards are not decrypted.
    package func finishSending() {
        session?.finish()
        socket.finishSending()
    }

    /// Says that the connection ends, before its socket is closed.
    package func finish() { session?.finish() }
}

/// Bytes that the other end has not taken yet; bodies of responses are shared with the cache and not copied.
package struct OutputQueue {
    /// A chunk of this size gets no further bytes, so that its memory is released once it is sent.
    private static let fullChunk = 64 << 10

    private var chunks: [[UInt8]] = []
    /// The number of bytes of the first chunk that are sent.
    private var sent = 0
    /// Whether bytes may be appended to the last chunk, because nothing else holds it.
    private var isLastOwned = false
    /// The number of bytes that are not sent.
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// Copies `bytes` to the end.
    package mutating func append(copying bytes: ArraySlice<UInt8>) {
        if bytes.isEmpty { return }
        if isLastOwned, let last = chunks.indices.last, chunks[last].count < Self.fullChunk {
            chunks[last] += bytes
        } else {
            chunks.append(Array(bytes))
            isLastOwned = true
        }
        count += bytes.count
    }

    /// Adds `bytes` from `start` on to the end; `start` is 0 unless the queue is empty.
    package mutating func append(sharing bytes: [UInt8], from start: Int = 0) {
        guard start < bytes.count else { return }
        precondition(start == 0 || isEmpty, "only the first chunk can be sent in part")
        chunks.append(bytes)
        isLastOwned = false
        if start > 0 { sent = start }
        count += bytes.count - start
    }

    /// Sends bytes of the first chunk.
    package mutating func send(to transport: Transport) -> Socket.Outcome {
        guard let first = chunks.first else { return .bytes(0) }
        let outcome = transport.send(first, from: sent)
        guard case .bytes(let taken) = outcome else { return outcome }
        sent += taken
        count -= taken
        if sent == first.count {
            chunks.removeFirst()
            sent = 0
        }
        return outcome
    }
}
