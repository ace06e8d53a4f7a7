import API
import HTTPClient
import HTTPCore
import Operations

/// Makes the client's form of the document that was read, and what is kept of both.
enum ShapeStage {
    static nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        guard let response = fetch.attempt.response else { throw .unusable("there is no response") }
        let content = try await fetch.upstream.reading(response.body.count, fetch.context) {
            _ throws(FetchFailure) in shaped(fetch.attempt.document, in: response, fetch)
        }
        let document = fetch.document(content, .ok, response.headers)
        return Answer(document, of: fetch.upstream, fetch.cacheOutcome, fetch.form.flatMap { content.variant($0.key) })
    }

    /// Returns the response of a fetch with the document in the client's form; if it `counts`, it is read for the first time.
    static func shaped(
        _ read: ReadDocument?, in whole: IncomingResponse, _ fetch: Fetch, counts: Bool = true
    ) -> DocumentContent {
        let (request, isKept) = (fetch.request, fetch.request.policy != nil)
        let response = whole.keeping(request.keptFields)
        guard let form = fetch.form, let read else { return DocumentContent(response) }
        let shaped = read.shape()
        // A kept document is read again for each new form. A part counts with the answer that is made of it.
        let isPart = form.keepsDrift
        if counts, !isPart { request.upstream.note(shaped.drift, route: fetch.context.route) }
        if form.isExplained { return DocumentContent(response, isKept: isKept) }
        let variant = DocumentVariant(shaped, form, isKept: isKept, isUncounted: counts && isPart)
        return DocumentContent(response, (form.key, variant), isKept: isKept)
    }
}

extension Fetch {
    /// Returns a response that was kept, with the document in the client's form; if it `counts`, it is read for the first time.
    nonisolated(nonsending) func content(
        of response: IncomingResponse, counts: Bool = true
    ) async throws(FetchFailure) -> DocumentContent {
        try await upstream.reading(response.body.count, context) { limit throws(FetchFailure) in
            let read = try self.read(response, self.upstream.credentials.current.scrubber, limit)
            return ShapeStage.shaped(read, in: response, self, counts: counts)
        }
    }

    /// Returns the document with what its response says about its use.
    func document(
        _ content: DocumentContent, _ status: Status, _ headers: HeaderFields, failure: FetchFailure? = nil
    ) -> CachedDocument {
        let freshness = request.policy.flatMap { policy in
            isStorable
                ? CachedResponse(
                    status: status, headers: headers, requestTime: attempt.sent, responseTime: context.clock.seconds,
                    policy: policy) : nil
        }
        return CachedDocument(
            request.key, content, freshness, request.policy, failure: failure, kind: kind.name,
            origin: freshness == nil || failure != nil ? nil : origin, fetchedAt: context.clock.seconds)
    }
}

extension IncomingResponse {
    /// The field that stays with a kept response whose body was converted, so that each form of the document reports the charset:
    /// the number of characters that were replaced.
    static let charsetField = "weir-charset"

    /// The same for a body whose syntax was rewritten: the number of places.
    static let syntaxField = "weir-syntax"
    /// The fields that say how a body was converted; no upstream may write them.
    static let ownFields: Set = [charsetField, syntaxField]

    /// Returns the response with these fields alone: others have no use, and could be secrets, such as cookies.
    fileprivate func keeping(_ names: Set<String>) -> IncomingResponse {
        let names = names.union(Self.ownFields)
        if names.allSatisfy({ headers.bytes($0) == nil }) { return IncomingResponse(body: body) }
        let pairs = headers.pairs.filter { names.contains($0.name.lowercased()) }
        return IncomingResponse(headers: HeaderFields(pairs), body: body)
    }
}
