// Unsafe: libssl's C interface. A context owns its `SSL_CTX` and frees it when it is released; sessions hold references of
// their own. Bytes and texts pass inside `withUnsafe…` or are libssl's constants.
import CTLS
public import HTTPCore

/// A server's certificate with its key, and the versions of TLS that it accepts.
///
/// Sessions that have begun keep theirs when a server takes over another one. Each context has ticket keys of its own, so
/// tickets of a former one lead to a full handshake.
public final class TLSContext: @unchecked Sendable {
    // Unchecked: libssl counts the references to a context and locks what its sessions change.

    /// A reason not to use a certificate or a key; the text quotes neither.
    public enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        /// The certificate is not usable, for this reason.
        case certificate(String)
        /// The key is not usable, for this reason.
        case key(String)

        /// A text to follow the name of the file, such as `holds no certificate in PEM`.
        public var description: String {
            switch self {
            case .certificate(let reason), .key(let reason): reason
            }
        }
    }

    /// How the socket below a session reads and sends; one for the process, which nothing changes once it is made.
    nonisolated(unsafe) static let wire = weir_tls_wire_method()

    private let context: OpaquePointer
    /// The first and the last second in which the certificate is valid, in unix seconds.
    public let validity: (from: Int64, until: Int64)
    /// A number that contexts of the same certificate, key and version share in this process.
    public let identity: Int

    /// A context with a certificate, followed by those that lead to its authority, and its key without a passphrase, both
    /// in PEM.
    ///
    /// TLS 1.2 is limited to forward secrecy with AES-GCM or ChaCha20; TLS 1.3 has libssl's defaults. Clients that name
    /// protocols (RFC 7301) must name `http/1.1`.
    public init(certificate: [UInt8], key: [UInt8], minimumVersion: TLSVersion = .tls12) throws(Fault) {
        var failure: Int32 = 0
        var reason: UnsafePointer<CChar>?
        let version = minimumVersion == .tls13 ? TLS1_3_VERSION : TLS1_2_VERSION
        let context = certificate.withUnsafeBufferPointer { certificate in
            key.withUnsafeBufferPointer { key in
                weir_tls_context(
                    certificate.baseAddress, certificate.count, key.baseAddress, key.count, version, &failure, &reason)
            }
        }
        guard let context else {
            throw Self.fault(failure, reason.map { String(cString: $0) } ?? "unknown error")
        }
        self.context = context
        var hasher = Hasher()
        hasher.combine(certificate)
        hasher.combine(key)
        hasher.combine(minimumVersion)
        identity = hasher.finalize()
        var validity: (from: Int64, until: Int64) = (.min, .max)
        _ = weir_tls_validity(context, &validity.from, &validity.until)
        self.validity = validity
    }

    deinit { SSL_CTX_free(context) }

    /// Checks that `pem` holds certificates, and nothing that is malformed, as a list of authorities must.
    public static func checkCertificates(in pem: [UInt8]) throws(Fault) {
        let holdsSome = pem.withUnsafeBufferPointer { weir_tls_holds_certificates($0.baseAddress, $0.count) }
        if holdsSome == 0 { throw fault(WEIR_TLS_NO_CERTIFICATE, "") }
    }

    /// Returns a new session of libssl as the server on `socket`, which must outlive it; nil without memory.
    func session(on socket: Socket) -> OpaquePointer? { weir_tls_session(context, Self.wire, socket.descriptor, nil) }

    private static func fault(_ failure: Int32, _ reason: String) -> Fault {
        switch failure {
        case WEIR_TLS_NO_CERTIFICATE: .certificate("holds no certificate in PEM, or a malformed one")
        case WEIR_TLS_REFUSED_CERTIFICATE: .certificate("holds a certificate that libssl refuses: \(reason)")
        case WEIR_TLS_NO_KEY: .key("holds no private key in PEM, or one with a passphrase")
        case WEIR_TLS_OTHER_KEY: .key("holds a key that does not belong to the certificate")
        case WEIR_TLS_REFUSED_KEY: .key("holds a key that libssl refuses: \(reason)")
        default: .certificate("cannot be used: \(reason)")
        }
    }
}

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
