import EventLoop
import HTTPCore
import HTTPServer
import Telemetry

// Answers from the cache.
extension ShardContext {
    /// An answer that was made before.
    struct Hit {
        let answer: CachedDocument.Stored
        /// Whether the client has it already.
        let isKnown: Bool
        /// Its age in seconds.
        let age: Int
    }

    /// Returns the answer if the same request was answered before and its document is fresh; nil otherwise.
    ///
    /// `edition` is the number of the router.
    func hit(_ request: Request, in cache: DocumentCache, _ edition: Int) -> Hit? {
        let memo = memo.open
        guard let known = memo.find(request.target.rawBytes, edition), let document = cache.document(known.key),
            let freshness = document.freshness, document.failure == nil
        else { return nil }
        if known.countsClient, request.headers.bytes("Cache-Control") != nil || request.headers.bytes("Pragma") != nil {
            return nil
        }
        guard case .fresh(let age) = freshness.decision(at: clock.seconds),
            let stored = document.stored(known.form, memo.coding(request.headers))
        else { return nil }
        let isKnown = request.headers.hasVersion(stored.tag, changed: document.changed)
        return Hit(answer: stored, isKnown: isKnown, age: age)
    }
}

extension Route.Call {
    /// Remembers what the request has led to.
    func remember(_ document: CachedDocument, _ form: AnswerForm, countsClient: Bool) {
        guard document.freshness != nil, !form.isExplained else { return }
        let entry = HitMemo.Entry(
            target: Array(request.target.rawBytes), edition: edition, key: document.key, form: form.name,
            countsClient: countsClient)
        context.memo.run { $0.remember(entry) }
    }
}

extension FoundDocument {
    /// Returns the response: 304 if the client has this version, and otherwise in the coding that it prefers.
    ///
    /// A body that is kept is compressed once for all clients.
    func response(for headers: HeaderFields, in cache: DocumentCache?, now: Int) async -> Response {
        var response = response(now: now)
        // The router does the same with an explanation.
        guard document.explained == nil else { return response }
        let (variant, cached) = (document.variant, document.cached?.document)
        response.headers.append(("ETag", variant.tag))
        response.vary(by: "Accept-Encoding")
        if headers.hasVersion(variant.tag, changed: cached?.changed) {
            response.becomeNotModified()
            return response
        }
        guard let coding = AcceptEncoding(headers).preferred else { return response }
        var compressed = variant.compressedBody(coding)
        if compressed.body == nil, !compressed.isUseless {
            compressed.body = await Response.compressedBody(variant.body, coding)
            if let cached, let cache { cache.grow(cached, by: variant.keep(compressed.body, in: coding)) }
        }
        if let body = compressed.body {
            response.headers.append(("Content-Encoding", coding.rawValue))
            response.body = body
        }
        return response
    }
}
