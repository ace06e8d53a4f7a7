import CTLS
import Foundation

/// What a server with TLS shows, the certificate for `localhost`, and the protocol that it agrees on.
///
/// Its connections can resume sessions of each other.
// Unchecked: libssl's context can be used by several threads, and nothing changes `offer`.
package final class TLSIdentity: @unchecked Sendable {
    fileprivate let context: OpaquePointer
    /// The protocol as TLS writes it: its length and its name.
    private let offer: UnsafeMutableBufferPointer<UInt8>

    /// An identity with the protocol `alpn`.
    package init(_ certificates: Certificates, alpn: String) throws {
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw Failure("no context") }
        self.context = context
        offer = .allocate(capacity: alpn.utf8.count + 1)
        _ = offer.initialize(from: [UInt8(alpn.utf8.count)] + Array(alpn.utf8))
        guard SSL_CTX_use_certificate_chain_file(context, certificates.path("cert.pem")) == 1,
            SSL_CTX_use_PrivateKey_file(context, certificates.path("cert.key"), SSL_FILETYPE_PEM) == 1
        else { throw Failure("no certificate") }
        SSL_CTX_set_alpn_select_cb(
            context,
            { _, selected, length, offered, count, offer in
                guard let offer = offer?.assumingMemoryBound(to: UInt8.self) else { return SSL_TLSEXT_ERR_NOACK }
                var choice: UnsafeMutablePointer<UInt8>?
                let result = SSL_select_next_proto(&choice, length, offer, UInt32(offer[0]) + 1, offered, count)
                selected?.pointee = UnsafePointer(choice)
                return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL
            }, offer.baseAddress)
    }

    deinit {
        SSL_CTX_free(context)
        offer.deallocate()
    }
}

/// The server's end of a connection with TLS.
// Unchecked: one thread uses it at a time.
package final class TLSServer: TLSSession, @unchecked Sendable {
    /// Kept, because the session uses its protocol.
    private let identity: TLSIdentity

    /// A server on a socket that is connected.
    package init(_ socket: Descriptor, _ identity: TLSIdentity) throws {
        self.identity = identity
        try super.init(socket, identity.context)
        SSL_set_accept_state(session)
    }
}
