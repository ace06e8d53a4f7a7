import Cache
import EventLoop
import HTTPClient
import HTTPCore
import Synchronization
import Telemetry

/// The documents of all upstreams, for all shards and over reloads, and the requests for them that are under way.
final class DocumentCache: Sendable {
    /// How a document was found.
    enum Finding: Sendable {
        /// It was fresh.
        case hit
        /// It was stale, and is being refreshed.
        case refreshing
        /// The upstream was asked for this reason, by this request or by another one at the same time.
        case fetched(CacheStatus.Reason, isCollapsed: Bool)
        /// The upstream was asked and failed, with this status if it answered, so a stale document serves.
        case stale(forwardStatus: Int?)
    }

    /// What a fetch returns: a content, or the news that the kept one is still the same, or that there is none.
    enum Fetched: Sendable {
        case content(DocumentContent, HeaderFields)
        case notModified(HeaderFields)
        case absent(Upstream.Failure, HeaderFields)
    }

    /// Fetches a document from the upstream, unless it is still the version that the validators name.
    typealias Fetch = @Sendable (Validators?, FetchContext) async throws(Upstream.Failure) -> Fetched

    /// The time that waiting tasks give a fetch that ends at the same moment as they do to say so.
    private static let grace = Duration.milliseconds(20)

    /// The time from which on an upstream that fails is too slow to be waited for each time.
    private static let stall = Duration.seconds(1)
    /// The time left that is worth another request.
    private static let leastTime = Duration.milliseconds(100)

    private static let noContent = "it is 304 without a condition"

    private let store: ByteBoundedCache<DocumentKey, CachedDocument>
    private let flights = Mutex<[DocumentKey: Flight]>([:])

    /// A cache for `maximumBytes` of documents, their variants, the memos of the shards and its own bookkeeping.
    init(maximumBytes: Int) {
        let maximumBytes = maximumBytes - maximumBytes / HitMemo.share
        // A stripe must have room for a large document.
        store = ByteBoundedCache(maximumBytes: maximumBytes, stripes: min(16, max(1, maximumBytes >> 22)))
    }

    /// The documents and the bytes that they take up.
    var statistics: CacheStatistics { store.statistics }

    /// Returns the document with this key, whatever its age.
    func document(_ key: DocumentKey) -> CachedDocument? { store.value(for: key) }

    /// Keeps a document, unless it is too large.
    func insert(_ document: CachedDocument) {
        document.isKept = store.insert(document, for: document.key, cost: document.size)
    }

    /// Counts bytes that were added to a document.
    func grow(_ document: CachedDocument, by bytes: Int) {
        if bytes > 0 { store.grow(document.key, by: bytes) { $0.content === document.content } }
    }

    func remove(_ key: DocumentKey) { store.remove(key) }

    /// Calls `body` with all documents, without counting that as their use.
    func forEach(_ body: (CachedDocument) throws -> Void) throws { try store.forEach { try body($1) } }

    /// Returns the document, from memory if its freshness and the client's `directives` allow it, or else by `fetch`.
    ///
    /// All tasks that need the document while it is fetched share one request.
    /// - Throws: The failure of the upstream; then `document` may still return a stale document.
    nonisolated(nonsending) func find(
        _ key: DocumentKey, _ policy: CachePolicy, _ directives: ClientDirectives, in context: FetchContext,
        fetch: @escaping Fetch
    ) async throws(Upstream.Failure) -> (CachedDocument, Finding) {
        context.cacheNote.value = nil
        let kept = store.value(for: key)
        var reason = CacheStatus.Reason.uriMiss
        if let kept, let freshness = kept.freshness {
            let now = context.clock.seconds
            switch freshness.decision(for: directives, at: now) {
            case .fresh: return try found(kept.outcome, .hit, key, context)
            case .staleWhileRevalidate:
                refresh(kept, policy, context, fetch)
                return try found(kept.outcome, .refreshing, key, context)
            case .mustValidate:
                reason = freshness.remaining(at: now) > 0 ? .request : .stale
                if reason == .stale, kept.hasStalled, kept.mayServe(afterErrorAt: now) {
                    // The stale document serves, unless another upstream has a fresh one.
                    refresh(kept, policy, context, fetch)
                    throw .suspended(seconds: 1)
                }
            }
        }
        if directives.isOnlyIfCached { throw .notInCache }
        if directives.forbidsStoring {
            let outcome = await Self.unkept(key, policy, context, fetch)
            return try found(outcome, .fetched(reason, isCollapsed: false), key, context)
        }
        while true {
            let (flight, isNew) = flight(for: key, context, isBackground: false)
            if isNew { start(flight, key, after: kept, policy, reason == .stale ? context.refreshing : context, fetch) }
            let waited = await flight.wait(until: context.end + Self.grace, on: context.shard)
            if !isNew { context.tries.share(flight.tries) }
            // The time of whoever began the request is over, and that of this task is not.
            if case .failure? = waited, !isNew, flight.end <= context.now, context.end - context.now > Self.leastTime {
                continue
            }
            let outcome = waited ?? .failure(.transfer(Task.isCancelled ? .cancelled : .tooSlow))
            return try found(outcome, .fetched(reason, isCollapsed: !isNew), key, context)
        }
    }

