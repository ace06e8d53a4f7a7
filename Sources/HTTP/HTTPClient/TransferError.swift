import CCurl

/// The reason why an upstream gave no response; it never contains a URL.
public enum TransferError: Error, Hashable, Sendable {
    /// The host name does not resolve.
    case unknownHost
    /// No name server knows the addresses of the host name now.
    case noNameServer
    /// The host does not accept the connection.
    case unreachable
    /// The connection, with its TLS handshake, took longer than the request's connect timeout.
    case connectTimedOut
    /// The deadline passed before the response began to arrive.
    case tooSlow
    /// The response did not begin to arrive within the request's first-byte timeout.
    case silent
    /// The deadline passed before the response was complete.
    case unfinished
    /// The response arrived more slowly than the request's minimum transfer rate.
    case stalled
    /// The host name leads to an address that the request's policy does not admit.
    case privateAddress
    /// The host name of the proxy does not resolve, or the proxy does not accept the connection.
    case proxyUnreachable
    /// The proxy does not connect to the host.
    case proxyFailed
    /// There is no TLS connection.
    case tlsFailed(TLSFailure)
    /// There is no TLS connection to the proxy.
    case proxyTLSFailed(TLSFailure)
    /// The response is a redirect that is not followed.
    case redirect(RedirectFailure)
    /// The connection ended before the response was complete.
    case brokenOff(BrokenOff)
    /// The response is not valid HTTP, or its content coding is malformed; the reason is a short stable clause.
    case malformed(reason: String)
    /// The body is larger than the request's limit.
    case tooLarge(limit: Int)
    /// The client's queue is full.
    case queueFull
    /// The task was cancelled, or the client has stopped.
    case cancelled
    /// The URL is malformed, or neither http nor https.
    case invalidURL
    /// Any other error, in libcurl's words.
    case other(String)
}

/// Why there is no TLS connection.
public enum TLSFailure: String, Hashable, Sendable, CaseIterable {
    /// No authority that the client trusts has signed the certificate.
    case untrusted
    /// The certificate's time is over.
    case expired
    /// The certificate's time has not begun.
    case notYetValid
    /// The certificate is for another host.
    case wrongHost
    /// The upstream speaks no version of TLS that the client accepts.
    case oldVersion
    /// The certificate's public key is not the pinned one.
    case wrongKey
    /// The client's certificate, its key or the file of authorities cannot be used.
    case localCertificate
    /// The upstream demands a certificate of the client, or refuses the one that it got.
    case clientCertificate
    /// The upstream and the client have no cipher, or no other parameter, in common.
    case nothingInCommon
    /// The upstream does not know the host name (the alert unrecognized_name).
    case unknownName
    /// The upstream reports a failure of its own (the alert internal_error).
    case internalError
    /// The connection ended within the handshake.
    case brokenOff
    /// The handshake failed for another reason; the upstream may not speak TLS.
    case handshake
}

/// Why a redirect is not followed.
public enum RedirectFailure: String, Hashable, Sendable, CaseIterable {
    /// It leads to another host or port.
    case otherHost
    /// It leads to a URL that is not https.
    case notHTTPS
    /// It follows three others.
    case tooMany
    /// Its Location is no URL that can be asked.
    case unusable
}

/// The part of a response in which its connection ended.
public enum BrokenOff: String, Hashable, Sendable, CaseIterable {
    /// Before the first byte of the response.
    case beforeAnswer
    /// On a new connection of TLS 1.3, by an error before the first byte: a client's certificate is refused here.
    case afterHandshake
    /// Before the first byte of the response, by an error in its stream of HTTP/2 alone.
    case stream
    /// Within the head.
    case inHead
    /// Before as many bytes as Content-Length says.
    case beforeContentLength
    /// Before the last chunk.
    case beforeLastChunk
    /// Within a body whose end is the end of the connection, by a reset.
    case inBody
}

extension TransferError {
    /// Whether the response took too long, be it to begin or to arrive.
    public var isSlowAnswer: Bool {
        switch self {
        case .tooSlow, .silent, .unfinished, .stalled: true
        default: false
        }
    }

