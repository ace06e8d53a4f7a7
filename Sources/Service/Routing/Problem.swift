import Contracts
package import HTTPCore
import JSONText
package import Records

/// An error as clients get it: `application/problem+json` (RFC 9457).
///
/// This file alone decides which status an error has. A problem never contains a key or an internal path.
package struct Problem: Error {
    /// The kinds of problems, which the member `type` identifies.
    ///
    /// Those of upstreams are ordered, the most informative first: a definite answer (such as not found), an unusable
    /// one, none in time, and an upstream that cannot be reached.
    package enum Kind: String, CaseIterable {
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
        package var title: String {
            let words = rawValue.replacing("-", with: " ")
            return words.prefix(1).uppercased() + words.dropFirst()
        }

        /// The status of the kind, unless a problem has its own.
        package var status: Status {
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

    /// The methods that all routes take.
    package static let methods = "GET, HEAD, OPTIONS"

    package let kind: Kind
    package let status: Status
    package let detail: String
    package let faults: [Parameters.Fault]
    package let upstream: UpstreamError?
    /// The seconds after which the request may succeed; nil if they are not known.
    package var retryAfter: Int?
    /// The methods that are allowed instead of the request's.
    private var allowed: String?
    /// The part that the cache took; nil if it took none.
    package var cacheNote: CacheNote?

    package init(
        _ kind: Kind, _ detail: String, status: Status? = nil, faults: [Parameters.Fault] = [],
        upstream: UpstreamError? = nil, retryAfter: Int? = nil
    ) {
        (self.kind, self.status, self.detail) = (kind, status ?? kind.status, detail)
        (self.faults, self.upstream, self.retryAfter) = (faults, upstream, retryAfter)
    }

    /// The header fields beyond those that every problem has.
    package var headers: [(name: String, value: String)] {
        let fields = [("Allow", allowed), ("Retry-After", retryAfter.map { "\($0)" })]
        return fields.compactMap { name, value in value.map { (name, $0) } }
    }

    package var response: Response {
        let body = ProblemBody(
            type: "urn:weir:problem:\(kind.rawValue)", title: kind.title, status: status.code, detail: detail,
            errors: faults.isEmpty ? nil : faults, upstream: upstream)
        return Response(body, "application/problem+json", status, headers)
    }
}

extension Response {
    /// A response with a record as its body, which caches must not keep.
    package init(
        _ record: some Record, _ type: String, _ status: Status, _ headers: [(name: String, value: String)] = []
    ) {
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
package struct UpstreamError: Record {
    package var name = "", status: Int?, error: String?

    package init() {}

    package init(name: String) { self.name = name }

    package static let schema = Schema<UpstreamError> {
        Field(\.name)
        Field(\.status)
        Field(\.error)
    }
}

// The client's errors.
extension Problem {
    package static func notFound(tryInstead examples: String) -> Problem {
        Problem(.notFound, "There is nothing at this path. Try \(examples).")
    }

    package static func methodNotAllowed(_ method: Method) -> Problem {
        var problem = Problem(
            .methodNotAllowed, "\(method.rawValue.prefix(40)) is not allowed here; use GET or HEAD.")
        problem.allowed = methods
        return problem
    }

    /// A path that would mean another one to an upstream, or to a proxy in between.
    package static let dotSegments = Problem(
        .malformedRequest, "The path has a segment \".\" or \"..\", escaped or not. Send the path that it stands for.")

    package static func refused(_ failure: RequestFailure) -> Problem {
        switch failure.status {
        case .requestTimeout: Problem(.requestTimeout, failure.detail)
        case .serviceUnavailable: Problem(.overloaded, failure.detail, retryAfter: 1)
        default: Problem(.malformedRequest, failure.detail, status: failure.status)
        }
    }

    package static func invalidParameters(_ faults: [Parameters.Fault]) -> Problem {
        let detail = faults.map { "\($0.name) \($0.detail)" }.joined(separator: "; ")
        return Problem(.invalidParameters, detail, faults: faults)
    }
}
