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
        case tooManyRequests = "too-many-requests"
        case invalidParameters = "invalid-parameters"
        case upstreamNotFound = "upstream-not-found"
        case upstreamRefused = "upstream-refused"
        case upstreamRateLimit = "upstream-rate-limit"
        case upstreamFailed = "upstream-failed"
        case upstreamTooSlow = "upstream-too-slow"
        case upstreamUnavailable = "upstream-unavailable"
        case notInCache = "not-in-cache"
        case lowMemory = "low-memory"
        case configurationRefused = "configuration-refused"
        case foreignRequest = "foreign-request"
        case fileNotWritten = "file-not-written"

        /// The problems that a request to every route can have.
        static let ofRequests: [Kind] = [.malformedRequest, .methodNotAllowed, .requestTimeout, .overloaded]
        /// The problems of routes with documents of upstreams.
        package static let ofUpstreams: [Kind] =
            allCases.filter { $0.rawValue.hasPrefix("upstream-") } + [.notInCache, .lowMemory]

        /// Whether the server answers alone, in place of a route.
        var isOfServer: Bool { self == .malformedRequest || self == .requestTimeout || self == .overloaded }

        /// A short name of the kind: `Upstream too slow`.
        package var title: String {
            let words = rawValue.replacing("-", with: " ")
            return words.prefix(1).uppercased() + words.dropFirst()
        }

        /// The identifier in the member `type`.
        package var type: String { "urn:weir:problem:\(rawValue)" }

        /// The status of the kind, unless a problem has its own.
        package var status: Status { Status(statuses[0]) }

        /// The statuses that problems of the kind have, the usual one first.
        package var statuses: [Int] { facts.statuses }

        /// The cause, as a sentence.
        package var cause: String { facts.cause }

        private var facts: (statuses: [Int], cause: String) {
            switch self {
            case .notFound: ([404], "There is no such path.")
            case .methodNotAllowed: ([405], "The route does not take the method; `Allow` names those that it takes.")
            case .malformedRequest:
                (
                    [400, 414, 417, 431, 501, 505],
                    "The request is not valid HTTP, has a segment `.` or `..` in its path, or exceeds a limit."
                )
            case .requestTimeout: ([408], "The request took too long to arrive.")
            case .overloaded: ([503], "Too many connections or status pages are open, or an operator sheds the route.")
            case .tooManyRequests:
                (
                    [429],
                    """
                    The client makes more requests than a limit of the service allows, or too many at a time that the cache \
                    cannot answer; `RateLimit-Policy` has the limit.
                    """
                )
            case .invalidParameters: ([400], "A parameter is wrong, repeated, missing or unknown.")
            case .upstreamNotFound: ([404], "The upstream does not have it.")
            case .upstreamRefused:
                (
                    [403, 401, 422, 400, 409, 410],
                    "The upstream refuses the request and says why. A configured route has the statuses of its `statuses`."
                )
            case .upstreamRateLimit:
                (
                    [429, 503],
                    """
                    The upstream limits the rate (429), its quota is used up until the time in `Retry-After` (503), or \
                    it demands to be paid (503).
                    """
                )
            case .upstreamFailed:
                (
                    [502],
                    """
                    The upstream's answer is an error, HTML, not JSON, malformed, or violates the contract, there is \
                    no TLS connection, or its name leads to an address that is not allowed; `detail` says what is wrong.
                    """
                )
            case .upstreamTooSlow:
                (
                    [504],
                    """
                    The upstream, or all of them together, did not answer before the deadline, or did not accept a \
                    connection in time.
                    """
                )
            case .upstreamUnavailable:
                (
                    [503],
                    """
                    The upstream cannot be reached, has failed too often, has answered 503 and is to be left alone \
                    until the time in `Retry-After`, or too many requests wait for it.
                    """
                )
            case .notInCache:
                (
                    [504],
                    """
                    The request has `Cache-Control: only-if-cached`, which counts with the setting `obeysClients` of the \
                    cache, and the cache has no document for it.
                    """
                )
            case .lowMemory:
                (
                    [503],
                    "The memory of the service's container is almost used up, and the cache has no document for the request."
                )
            case .configurationRefused:
                (
                    [422, 409],
                    """
                    The configuration has the faults in `errors`, cannot be read, or names an address that cannot be \
                    listened on; or the service stops (409). The old configuration stays in use.
                    """
                )
            case .fileNotWritten: ([503], "A file of the service cannot be written; `detail` says why.")
            case .foreignRequest:
                (
                    [403, 421],
                    """
                    A page of another site made a request to a path for operators (403), or a browser made the request at \
                    a host that is neither an address, `localhost` nor in `server.hosts` (421).
                    """
                )
            }
        }
    }

    /// The methods of all routes but those for operators that change something.
    package static let methods = "GET, HEAD, OPTIONS"

    package let kind: Kind
    package let status: Status
    package private(set) var detail: String
    package let faults: [Parameters.Fault]
    package let upstream: UpstreamError?
    /// The seconds after which the request may succeed; nil if they are not known.
    package var retryAfter: Int?
    /// The methods that are allowed instead of the request's.
    private var allowed: String?
    /// The values of RateLimit-Policy and RateLimit; nil if no limit has refused the request.
    private var limit: (policy: String, state: String)?
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
        let fields = [
            ("Allow", allowed), ("Retry-After", retryAfter.map { "\($0)" }),
            (AnswerField.rateLimitPolicy.name, limit?.policy), (AnswerField.rateLimit.name, limit?.state),
        ]
        return fields.compactMap { name, value in value.map { (name, $0) } }
    }

    /// Returns the problem of a part of an answer as that of the whole answer.
    package func ofPart(_ name: String) -> Problem {
        var problem = self
        problem.detail = "The part \(name) failed. \(detail)"
        return problem
    }

    package var response: Response {
        let body = ProblemBody(
            type: kind.type, title: kind.title, status: status.code, detail: detail,
            errors: faults.isEmpty ? nil : faults, upstream: upstream)
        return Response(body, "application/problem+json", status, headers)
    }
}

