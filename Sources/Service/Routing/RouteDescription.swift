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
    /// The name of the group of routes in OpenAPI.
    package let tag: String
    package var source = Source.service
    package var parameters: [ParameterSpec] = []
    package let answer: Answer
    /// Other statuses, media types and schemas of answers that are no problems.
    package var otherAnswers: [Answer] = []
    /// The fields of its answers besides those of every route.
    package var fields: [AnswerField] = []
    /// The kinds of problems besides those of every route; their content is `problem`.
    package var problems: [Problem.Kind] = []
    package var problem = Self.problem
    /// The time that upstreams have for an answer, and how documents are kept; nil without upstreams.
    package var deadline: Duration?
    package var cachePolicy: CachePolicy?
    /// Whether parameters that the route does not know are ignored.
    package var ignoresOtherParameters = false
    /// Whether the route serves monitoring: its requests are not logged and get no id.
    package var isProbe = false
    /// Whether a path can contain a client's key, which no log may have.
    package var hidesPath = false
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

    package static let allow = AnswerField("Allow", "The methods that the route takes.", isRequired: true)

    package static let link = AnswerField(
        "Link", "The address of the next page, with rel=\"next\" (RFC 8288).", isExposed: true)
    package static let drift = AnswerField(
        "Weir-Drift", "The number of repairs of the upstream's document by kind.", isExposed: true)
    package static let age = AnswerField("Age", "The seconds since the upstream made the document.", .integer)
    package static let cacheControl = AnswerField("Cache-Control", "How long caches may keep the answer.")
    package static let cacheStatus = AnswerField("Cache-Status", "What the cache did (RFC 9211).")
    package static let lastModified = AnswerField(
        "Last-Modified", "The time of the document's last change, if the upstream gives it.")
    package static let serverTiming = AnswerField(
        "Server-Timing", "The milliseconds until the answer was ready.", isExposed: true)
    package static let entityTag = AnswerField("ETag", "A weak entity tag, for If-None-Match.", isExposed: true)
    package static let requestID = AnswerField(
        "X-Request-Id", "The client's id of the request, or else the id of the trace.", isExposed: true)
    package static let retryAfter = AnswerField(
        "Retry-After", "The seconds after which the request may succeed, if they are known.", .integer,
        isExposed: true)
    package static let calls = AnswerField(
        "X-Forecast-API-Calls", "The number of answers since midnight in UTC.", .integer, isExposed: true)
    package static let responseTime = AnswerField(
        "X-Response-Time", "The time that the answer took, such as 12ms.", isExposed: true)
    package static let expires = AnswerField("Expires", "The time until which the answer is fresh.")

    /// The fields that answers made of documents have.
    package static let ofDocuments = [cacheControl, entityTag, age, cacheStatus, lastModified, drift, serverTiming]

    /// All fields that scripts of other origins may read.
    package static let exposed = [
        entityTag, link, retryAfter, serverTiming, drift, calls, requestID, responseTime,
    ].filter(\.isExposed)
}
