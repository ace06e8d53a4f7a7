import Contracts
import EventLoop
import HTTPClient
import HTTPCore
import JSONText
import Records
import Telemetry

/// Reads the document in the response, without keys.
struct ReadStage: FetchStage {
    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument {
        guard let response = fetch.response else { throw .unusable("there is no response") }
        let finding = fetch.cache.map { _ in Finding.fetched(fetch.reason, isCollapsed: false) }
        do throws(FetchFailure) {
            let document = try await document(response, fetch)
            return FoundDocument(document: document, finding: finding)
        } catch {
            let limit = RateLimit(response.headers, now: fetch.context.clock.seconds)
            fetch.suspend(limit, error.pause, isOutage: false)
            // A definite answer, which the cache keeps in place of a document.
            guard error.isNotFound, fetch.cache != nil else { throw error }
            let content = DocumentContent(IncomingResponse(status: 404), isKept: true)
            return FoundDocument(
                document: fetch.document(content, .notFound, response.headers, failure: error), finding: finding)
        }
    }

    nonisolated(nonsending) private func document(
        _ response: IncomingResponse, _ fetch: Fetch
    ) async throws(FetchFailure) -> CachedDocument {
        let reservation = fetch.reservation
        defer { if response.body.count < Upstream.largeDocument { reservation?.release() } }
        let (upstream, scrubber) = (fetch.upstream, fetch.attempt.record.access?.scrubber)
        return try await upstream.reading(response, fetch.context) { limit throws(FetchFailure) in
            // Until the reading has really ended, even if nobody waits for it.
            defer { reservation?.release() }
            return try Self.document(response, fetch, scrubber ?? upstream.credentials.current.scrubber, limit)
        }
    }

    private static func document(
        _ received: IncomingResponse, _ fetch: Fetch, _ scrubber: KeyScrubber, _ limit: ReadingLimit
    ) throws(FetchFailure) -> CachedDocument {
        if limit.hasPassed { throw .unread }
        guard let response = scrubber.scrubbed(received, isExpired: { limit.hasPassed }) else { throw .unread }
        let order = fetch.order
        if response.isNotModified, let known = fetch.known, let policy = order.policy, known.validators != nil {
            let confirmed = known.updated(
                by: response.headers, requestTime: fetch.sent, responseTime: limit.clock.seconds, policy)
            guard let confirmed else { throw .status(304, meaning: nil, message: nil, retryAfter: nil) }
            return confirmed
        }
        guard response.status == 200 else {
            throw order.upstream.failure(of: response, order.errors.explain(response), order.errors, scrubber, limit)
        }
        let content = try order.upstream.read(response, order.errors, scrubber, limit, order.read)
        return fetch.document(content, .ok, response.headers)
    }
}

extension Fetch {
    /// Returns the document with what its response says about its use.
    fileprivate func document(
        _ content: DocumentContent, _ status: Status, _ headers: HeaderFields, failure: FetchFailure? = nil
    ) -> CachedDocument {
        let freshness = order.policy.flatMap { policy in
            isShared
                ? CachedResponse(
                    status: status, headers: headers, requestTime: sent, responseTime: context.clock.seconds,
                    policy: policy) : nil
        }
        return CachedDocument(order.key, content, freshness, order.policy, failure: failure)
    }
}

// Reading, for responses from the upstream and from the cache.
extension Upstream {
    /// Documents from this size on are read on other threads; they would block the event loop for about a millisecond.
    static let largeDocument = 64 << 10
    /// The longest error message that clients get, in code points.
    private static let maximumMessage = 200

    /// Returns the result of `read`: at once for a small response, from a thread of the pool for a large one.
    nonisolated(nonsending) func reading<Value: Sendable>(
        _ response: IncomingResponse, _ context: FetchContext,
        _ read: @escaping @Sendable (ReadingLimit) throws(FetchFailure) -> Value
    ) async throws(FetchFailure) -> Value {
        if response.body.count < Self.largeDocument {
            return try read(ReadingLimit(end: context.end, clock: context.clock))
        }
        let result: Result<Value, FetchFailure>
        do throws(DocumentPool.Failure) {
            result = try await state.pool.run(until: context.end, on: context.shard) { limit in
                Result { () throws(FetchFailure) in try read(limit) }
            }
        } catch {
            throw error == .cancelled ? .transfer(.cancelled) : .unread
        }
        return try result.get()
    }

    /// Returns what `reader` finds in a response without keys, or throws the failure that the response means.
    func read<Value>(
        _ response: IncomingResponse, _ errors: ErrorReader, _ scrubber: KeyScrubber, _ limit: ReadingLimit,
        _ reader: (IncomingResponse, JSONOptions) throws -> Value
    ) throws(FetchFailure) -> Value {
        do {
            return try reader(
                response,
                JSONOptions(
                    maximumBytes: maximumBytes, maximumDepth: maximumDepth, isExpired: { limit.hasPassed }))
        } catch _ where limit.hasPassed {
            // The reader may have stopped for that reason.
            throw .unread
        } catch let error as JSONSyntaxError {
            let isHTML = response.headers["Content-Type"]?.lowercased().hasPrefix("text/html") == true
            throw .unusable(isHTML ? "it is HTML" : "it is not JSON: \(error)")
        } catch let error as ContractError {
            let (message, status) = errors.explain(response)
            guard let message else { throw .unusable("\(error)") }
            // An error with status 200 means what its message says.
            let isLimit = status == nil && errors.pause(message) != nil
            throw failure(of: response, (message, isLimit ? 429 : status), errors, scrubber, limit)
        } catch let refusal as any UpstreamRefusal {
            throw failure(of: response, (refusal.message, refusal.status), errors, scrubber, limit)
        } catch let error as any UnusableDocument {
            throw .unusable("\(error)")
        } catch {
            throw .unusable("it cannot be read")
        }
    }

    fileprivate func failure(
        of response: IncomingResponse, _ error: (message: String?, status: Int?), _ errors: ErrorReader,
        _ scrubber: KeyScrubber, _ limit: ReadingLimit
    ) -> FetchFailure {
        // A key too short for documents is removed here, before the message is cut: a part would not be recognized.
        let message = error.message.flatMap { scrubber.scrubbed($0, isExpired: { limit.hasPassed }) }
        let rates = RateLimit(response.headers, now: limit.clock.seconds)
        // The reset of a quota that is not used up does not end an outage.
        let retryAfter = response.status == 503 ? rates.pause(after: 503) : rates.retryAfter
        return .status(
            response.status, meaning: error.status,
            message: message.map { String($0.unicodeScalars.prefix(Self.maximumMessage)) },
            retryAfter: retryAfter ?? message.flatMap(errors.pause))
    }
}
