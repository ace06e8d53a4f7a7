import CTLS
import Foundation

/// A client that speaks TLS on a socket.
package final class TLSClient: TLSSession, @unchecked Sendable {
    /// What the client demands and offers.
    package struct Settings: Sendable {
        /// The path of the certificate to trust.
        package var authority: String
        package var versions: ClosedRange<Int32> = TLS1_2_VERSION...TLS1_3_VERSION
        /// The protocols to offer (ALPN).
        package var protocols: [String] = []
        /// The session to resume.
        package var ticket: Ticket?

        package init(authority: String) { self.authority = authority }
    }

    /// A session that the server has given a ticket for.
    // Unchecked: libssl counts the references, and nothing changes a session.
    package final class Ticket: @unchecked Sendable {
        fileprivate let session: OpaquePointer

        fileprivate init(_ session: OpaquePointer) { self.session = session }

        deinit { SSL_SESSION_free(session) }
    }

    /// A client on a socket that is connected, or will be.
    package init(_ socket: Descriptor, _ settings: Settings) throws {
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw Failure("no context") }
        defer { SSL_CTX_free(context) }
        // The client's own rules would keep it from offering old versions.
        SSL_CTX_set_cipher_list(context, "ALL:@SECLEVEL=0")
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(settings.versions.lowerBound), nil)
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(settings.versions.upperBound), nil)
        guard SSL_CTX_load_verify_locations(context, settings.authority, nil) == 1 else {
            throw Failure("\(settings.authority) is no certificate")
        }
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        let offered = settings.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        SSL_CTX_set_alpn_protos(context, offered, UInt32(offered.count))
        try super.init(socket, context)
        SSL_set1_host(session, "localhost")
        if let ticket = settings.ticket { SSL_set_session(session, ticket.session) }
        SSL_set_connect_state(session)
    }

    /// The version of TLS, such as `TLSv1.3`.
    package var version: String { String(cString: SSL_get_version(session)) }

    /// The protocol that the server has selected; nil if none.
    package var selectedProtocol: String? {
        var (text, length): (UnsafePointer<UInt8>?, UInt32) = (nil, 0)
        SSL_get0_alpn_selected(session, &text, &length)
        return text.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(length)), as: UTF8.self) }
    }

    /// The session, once the server has sent a ticket.
    package var ticket: Ticket? { SSL_get1_session(session).map(Ticket.init) }

    /// The serial number of the server's certificate.
    package var serial: String? {
        guard let certificate = SSL_get1_peer_certificate(session) else { return nil }
        defer { X509_free(certificate) }
        let number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), nil)
        defer { BN_free(number) }
        guard let text = BN_bn2hex(number) else { return nil }
        defer { CRYPTO_free(text, #file, #line) }
        return String(cString: text)
    }

    /// Asks for new keys, of the server too.
    package func updateKeys() -> Bool {
        SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED) == 1 && perform(10) { SSL_do_handshake(session) } == .done
    }

    /// Asks for another handshake on the connection, as TLS 1.2 has it; returns false if the server refuses.
    package func renegotiate() -> Bool {
        SSL_renegotiate(session) == 1 && perform(10) { SSL_do_handshake(session) } == .done
    }
}
