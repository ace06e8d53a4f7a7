import CCurl
import HTTPCore

/// The reason why an upstream gave no response; the text of an error never contains a URL.
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
    /// Any other error, in libcurl's description.
    case other(String)
}

/// Why a redirect is not followed.
public enum RedirectFailure: String, Sendable, CustomStringConvertible {
    /// The redirect leads to another host or port.
    case otherHost = "it redirects to another host or port"
    /// The redirect leads to a URL that is not https.
    case notHTTPS = "it redirects to a URL that is not https"
    /// The redirect follows three others.
    case tooMany = "it redirects more than 3 times"
    /// The Location of the redirect is no URL that can be requested.
    case unusable = "it redirects to a URL that cannot be used"

    /// A clause about the upstream.
    public var description: String { rawValue }
}

/// The part of a response in which its connection ended.
public enum BrokenOff: String, Sendable, CustomStringConvertible {
    /// Before the first byte of the response.
    case beforeAnswer = "it closed the connection without an answer"
    /// On a new connection of TLS 1.3, by an error before the first byte: a client's certificate is refused here.
    case afterHandshake =
        "it broke the connection off right after the TLS handshake, as if it missed or refused a client's certificate"
    /// Within the head.
    case inHead = "the answer ended within its head"
    /// Before as many bytes as Content-Length says.
    case beforeContentLength = "the answer ended before its Content-Length"
    /// Before the last chunk.
    case beforeLastChunk = "the answer ended before its last chunk"
    /// Within a body whose end is the end of the connection, by a reset.
    case inBody = "the connection was reset within the answer"

    /// A clause about the upstream.
    public var description: String { rawValue }
}

extension TransferError {
    /// Whether the response took too long to begin, or to arrive.
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
    public var description: String { words.clause }

    /// The error as a label of a metric.
    package var label: String { words.label }

    private var words: (label: String, clause: String) {
        switch self {
        case .unknownHost: ("name", "its host name is not known")
        case .noNameServer: ("name", "its host name cannot be looked up: the name servers do not answer, or fail")
        case .unreachable: ("refused", "it does not accept connections")
        case .connectTimedOut: ("connect_timeout", "the connection to it took too long")
        case .tooSlow: ("timeout", "it did not answer in time")
        case .silent: ("timeout", "it did not begin to answer in time")
        case .unfinished: ("timeout", "its answer was not complete in time")
        case .stalled: ("stalled", "its answer arrived too slowly")
        case .privateAddress:
            (
                "private_address",
                "its host name leads to a private address, which needs the setting allowsPrivateAddresses"
            )
        case .proxyUnreachable:
            ("proxy", "its proxy does not accept connections, or the host name of the proxy is not known")
        case .proxyFailed: ("proxy", "its proxy does not connect to it")
        case .tlsFailed(let failure): ("tls", failure.description)
        case .proxyTLSFailed(let failure): ("tls", "its proxy cannot be used: \(failure)")
        case .redirect(let failure): ("redirect", failure.description)
        case .brokenOff(let place): ("broken_off", place.description)
        case .malformed(let reason): ("malformed", "its answer is malformed: \(reason)")
        case .tooLarge(let limit): ("too_large", "its answer is larger than \(limit) bytes")
        case .queueFull: ("queue_full", "too many requests wait for it")
        case .cancelled: ("cancelled", "the request was cancelled")
        case .invalidURL: ("other", "its URL is not valid")
        case .other(let reason): ("other", "the transfer failed: \(reason)")
        }
    }
}

