import CScan
import CivilDates
import HTTPClient
package import HTTPCore
import Synchronization
import Operations

/// The content of an upstream's answer and the forms of it that clients got; it stays when the answer is validated.
final class DocumentContent: Sendable {
    /// The forms that are kept: clients could make any number of them, which would displace other documents.
    private static let maximumVariants = 32

    /// The answer without keys; its body is that of the upstream.
    let response: IncomingResponse
    /// A digest of the body, which is no secret: equal documents have the same one at all replicas.
    let digest: UInt64
    /// The oldest one first.
    private let variants: Mutex<[(form: FormKey, variant: DocumentVariant)]>

    /// A content in its first form; what is kept takes up no spare room.
    init(
        _ response: IncomingResponse, _ first: (form: FormKey, variant: DocumentVariant)? = nil, isKept: Bool = true,
        digest: UInt64? = nil
    ) {
        self.digest = digest ?? weir_checksum(response.body, response.body.count)
        self.response = IncomingResponse(
            status: response.status, headers: response.headers,
            body: isKept ? response.body.withoutSpareRoom : response.body)
        variants = Mutex(first.map { [$0] } ?? [])
    }

    /// Returns the variant in the form with this key, if there is one.
    func variant(_ form: FormKey) -> DocumentVariant? {
        variants.withLock { variants in variants.first { $0.form == form }?.variant }
    }

    /// Keeps the compressed body of a variant, and returns the bytes that were added; 0 if the variant is not kept itself.
    func keep(_ codedBody: [UInt8]?, in coding: ContentCoding, of variant: DocumentVariant) -> Int {
        variants.withLock { variants in
            let bytes = variant.keep(codedBody, in: coding)
            return variants.contains { $0.variant === variant } ? bytes : 0
        }
    }

    /// Keeps a variant, in place of the oldest one if there are many; nothing if there is one in this form already.
    /// - Returns: The bytes that were added, and whether the variant took another one's place.
    func keep(_ variant: DocumentVariant, _ form: FormKey) -> (bytes: Int, isReplacing: Bool) {
        variants.withLock { variants in
            if variants.contains(where: { $0.form == form }) { return (0, false) }
            let replaced = variants.count < Self.maximumVariants ? nil : variants.removeFirst()
            variants.append((form, variant))
            let removed = replaced.map { $0.variant.size + $0.form.bytes } ?? 0
            return (variant.size + form.bytes - removed, replaced != nil)
        }
    }

    /// The bytes that it takes up, spare room included.
    var size: Int {
        variants.withLock { variants in
            variants.reduce(response.body.capacity + response.headers.section.count + 512) {
                $0 + $1.form.bytes + $1.variant.size
            }
        }
    }
}

