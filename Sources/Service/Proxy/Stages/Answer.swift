package import API
import CivilDates
import HTTPClient
import HTTPCore
package import Records

/// A document for a client: how it was found, and the form of it that the client wants.
package struct Answer: Sendable {
    let document: CachedDocument
    package let upstream: Upstream
    /// Nil without a cache.
    var cacheOutcome: CacheOutcome?
    /// The document in the client's form, which the path makes at its end.
    var form: DocumentVariant?
    /// The names of the upstreams that failed before.
    var failed: [String] = []
    /// Whether no upstream before was asked in vain; only then does the next client of the same target get this document.
    var isFirstChoice = false

    init(
        _ document: CachedDocument, of upstream: Upstream, _ cacheOutcome: CacheOutcome? = nil,
        _ form: DocumentVariant? = nil
    ) {
        (self.document, self.upstream, self.cacheOutcome, self.form) = (document, upstream, cacheOutcome, form)
    }

    /// The answer in its form, without the upstream's response.
    var withoutContent: Answer {
        var answer = Answer(document.withoutContent, of: upstream, cacheOutcome, form)
        (answer.failed, answer.isFirstChoice) = (failed, isFirstChoice)
        return answer
    }

    /// Where the document comes from.
    package var source: DocumentSource {
        var source = DocumentSource(upstream: upstream.name, dialect: upstream.dialect, failed: failed)
        if document.fetched > 0 {
            source.fetchedAt = ISO8601Timestamp.format(secondsSinceEpoch: Double(document.fetched))
        }
        let digits = String(document.content.digest, radix: 16)
        source.digest = String(repeating: "0", count: 16 - digits.count) + digits
        return source
    }

    /// The bytes of the form.
    package var body: [UInt8] { form?.body ?? [] }

    /// The header fields of the form.
    package var fields: [(name: String, value: String)] { form?.headers ?? [] }

    /// The repairs of the document, if the form keeps them.
    package var drift: DriftReport { form?.drift ?? DriftReport() }

    /// Returns true for the first answer that is made of this part, which counts its repairs.
    package func takeCount() -> Bool { form?.takeCount() ?? false }

    /// Returns the answer in the form of the fetch: one that was made before, or one that is made of the kept response.
    ///
    /// A document that does not suit the form is a failure of the upstream: the next upstream may have another.
    nonisolated(nonsending) func formed(for fetch: Fetch) async throws(FetchFailure) -> Answer {
        guard form == nil, let wanted = fetch.form else { return self }
        var answer = self
        if !wanted.isExplained, let known = document.content.variant(wanted.key) {
            answer.form = known
            return answer
        }
        let response = document.content.response
        let isKept = cacheOutcome != nil && !wanted.isExplained
        let made = try await fetch.upstream.reading(response.body.count, fetch.context) {
            limit throws(FetchFailure) in
            let read = try fetch.read(response, fetch.upstream.credentials.current.scrubber, limit)
            return DocumentVariant(read.shape(), wanted, isKept: isKept)
        }
        if isKept, let cache = fetch.cache { cache.keep(made, wanted.key, of: document) }
        answer.form = made
        return answer
    }
}

// What an answer says about its use by caches, at `now` in unix seconds.
extension Answer {
    /// The fields of the answer, none without a cache, and the part that the cache took.
    func use(at now: Int) -> (fields: [(name: String, value: String)], note: CacheNote?) {
        guard let cacheOutcome, let form else { return ([], nil) }
        return (document.fields(of: form) + age(at: now), CacheNote(cacheOutcome, document, now: now))
    }

    /// A number that is smaller for documents that caches may use for less time.
    private func freshness(at now: Int) -> Int {
        guard let freshness = document.freshness else { return .min }
        return freshness.requiresValidation ? .min + 1 : freshness.remaining(at: now)
    }

    /// The field Age, unless the document was made just now.
    private func age(at now: Int) -> [(name: String, value: String)] {
        let age = document.freshness?.age(at: now) ?? 0
        if case .fetched = cacheOutcome, age == 0 { return [] }
        return [("Age", "\(age)")]
    }

    private var isHit: Bool { if case .hit? = cacheOutcome { true } else { false } }

    /// The fields of an answer in a form that is made of several documents, and the part that the cache took.
    ///
    /// The answer is as fresh as the least fresh document, and must not be kept if a part of it is missing. Cache-Status
    /// describes the first document that was not a hit, or, if all were hits, the least fresh one.
    static func use(
        of documents: [Answer], as form: DocumentVariant, isComplete: Bool, at now: Int
    ) -> (fields: [(name: String, value: String)], note: CacheNote?) {
        var fields: [(name: String, value: String)] = []
        let oldest = documents.min { $0.freshness(at: now) < $1.freshness(at: now) }
        if let oldest, oldest.cacheOutcome != nil, isComplete {
            // The other documents may have changed since.
            fields = oldest.document.fields(of: form).filter { $0.name != "Last-Modified" } + oldest.age(at: now)
        } else if !isComplete {
            fields = [("Cache-Control", "no-store")]
        }
        guard let shown = documents.first(where: { !$0.isHit }) ?? oldest, let cacheOutcome = shown.cacheOutcome else {
            return (fields, nil)
        }
        var note = CacheNote(cacheOutcome, shown.document, now: now)
        note.status.remaining = oldest?.document.freshness?.remaining(at: now)
        return (fields, note)
    }
}