// The meaning of libcurl's codes and texts for a transfer that has failed, and whether the request is sent again.
extension EasyHandle {
    func error(_ code: CURLcode) -> TransferError {
        let text = String(cString: errorText)
        var verification = 0
        weir_get_long(pointer, CURLINFO_SSL_VERIFYRESULT, &verification)
        let alert = code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR ? transfer.tlsError?.text ?? "" : ""
        if let failure = TLSFailure(code, verification: verification, text: text + alert) {
            let refined = failure.refined(text, received: policy.proxy != nil ? 0 : transfer.tlsError?.received ?? 0)
            return isWithProxy ? .proxyTLSFailed(refined) : .tlsFailed(refined)
        }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT:
            if policy.proxy != nil { return .proxyUnreachable }
            if code != CURLE_COULDNT_CONNECT { return .unknownHost }
            return transfer.hasRefusedAddress ? .privateAddress : .unreachable
        case CURLE_PROXY: return .proxyFailed
        case CURLE_RECV_ERROR where text.hasPrefix("CONNECT tunnel failed") || text.hasPrefix("Proxy CONNECT aborted"):
            return .proxyFailed
        case CURLE_OPERATION_TIMEDOUT:
            if text.hasPrefix("Operation too slow") { return .stalled }
            return transfer.connectDeadline < transfer.deadline && !hasConnected ? .connectTimedOut : overdue
        case CURLE_ABORTED_BY_CALLBACK: return .brokenOff(.beforeAnswer)
        // Not if it sent close_notify: that is no error.
        case CURLE_RECV_ERROR where transfer.isNewTLS13 && !hasBegun,
            CURLE_SEND_ERROR where transfer.isNewTLS13 && !hasBegun:
            return .brokenOff(.afterHandshake)
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE:
            return text.contains("chunked-encoding") ? .malformed(reason: Self.malformation(text)) : .brokenOff(place)
        case CURLE_URL_MALFORMAT: return .invalidURL
        // libcurl has the same code for a response that is not HTTP/1 and for a URL that is not http.
        case CURLE_UNSUPPORTED_PROTOCOL where !hasConnected: return .invalidURL
        case CURLE_OUT_OF_MEMORY where hasConnected: return .malformed(reason: "its head is too large")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return .malformed(reason: Self.malformation(text))
        default: return TransferError(code)
        }
    }

    /// Tells the caller how much of a response arrived, if the request was sent.
    func noteFailure() {
        guard transfer.sent > 0 else { return }
        transfer.fetch?.request.noteFailure?(transfer.reader.received, isOnReusedConnection)
    }

    /// Whether a reused connection has failed the request, which can be repeated: the connection was not open any more, or
    /// bytes that belong to an earlier answer stood before the head of this one.
    func deservesRetry(_ result: Result<IncomingResponse, TransferError>) -> Bool {
        switch result {
        case .success(let response): response.isReused && response.status == 408
        case .failure(.malformed(Self.noStatusLine)): isOnReusedConnection && transfer.sent == 1
        case .failure(.brokenOff(.beforeAnswer)):
            transfer.sent == 0 ? isOnReusedConnection : transfer.sent == 1 && transfer.isFirstOnUsed
        case .failure: false
        }
    }

    /// Whether the upstream has sent bytes that belong to no response, after this one or in its place.
    func hasSurplus(_ result: Result<IncomingResponse, TransferError>) -> Bool {
        if case .failure(.malformed(Self.noStatusLine)) = result { return isOnReusedConnection }
        return hasSurplus
    }

    private static let noStatusLine = "it does not begin with a status line"

    /// Whether the transfer got as far as its request.
    var hasConnected: Bool {
        var microseconds: curl_off_t = 0
        weir_get_offset(pointer, CURLINFO_PRETRANSFER_TIME_T, &microseconds)
        return microseconds > 0
    }

    /// The part of the response that the transfer lacks at its deadline.
    var overdue: TransferError { hasFinalStatus ? .unfinished : .tooSlow }

    /// Whether there is a TLS connection to a proxy to make before anything is sent to the upstream.
    private var isWithProxy: Bool {
        var answer = 0
        weir_get_long(pointer, CURLINFO_HTTP_CONNECTCODE, &answer)
        return origin.hasTLSProxy && answer == 0
    }

    private var place: BrokenOff {
        let head = transfer.reader.head
        if !head.hasStarted { return .beforeAnswer }
        if !head.isComplete { return .inHead }
        if head.isChunked { return .beforeLastChunk }
        return head.length == nil ? .inBody : .beforeContentLength
    }

    /// The descriptions of libcurl's reasons to refuse a response before its head line is passed on.
    private static func malformation(_ text: String) -> String {
        let reasons = [
            "Nul byte": "its head has a control character",
            "Invalid Content-Length": "its Content-Length is not a number",
            "without colon": "its head has a line without a valid field name and a colon",
            "chunked-encoding": "its chunked coding is malformed",
            "HTTP/0.9": noStatusLine,
            "HTTP version": "its status line is malformed",
            "response code": "its status line is malformed",
        ]
        return reasons.first { text.contains($0.key) }?.value ?? "it is not valid HTTP"
    }
}

extension TransferError {
    /// An error without a case of its own, with libcurl's general description, which contains nothing of the request.
    init(_ code: CURLcode) { self = .other(String(cString: curl_easy_strerror(code))) }
}
