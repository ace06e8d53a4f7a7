import Telemetry
import Contracts
package import EventLoop
package import HTTPClient
package import HTTPCore
package import JSONText

/// The header fields and the body of a request to an upstream.
package struct RequestContent: Sendable {
    package var headers: [(name: String, value: String)] = []
    /// The JSON to POST; nil for a GET.
    package var body: [UInt8]?

    package static let none = RequestContent()

    package init() {}

    /// The text that tells the request from others with the same target; empty for a plain GET.
    ///
    /// A line feed cannot be in a target.
    var key: String {
        let fields = headers.map { "\n\($0.name.lowercased()): \($0.value)" }.joined()
        return fields + (body.map { "\n\n" + String(decoding: $0, as: UTF8.self) } ?? "")
    }
}

/// A request for one document, and how its response is read.
package struct DocumentRequest<Document: Sendable>: Sendable {
    package let kind: RequestKind
    /// The path and query; `{key}` marks the position of a key in the path.
    package let target: String
    package let content: RequestContent
    /// The header fields of the response that are kept with the document, in lower case.
    package let keptFields: Set<String>
    package let read: @Sendable (IncomingResponse, JSONOptions) throws -> Document
    package let errors: ErrorReader

    package init(
        kind: RequestKind, target: String, content: RequestContent = .none, keptFields: Set<String> = ["link"],
        errors: ErrorReader, read: @escaping @Sendable (IncomingResponse, JSONOptions) throws -> Document
    ) {
        (self.kind, self.target, self.content, self.keptFields) = (kind, target, content, keptFields)
        (self.errors, self.read) = (errors, read)
    }
}

/// How an upstream's errors are read.
package struct ErrorReader: Sendable {
    /// Returns the message of an error, if it has one, and the status that the error means if the dialect knows.
    package let explain: @Sendable (IncomingResponse) -> (message: String?, status: Int?)
    /// Returns the seconds to wait that the message of an error demands, if no header field names them.
    package let pause: @Sendable (_ message: String) -> Int?

    package init(
        explain: @escaping @Sendable (IncomingResponse) -> (message: String?, status: Int?),
        pause: @escaping @Sendable (_ message: String) -> Int? = { _ in nil }
    ) {
        (self.explain, self.pause) = (explain, pause)
    }
}

/// What one upstream is asked for, and what the stages have found out on the way.
package struct Fetch: Sendable {
    /// The part that no stage changes; a class, so that copies are cheap.
    final class Order: Sendable {
        let upstream: Upstream
        let kind: RequestKind
        /// The state of requests of this kind to the upstream; looked up once.
        let kindState: KindState
        let target: String
        let content: RequestContent
        let key: DocumentKey
        /// How the document is kept; nil if it is not.
        let policy: CachePolicy?
        /// What the client asks of the cache.
        let directives: ClientDirectives
        /// Reads a response, and returns what is kept of it.
        let read: @Sendable (IncomingResponse, JSONOptions) throws -> DocumentContent
        let errors: ErrorReader

        init(
            _ upstream: Upstream, _ kind: RequestKind, target: String, content: RequestContent = .none,
            policy: CachePolicy?, directives: ClientDirectives, errors: ErrorReader,
            read: @escaping @Sendable (IncomingResponse, JSONOptions) throws -> DocumentContent
        ) {
            (self.upstream, self.kind, self.target, self.content) = (upstream, kind, target, content)
            (self.policy, self.directives, self.errors, self.read) = (policy, directives, errors, read)
            (kindState, key) = (upstream.state[kind], upstream.key(of: target + content.key))
        }
    }

    let order: Order
    package var context: FetchContext
    /// The kept document that the upstream may confirm; set by the cache.
    var known: CachedDocument?
    /// Why the cache alone does not answer.
    package var reason = CacheStatus.Reason.uriMiss
    /// Whether the document is kept, and the request shared.
    package var isShared = true
    /// What the try under way has come to.
    package var attempt = Attempt()
    /// When the try under way must end.
    package var end: MonotonicTime
    /// The memory of the body.
    var reservation: BodyReservation?
    /// The response, without its document read.
    package var response: IncomingResponse?
    /// When the request was sent, in unix seconds.
    package var sent = 0

    init(_ order: Order, in context: FetchContext) {
        (self.order, self.context, end) = (order, context, context.end)
    }

    package var upstream: Upstream { order.upstream }
    var state: UpstreamState { order.upstream.state }
    package var kind: RequestKind { order.kind }
    var kindState: KindState { order.kindState }
    /// The cache, if the document may be kept.
    package var cache: DocumentCache? { order.policy == nil ? nil : order.upstream.caching?.cache }
    /// The version of the document that is known already; a POST has no conditions (RFC 9110 §13.1.2).
    var validators: Validators? { order.content.body == nil ? known?.validators : nil }

    /// Returns the fetch for another try.
    package func with(_ attempt: Attempt) -> Fetch {
        var fetch = self
        fetch.attempt = attempt
        return fetch
    }

    /// Returns why quota or breaker would refuse the fetch after `delay`, the longest reason; nil if neither would.
    package func refusal(after delay: Duration = .zero) -> FetchFailure? {
        let (now, wallClock) = (context.now + delay, context.clock.seconds + Int(delay.components.seconds))
        let suspended = kindState.refusal(at: now)
        if let quota = state.quotas.quota(of: kind, for: context.purpose, now: now, wallClock: wallClock),
            quota.seconds >= suspended ?? 0
        {
            return .spent(quota)
        }
        return suspended.map { .suspended(seconds: $0, last: kindState.failureManner) }
    }
}
