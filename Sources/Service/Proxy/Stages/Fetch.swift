package import API
import EventLoop
package import HTTPClient
package import HTTPCore
package import JSONText
import Operations
import Records

/// The header fields and the body of a request to an upstream.
package struct RequestContent: Sendable {
    package var headers: [(name: String, value: String)] = []
    /// The JSON to POST; nil for a GET.
    package var body: [UInt8]?
    /// The credentials of the client; nil for none.
    package var credentials: PassedCredentials?

    package static let none = RequestContent()

    package init() {}

    /// The text that tells the request for `target` from all others.
    ///
    /// A line feed cannot be in a target or a field, and a tab in no name of a field.
    func key(of target: String) -> String {
        let fields = headers.map { "\n\($0.name.lowercased()): \($0.value)" }.joined()
        let client = credentials?.digest.map { "\n\tclient: \($0)" } ?? ""
        return target + fields + client + (body.map { "\n\n" + String(decoding: $0, as: UTF8.self) } ?? "")
    }
}

/// How an upstream's errors are read.
package struct ErrorReader: Sendable {
    /// What tells the reader from others for the same upstream: the cache keeps messages that it has read.
    let identity: String
    /// Returns the message of an error, if it has one, and the status that the error means if the dialect knows.
    package let explain: @Sendable (IncomingResponse) -> (message: String?, status: Int?)
    /// Returns the seconds to wait that the message of an error demands at a time in unix seconds, if no header field names
    /// them.
    package let pause: @Sendable (_ message: String, _ now: Int) -> Int?

    package init(
        _ identity: String, explain: @escaping @Sendable (IncomingResponse) -> (message: String?, status: Int?),
        pause: @escaping @Sendable (_ message: String, _ now: Int) -> Int? = { _, _ in nil }
    ) {
        (self.identity, self.explain, self.pause) = (identity, explain, pause)
    }

    /// Errors without a message.
    package static let none = ErrorReader("", explain: { _ in (nil, nil) })
}

/// A document as reading finds it, before it has a form.
package struct ReadDocument: Sendable {
    /// Makes the form of the request that the document was read for.
    let shape: @Sendable () -> ShapedDocument

    package init(_ shape: @escaping @Sendable () -> ShapedDocument) { self.shape = shape }

    /// A response that gets no form, such as the one to a look-up.
    package static let formless = ReadDocument { ShapedDocument(body: [], drift: DriftReport()) }
}

/// A request for one document, and how its response is read.
package final class DocumentRequest: Sendable {
    package let upstream: Upstream
    package let kind: RequestKind
    /// The state of requests of this kind to the upstream; looked up once.
    let kindState: KindState
    let address: UpstreamAddress
    /// The path and query; `{key}` marks the position of a key in the path.
    package let target: String
    let content: RequestContent
    /// Returns the path as logs name it, without a client's values.
    let shownPath: @Sendable () -> String
    /// What the cache knows the document by, if it is kept.
    package let key: DocumentKey
    /// How the document is kept; nil if it is not.
    let policy: CachePolicy?
    /// The time for one try.
    let deadline: Duration
    /// The header fields of the response that are kept with the document, in lower case.
    let keptFields: Set<String>
    let errors: ErrorReader
    /// Whether `read` takes a response that has nothing by its status.
    let takesNothing: Bool
    let read: @Sendable (IncomingResponse, JSONOptions) throws -> ReadDocument

    /// The fields that are kept unless a request names others.
    private static let usualFields: Set<String> = ["link"]

    /// A request to `upstream`, at its own address and with its own deadline unless others are given.
    ///
    /// `shownPath` returns the path as logs name it; without it, the path of `target` has no values of a client.
    package init(
        to upstream: Upstream, at address: UpstreamAddress? = nil, _ kind: RequestKind, target: String,
        shownPath: (@Sendable () -> String)? = nil, content: RequestContent = .none, policy: CachePolicy?,
        deadline: Duration? = nil,
        keptFields: Set<String>? = nil, errors: ErrorReader, takesNothing: Bool = false,
        read: @escaping @Sendable (IncomingResponse, JSONOptions) throws -> ReadDocument
    ) {
        (self.upstream, self.kind, self.target, self.content) = (upstream, kind, target, content)
        self.shownPath = shownPath ?? { target.path { _ in false } }
        (self.policy, self.deadline, self.takesNothing) = (policy, deadline ?? upstream.deadline, takesNothing)
        (self.keptFields, self.errors, self.read) = (keptFields ?? Self.usualFields, errors, read)
        let address = address ?? upstream.address
        self.address = address
        kindState = upstream.state[kind]
        key = policy == nil ? .unkept : upstream.key(of: target, content, at: address, errors)
    }
}

