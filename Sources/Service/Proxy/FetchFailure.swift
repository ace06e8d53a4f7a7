package import API
package import HTTPClient
import HTTPCore

/// Why an upstream gives no document.
///
/// Indirect: every asynchronous function between an upstream and a route keeps room for one.
package indirect enum FetchFailure: Error, Sendable {
    case transfer(TransferError)
    /// No request was made, because the token endpoint gave no token for it.
    case token(TokenFault)
    /// The response was an error: its status, the status that its body means if the dialect knows, its message
    /// without the key, and the seconds to wait before the next request.
    case status(Int, meaning: Int?, message: String?, retryAfter: Int?)
    case unusable(String)
    /// No request was made, because the quota is spent.
    case spent(SpentQuota)
    /// No request was made, because too many have failed, the last one in this way; the next one may be made after these
    /// seconds.
    case suspended(seconds: Int, last: String? = nil)
    /// No request was made, because the service has too much to do.
    case overloaded(String)
    /// The document has arrived, but the time was over before it was read.
    case unread
    /// No request was made, because the client wants a document only if it is in the cache.
    case notInCache
    /// No request was made, because the memory of the container is almost used up.
    case lowMemory
    /// No request was made, because a limit of the client's requests does not allow one.
    case limited(Problem)
}

// What a failure means for the next steps.
extension FetchFailure {
    /// Whether nobody waits for the document any longer.
    package var isCancellation: Bool {
        switch self {
        case .transfer(.cancelled): true
        case .token(let fault): fault.reason == .transfer(.cancelled)
        default: false
        }
    }

    /// Whether the upstream refused the key.
    var isUnauthorized: Bool {
        if case .status(401, let meaning, _, _) = self { return meaning ?? 401 == 401 }
        return false
    }

    /// Whether the upstream does not have what was requested.
    package var isNotFound: Bool {
        if case .status(let status, let meaning, _, _) = self { return (meaning ?? status) == 404 }
        return false
    }

    /// Whether the upstream may not have what answers such requests at all.
    package var mayLackEndpoint: Bool {
        responseStatus.map { [404, 405, 410, 501].contains($0) } ?? false
    }

    /// Whether the upstream says that it does not understand the request.
    package var isNotUnderstood: Bool {
        if case .status(_, 400?, _, _) = self { return true }
        return false
    }

    /// Whether the upstream cannot make the answer (501), whatever its status.
    package var isNotImplemented: Bool {
        if case .status(_, 501?, _, _) = self { return true }
        return false
    }

    /// Whether the log has no line for each request: it has one when the failure starts to occur, or the client asked for it.
    var isLoggedElsewhere: Bool {
        switch self {
        case .spent, .suspended, .token, .notInCache, .lowMemory, .limited: true
        case .transfer, .status, .unusable, .overloaded, .unread: false
        }
    }

    /// Whether a stale document is better than this failure: the failure says nothing about the document.
    var allowsStale: Bool {
        switch self {
        case .transfer(.cancelled), .notInCache, .limited: false
        // A 403 without a meaning is about the key, and so are a 401 and a 402.
        case .status(_, let meaning?, _, _): !(400..<500 ~= meaning) || [401, 402, 408, 429].contains(meaning)
        case .status(let status, nil, _, _): ![400, 404, 410, 422].contains(status)
        default: true
        }
    }

    /// The seconds to wait if the error means too many requests, whatever its status.
    package var pause: Int? {
        if case .status(let status, let meaning, _, let retryAfter) = self, meaning ?? status == 429 {
            return retryAfter
        }
        return nil
    }

    /// The seconds until Weir asks the upstream again, if it has not asked; nil if that is not known.
    package var seconds: Int? {
        switch self {
        case .spent(let quota): quota.seconds
        case .suspended(let seconds, _): seconds
        case .transfer, .token, .status, .unusable, .overloaded, .unread, .notInCache, .lowMemory, .limited: nil
        }
    }

    /// Whether a request went to the upstream.
    var wasForwarded: Bool {
        switch self {
        case .transfer(.cancelled), .transfer(.queueFull), .transfer(.invalidURL): false
        case .transfer, .status, .unusable, .unread: true
        case .token, .spent, .suspended, .overloaded, .notInCache, .lowMemory, .limited: false
        }
    }

    /// The status of the upstream's response; nil without one.
    var responseStatus: Int? {
        switch self {
        case .status(let status, _, _, _): status
        case .unusable, .unread: 200
        case .transfer, .token, .spent, .suspended, .overloaded, .notInCache, .lowMemory, .limited: nil
        }
    }

    /// What the circuit breaker makes of it.
    var verdict: CircuitBreaker.Verdict {
        switch self {
        case .transfer(.cancelled), .transfer(.queueFull), .transfer(.invalidURL): .none
        // A request to the token endpoint counts once, however many requests wait for it.
        case .token(let fault) where fault.isShared || fault.reason == .transfer(.cancelled): .none
        case .transfer(.unreachable), .transfer(.proxyUnreachable): .unreachable
        case .transfer, .token, .unusable: .failure
        // Such an answer says nothing about the next request, which is a simpler one.
        case .status(_, 501?, _, _): .none
        case .status(let status, let meaning, _, _):
            switch meaning ?? status {
            case 408, 429: .failure
            // A 304 about another version is a definite answer, too: the document is asked for again.
            case 200, 304, 400..<500: .success
            default: .failure
            }
        case .spent, .suspended, .overloaded, .unread, .notInCache, .lowMemory, .limited: .none
        }
    }

    /// What the attempt policy makes of it.
    var attemptFailure: AttemptPolicy.Failure {
        switch self {
        case .transfer(let error) where error.isOfConnection: .connection
        case .token(let fault): fault.attemptFailure
        case .status(let status, let meaning, _, let retryAfter):
            .status(meaning ?? status, retryAfter: retryAfter)
        case .transfer, .unusable, .spent, .suspended, .overloaded, .unread, .notInCache, .lowMemory, .limited: .final
        }
    }

    /// Whether the upstream has failed or refused the key: neither is an answer about what was requested.
    var isOfUpstream: Bool {
        if isUnauthorized { return true }
        // A 403 without a meaning is about the key.
        if case .status(402, nil, _, _) = self { return true }
        if case .status(403, nil, _, _) = self { return true }
        return verdict == .failure || verdict == .unreachable
    }

    /// How the request ended, to follow "last": `with 500: out of memory`, `because it closed the connection`.
    package var manner: String {
        switch self {
        case .status(let status, _, let message, _): "with \(status)\(message.map { ": \($0)" } ?? "")"
        case .transfer(let error): "because \(error)"
        case .token(let fault): "because there was no token: \(fault.result)"
        case .unusable(let reason): "with an answer that cannot be used: \(reason)"
        case .spent, .suspended, .overloaded, .unread, .notInCache, .lowMemory, .limited: "because \(result)"
        }
    }

    /// A short text for the log: a status, or the reason why there is none.
    package var result: String {
        switch self {
        case .transfer(let error): "\(error)"
        case .token: "no token"
        case .status(let status, _, _, _): "\(status)"
        case .unusable: "unusable"
        case .spent(let quota): quota.isPause ? "paused" : "quota used up"
        case .suspended: "suspended"
        case .overloaded(let reason): reason
        case .unread: "not read in time"
        case .notInCache: "not in the cache"
        case .lowMemory: "memory almost used up"
        case .limited: "limit of the client"
        }
    }
}
