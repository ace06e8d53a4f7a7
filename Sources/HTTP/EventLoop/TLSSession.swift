// Unsafe: libssl's C interface. A session owns its `SSL` until it is released, and holds the socket that is below it.
// Buffers pass inside `withUnsafe…` with the count of the same buffer.
import CTLS
import Glibc

/// TLS on a socket, as its server or its client; used on the shard of its connection only.
///
/// `receive` does the handshake. A client that sends nothing takes no memory of libssl, and once the session is
/// released, the socket is used as it is.
package final class TLSSession {
    private enum Stage {
        case new(TLSContext)
        case open(OpaquePointer)
        case released
    }

    private let socket: Socket
    private var stage: Stage
    /// The end or the failure behind the bytes that were received; no event of the socket reports it.
    package private(set) var ending: Socket.Outcome?
    /// Whether the client has sent plain HTTP in place of a handshake.
    package private(set) var isPlainHTTP = false
    /// Whether `receive` goes on only when the socket takes more: the bytes that libssl itself sends exceed the buffer.
    package private(set) var waitsToSend = false

    init(_ context: TLSContext, on socket: Socket) { (stage, self.socket) = (.new(context), socket) }

    /// A session as a client of `host`, whose handshake begins with the first call of `receive`; nil without memory.
    package init?(_ context: TLSClientContext, to host: String, on socket: Socket) {
        guard let session = context.session(to: host, on: socket) else { return nil }
        (stage, self.socket) = (.open(session), socket)
    }

    deinit { if case .open(let session) = stage { SSL_free(session) } }

    /// Why the certificate of the server is refused; nil if it is not.
    package var refusal: String? {
        guard case .open(let session) = stage else { return nil }
        return weir_tls_refusal(session).map { String(cString: $0) }
    }

    /// Whether TLS is in use: nothing has released it.
    package var isOpen: Bool {
        if case .released = stage { return false }
        return true
    }

    /// Whether bytes of HTTP can pass: the handshake is complete, or TLS is not in use any more.
    package var isEstablished: Bool {
        switch stage {
        case .new: false
        case .open(let session): SSL_is_init_finished(session) == 1
        case .released: true
        }
    }

    /// Reads from the socket once and decrypts what has arrived; `buffer` has room for 32 KiB at least.
    func receive(into buffer: inout [UInt8]) -> Socket.Outcome {
        let session: OpaquePointer
        switch stage {
        case .open(let open): session = open
        case .released: return socket.receive(into: &buffer)
        case .new(let context):
            guard let open = context.session(on: socket) else { return .failed(ENOMEM) }
            (session, stage) = (open, .open(open))
        }
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
    /// The next call must begin with the bytes that were not sent. No call is allowed before the handshake is complete.
    func send(_ buffer: [UInt8], from start: Int, more: Bool = false) -> Socket.Outcome {
        guard case .open(let session) = stage else {
            return isOpen ? .failed(EPROTO) : socket.send(buffer, from: start)
        }
        let step = buffer[start...].withUnsafeBytes { weir_tls_send(session, $0.baseAddress, $0.count, more ? 1 : 0) }
        if step.count > 0 || step.end == WEIR_TLS_DONE { return .bytes(step.count) }
        return step.end == WEIR_TLS_WAITS_TO_SEND ? .wouldBlock : .failed(EPROTO)
    }

    /// Tells the client that nothing follows (close_notify), if that is possible, and frees what libssl holds.
    func finish() {
        if case .open(let session) = stage, ending == nil || ending == .end { weir_tls_finish(session) }
        release()
    }

    /// Frees what libssl holds.
    package func release() {
        if case .open(let session) = stage { SSL_free(session) }
        (stage, ending, waitsToSend) = (.released, nil, false)
    }
}
