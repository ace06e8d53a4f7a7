import Contracts
import HTTPClient
import HTTPCore
import JSONText
import LenientCoding

/// An error as clients get it: `application/problem+json` (RFC 9457).
///
/// This file alone decides which status an error has. A problem never contains a key or an internal path.
struct Problem: Error {
    /// The kinds of problems, which the member `type` identifies.
    ///
    /// Those of upstreams are ordered, the most informative first: a definite answer (such as not found), an unusable
    /// one, none in time, and an upstream that cannot be reached.
    enum Kind: String, CaseIterable {
        case notFound = "not-found"
        case methodNotAllowed = "method-not-allowed"
        case malformedRequest = "malformed-request"
        case requestTimeout = "request-timeout"
        case overloaded
        case invalidParameters = "invalid-parameters"
        case upstreamNotFound = "upstream-not-found"
        case upstreamRefused = "upstream-refused"
        case upstreamRateLimit = "upstream-rate-limit"
        case upstreamFailed = "upstream-failed"
        case upstreamTooSlow = "upstream-too-slow"
        case upstreamUnavailable = "upstream-unavailable"
        case notInCache = "not-in-cache"

        /// A short name of the kind: `Upstream too slow`.
        var title: String {
            let words = rawValue.replacing("-", with: " ")
            return words.prefix(1).uppercased() + words.dropFirst()
        }

        /// The status of the kind, unless a problem has its own.
        var status: Status {
            switch self {
            case .malformedRequest, .invalidParameters: .badRequest
            case .notFound, .upstreamNotFound: .notFound
            case .methodNotAllowed: .methodNotAllowed
            case .requestTimeout: .requestTimeout
            case .upstreamRefused: .forbidden
            case .upstreamRateLimit: .tooManyRequests
            case .upstreamFailed: .badGateway
            case .overloaded, .upstreamUnavailable: .serviceUnavailable
            case .upstreamTooSlow, .notInCache: .gatewayTimeout
            }
        }
    }

    let kind: Kind
    let status: Status
    let detail: String
    let faults: [Parameters.Fault]
    let upstream: UpstreamError?
    /// The seconds after which the request may succeed; nil if they are not known.
    private(set) var retryAfter: Int?
    /// The methods that are allowed instead of the request's.
    private var allowed: String?
    /// The part that the cache took; nil if it took none.
    var cacheNote: CacheNote?

    init(
        _ kind: Kind, _ detail: String, status: Status? = nil, faults: [Parameters.Fault] = [],
        upstream: UpstreamError? = nil, retryAfter: Int? = nil
    ) {
        (self.kind, self.status, self.detail) = (kind, status ?? kind.status, detail)
        (self.faults, self.upstream, self.retryAfter) = (faults, upstream, retryAfter)
    }

    /// The header fields beyond those that every problem has.
    var headers: [(name: String, value: String)] {
        let fields = [("Allow", allowed), ("Retry-After", retryAfter.map { "\($0)" })]
        return fields.compactMap { name, value in value.map { (name, $0) } }
    }

    var response: Response {
        let body = ProblemBody(
            type: "urn:weir:problem:\(kind.rawValue)", title: kind.title, status: status.code, detail: detail,
            errors: faults.isEmpty ? nil : faults, upstream: upstream)
        return Response(body, "application/problem+json", status, headers)
    }
}

extension Response {
    /// A response with a record as its body, which caches must not keep.
    init(_ record: some Record, _ type: String, _ status: Status, _ headers: [(name: String, value: String)] = []) {
        self.init(
            status: status, headers: [("Content-Type", type), ("Cache-Control", "no-store")] + headers,
            body: JSONWriter.bytes(expecting: 512) { record.write(to: &$0) })
    }
}

private struct ProblemBody: Record {
    var type = "", title = "", status = 0, detail = ""
    var errors: [Parameters.Fault]?, upstream: UpstreamError?

    static let schema = Schema<ProblemBody> {
        Field(\.type)
        Field(\.title)
        Field(\.status)
        Field(\.detail)
        Field(\.errors)
        Field(\.upstream)
    }
}

/// An upstream's own error.
struct UpstreamError: Record {
    var name = "", status: Int?, error: String?

    static let schema = Schema<UpstreamError> {
        Field(\.name)
        Field(\.status)
        Field(\.error)
    }
}

// The client's errors.
extension Problem {
    static func notFound(tryInstead examples: String) -> Problem {
        Problem(.notFound, "There is nothing at this path. Try \(examples).")
    }

    static func methodNotAllowed(_ method: Method) -> Problem {
        var problem = Problem(
            .methodNotAllowed, "\(method.rawValue.prefix(40)) is not allowed here; use GET or HEAD.")
        problem.allowed = Router.methods
        return problem
    }

    /// A path that would mean another one to an upstream, or to a proxy in between.
    static let dotSegments = Problem(
        .malformedRequest, "The path has a segment \".\" or \"..\", escaped or not. Send the path that it stands for.")

    static func refused(_ failure: RequestFailure) -> Problem {
        switch failure.status {
        case .requestTimeout: Problem(.requestTimeout, failure.detail)
        case .serviceUnavailable: Problem(.overloaded, failure.detail, retryAfter: 1)
        default: Problem(.malformedRequest, failure.detail, status: failure.status)
        }
    }

