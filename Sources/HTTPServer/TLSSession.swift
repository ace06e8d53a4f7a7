// Unsafe: libssl's C interface. A session owns its `SSL` until `release`, and holds the socket that is below it. Buffers
// pass inside `withUnsafe…` with the count of the same buffer.
import CTLS
import EventLoop
import Glibc

/// TLS on a socket, as its server; used on the shard of its connection only.
///
/// The handshake takes place in `receive`. Once the session is released, the socket is used as it is.
final class TLSSession {
    private let socket: Socket
    private var session: OpaquePointer?
    /// What follows the bytes that were received; no event of the socket reports it.
    private(set) var ending: Socket.Outcome?
    /// Whether the client has sent plain HTTP in place of a handshake.
    private(set) var isPlainHTTP = false
    /// Whether `receive` goes on only when the socket takes more: what libssl itself sends is larger than its buffer.
    private(set) var waitsToSend = false

    init(_ session: OpaquePointer, on socket: Socket) { (self.session, self.socket) = (session, socket) }

    deinit { SSL_free(session) }

    /// Whether TLS is in use: nothing has released it.
    var isOpen: Bool { session != nil }

    /// Whether the handshake is complete.
    var isEstablished: Bool { session.map { SSL_is_init_finished($0) == 1 } ?? true }

    /// Reads from the socket once and decrypts what has arrived; `buffer` has room for 32 KiB at least.
    func receive(into buffer: inout [UInt8]) -> Socket.Outcome {
        guard let session else { return socket.receive(into: &buffer) }
        if let ending { return ending }
        let step = buffer.withUnsafeMutableBytes { weir_tls_receive(session, $0.baseAddress, $0.count) }
        waitsToSend = step.end == WEIR_TLS_WAITS_TO_SEND
        switch step.end {
        case WEIR_TLS_DONE, WEIR_TLS_WAITS_TO_RECEIVE, WEIR_TLS_WAITS_TO_SEND: break
        case WEIR_TLS_ENDED: ending = .end
        default:
            isPlainHTTP = step.end == WEIR_TLS_PLAIN_HTTP
            ending = .failed(EPROTO)
        }
        return step.count > 0 ? .bytes(step.count) : ending ?? .wouldBlock
    }

    /// Encrypts and sends as many bytes of `buffer` from `start` on as the socket takes; `more` if others follow at once.
    ///
    /// What was not sent must be sent next, with the same first bytes.
    func send(_ buffer: [UInt8], from start: Int, more: Bool = false) -> Socket.Outcome {
        guard let session else { return socket.send(buffer, from: start) }
        let step = buffer[start...].withUnsafeBytes { weir_tls_send(session, $0.baseAddress, $0.count, more ? 1 : 0) }
        if step.count > 0 || step.end == WEIR_TLS_DONE { return .bytes(step.count) }
        return step.end == WEIR_TLS_WAITS_TO_SEND ? .wouldBlock : .failed(EPROTO)
    }

    /// Tells the client that nothing follows (close_notify), if that is possible, and frees what libssl holds.
    func finish() {
        if let session, ending == nil || ending == .end { weir_tls_finish(session) }
        release()
    }

    /// Frees what libssl holds.
    func release() {
        SSL_free(session)
        session = nil
        (ending, waitsToSend) = (nil, false)
    }
}
