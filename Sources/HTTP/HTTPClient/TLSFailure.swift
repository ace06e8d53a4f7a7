import CCurl

/// Why there is no TLS connection.
public enum TLSFailure: String, Sendable, CustomStringConvertible {
    /// No authority that the client trusts has signed the certificate.
    case untrusted = "its TLS certificate is not trusted"
    /// The certificate's time is over.
    case expired = "its TLS certificate has expired"
    /// The certificate's time has not begun.
    case notYetValid = "its TLS certificate is not valid yet"
    /// The certificate is for another host.
    case wrongHost = "its TLS certificate is for another host"
    /// The upstream speaks no version of TLS that the client accepts.
    case oldVersion = "it speaks no version of TLS that is accepted"
    /// The certificate's public key is not the pinned one.
    case wrongKey = "its TLS certificate has another key than the pinned one"
    /// The client's certificate, its key or the file of authorities cannot be used.
    case localCertificate = "a configured TLS certificate or key cannot be used"
    /// The upstream demands a certificate of the client, or refuses the one that it got.
    case clientCertificate = "it demands a TLS certificate of its client, or refuses the configured one"
    /// The upstream and the client have no cipher, or no other parameter, in common.
    case nothingInCommon = "it has no TLS cipher or parameter in common with the client"
    /// The upstream does not know the host name (the alert unrecognized_name).
    case unknownName = "it does not know the host name of the TLS handshake"
    /// The upstream reports a failure of its own (the alert internal_error).
    case internalError = "it ended the TLS handshake because of an internal error"
    /// The connection ended within the handshake.
    case brokenOff = "it closed the connection within the TLS handshake"
    /// The handshake failed for another reason; the upstream may not speak TLS.
    case handshake = "the TLS handshake with it failed"

    /// A clause about the upstream.
    public var description: String { rawValue }
}

extension TLSFailure {
    /// The failure that libcurl reports with `code`, OpenSSL's verification result and libcurl's text; nil if it is none.
    init?(_ code: CURLcode, verification: Int, text: String) {
        // In TLS 1.3 this arrives in place of the answer.
        if Self.certificateAlerts.contains(where: { text.contains($0) }) {
            self = .clientCertificate
            return
        }
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION:
            // The chain is verified before the name.
            if text.contains("match") && text.contains("target host") || text.contains("obtain common name") {
                self = .wrongHost
                return
            }
            // The upstream's alert that the client's certificate has expired has the same code, without a result.
            if text.contains("SSL certificate verification failed") {
                self = .clientCertificate
                return
            }
            switch verification {
            // X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED
            case 9: self = .notYetValid
            case 10: self = .expired
            default: self = .untrusted
            }
        case CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS: self = .untrusted
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: self = .wrongKey
        case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_CIPHER:
            self = .localCertificate
        case CURLE_SSL_CONNECT_ERROR:
            let versions = ["protocol version", "unsupported protocol", "wrong ssl version", "no protocols available"]
            self = versions.contains { text.contains($0) } ? .oldVersion : .handshake
        default: return nil
        }
    }

    /// The failure that OpenSSL's or libcurl's `text` names for a handshake with `received` bytes; 0 if unknown.
    ///
    /// The alert handshake_failure is the answer to a client without a common cipher, and in TLS 1.2 also to one without a
    /// certificate: but then it follows the upstream's own certificate. Alone it has 7 bytes,
    /// and the kernel counts the end of the stream as one more; a ServerHello has more than 40.
    func refined(_ text: String, received: Int) -> TLSFailure {
        guard self == .handshake else { return self }
        if text.contains("unrecognized name") { return .unknownName }
        if text.contains("alert internal error") { return .internalError }
        // OpenSSL's text for the end of the connection, and libcurl's for an error of the socket.
        let cuts = ["unexpected eof", "SSL_connect: ", "Recv failure", "Send failure"]
        if cuts.contains(where: { text.contains($0) }) { return .brokenOff }
        guard text.contains("alert handshake failure"), received > 0 else { return self }
        return received < 40 ? .nothingInCommon : .clientCertificate
    }

    /// The upstream's alerts about the client's certificate (RFC 8446 §6.2), as OpenSSL spells them.
    private static let certificateAlerts = [
        "alert certificate required", "alert bad certificate", "alert unsupported certificate",
        "alert certificate revoked", "alert certificate expired", "alert certificate unknown", "alert unknown ca",
        "alert access denied",
    ]
}