    static func invalidParameters(_ faults: [Parameters.Fault]) -> Problem {
        let detail = faults.map { "\($0.name) \($0.detail)" }.joined(separator: "; ")
        return Problem(.invalidParameters, detail, faults: faults)
    }
}

// The upstreams' errors.
extension Problem {
    /// The seconds after which an upstream may be asked again that has failed without naming any.
    private static let usualWait = 5

    /// An upstream that cannot be reached or has spent its quota is 503, a slow one 504, an unusable answer 502.
    init(_ failure: Upstream.Failure, from name: String) {
        var upstream = UpstreamError(name: name)
        switch failure {
        case .transfer(let error):
            let detail = "The upstream \(name) cannot be used: \(error)."
            self.init(Self.kind(of: error), detail, upstream: upstream, retryAfter: Self.retryAfter(error))
        case .token(let fault):
            let (kind, retryAfter) = Self.kind(of: fault.reason)
            self.init(kind, fault.sentence(of: name), upstream: upstream, retryAfter: retryAfter)
        case .status(let status, let meaning, let message, let retryAfter):
            (upstream.status, upstream.error) = (status, message)
            let detail = "The upstream \(name) answered with \(status == 200 ? "an error" : "status \(status)")."
            switch meaning ?? ([402, 404, 429].contains(status) ? status : 502) {
            case 402:
                self.init(
                    .upstreamRateLimit, "The upstream \(name) demands to be paid before it answers.",
                    status: .serviceUnavailable, upstream: upstream)
            case 404: self.init(.upstreamNotFound, detail, upstream: upstream)
            case 429: self.init(.upstreamRateLimit, detail, upstream: upstream, retryAfter: retryAfter)
            case let meaning where [401, 403, 422].contains(meaning):
                self.init(.upstreamRefused, detail, status: Status(meaning), upstream: upstream)
            default:
                self.init(
                    .upstreamFailed, detail, upstream: upstream, retryAfter: status == 503 ? retryAfter : nil)
            }
        case .unusable(let reason):
            upstream.status = 200
            self.init(
                .upstreamFailed, "The answer of the upstream \(name) cannot be used: \(reason).", upstream: upstream)
        case .spent(let quota):
            self.init(
                quota.isOutage ? .upstreamUnavailable : .upstreamRateLimit, quota.sentence(of: name),
                status: .serviceUnavailable, upstream: upstream, retryAfter: quota.seconds)
        case .suspended(let seconds):
            let detail = "The upstream \(name) has failed too often; it may be asked again in \(seconds) s."
            self.init(.upstreamUnavailable, detail, upstream: upstream, retryAfter: seconds)
        case .overloaded(let reason):
            self.init(
                .upstreamUnavailable, "The upstream \(name) cannot be used: \(reason).", upstream: upstream,
                retryAfter: 1)
        case .unread:
            self.init(
                .upstreamTooSlow, "The answer of the upstream \(name) was not read in time.", upstream: upstream)
        case .notInCache:
            self.init(.notInCache, "The document is not in the cache, and the request wants no other.")
        }
    }

    private static func kind(of error: TransferError) -> Kind {
        switch error {
        // A host that does not answer the attempt to connect may be slow or gone; the client waited in both cases.
        case .tooSlow, .silent, .unfinished, .stalled, .connectTimedOut: .upstreamTooSlow
        case .unknownHost, .noNameServer, .unreachable, .proxyUnreachable, .queueFull, .cancelled: .upstreamUnavailable
        // Waiting does not repair a certificate or a setting.
        case .privateAddress, .proxyFailed, .tlsFailed, .proxyTLSFailed, .redirect, .brokenOff, .malformed, .tooLarge,
            .invalidURL, .other:
            .upstreamFailed
        }
    }

    private static func retryAfter(_ error: TransferError) -> Int? {
        kind(of: error) == .upstreamUnavailable ? usualWait : nil
    }

    /// A token endpoint is no part of an upstream's answer: its refusals are no refusals of the client.
    private static func kind(of reason: TokenFault.Reason) -> (kind: Kind, retryAfter: Int?) {
        switch reason {
        case .transfer(let error): (kind(of: error), retryAfter(error))
        case .status(429, _, let seconds), .status(503, _, let seconds): (.upstreamUnavailable, seconds ?? usualWait)
        case .status, .unusable: (.upstreamFailed, nil)
        }
    }

    /// The time for a request is over, after `last` at the latest.
    static func deadlinePassed(after last: Problem?) -> Problem {
        if let last, last.kind == .upstreamTooSlow { return last }
        var problem = Problem(.upstreamTooSlow, "No upstream answered in time.", upstream: last?.upstream)
        problem.cacheNote = last?.cacheNote
        return problem
    }

    /// Returns the problem for a client if every upstream failed: the most informative one, the first among equals.
    ///
    /// If it names a time, it is that of the upstream that may be asked first.
    static func mostInformative(of problems: [Problem]) -> Problem {
        for kind in Kind.allCases {
            guard var problem = problems.first(where: { $0.kind == kind }) else { continue }
            if problem.retryAfter != nil { problem.retryAfter = problems.map { $0.retryAfter ?? usualWait }.min() }
            return problem
        }
        return Problem(.upstreamUnavailable, "No upstream is configured.")
    }
}
