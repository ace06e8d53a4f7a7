import CCurl

/// Why there is no answer from an upstream.
///
/// Never holds a URL.
public enum TransferError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The host's name is not known.
    case unknownHost
    /// Nobody accepts connections there.
    case unreachable
    /// The deadline passed.
    case tooSlow
    /// TLS could not be agreed on, or the certificate is not trusted.
    case tlsFailed
    /// The connection broke, or closed without an answer.
    case brokenOff
    /// What came is no HTTP, or its content coding is broken.
    case malformed
    /// The body is larger than the request's limit.
    case tooLarge(limit: Int)
    /// More requests wait for their turn than the client queues.
    case queueFull
    /// Whoever asked has gone, or the client has stopped.
    case cancelled
    /// The URL is none, or neither http nor https.
    case invalidURL
    /// Anything else, by libcurl's code.
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

    /// What happened, in a few words.
    public var description: String {
        switch self {
        case .unknownHost: "its host name is not known"
        case .unreachable: "it does not accept connections"
        case .tooSlow: "it did not answer in time"
        case .tlsFailed: "a TLS connection to it failed"
        case .brokenOff: "the connection to it broke off"
        case .malformed: "what it sent is not HTTP"
        case .tooLarge(let limit): "its answer is larger than \(limit) bytes"
        case .queueFull: "too many requests wait for it"
        case .cancelled: "the request was cancelled"
        case .invalidURL: "its URL is not valid"
        case .other(let code): "the transfer failed with libcurl's code \(code)"
        }
    }
}
