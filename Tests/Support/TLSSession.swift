import CTLS
import Foundation

/// One end of a connection with TLS, whose records a test can cut and change.
// Unchecked: one thread uses it at a time.
package class TLSSession: @unchecked Sendable {
    private let socket: Descriptor
    let session: OpaquePointer
    private let input: OpaquePointer, output: OpaquePointer
    /// Why TLS has failed, such as `tlsv1 alert protocol version`.
    package private(set) var failure: String?
    /// Changes or cuts what is sent on the wire.
    package var onTheWire: ([UInt8]) -> [[UInt8]] = { [$0] }

    /// A session on a socket that is connected, or will be, with the settings of `context`.
    init(_ socket: Descriptor, _ context: OpaquePointer) throws {
        self.socket = socket
        guard let session = SSL_new(context), let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
            throw Failure("no session")
        }
        (self.session, self.input, self.output) = (session, input, output)
        SSL_set_bio(session, input, output)
    }

    deinit {
        // Otherwise libssl takes the end for a failure, after which a session is not resumed.
        SSL_set_shutdown(session, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(session)
    }

    /// Whether the handshake has resumed a session.
    package var isResumed: Bool { SSL_session_reused(session) == 1 }

    /// Completes the handshake; returns false if it fails.
    package func handshake(seconds: Double) -> Bool { perform(seconds) { SSL_do_handshake(session) } == .done }

    /// Sends all of `bytes`; returns false if TLS has failed or a wait timed out.
    package func send(_ bytes: [UInt8], seconds: Double) -> Bool {
        bytes.isEmpty || perform(seconds) { SSL_write(session, bytes, Int32(bytes.count)) } == .done
    }

    package func receive(seconds: Double) -> Descriptor.Received {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var count: Int32 = 0
        let end = perform(seconds) {
            count = SSL_read(session, &bytes, Int32(bytes.count))
            return count
        }
        switch end {
        case .done: return .bytes(Array(bytes[..<Int(count)]))
        case .ended: return .end
        case .timedOut: return .timedOut
        case .failed: return .reset
        }
    }

    /// Sends close_notify, and leaves the socket open.
    package func finish() {
        SSL_shutdown(session)
        _ = flush(seconds: 1)
    }

    /// Asks for new keys, without waiting for the answer.
    package func requestNewKeys() {
        SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED)
        SSL_do_handshake(session)
        _ = flush(seconds: 1)
    }

    enum End { case done, ended, failed, timedOut }

    func perform(_ seconds: Double, _ call: () -> Int32) -> End {
        while true {
            ERR_clear_error()
            let result = call()
            let reason = SSL_get_error(session, result)
            let text = ERR_reason_error_string(ERR_peek_error())
            // An alert for the server can be in the output of a failure.
            let isSent = flush(seconds: seconds)
            if result > 0 { return isSent ? .done : .failed }
            switch reason {
            case SSL_ERROR_WANT_READ:
                switch socket.receive(seconds: seconds) {
                case .bytes(let bytes): BIO_write(input, bytes, Int32(bytes.count))
                case .end:
                    failure = "the end of the stream without close_notify"
                    return .ended
                case .reset:
                    failure = "a reset"
                    return .failed
                case .timedOut: return .timedOut
                }
            case SSL_ERROR_ZERO_RETURN: return .ended
            default:
                failure = text.map { String(cString: $0) } ?? "unknown"
                return .failed
            }
        }
    }

    private func flush(seconds: Double) -> Bool {
        if BIO_ctrl_pending(output) == 0 { return true }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = BIO_read(output, &bytes, Int32(bytes.count))
            if count <= 0 { return true }
            for part in onTheWire(Array(bytes[..<Int(count)])) {
                if !socket.send(part, seconds: seconds) { return false }
            }
        }
    }
}
