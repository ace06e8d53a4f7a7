import Contracts
import EventLoop
import HTTPClient
import HTTPCore
import JSONText
import LenientCoding
import Synchronization
import Telemetry

/// The cache, and how an upstream's documents are kept in it.
struct Caching: Sendable {
    let cache: DocumentCache
    /// How documents are kept; nil if they are not.
    let policy: CachePolicy?

    /// How the ids of names are kept, whatever the upstream says: a name can change its owner at any time, and a look-up
    /// can cost as much as the document.
    ///
    /// The policy of `documents` says how long a name that does not exist is remembered.
    static func lookups(beside documents: CachePolicy?) -> CachePolicy {
        CachePolicy(
            floor: 3600, ceiling: 3600, defaultLifetime: 3600, usesHeuristics: false,
            negativeLifetime: documents?.negativeLifetime ?? 0, staleIfError: 86_400, obeysUpstream: false)
    }
}

/// A document as a route answers with it.
struct FetchedDocument: Sendable {
    let variant: DocumentVariant
    /// The document with its repairs, if the answer lists them.
    let explained: ShapedDocument?
    /// Its entry in the cache, and how it was found there; nil without a cache.
    var cached: (document: CachedDocument, finding: DocumentCache.Finding)?
}

extension FetchedDocument {
    /// Adds what caches, logs and operators learn of the document's way, at `now` in unix seconds.
    func note(on response: inout Response, now: Int) {
        guard let (document, finding) = cached else { return }
        response.headers += document.answerFields
        let age = document.freshness?.age(at: now) ?? 0
        if case .fetched = finding, age == 0 {} else { response.headers.append(("Age", "\(age)")) }
        CacheNote(finding, document, now: now).add(to: &response)
    }
}

extension Upstream {
    /// Whether the directives of clients about caches count.
    var countsClient: Bool { caching?.policy?.countsClientDirectives == true }

    /// The source of a document that the upstream gave after these problems with others.
    func source(after problems: [Problem]) -> DocumentSource {
        DocumentSource(upstream: name, dialect: dialect, failed: problems.compactMap(\.upstream?.name))
    }
}

// The way of a request through the cache.
extension Upstream {
    /// Returns a document in the form that a client wants, from the cache or from the upstream.
    ///
    /// If the upstream fails and a stale document may serve, it is noted in the context.
    nonisolated(nonsending) func find(
        _ request: DocumentRequest<ShapedDocument>, _ form: AnswerForm, in context: FetchContext
    ) async throws(Failure) -> FetchedDocument {
        guard let caching, let policy = caching.policy else {
            let document = try await fetch(request, in: context)
            return FetchedDocument(
                variant: DocumentVariant(document, form, isKept: false), explained: form.isExplained ? document : nil)
        }
        let key = key(of: request.target)
        // What is explained has been read already if this request has fetched it.
        let explained = Mutex<(content: DocumentContent, document: ShapedDocument)?>(nil)
        do throws(Failure) {
            let (document, finding) = try await caching.cache.find(
                key, policy, policy.directives(of: context.clientFields), in: context,
                fetch: fetching(request) { response, document in
                    guard form.isExplained else {
                        return DocumentContent(response, DocumentVariant(document, form, isKept: true), form)
                    }
                    let content = DocumentContent(response)
                    explained.withLock { $0 = (content, document) }
                    return content
                })
            if let (content, normalized) = explained.withLock({ $0 }), content === document.content {
                let variant = DocumentVariant(normalized, form, isKept: false)
                return FetchedDocument(variant: variant, explained: normalized, cached: (document, finding))
            }
            return try await fetched(document, finding, request, form, caching, context)
        } catch {
            if error.allowsStale, let document = caching.cache.document(key),
                document.mayServe(afterErrorAt: context.clock.seconds)
            {
                let finding = DocumentCache.Finding.stale(forwardStatus: error.responseStatus)
                let found = try? await fetched(document, finding, request, form, caching, context.withTimeToRead)
                if let found { context.stale.note(found, of: self) }
            }
            throw error
        }
    }

    /// Returns what `read` makes of a response that is in the cache or comes from the upstream, and whether it was in the
    /// cache.
    ///
    /// If the upstream fails, a stale response serves.
    nonisolated(nonsending) func lookUp<Answer: Sendable>(
        _ request: DocumentRequest<Answer>, in context: FetchContext
    ) async throws(Failure) -> (answer: Answer, isRemembered: Bool) {
        guard let caching else { return (try await fetch(request, in: context), false) }
        let key = key(of: request.target)
        var (document, isRemembered, reading): (CachedDocument, Bool, FetchContext)
        do throws(Failure) {
            let found = try await caching.cache.find(
                key, Caching.lookups(beside: caching.policy), .none, in: context,
                fetch: fetching(request) { response, _ in DocumentContent(response) })
            (document, reading) = (found.0, context)
            if case .fetched = found.1 { isRemembered = false } else { isRemembered = true }
        } catch {
            guard error.allowsStale, let kept = caching.cache.document(key),
                kept.mayServe(afterErrorAt: context.clock.seconds)
            else { throw error }
            (document, isRemembered, reading) = (kept, true, context.withTimeToRead)
        }
        return (try await readAgain(document.content.response, request, reading), isRemembered)
    }

