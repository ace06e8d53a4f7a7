package import EventLoop

/// The transport of a connection: a socket, or TLS on a socket.
///
/// All outcomes are about the bytes of HTTP. Without TLS each call is the socket's own.
package struct Transport {
    package let socket: Socket
    package let session: TLSSession?

    /// A socket, with TLS on it if there is a context.
    init(_ socket: Socket, _ context: TLSContext?) {
        self.socket = socket
        session = context.map { TLSSession($0, on: socket) }
    }

    /// A socket, with a session on it if there is one.
    package init(_ socket: Socket, session: TLSSession?) { (self.socket, self.session) = (socket, session) }

    /// Whether bytes are encrypted.
    var isSecure: Bool { session?.isOpen ?? false }

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
    func send(_ first: [UInt8], then second: [UInt8]) -> Socket.Outcome {
        guard let session, session.isOpen else { return socket.send(first, then: second) }
        let outcome = session.send(first, from: 0, more: true)
        guard outcome == .bytes(first.count), case .bytes(let count) = session.send(second, from: 0) else {
            return outcome
        }
        return .bytes(first.count + count)
    }

    /// Closes the sending side; bytes that arrive afterwards are not decrypted.
    func finishSending() {
        session?.finish()
        socket.finishSending()
    }

    /// Says that the connection ends, before its socket is closed.
    package func finish() { session?.finish() }
}
