package import HTTPCore
package import Records

/// A route, described once: matching, reading, documents, metrics and OpenAPI come from this value.
package struct RouteDescription: Sendable {
    /// The part that upstreams and their cache take in an answer.
    package enum Source: Sendable {
        /// The service answers alone.
        case service
        /// The answer is made of documents of upstreams.
        case documents
    }

    /// The content of answers with a status.
    package struct Answer: Sendable {
        package let status: Int
        package let summary: String
        package let mediaType: String
        /// The schema, which adds the records that it refers to; nil for a text.
        package let schema: (@Sendable (inout SchemaComponents) -> JSONValue)?
        /// The schema of the answer with `explain`; nil without that parameter.
        package var explained: (@Sendable (inout SchemaComponents) -> JSONValue)?

        package init(
            _ mediaType: String, status: Int = 200, _ summary: String = "The answer.",
            _ schema: (@Sendable (inout SchemaComponents) -> JSONValue)? = nil
        ) {
            (self.mediaType, self.status, self.summary, self.schema) = (mediaType, status, summary, schema)
        }
    }

    /// The name in metrics, logs and quotas, and the `operationId` of OpenAPI.
    package let name: String
    package let template: RouteTemplate
    /// One line for OpenAPI.
    package let summary: String
    /// A text for OpenAPI.
    package var details: String?
    /// The names of the groups of routes in OpenAPI.
    package let tag: String
    package var otherTags: [String] = []
    package var source = Source.service
    package var parameters: [ParameterSpec] = []
    package let answer: Answer
    /// Other statuses, media types and schemas of answers that are no problems.
    package var otherAnswers: [Answer] = []
    /// The fields of its answers besides those of every route.
    package var fields: [AnswerField] = []
    /// The kinds of problems besides those of every route; their content is `problem`.
    package var problems: [Problem.Kind] = []
    /// The statuses of those of these kinds that have other statuses than usual.
    package var problemStatuses: [Problem.Kind: [Int]] = [:]
    package var problem = Self.problem
    /// The time that upstreams have for an answer, and how documents are kept; nil without upstreams.
    package var deadline: Duration?
    package var cachePolicy: CachePolicy?
    /// The kinds of requests to upstreams that its documents come from.
    package var requestKinds: [String] = []
    /// The method that the route takes; with GET, HEAD too.
    package var method = Method.get
    /// Whether parameters that the route does not know are no error.
    package var takesOtherParameters = false
    /// Whether the route serves monitoring: its requests are not logged and get no id.
    package var isProbe = false
    /// The names of the parameters in the path and the query that can be credentials of clients.
    package var credentials: [String] = []
    /// Whether a path can contain a client's key, which no log may have.
    package var hidesPath: Bool { template.parameters.contains(where: credentials.contains) }
    /// Whether the 404 of an unknown path suggests the route.
    package var isExample = false
    /// Whether the route answers all paths below the literal segments of its template.
    package var ownsPrefix = false

    /// The content of problems of most routes.
    static let problem = Answer("application/problem+json") { Problem.schema(in: &$0) }

    package init(_ name: String, _ template: String, tag: String, _ summary: String, answer: Answer) {
        (self.name, self.template, self.tag, self.summary) = (name, RouteTemplate(template), tag, summary)
        self.answer = answer
    }

    /// Whether the route takes requests with `method`.
    package func takes(_ method: Method) -> Bool { method == self.method || method == .head && self.method == .get }

    /// The methods of the field Allow.
    package var allow: String { method == .get ? Problem.methods : "\(method), OPTIONS" }

    /// A path and a query that the demo answers, for people; the required parameters have their examples.
    package var example: String {
        var path = template.text
        var query: [String] = []
        for parameter in parameters where parameter.isRequired {
            let value = PercentCoding.encode(parameter.example ?? "", allowing: .queryComponent)
            switch parameter.location {
            case .path: path = path.replacing("{\(parameter.name)}", with: value)
            case .query: query.append("\(parameter.name)=\(value)")
            case .header: break
            }
        }
        return path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
}

/// A field of answers, described once: documents, OpenAPI and the fields that scripts may read come from this value.
package struct AnswerField: Sendable {
    package enum Kind: String, Sendable {
        case string, integer
    }

    package let name: String
    package let summary: String
    package let kind: Kind
    /// Whether scripts of other origins may read the field, beyond the ones that the Fetch standard safelists.
    package let isExposed: Bool
    /// Whether every answer that can have the field has it.
    package let isRequired: Bool

    package init(
        _ name: String, _ summary: String, _ kind: Kind = .string, isExposed: Bool = false, isRequired: Bool = false
    ) {
        (self.name, self.summary, self.kind) = (name, summary, kind)
        (self.isExposed, self.isRequired) = (isExposed, isRequired)
    }

    package static let contentType = AnswerField(
        "Content-Type",
        """
        `application/json`, `application/problem+json` or `application/health+json`; `application/javascript` with \
        `callback`.
        """)
    package static let drift = AnswerField(
        "Weir-Drift", "The number of repairs of the upstream's document by kind: `dropped=1, coerced=2`.",
        isExposed: true)
    package static let parts = AnswerField(
        "Weir-Parts",
        """
        Of a configured answer with parts: each optional part that failed, with the upstream's status or the name of \
        the problem: `alerts=404, tide=upstream-too-slow`.
        """, isExposed: true)
    package static let link = AnswerField(
        "Link", "The address of the next page of a list, if there is one: `<…>; rel=\"next\"` (RFC 8288).",
        isExposed: true)
    package static let cacheControl = AnswerField(
        "Cache-Control",
        """
        `no-store` for problems and health; for documents, how long the cache keeps them: \
        `max-age=300, stale-while-revalidate=30, …`.
        """)
    package static let age = AnswerField(
        "Age", "For documents of the cache, the seconds since the upstream made the document.", .integer)
    package static let cacheStatus = AnswerField(
        "Cache-Status",
        """
        For documents, and for problems if an upstream was asked or its 404 is remembered: `Weir; hit`, \
        `Weir; fwd=uri-miss; …`, `Weir; fwd=stale; …`; `fwd-status` is the upstream's status if the answer has another \
        one, such as 304 (RFC 9211).
        """)
    package static let expires = AnswerField(
        "Expires", "Of `/forecast`: the time until which the answer is fresh, and now for one that is not kept.")
    package static let lastModified = AnswerField(
        "Last-Modified", "The time of the document's last change, if the upstream gives one.")
    package static let retryAfter = AnswerField(
        "Retry-After",
        """
        For 429 and 503, and for 502 if the upstream answers 503: the seconds after which the request may succeed, if \
        they are known; of several upstreams that fail, those of the first that may be asked again.
        """, .integer, isExposed: true)
    package static let rateLimitPolicy = AnswerField(
        "RateLimit-Policy",
        """
        For 429 of a limit: `"address";q=10;w=1`, ten requests in a second, with `weir-burst` if the number of requests at once \
        is another one; or `"address-misses";q=4;qu="concurrent-requests"` (draft-ietf-httpapi-ratelimit-headers-11).
        """, isExposed: true)
    package static let rateLimit = AnswerField(
        "RateLimit",
        "For 429 of a limit: the requests left, and the seconds until there are more: `\"address\";r=0;t=2`.",
        isExposed: true)
    package static let entityTag = AnswerField(
        "ETag", "For 200: a weak entity tag, which depends on the content and not on the coding.", isExposed: true)
    package static let vary = AnswerField(
        "Vary", "`Accept-Encoding` for documents and for 1 KiB or more, `Origin` with `server.cors`.")
    package static let contentEncoding = AnswerField(
        "Content-Encoding", "`br` or `gzip`, if the client accepts one of them.")
    package static let allow = AnswerField(
        "Allow", "For 204 and 405: the methods that the route takes, such as `\(Problem.methods)`.", isRequired: true)
    package static let requestID = AnswerField(
        "X-Request-Id",
        """
        The client's id if it has 8 to 64 letters, digits, `-`, `_` and `.`, or else the id of the trace; absent from \
        `/livez`, `/readyz`, `/healthz` and `/metrics`.
        """, isExposed: true)
    package static let serverTiming = AnswerField(
        "Server-Timing",
        """
        For documents: `total;dur=`, the milliseconds until the answer was ready; `cache;desc=hit` for one that was in \
        memory as it was sent.
        """, isExposed: true)
    package static let calls = AnswerField(
        "X-Forecast-API-Calls", "Of `/forecast`: the number of answers since midnight in UTC.", .integer,
        isExposed: true)
    package static let responseTime = AnswerField(
        "X-Response-Time", "Of `/forecast`: the time that the answer took, such as `12ms`.", isExposed: true)
    package static let crossOrigin = AnswerField(
        "Access-Control-*", "With `server.cors`, for listed origins: see [browsers](#browsers).")

    /// The fields that answers made of documents have.
    package static let ofDocuments = [cacheControl, entityTag, age, cacheStatus, lastModified, drift, serverTiming]

    /// All fields but `Date`, `Content-Length` and `Connection`.
    package static let all = [
        contentType, drift, parts, link, cacheControl, age, cacheStatus, expires, lastModified, retryAfter,
        rateLimitPolicy, rateLimit, entityTag, vary, contentEncoding, allow, requestID, serverTiming, calls,
        responseTime, crossOrigin,
    ]
}

/// The origins whose scripts may read answers (the CORS protocol of the Fetch standard).
package struct CrossOrigin: Sendable {
    /// The fields that scripts may read besides the safelisted ones.
    private static let exposed = AnswerField.all.filter(\.isExposed).map(\.name).joined(separator: ", ")
    /// The fields that scripts may send besides the safelisted ones.
    private static let allowed = "Content-Type, If-None-Match, If-Modified-Since, X-Request-Id, traceparent"

    private let origins: [String]
    private let isOpen: Bool
    private let maximumAge: Int

    /// Admits `origins`, such as `https://app.example`, or every origin with `*`; nil without any.
    package init?(_ origins: [String], maximumAgeSeconds: Int = 600) {
        if origins.isEmpty { return nil }
        (self.origins, maximumAge) = (origins, maximumAgeSeconds)
        isOpen = origins.contains("*")
    }

    /// Adds the fields that let the request's origin read the response.
    package func admit(_ response: inout Response, _ headers: HeaderFields) {
        if !isOpen { response.vary(by: "Origin") }
        guard let origin = admitted(headers) else { return }
        response.headers.append(("Access-Control-Allow-Origin", origin))
        response.headers.append(("Access-Control-Expose-Headers", Self.exposed))
    }

    /// Adds the answer to a preflight request, if it is one.
    package func preflight(_ response: inout Response, _ headers: HeaderFields) {
        guard headers.bytes("Access-Control-Request-Method") != nil, admitted(headers) != nil else { return }
        response.headers.append(("Access-Control-Allow-Methods", Problem.methods))
        response.headers.append(("Access-Control-Allow-Headers", Self.allowed))
        response.headers.append(("Access-Control-Max-Age", "\(maximumAge)"))
    }

    /// Returns the value of Access-Control-Allow-Origin; nil if the request has no origin or another one.
    private func admitted(_ headers: HeaderFields) -> String? {
        guard headers.bytes("Origin") != nil else { return nil }
        if isOpen { return "*" }
        // The text of the configuration, so that no byte of a request comes back.
        return origins.first { origin in headers["Origin"] == origin }
    }
}
