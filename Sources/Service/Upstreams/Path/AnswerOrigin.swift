import Contracts
import HTTPCore
import Routing

/// The documents that an answer is made of, as its header fields describe them.
struct AnswerOrigin {
    let source: DocumentSource
    /// The document of which the answer is a form; nil for an answer that is made of several.
    private(set) var document: CachedDocument?
    /// The fields about the use by caches; none without a cache.
    private(set) var fields: [(name: String, value: String)] = []
    /// The part that the cache took; nil without one.
    private(set) var note: CacheNote?

    /// The origin of an answer that is a form of one document, at `now` in unix seconds.
    init(_ result: FailoverResult, _ variant: DocumentVariant, now: Int) {
        let found = result.answer.found
        (source, document) = (result.source, found.document)
        guard let finding = found.finding else { return }
        fields = found.document.fields(of: variant) + found.age(at: now)
        note = CacheNote(finding, found.document, now: now)
    }

    /// The origin of an answer that is made of several documents.
    ///
    /// The answer is as fresh as the least fresh document, and must not be kept if a part of it is missing. The cache took
    /// the part that it took in the first document that was not a hit, or in the least fresh one if all were hits.
    init(_ documents: [FoundDocument], isComplete: Bool, source: DocumentSource, _ variant: DocumentVariant, now: Int) {
        self.source = source
        let oldest = documents.min { $0.freshness(at: now) < $1.freshness(at: now) }
        if let oldest, oldest.finding != nil, isComplete {
            // The other documents may have changed since.
            fields = oldest.document.fields(of: variant).filter { $0.name != "Last-Modified" } + oldest.age(at: now)
        } else if !isComplete {
            fields = [("Cache-Control", "no-store")]
        }
        guard let shown = documents.first(where: { !$0.isHit }) ?? oldest, let finding = shown.finding else { return }
        note = CacheNote(finding, shown.document, now: now)
        note?.status.remaining = oldest?.document.freshness?.remaining(at: now)
    }
}

extension FoundDocument {
    fileprivate var isHit: Bool { if case .hit? = finding { true } else { false } }

    /// A number that is smaller for documents that caches may use for less time.
    fileprivate func freshness(at now: Int) -> Int {
        guard let freshness = document.freshness else { return .min }
        return freshness.requiresValidation ? .min + 1 : freshness.remaining(at: now)
    }

    /// The field Age, unless the document was made just now.
    fileprivate func age(at now: Int) -> [(name: String, value: String)] {
        let age = document.freshness?.age(at: now) ?? 0
        if case .fetched = finding, age == 0 { return [] }
        return [("Age", "\(age)")]
    }
}
