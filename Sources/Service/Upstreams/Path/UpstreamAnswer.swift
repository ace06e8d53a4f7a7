package import Contracts
import EventLoop
import HTTPClient
import HTTPCore
import JSONText

/// A document that an upstream or the cache gave, and how its response is read again.
package struct UpstreamAnswer: Sendable {
    package let found: FoundDocument
    package let upstream: Upstream
    private let request: DocumentRequest<ShapedDocument>
    /// The document as it was read for a new form.
    private(set) var shaped: ShapedDocument?

    init(_ found: FoundDocument, _ upstream: Upstream, _ request: DocumentRequest<ShapedDocument>) {
        (self.found, self.upstream, self.request) = (found, upstream, request)
    }

    /// Returns the answer with the document as it is read for a form, unless the form was made before: a document that
    /// does not suit the form is a failure of the upstream, and the next upstream may have another.
    nonisolated(nonsending) func shaped(
        for form: AnswerForm, in context: FetchContext
    ) async throws(FetchFailure) -> UpstreamAnswer {
        if !form.isExplained, found.document.content.variant(form.name) != nil { return self }
        var answer = self
        answer.shaped = try await readAgain(context)
        return answer
    }

    /// Returns the document in the form of the request.
    nonisolated(nonsending) func readAgain(_ context: FetchContext) async throws(FetchFailure) -> ShapedDocument {
        try await upstream.readAgain(found.document.content.response, request, context)
    }
}

extension Upstream {
    /// Returns the requested document, from the cache or from the upstream.
    ///
    /// If the upstream fails and a stale document may serve, the context gets that document.
    package nonisolated(nonsending) func document(
        _ request: DocumentRequest<ShapedDocument>, _ form: AnswerForm, in context: FetchContext
    ) async throws(FetchFailure) -> UpstreamAnswer {
        let policy = caching?.policy
        let order = Fetch.Order(
            self, request.kind, target: request.target, content: request.content, policy: policy,
            directives: policy?.directives(of: context.clientFields) ?? .none, errors: request.errors
        ) { [drift, name, route = context.route] response, options in
            let document = try request.read(response, options)
            // Here alone: a kept document is read again for each new form.
            drift.note(document.drift, upstream: name, route: route)
            let variant = form.isExplained ? nil : DocumentVariant(document, form, isKept: policy != nil)
            return DocumentContent(response.keeping(request.keptFields), variant, form, isKept: policy != nil)
        }
        let fetch = Fetch(order, in: context)
        do throws(FetchFailure) {
            let found = try await Next(FetchStages.all)(fetch)
            return try await UpstreamAnswer(found, self, request).shaped(for: form, in: context)
        } catch {
            if let stale = fetch.stale(after: error) {
                context.stale.note(UpstreamAnswer(stale, self, request), in: context)
            }
            throw error
        }
    }

    /// Returns the value that `request` reads, such as a user's id, and whether its response was in the cache of this replica
    /// or of another one.
    ///
    /// `isNew` asks for a response that no cache has. If the upstream fails, a stale response serves.
    package nonisolated(nonsending) func lookUp<Value: Sendable>(
        _ request: DocumentRequest<Value>, isNew: Bool = false, in context: FetchContext
    ) async throws(FetchFailure) -> (value: Value, isRemembered: Bool) {
        let order = Fetch.Order(
            self, request.kind, target: request.target,
            policy: caching.map { Caching.lookups(beside: $0.policy) },
            directives: isNew ? ClientDirectives(HeaderFields([("Cache-Control", "no-cache")])) : .none,
            errors: request.errors
        ) { response, options in
            _ = try request.read(response, options)
            return DocumentContent(response.keeping(request.keptFields), isKept: true)
        }
        let fetch = Fetch(order, in: context)
        var (found, reading): (FoundDocument, FetchContext)
        do throws(FetchFailure) {
            (found, reading) = (try await Next(FetchStages.all)(fetch), context)
        } catch {
            guard let stale = fetch.stale(after: error) else { throw error }
            (found, reading) = (stale, context.withTimeToRead)
        }
        let isRemembered =
            switch found.finding {
            case .fetched, nil: found.document.isShared
            case .hit, .refreshing, .stale: true
            }
        return (try await readAgain(found.document.content.response, request, reading), isRemembered)
    }

    /// Removes what the cache has of a look-up.
    package func forget(_ target: String) { caching?.cache.remove(key(of: target)) }

    package func key(of target: String) -> DocumentKey { DocumentKey(upstream: name, address: address, target: target) }

    fileprivate nonisolated(nonsending) func readAgain<Value: Sendable>(
        _ response: IncomingResponse, _ request: DocumentRequest<Value>, _ context: FetchContext
    ) async throws(FetchFailure) -> Value {
        try await reading(response, context) { [self] limit throws(FetchFailure) in
            try read(response, request.errors, credentials.current.scrubber, limit, request.read)
        }
    }
}

extension IncomingResponse {
    /// Returns the response with these fields alone: others have no use, and could be secrets, such as cookies.
    fileprivate func keeping(_ names: Set<String>) -> IncomingResponse {
        IncomingResponse(
            headers: HeaderFields(headers.pairs.filter { names.contains($0.name.lowercased()) }), body: body)
    }
}
