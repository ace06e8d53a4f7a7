import CCurl

/// The reason why an upstream gave no response; it never contains a URL.
public enum TransferError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The host name does not resolve.
    case unknownHost
    /// The host does not accept the connection.
    case unreachable
    /// The deadline passed.
    case tooSlow
    /// The TLS handshake failed, or the certificate is not trusted.
    case tlsFailed
    /// The connection broke, or closed before the response was complete.
    case brokenOff
    /// The response is not HTTP, or its content coding is malformed.
    case malformed
    /// The body is larger than the request's limit.
    case tooLarge(limit: Int)
    /// The client's queue is full.
    case queueFull
    /// The task was cancelled, or the client has stopped.
    case cancelled
    /// The URL is malformed, or neither http nor https.
    case invalidURL
    /// Any other error, by libcurl's code.
    case other(code: Int)

    init(_ code: CURLcode) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .unknownHost
        case CURLE_COULDNT_CONNECT: self = .unreachable
        case CURLE_OPERATION_TIMEDOUT: self = .tooSlow
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR:
            self = .tlsFailed
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE: self = .brokenOff
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self = .malformed
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT: self = .invalidURL
        default: self = .other(code: Int(code.rawValue))
        }
    }

    /// A clause about the upstream, such as `it did not answer in time`.
    public var description: String {
        switch self {
        case .unknownHost: "its host name is not known"
        case .unreachable: "it does not accept connections"
        case .tooSlow: "it did not answer in time"
        case .tlsFailed: "a TLS connection to it failed"
        case .brokenOff: "the connection to it broke off"
        case .malformed: "its response is malformed"
        case .tooLarge(let limit): "its answer is larger than \(limit) bytes"
        case .queueFull: "too many requests wait for it"
        case .cancelled: "the request was cancelled"
        case .invalidURL: "its URL is not valid"
        case .other(let code): "the transfer failed with libcurl's code \(code)"
        }
    }
}