    /// Removes what the cache has of a look-up.
    func forget(_ target: String) { caching?.cache.remove(key(of: target)) }

    private func key(of target: String) -> DocumentKey {
        DocumentKey(upstream: name, address: address, target: target)
    }

    /// Makes the function that fetches a response, reads it and keeps it as `content` says.
    private func fetching<Document>(
        _ request: DocumentRequest<Document>,
        _ content: @escaping @Sendable (IncomingResponse, Document) -> DocumentContent
    ) -> DocumentCache.Fetch {
        { [self] validators, context throws(Failure) in
            let fields = Mutex(HeaderFields())
            let request = DocumentRequest<(fetched: DocumentCache.Fetched, distance: Double)>(
                endpoint: request.endpoint, target: request.target,
                read: { response, options in
                    fields.withLock { $0 = response.headers }
                    if response.isNotModified { return (.notModified(response.headers), 0) }
                    let document = try request.read(response, options)
                    // Other fields have no use, and could be secrets, such as cookies.
                    let kept = IncomingResponse(headers: response.headers.linksOnly, body: response.body)
                    return (.content(content(kept, document), response.headers), request.distance(document))
                },
                explain: { response in
                    fields.withLock { $0 = response.headers }
                    return request.explain(response)
                }, pause: request.pause, distance: \.distance, validators: validators)
            do throws(Failure) {
                return try await fetch(request, in: context).fetched
            } catch {
                if context.isInBackground { noteFailedRefresh(error, request.endpoint, context.tries.all) }
                if error.isNotFound { return .absent(error, fields.withLock { $0 }) }
                throw error
            }
        }
    }

    /// Writes to the log that a request has failed for which no client waits: no other line names it.
    private func noteFailedRefresh(_ failure: Failure, _ endpoint: Endpoint, _ tries: [UpstreamTry]) {
        // When the service stops, that says nothing about the upstream.
        if Task.isCancelled || failure.isCancellation || failure.isLoggedElsewhere { return }
        let problem = Problem(failure, from: name)
        log.write(
            .warning, "refresh failed",
            [
                "requests": endpoint.rawValue, "upstream": name, "status": "\(problem.status.code)",
                "detail": problem.detail,
            ]
        ) { line in
            line.write(raw: #","tries":"#)
            line.write(tries)
        }
    }

    /// Returns a document in a form, which is made of the upstream's response if nobody has wanted it before.
    private nonisolated(nonsending) func fetched(
        _ document: CachedDocument, _ finding: DocumentCache.Finding, _ request: DocumentRequest<ShapedDocument>,
        _ form: AnswerForm, _ caching: Caching, _ context: FetchContext
    ) async throws(Failure) -> FetchedDocument {
        if !form.isExplained, let variant = document.content.variant(form.name) {
            return FetchedDocument(variant: variant, explained: nil, cached: (document, finding))
        }
        let normalized = try await readAgain(document.content.response, request, context)
        let variant = DocumentVariant(normalized, form, isKept: !form.isExplained)
        caching.cache.grow(document, by: document.content.keep(variant, form))
        return FetchedDocument(
            variant: variant, explained: form.isExplained ? normalized : nil, cached: (document, finding))
    }

    /// Reads a response of the cache again.
    private nonisolated(nonsending) func readAgain<Document: Sendable>(
        _ response: IncomingResponse, _ request: DocumentRequest<Document>, _ context: FetchContext
    ) async throws(Failure) -> Document {
        guard response.body.count >= Self.largeDocument else {
            return try read(response, request, ReadingLimit(end: context.end, clock: context.clock))
        }
        return try await readInPool(context) { [self] limit throws(Failure) in try read(response, request, limit) }
    }
}

extension HeaderFields {
    /// The links alone (RFC 8288).
    fileprivate var linksOnly: HeaderFields { HeaderFields(pairs.filter { $0.name.lowercased() == "link" }) }
}

extension Upstream.Failure {
    /// Whether a stale document is better than this failure: it says nothing about the document.
    var allowsStale: Bool {
        switch self {
        case .transfer(.cancelled), .notInCache: false
        // A 403 without a meaning is about the key.
        case .status(let status, let meaning, _, _):
            meaning != 403 && ![400, 404, 410, 422].contains(meaning ?? status)
        default: true
        }
    }
}