    /// Whether there was no connection, or it broke: another one may be better.
    public var isOfConnection: Bool {
        switch self {
        case .unreachable, .proxyUnreachable, .brokenOff, .tlsFailed(.brokenOff), .proxyTLSFailed(.brokenOff): true
        default: false
        }
    }
}

extension TransferError: CustomStringConvertible {
    /// A clause about the upstream, such as `it did not answer in time`.
    public var description: String {
        switch self {
        case .unknownHost: "its host name is not known"
        case .noNameServer: "its host name cannot be looked up: the name servers do not answer, or fail"
        case .unreachable: "it does not accept connections"
        case .connectTimedOut: "the connection to it took too long"
        case .tooSlow: "it did not answer in time"
        case .silent: "it did not begin to answer in time"
        case .unfinished: "its answer was not complete in time"
        case .stalled: "its answer arrived too slowly"
        case .privateAddress:
            "its host name leads to a private address, which needs the setting allowsPrivateAddresses"
        case .proxyUnreachable: "its proxy does not accept connections, or the host name of the proxy is not known"
        case .proxyFailed: "its proxy does not connect to it"
        case .tlsFailed(let failure): failure.description
        case .proxyTLSFailed(let failure): "its proxy cannot be used: \(failure)"
        case .redirect(let failure): failure.description
        case .brokenOff(let place): place.description
        case .malformed(let reason): "its answer is malformed: \(reason)"
        case .tooLarge(let limit): "its answer is larger than \(limit) bytes"
        case .queueFull: "too many requests wait for it"
        case .cancelled: "the request was cancelled"
        case .invalidURL: "its URL is not valid"
        case .other(let reason): "the transfer failed: \(reason)"
        }
    }
}

extension TLSFailure: CustomStringConvertible {
    /// A clause about the upstream.
    public var description: String {
        switch self {
        case .untrusted: "its TLS certificate is not trusted"
        case .expired: "its TLS certificate has expired"
        case .notYetValid: "its TLS certificate is not valid yet"
        case .wrongHost: "its TLS certificate is for another host"
        case .oldVersion: "it speaks no version of TLS that is accepted"
        case .wrongKey: "its TLS certificate has another key than the pinned one"
        case .localCertificate: "a configured TLS certificate or key cannot be used"
        case .clientCertificate: "it demands a TLS certificate of its client, or refuses the configured one"
        case .nothingInCommon: "it has no TLS cipher or parameter in common with the client"
        case .unknownName: "it does not know the host name of the TLS handshake"
        case .internalError: "it ended the TLS handshake because of an internal error"
        case .brokenOff: "it closed the connection within the TLS handshake"
        case .handshake: "the TLS handshake with it failed"
        }
    }
}

extension RedirectFailure: CustomStringConvertible {
    /// A clause about the upstream.
    public var description: String {
        switch self {
        case .otherHost: "it redirects to another host or port"
        case .notHTTPS: "it redirects to a URL that is not https"
        case .tooMany: "it redirects more than \(RedirectPolicy.maximum) times"
        case .unusable: "it redirects to a URL that cannot be used"
        }
    }
}

extension BrokenOff: CustomStringConvertible {
    /// A clause about the upstream.
    public var description: String {
        switch self {
        case .beforeAnswer: "it closed the connection without an answer"
        case .afterHandshake:
            "it broke the connection off right after the TLS handshake, as if it missed or refused a client's certificate"
        case .stream: "it reset the stream of HTTP/2, or its answer is not valid HTTP/2"
        case .inHead: "the answer ended within its head"
        case .beforeContentLength: "the answer ended before its Content-Length"
        case .beforeLastChunk: "the answer ended before its last chunk"
        case .inBody: "the connection was reset within the answer"
        }
    }
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

    /// What OpenSSL's or libcurl's `text` says of a failed handshake, of which `received` bytes have arrived; 0 for unknown.
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

    /// The upstream's alerts about the client's certificate (RFC 8446 §6.2), in OpenSSL's words.
    private static let certificateAlerts = [
        "alert certificate required", "alert bad certificate", "alert unsupported certificate",
        "alert certificate revoked", "alert certificate expired", "alert certificate unknown", "alert unknown ca",
        "alert access denied",
    ]
}