/// An upstream's answer in the cache: its content, and for how long it may be used.
package final class CachedDocument: Sendable {
    /// An answer that is serialized, and the 304 in its place.
    package final class Stored: Sendable {
        package let response: Response, notModified: Response
        let representation: Representation
        private let upstream: String
        private let repaired: Int32, dropped: Int32
        private let fetched: UInt32, digest: UInt64

        init(
            _ response: Response, _ notModified: Response, _ representation: Representation,
            of variant: DocumentVariant, in document: CachedDocument
        ) {
            (self.response, self.notModified) = (response.serialized, notModified.serialized)
            (self.representation, upstream) = (representation, document.key.upstream)
            (repaired, dropped) = (variant.repaired, variant.dropped)
            (fetched, digest) = (document.fetched, document.content.digest)
        }

        /// Adds what the record of an exchange says about the answer.
        package func describe(in note: inout ExchangeNote) {
            (note.upstream, note.cache) = (upstream, .hit)
            (note.repaired, note.dropped) = (repaired, dropped)
            (note.fetched, note.digest) = (fetched, digest)
        }
    }

    /// An answer in a list that only grows, so that a request needs no lock to find one.
    private final class Link: Sendable {
        let form: FormKey
        let coding: ContentCoding?
        let answer: Stored
        let next = AtomicLazyReference<Link>()

        init(_ form: FormKey, _ coding: ContentCoding?, _ answer: Stored) {
            (self.form, self.coding, self.answer) = (form, coding, answer)
        }
    }

    package let key: DocumentKey
    let content: DocumentContent
    /// For how long it may be used; nil if it must not be kept.
    let freshness: CachedResponse?
    /// Why there is no document, if the upstream has answered so.
    package let failure: FetchFailure?
    /// When it was changed, in unix seconds; nil if the upstream does not say.
    package let changed: Int?
    /// When it was fetched or confirmed, in unix seconds; 0 for one of a snapshot that is replayed.
    let fetched: UInt32
    /// How it is kept; nil if it is not.
    let policy: CachePolicy?
    /// Whether the upstream has confirmed it with a 304.
    let isConfirmed: Bool
    /// Whether another replica has fetched it.
    let isFromStore: Bool
    /// The name of the kind of requests that it answers; nil if it is from a snapshot.
    let kind: String?
    /// The request for which it was fetched, for its record in a snapshot; nil if it is not kept.
    let origin: DocumentOrigin?
    private let answers = AtomicLazyReference<Link>()
    private let keptFlag = Atomic(false), stalledFlag = Atomic(false)

    init(
        _ key: DocumentKey, _ content: DocumentContent, _ freshness: CachedResponse?, _ policy: CachePolicy?,
        failure: FetchFailure? = nil, isConfirmed: Bool = false, isFromStore: Bool = false, kind: String? = nil,
        origin: DocumentOrigin? = nil, fetchedAt: Int = 0
    ) {
        (self.kind, self.origin) = (kind, origin)
        fetched = UInt32(clamping: freshness?.responseTime ?? fetchedAt)
        (self.key, self.content, self.freshness, self.policy) = (key, content, freshness, policy)
        (self.failure, self.isConfirmed, self.isFromStore) = (failure, isConfirmed, isFromStore)
        changed = freshness?.answerFields.first { $0.name == "Last-Modified" }.flatMap { HTTPDate.parse($0.value) }
    }

    /// The document itself, or the failure if the upstream answered with one.
    var outcome: CoalescedFetch.Outcome { failure.map { .failure($0) } ?? .success(self) }

    /// What identifies its version; nil if the upstream gave nothing.
    var validators: Validators? { failure == nil ? freshness?.validators : nil }

    /// Returns the same content with the fields of a 304; nil if they are about another version.
    func updated(
        by headers: HeaderFields, requestTime: Int, responseTime: Int, _ policy: CachePolicy
    ) -> CachedDocument? {
        freshness?.updated(by: headers, requestTime: requestTime, responseTime: responseTime, policy: policy)
            .map { CachedDocument(key, content, $0, policy, isConfirmed: true, kind: kind, origin: origin) }
    }

    /// The same document without its serialized answers, which may be in forms that are not kept any longer.
    var withoutAnswers: CachedDocument {
        let document = CachedDocument(
            key, content, freshness, policy, failure: failure, isConfirmed: isConfirmed, isFromStore: isFromStore,
            kind: kind, origin: origin, fetchedAt: Int(fetched))
        (document.isKept, document.hasStalled) = (isKept, hasStalled)
        return document
    }

    /// What the document says about its use, alone.
    var withoutContent: CachedDocument {
        CachedDocument(
            key, DocumentContent(IncomingResponse(), digest: content.digest), freshness, policy, failure: failure,
            isConfirmed: isConfirmed, isFromStore: isFromStore, fetchedAt: Int(fetched))
    }

    /// Whether it may serve after the upstream has failed at `now`, in unix seconds.
    func mayServe(afterErrorAt now: Int) -> Bool {
        failure == nil && freshness?.mayServe(afterErrorAt: now) == true
    }

    /// The bytes that it takes up, with its key.
    package var size: Int { content.size + key.size + (freshness?.size ?? 0) + (origin?.target.utf8.count ?? 0) + 512 }

    /// Returns the answer in a form and a coding, serialized once; nil if the form has not been made yet, or the coding
    /// has not been tried yet.
    func stored(_ form: FormKey, _ coding: ContentCoding?) -> Stored? {
        var known = answers.load()
        while let link = known {
            if link.coding == coding, link.form == form { return link.answer }
            known = link.next.load()
        }
        guard let variant = content.variant(form), !variant.body.isEmpty else { return nil }
        var codedBody: [UInt8]?
        if let coding {
            let compressed = variant.compressedBody(coding)
            guard compressed.body != nil || compressed.isUseless else { return nil }
            codedBody = compressed.body
        }
        var response = Response(headers: variant.headers, body: variant.body)
        response.headers += fields(of: variant)
        response.headers.append(("Cache-Status", CacheStatus().fieldValue))
        response.headers.append(("Server-Timing", "cache;desc=hit"))
        let representation = variant.representation(lastModified: changed)
        var notModified = response
        notModified.send(.notModified, of: representation)
        response.send(.content(coding), of: representation, codedBody: codedBody)
        let link = Link(form, coding, Stored(response, notModified, representation, of: variant, in: self))
        // Another request may add the same answer at the same time, which then is there twice.
        var last = answers.storeIfNil(link)
        while last !== link { last = last.next.storeIfNil(link) }
        return link.answer
    }

    /// Whether the cache has taken it.
    var isKept: Bool {
        get { keptFlag.load(ordering: .relaxed) }
        set { keptFlag.store(newValue, ordering: .relaxed) }
    }

    /// Whether the last attempt to refresh it has taken long and failed, so that clients do not wait for the next one.
    var hasStalled: Bool {
        get { stalledFlag.load(ordering: .relaxed) }
        set { stalledFlag.store(newValue, ordering: .relaxed) }
    }

    /// Returns the fields of an answer about its use by caches.
    func fields(of variant: DocumentVariant) -> [(name: String, value: String)] {
        guard let freshness else { return [("Cache-Control", "no-store")] }
        return freshness.answerFields + (variant.sendsExpires ? [("Expires", freshness.expires)] : [])
    }
}