extension Response {
    /// A response with a record as its body, which caches must not keep.
    package init(
        _ record: some Record, _ type: String, _ status: Status, _ headers: [(name: String, value: String)] = [],
        dates: DateForm = .unix
    ) {
        var style = WritingStyle()
        style.dates = dates
        self.init(
            status: status, headers: [("Content-Type", type), ("Cache-Control", "no-store")] + headers,
            body: JSONWriter.bytes(expecting: 512) { record.write(to: &$0, style: style) })
    }
}

private struct ProblemBody: Record {
    var type = "", title = "", status = 0, detail = ""
    var errors: [Parameters.Fault]?, upstream: UpstreamError?

    static let schema = Schema<ProblemBody> {
        Field(
            \.type, .oneOf(Problem.Kind.allCases.map(\.type)), .note("The identifier of the kind of problem."))
        Field(\.title, .note("A short name of the kind."))
        Field(\.status, .note("The status of the answer."))
        Field(\.detail, .note("What is wrong, and what to do."))
        Field(\.errors, .note("The wrong parameters, or the wrong settings of a configuration."))
        Field(\.upstream, .note("The upstream's own error."))
    }
}

/// An upstream's own error.
package struct UpstreamError: Record {
    package var name = "", status: Int?, error: String?

    package init() {}

    package init(name: String) { self.name = name }

    package static let schema = Schema<UpstreamError> {
        Field(\.name, .note("The name of the upstream in the configuration."))
        Field(\.status, .note("The upstream's status."))
        Field(\.error, .note("The upstream's message."))
    }
}

extension Problem {
    /// The schema of the body.
    static func schema(in components: inout SchemaComponents) -> JSONValue { ProblemBody.schema(in: &components) }
}

// The client's errors.
extension Problem {
    package static func notFound(tryInstead examples: String) -> Problem {
        Problem(.notFound, "There is nothing at this path. Try \(examples).")
    }

    package static func methodNotAllowed(_ method: Method, by route: RouteDescription) -> Problem {
        let method = method.rawValue.prefix(40)
        var problem = Problem(
            .methodNotAllowed,
            "\(method) is not allowed here; use \(route.method == .get ? "GET or HEAD" : "\(route.method)").")
        problem.allowed = route.allow
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

    /// A limit has refused the request; `policy` and `state` are the fields of draft-ietf-httpapi-ratelimit-headers-11.
    package static func tooManyRequests(_ detail: String, policy: String, state: String, retryAfter: Int) -> Problem {
        var problem = Problem(.tooManyRequests, detail, retryAfter: retryAfter)
        problem.limit = (policy, state)
        return problem
    }

    package static func invalidParameters(_ faults: [Parameters.Fault]) -> Problem {
        let detail = faults.map { "\($0.name) \($0.detail)" }.joined(separator: "; ")
        return Problem(.invalidParameters, detail, faults: faults)
    }
}

/// What an answer says of the part that the cache took: to its client in Cache-Status, and to the counters.
package struct CacheNote: Sendable {
    package var status: CacheStatus
    private let result: CacheResult

    package init(_ status: CacheStatus, _ result: CacheResult) { (self.status, self.result) = (status, result) }

    /// Whether the cache answered alone.
    package var isHit: Bool { result == .hit }

    package func add(to response: inout Response) {
        response.headers.append(("Cache-Status", status.fieldValue))
        response.note.cache = result
    }
}
