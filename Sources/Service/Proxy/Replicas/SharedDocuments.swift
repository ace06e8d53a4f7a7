import Store
import EventLoop
import HTTPClient
import HTTPCore
import API
import Operations

// The second level of the cache: the documents that any replica has fetched.
extension SharedReplicas {
    /// The result of a look into the store for a document.
    enum Look {
        /// A document; whether it is newer than those that are known, and whether it ends the path.
        case document(CachedDocument, isNew: Bool, serves: Bool)
        case nothing
        /// The store does not answer, or no replica keeps answers to this request.
        case alone
    }

    /// How long replicas remember that answers to a request must not be kept, in milliseconds.
    private static let uncacheableTime = 30_000
    /// How long a document that can be validated is kept when it must not serve any longer, in seconds.
    private static let timeToValidate = 3600
    /// The longest time that a document is kept, in seconds.
    private static let longestTime = 7 * 86_400
    /// The time of a lease in milliseconds, after which another replica takes over.
    private static let leaseTime = 1000
    /// The most bytes of a value beside the document.
    private static let overhead = 1 << 16

    /// Looks for the document of a fetch, and reads it as a response of the upstream is read.
    ///
    /// `seen` is when the latest document of the store was received, in unix seconds; after a wait, a newer one will do.
    nonisolated(nonsending) func look(_ key: String, _ fetch: Fetch, seen: Int?, hasWaited: Bool) async -> Look {
        guard let policy = fetch.request.policy else { return .nothing }
        let shard = fetch.context.shard
        let answer = await ask(try await store.value(key, on: shard))
        guard let answer else { return .alone }
        guard let bytes = answer else { return .nothing }
        let limit = fetch.upstream.maximumBytes + Self.overhead
        @Sendable func read() -> SharedValue? { SharedValue(bytes, key, policy: policy, maximumBytes: limit) }
        let value = bytes.count < Upstream.largeDocument / 4 ? read() : await WorkPool.run({ read() })
        if case .uncacheable? = value { return .alone }
        if case .answer(let record, let freshness, let absence)? = value {
            if hasPurged(fetch, receivedAt: freshness.responseTime) { return .nothing }
            let isNew = fetch.hasNothing(asNewAs: freshness) && seen.map { $0 < freshness.responseTime } ?? true
            // As in a flight, a document that was written after the start of the fetch will do.
            let serves = fetch.accepts(freshness) || (isNew && hasWaited)
            // The drift of a stale document, which nobody gets, has been counted by the replica that fetched it.
            if let (content, failure) = await content(of: record, absence: absence, fetch, counts: serves) {
                let document = CachedDocument(
                    fetch.request.key, content, freshness, policy, failure: failure, isFromStore: true,
                    kind: fetch.kind.name, origin: failure == nil ? fetch.origin : nil)
                return .document(document, isNew: isNew, serves: serves)
            }
        }
        note(.corrupt)
        return .nothing
    }

    /// Returns the document in a record, or the upstream's answer that there is none; nil if the upstream's documents differ.
    nonisolated(nonsending) private func content(
        of record: DocumentRecord, absence: Int?, _ fetch: Fetch, counts: Bool
    ) async -> (content: DocumentContent, failure: FetchFailure?)? {
        if let absence {
            let message = record.body.isEmpty ? nil : String(decoding: record.body, as: UTF8.self)
            let failure = FetchFailure.status(absence, meaning: 404, message: message, retryAfter: nil)
            return (DocumentContent(IncomingResponse(status: 404)), failure)
        }
        let response = IncomingResponse(headers: HeaderFields(lines: record.fields), body: record.body)
        return (try? await fetch.content(of: response, counts: counts)).map { ($0, nil) }
    }

    /// Takes the lease of a document, or returns how long another replica may have it; nil if the store does not answer.
    nonisolated(nonsending) func lease(_ key: String, on shard: Shard) async -> SharedLease? {
        let lease = await ask(
            try await store.lease(key, milliseconds: Self.leaseTime, fence: nil, on: shard))
        switch lease {
        case .granted?: note(.leaseGranted)
        case .held?: note(.leaseHeld)
        case nil: break
        }
        return lease
    }

    /// Lengthens a lease again and again until the task is cancelled, so that the others wait while this replica works, and
    /// take over soon after it has ended.
    func renewLease(_ key: String, fence: UInt64, on shard: Shard) -> Task<Void, Never> {
        Task(executorPreference: shard) { [self] () async -> Void in
            while (try? await Task.sleep(for: .milliseconds(Self.leaseTime * 2 / 5))) != nil {
                let lease = await ask(
                    try await store.lease(key, milliseconds: Self.leaseTime, fence: fence, on: shard))
                if case .held? = lease { return }
            }
        }
    }

    /// Writes a document for all replicas, and ends the lease; the client does not wait.
    func keep(_ document: CachedDocument, _ key: String, fence: UInt64, _ fetch: Fetch) {
        let (shard, now) = (fetch.context.shard, fetch.context.clock.seconds)
        later(on: shard) { [self] () async -> Void in
            var (value, milliseconds) = (SharedValue.uncacheableBytes, Self.uncacheableTime)
            let seconds = Self.seconds(toKeep: document, at: now)
            let isLarge = document.content.response.body.count >= Upstream.largeDocument
            @Sendable func encoded() -> [UInt8]? { SharedValue.bytes(of: document, key) }
            if seconds > 0, let bytes = isLarge ? await WorkPool.run({ encoded() }) : encoded() {
                if bytes.count <= maximumDocumentBytes {
                    (value, milliseconds) = (bytes, seconds * 1000)
                } else {
                    note(.tooLarge)
                }
            }
            let (written, time) = (value, milliseconds)
            let isWritten: Void? = await ask(
                try await store.keep(written, key, milliseconds: time, fence: fence, on: shard))
            if isWritten != nil, written.count > SharedValue.uncacheableBytes.count { note(.written) }
        }
    }

    /// Ends the lease without a document; the client does not wait.
    func release(_ key: String, fence: UInt64, on shard: Shard) {
        later(on: shard) { [self] () async -> Void in
            _ = await ask(try await store.release(key, fence: fence, on: shard))
        }
    }

    /// The seconds for which a document is of use; 0 or less for a document of no use.
    private static func seconds(toKeep document: CachedDocument, at now: Int) -> Int {
        guard let freshness = document.freshness else { return 0 }
        let afterwards = max(
            freshness.staleWhileRevalidate, freshness.staleIfError, document.validators == nil ? 0 : timeToValidate)
        return min(freshness.remaining(at: now) + afterwards, longestTime)
    }
}
