import CCurl
import HTTPCore

// What libcurl's codes and texts mean for a transfer that has failed, and whether its request is made again.
extension EasyHandle {
    /// The reason why the transfer finished with `code`.
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
            return transfer.limitsConnect && !hasConnected ? .connectTimedOut : overdue
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
        // The upstream has reset the stream, or else libcurl has because of an error in it; it does not say which. Or the
        // connection has ended with GOAWAY.
        case CURLE_HTTP2_STREAM, CURLE_HTTP2:
            return .brokenOff(code == CURLE_HTTP2_STREAM && !hasBegun ? .stream : place)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return .malformed(reason: Self.malformation(text))
        default: return TransferError(code)
        }
    }

    /// Tells the request's sender what there was of a response, if the request was sent.
    func noteFailure(to request: OutgoingRequest) {
        guard transfer.sent > 0 else { return }
        request.noteFailure?(transfer.reader.received, isOnReusedConnection)
    }

    /// Whether `result` says that a reused connection was not open any more, or that its answer may belong to the request
    /// before: then the request can be repeated.
    func deservesRetry(_ result: Result<IncomingResponse, TransferError>) -> Bool {
        switch result {
        case .success(let response): response.isReused && (response.status == 408 || hasSurplus && !hasForm)
        case .failure(.brokenOff(.beforeAnswer)):
            transfer.sent == 0 ? isOnReusedConnection : transfer.sent == 1 && transfer.isFirstOnUsed
        case .failure: isMisplaced(result) && !hasForm
        }
    }

    /// Whether what has arrived in place of the answer follows the one before on the connection: it is no answer.
    func isMisplaced(_ result: Result<IncomingResponse, TransferError>) -> Bool {
        guard case .failure(.malformed(Self.noStatusLine)) = result else { return false }
        return isOnReusedConnection
    }

    private static let noStatusLine = "it does not begin with a status line"

    /// Whether the transfer got as far as its request, on its latest connection.
    var hasConnected: Bool {
        // libcurl keeps the time of the first connection.
        if transfer.reconnection != nil { return false }
        var microseconds: curl_off_t = 0
        weir_get_offset(pointer, CURLINFO_PRETRANSFER_TIME_T, &microseconds)
        return microseconds > 0
    }

    /// What the transfer lacks at its deadline.
    var overdue: TransferError { hasFinalStatus ? .unfinished : .tooSlow }

    /// Whether there is a TLS connection to a proxy to make before anything is sent to the upstream.
    private var isWithProxy: Bool {
        var answer = 0
        weir_get_long(pointer, CURLINFO_HTTP_CONNECTCODE, &answer)
        return origin.tlsLayers > (origin.isTLS ? 1 : 0) && answer == 0
    }

    private var place: BrokenOff {
        let head = transfer.reader.head
        if !head.hasStarted { return .beforeAnswer }
        if !head.isComplete { return .inHead }
        if head.isChunked { return .beforeLastChunk }
        return head.length == nil ? .inBody : .beforeContentLength
    }

    /// Our words for libcurl's reasons to refuse a response before its head line is passed on.
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
    /// An error without a case of its own, in libcurl's general words for it, which contain nothing of the request.
    init(_ code: CURLcode) { self = .other(String(cString: curl_easy_strerror(code))) }
}
