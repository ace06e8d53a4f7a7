// Unsafe: libssl's C interface. `TLSClientContext` owns its `SSL_CTX` and frees it when it is released; sessions hold
// references of their own.
import CTLS
import EventLoop

/// The authorities that a client trusts; TLS 1.2 or later, and the certificate must name the host.
package final class TLSClientContext: @unchecked Sendable {
    // Unchecked: libssl counts the references to a context and locks what its sessions change.

    private let context: OpaquePointer

    /// A context that trusts the certificates in a file in PEM, or the system's without a path; nil if they cannot be read.
    package init?(authorities path: String? = nil) {
        guard let context = weir_tls_client_context(path) else { return nil }
        self.context = context
    }

    deinit { SSL_CTX_free(context) }

    /// Returns a new session of libssl as a client of `host` on `socket`, which must outlive it; nil without memory.
    func session(to host: String, on socket: Socket) -> OpaquePointer? {
        weir_tls_session(context, TLSContext.wire, socket.descriptor, host)
    }
}