    /// Returns the document of an outcome and how it was found; a failure is noted for the client's answer.
    private func found(
        _ outcome: Flight.Outcome, _ finding: Finding, _ key: DocumentKey, _ context: FetchContext
    ) throws(Upstream.Failure) -> (CachedDocument, Finding) {
        do throws(Upstream.Failure) {
            return (try outcome.get(), finding)
        } catch {
            let absence = error.isNotFound ? store.value(for: key) : nil
            context.cacheNote.value = CacheNote(error, finding, absence, now: context.clock.seconds)
            throw error
        }
    }

    /// Fetches a document that is not kept.
    private nonisolated(nonsending) static func unkept(
        _ key: DocumentKey, _ policy: CachePolicy, _ context: FetchContext, _ fetch: Fetch
    ) async -> Flight.Outcome {
        do throws(Upstream.Failure) {
            switch try await fetch(nil, context) {
            case .content(let content, _): return .success(CachedDocument(key, content, nil, policy))
            case .absent(let failure, _): return .failure(failure)
            case .notModified: return .failure(.unusable(noContent))
            }
        } catch {
            return .failure(error)
        }
    }

    /// Waits until what is under way has ended, and cancels what has not at `end`.
    func settle(until end: MonotonicTime, on shard: Shard) async {
        for flight in flights.withLock({ Array($0.values) }) { await flight.settle(until: end, on: shard) }
    }

    /// Cancels what is under way.
    func cancel() {
        for flight in flights.withLock({ Array($0.values) }) { flight.cancel() }
    }

    /// Refreshes a document that serves meanwhile, unless that is under way.
    private func refresh(
        _ document: CachedDocument, _ policy: CachePolicy, _ context: FetchContext, _ fetch: @escaping Fetch
    ) {
        let (flight, isNew) = flight(for: document.key, context, isBackground: true)
        if isNew { start(flight, document.key, after: document, policy, context.forRefresh, fetch) }
    }

    /// Returns the flight for a key, and whether it is new: then the caller must start it.
    ///
    /// Unless it is for the background, the caller must wait for it.
    private func flight(
        for key: DocumentKey, _ context: FetchContext, isBackground: Bool
    ) -> (Flight, isNew: Bool) {
        flights.withLock { flights in
            // One that is being cancelled makes room for another.
            if let flight = flights[key], isBackground || flight.join() { return (flight, false) }
            let flight = Flight(
                until: context.end, isBackground ? nil : context.tries, isBackground: isBackground)
            flights[key] = flight
            return (flight, true)
        }
    }

    private func start(
        _ flight: Flight, _ key: DocumentKey, after known: CachedDocument?, _ policy: CachePolicy,
        _ context: FetchContext, _ fetch: @escaping Fetch
    ) {
        var context = context
        context.tries = flight.tries
        flight.start(on: context.shard) { [self, context] in
            let outcome: Flight.Outcome
            if let current = store.value(for: key), current !== known {
                // Another flight has ended since the caller looked.
                outcome = current.outcome
            } else {
                outcome = await fetched(key, after: known, policy, context, fetch)
            }
            // Before the outcome is known, so that whoever comes later finds the document.
            flights.withLock { flights in
                if flights[key] === flight { flights[key] = nil }
            }
            flight.finish(outcome)
        }
    }

    /// Fetches a document and keeps it, if it may be kept.
    private func fetched(
        _ key: DocumentKey, after known: CachedDocument?, _ policy: CachePolicy, _ context: FetchContext, _ fetch: Fetch
    ) async -> Flight.Outcome {
        let clock = context.clock, start = context.now
        do throws(Upstream.Failure) {
            var sent = clock.seconds
            var answer = try await fetch(known?.validators, context)
            if case .notModified(let headers) = answer {
                if let document = known?.updated(by: headers, requestTime: sent, responseTime: clock.seconds, policy) {
                    insert(document)
                    return .success(document)
                }
                sent = clock.seconds
                answer = try await fetch(nil, context)
            }
            func kept(_ status: Status, _ headers: HeaderFields) -> CachedResponse? {
                CachedResponse(
                    status: status, headers: headers, requestTime: sent, responseTime: clock.seconds, policy: policy)
            }
            switch answer {
            case .content(let content, let headers):
                let document = CachedDocument(key, content, kept(.ok, headers), policy)
                if document.freshness == nil { remove(key) } else { insert(document) }
                return .success(document)
            case .absent(let failure, let headers):
                // A definite answer too, which replaces a document.
                let content = DocumentContent(IncomingResponse(status: 404))
                let absence = CachedDocument(key, content, kept(.notFound, headers), policy, failure: failure)
                if absence.freshness == nil { remove(key) } else { insert(absence) }
                return .failure(failure)
            case .notModified: throw .unusable(Self.noContent)
            }
        } catch {
            if error.allowsStale, context.now - start > Self.stall { known?.hasStalled = true }
            return .failure(error)
        }
    }
}