/// A request for a document on its way to the upstream, and what the stages have found out.
///
/// A class: as a structure, its copies took a twentieth of the time of a miss. What one try comes to is in its `Attempt`.
package final class Fetch: Sendable {
    package let request: DocumentRequest
    /// The form of the answer; nil for a response that gets none.
    let form: AnswerForm?
    /// What the client asks of the cache.
    let directives: ClientDirectives
    package let context: FetchContext
    /// The kept document that the upstream may confirm, as the cache finds it.
    let known: CachedDocument?
    /// Why the cache alone does not answer.
    let reason: CacheStatus.Reason
    /// Whether the document is kept, and the request shared.
    let isStorable: Bool
    /// The try under way.
    let attempt: Attempt

    convenience init(
        _ request: DocumentRequest, _ form: AnswerForm? = nil, in context: FetchContext,
        directives: ClientDirectives? = nil
    ) {
        self.init(
            request, form, directives ?? request.policy?.directives(of: context.clientFields) ?? .none, context,
            known: nil, .uriMiss, isStorable: true, Attempt())
    }

    private init(
        _ request: DocumentRequest, _ form: AnswerForm?, _ directives: ClientDirectives, _ context: FetchContext,
        known: CachedDocument?, _ reason: CacheStatus.Reason, isStorable: Bool, _ attempt: Attempt
    ) {
        (self.request, self.form, self.directives, self.context) = (request, form, directives, context)
        (self.known, self.reason, self.isStorable, self.attempt) = (known, reason, isStorable, attempt)
    }

    package var upstream: Upstream { request.upstream }
    var state: UpstreamState { request.upstream.state }
    package var kind: RequestKind { request.kind }
    var kindState: KindState { request.kindState }
    /// The cache, if the document may be kept.
    var cache: DocumentCache? { request.policy == nil ? nil : request.upstream.cache }
    /// The version of the document that is known already; a POST has no conditions (RFC 9110 §13.1.2).
    var validators: Validators? { request.content.body == nil ? known?.validators : nil }
    /// How a document is found that the upstream sends; nil without a cache.
    var cacheOutcome: CacheOutcome? { cache.map { _ in .fetched(reason, isCollapsed: false) } }

    /// The client's request, as a record of the document may have it.
    var origin: DocumentOrigin? { request.content.credentials == nil ? context.origin : nil }

    /// Returns the fetch for another try.
    func with(_ attempt: Attempt) -> Fetch {
        Fetch(request, form, directives, context, known: known, reason, isStorable: isStorable, attempt)
    }

    /// Returns the fetch in another context.
    func with(_ context: FetchContext) -> Fetch {
        Fetch(request, form, directives, context, known: known, reason, isStorable: isStorable, attempt)
    }

    /// Returns the fetch with what the cache has found; `known` is the document that the upstream may confirm.
    func with(
        known: CachedDocument?, _ reason: CacheStatus.Reason? = nil, isStorable: Bool? = nil
    ) -> Fetch {
        Fetch(
            request, form, directives, context, known: known, reason ?? self.reason,
            isStorable: isStorable ?? self.isStorable, attempt)
    }

    /// Returns why quota or breaker would refuse the fetch after `delay`, the longest reason; nil if neither would.
    func refusal(after delay: Duration = .zero) -> FetchFailure? {
        let (now, wallClock) = (context.now + delay, context.clock.seconds + Int(delay.components.seconds))
        let suspended = kindState.refusal(at: now)
        if let quota = state.quotas.quota(of: kind, now: now, wallClock: wallClock),
            quota.seconds >= suspended ?? 0
        {
            return .spent(quota)
        }
        return suspended.map { .suspended(seconds: $0, last: kindState.failureManner) }
    }

    /// Returns the kept document that may serve although it is stale, after this failure; nil if there is none.
    func stale(after failure: FetchFailure) -> Answer? {
        guard failure.allowsStale, !isOfClient(failure), let document = cache?.document(request.key),
            document.mayServe(afterErrorAt: context.clock.seconds)
        else { return nil }
        return Answer(document, of: upstream, .stale(forwardStatus: failure.responseStatus))
    }

    /// Returns the answer with the document of an outcome; a failure is noted for the client's answer.
    func found(
        _ outcome: CoalescedFetch.Outcome, _ cacheOutcome: CacheOutcome, in cache: DocumentCache
    ) throws(FetchFailure) -> Answer {
        do throws(FetchFailure) {
            let document = try outcome.get()
            if let failure = document.failure { throw failure }
            return Answer(document, of: upstream, cacheOutcome)
        } catch {
            let absence = error.isNotFound ? cache.document(request.key) : nil
            context.trace.cacheNote = CacheNote(error, cacheOutcome, absence, now: context.clock.seconds)
            throw error
        }
    }
}
