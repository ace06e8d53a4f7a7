package import API
package import EventLoop
package import HTTPClient
package import HTTPCore
package import JSONText
import Operations
import Records
import Settings

/// Reads the document in the response, without keys.
enum ReadStage {
    private enum Found: Sendable {
        case document(ReadDocument, IncomingResponse)
        /// The known document, which the upstream has confirmed.
        case confirmed(CachedDocument)
    }

    static nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        let attempt = fetch.attempt
        do throws(FetchFailure) {
            let bytes = attempt.response?.body.count ?? 0
            let found = try await fetch.upstream.reading(bytes, fetch.context) { limit throws(FetchFailure) in
                try read(fetch, limit)
            }
            switch found {
            case .document(let document, let response): (attempt.document, attempt.response) = (document, response)
            case .confirmed(let document): return Answer(document, of: fetch.upstream, fetch.cacheOutcome)
            }
        } catch {
            guard let headers = attempt.response?.headers else { throw error }
            fetch.suspend(RateLimit(headers, now: fetch.context.clock.seconds), error.pause, isOutage: false)
            // A definite answer, which the cache keeps in place of a document.
            guard error.isNotFound, fetch.cache != nil else { throw error }
            let content = DocumentContent(IncomingResponse(status: 404), isKept: true)
            let absence = fetch.document(content, .notFound, headers, failure: error)
            return Answer(absence, of: fetch.upstream, fetch.cacheOutcome)
        }
        attempt.mark(fetch.context) { $0.read = $1 }
        return try await next(fetch)
    }

    private static func read(_ fetch: Fetch, _ limit: ReadingLimit) throws(FetchFailure) -> Found {
        // Until the reading has really ended, even if nobody waits for it.
        let reservation = fetch.attempt.reservation
        defer { withExtendedLifetime(reservation) {} }
        guard let received = fetch.attempt.response else { throw .unusable("there is no response") }
        if limit.hasPassed { throw .unread }
        let (request, upstream) = (fetch.request, fetch.upstream)
        let scrubber = fetch.attempt.record.access?.scrubber ?? upstream.credentials.current.scrubber
        // Before the keys are removed: a search for their bytes would not find them in UTF-16.
        let text = try fetch.converted(received)
        guard let response = scrubber.scrubbed(text, isExpired: { limit.hasPassed }) else { throw .unread }
        if response.isNotModified, let known = fetch.known, let policy = request.policy, known.validators != nil {
            let confirmed = known.updated(
                by: response.headers, requestTime: fetch.attempt.sent, responseTime: limit.clock.seconds, policy)
            guard let confirmed else { throw .status(304, meaning: nil, message: nil, retryAfter: nil) }
            return .confirmed(confirmed)
        }
        guard 200..<300 ~= response.status, request.takesNothing || !response.statesNothing else {
            throw upstream.failure(of: response, request.errors.explain(response), request.errors, scrubber, limit)
        }
        let marked = response.markingNothing
        return .document(try fetch.read(marked, scrubber, limit), marked)
    }
}

extension IncomingResponse {
    /// The body of a response that has no content by its status, which kept responses do not have.
    private static let nothing = Array(" ".utf8)

    fileprivate var statesNothing: Bool { status == 204 || status == 205 }

    /// Whether the upstream has said that there is nothing: with 204 or 205.
    package var isNothing: Bool { body == Self.nothing }

    /// The response with the mark, which no other response has.
    fileprivate var markingNothing: IncomingResponse {
        var marked = self
        if statesNothing { marked.body = Self.nothing } else if isNothing { marked.body = [] }
        return marked
    }
}

extension Fetch {
    /// Returns the document in a response without keys, such as one that was kept.
    func read(
        _ response: IncomingResponse, _ scrubber: KeyScrubber, _ limit: ReadingLimit
    ) throws(FetchFailure) -> ReadDocument {
        let document = try upstream.read(response, request.errors, scrubber, limit, request.read)
        // A store or a file can have any number, and counts are added up.
        func count(_ field: String) -> Int? {
            response.headers.bytes(field).map {
                min(Int(String(decoding: $0, as: UTF8.self)) ?? 0, response.body.count)
            }
        }
        let (replaced, rewritten) = (count(IncomingResponse.charsetField), count(IncomingResponse.syntaxField))
        if replaced == nil, rewritten == nil { return document }
        var drift = DriftReport(.coerced, .otherCharset, ofDocument: replaced == nil ? 0 : 1)
        drift.merge(DriftReport(.coerced, .invalidUTF8, ofDocument: replaced ?? 0))
        drift.merge(DriftReport(.coerced, .lenientSyntax, ofDocument: rewritten ?? 0))
        return ReadDocument { [drift] in document.shape().adding(drift) }
    }

    /// Returns a response from the upstream with its body in UTF-8, if its Content-Type names another charset, and in the
    /// syntax of JSON, if that of the upstream is lenient, without the fields that say so, which an upstream must not write.
    fileprivate func converted(_ response: IncomingResponse) throws(FetchFailure) -> IncomingResponse {
        let charset = Charset(response.headers), own = IncomingResponse.ownFields
        let isUnchanged = charset == nil && own.allSatisfy { response.headers.bytes($0) == nil }
        if isUnchanged, !upstream.hasLenientSyntax { return response }
        var converted = response
        var fields = response.headers.pairs.filter { !own.contains($0.name.lowercased()) }
        if let charset {
            let bytes = response.body.count + Charset.maximumBytes(of: response.body.count)
            if attempt.reservation?.grow(to: bytes) == false { throw .tooManyBodies }
            if let (body, replaced) = charset.convertedToUTF8(response.body) {
                converted.body = body
                // A kept response must not be converted again.
                fields =
                    fields.filter { $0.name.lowercased() != "content-type" } + [
                        (IncomingResponse.charsetField, "\(replaced)")
                    ]
            }
        }
        if upstream.hasLenientSyntax {
            if attempt.reservation?.grow(to: 2 * converted.body.count) == false { throw .tooManyBodies }
            if let syntax = LenientSyntax(converted.body) {
                converted.body = syntax.document
                fields.append((IncomingResponse.syntaxField, "\(syntax.repairs)"))
            }
        }
        converted.headers = HeaderFields(fields)
        return converted
    }
}

// Reading, for responses from the upstream and from the cache.
extension Upstream {
    /// Documents from this size on are read on other threads; they would block the event loop for about a millisecond.
    static let largeDocument = 64 << 10
    /// The longest error message that clients get, in code points.
    private static let maximumMessage = 200

    /// Returns the result of `work` on a response of `bytes`: at once for a small response, from a thread of the pool for a
    /// large one.
    ///
    /// What is made of a small response may be dear, too: a reading that holds the event loop too long is given up, and
    /// done again in the pool.
    nonisolated(nonsending) func reading<Value: Sendable>(
        _ bytes: Int, _ context: FetchContext, _ work: @escaping @Sendable (ReadingLimit) throws(FetchFailure) -> Value
    ) async throws(FetchFailure) -> Value {
        if bytes < Self.largeDocument {
            let limit = ReadingLimit(end: context.end, clock: context.clock, isTurn: true)
            let result = Result { () throws(FetchFailure) in try work(limit) }
            if !limit.wasTooLong { return try result.get() }
        }
        return try await readingInPool(bytes, context, work)
    }

    /// Returns the result of `work` on a document of `bytes` from a thread of the pool, when there is memory for the work.
    nonisolated(nonsending) private func readingInPool<Value: Sendable>(
        _ bytes: Int, _ context: FetchContext, _ work: @escaping @Sendable (ReadingLimit) throws(FetchFailure) -> Value
    ) async throws(FetchFailure) -> Value {
        let result: Result<Value, FetchFailure>
        do throws(Admission.Failure) {
            let memory = try await bodies.memory(toRead: bytes, until: context.end, on: context.shard)
            result = try await state.pool.run(until: context.end, on: context.shard) { limit in
                // A reading that is given up has its memory until it ends.
                withExtendedLifetime(memory) { Result { () throws(FetchFailure) in try work(limit) } }
            }
        } catch {
            throw error == .cancelled ? .transfer(.cancelled) : .unread
        }
        return try result.get()
    }

    /// Returns what `reader` finds in a response without keys, or throws the failure that the response means.
    fileprivate func read<Value>(
        _ response: IncomingResponse, _ errors: ErrorReader, _ scrubber: KeyScrubber, _ limit: ReadingLimit,
        _ reader: (IncomingResponse, JSONOptions) throws -> Value
    ) throws(FetchFailure) -> Value {
        do {
            return try reader(
                response,
                JSONOptions(
                    maximumBytes: maximumBytes, maximumDepth: UpstreamConfiguration.maximumDepth,
                    isExpired: { limit.hasPassed }))
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
            let isLimit = status == nil && errors.pause(message, limit.clock.seconds) != nil
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
            retryAfter: retryAfter ?? message.flatMap { errors.pause($0, limit.clock.seconds) })
    }
}

// Other documents than those of a client's answer.
extension Upstream {
    /// Returns the value that `read` finds in the response to a look-up, such as a user's id, and whether the response was in
    /// the cache of this replica or of another one.
    ///
    /// `isNew` asks for a response that no cache has. If the upstream fails, a stale response serves.
    package nonisolated(nonsending) func lookUp<Value: Sendable>(
        _ kind: RequestKind, _ target: String, content: RequestContent = .none,
        shownPath: (@Sendable () -> String)? = nil, policy: CachePolicy?, _ errors: ErrorReader, isNew: Bool = false,
        in context: FetchContext,
        _ read: @escaping @Sendable (IncomingResponse, JSONOptions) throws -> Value
    ) async throws(FetchFailure) -> (value: Value, isRemembered: Bool) {
        let request = DocumentRequest(
            to: self, kind, target: target, shownPath: shownPath, content: content,
            policy: cache == nil ? nil : policy, errors: errors
        ) { response, options in
            _ = try read(response, options)
            return .formless
        }
        let directives = isNew ? ClientDirectives(HeaderFields([("Cache-Control", "no-cache")])) : .none
        let fetch = Fetch(request, in: context, directives: directives)
        var (answer, reading): (Answer, FetchContext)
        do throws(FetchFailure) {
            (answer, reading) = (try await Next(Stage.ofClients)(fetch), context)
        } catch {
            guard let stale = fetch.stale(after: error) else { throw error }
            (answer, reading) = (stale, context.withTimeToRead)
        }
        let isRemembered =
            switch answer.cacheOutcome {
            case .fetched, nil: answer.document.isFromStore
            case .hit, .refreshing, .stale: true
            }
        let response = answer.document.content.response
        let value = try await self.reading(response.body.count, reading) { [self] limit throws(FetchFailure) in
            try self.read(response, errors, credentials.current.scrubber, limit, read)
        }
        return (value, isRemembered)
    }

    /// Removes what the cache has of a look-up.
    package func forget(_ target: String, _ errors: ErrorReader) {
        cache?.remove(key(of: target, at: address, errors))
    }

    /// Returns what `reader` finds in a text that is made of several documents, of this upstream and of others.
    ///
    /// The text has `count` bytes and at most `maximumDepth` levels. A long text is made and read by a thread of this upstream,
    /// when there is memory for the text.
    package nonisolated(nonsending) func reading<Value: Sendable>(
        _ count: Int, _ text: @escaping @Sendable () -> [UInt8], maximumDepth: Int, for call: ClientCall,
        until end: MonotonicTime, _ reader: @escaping @Sendable ([UInt8], JSONOptions) throws -> Value
    ) async throws(Problem) -> Value {
        let context = FetchContext(call, end: end, isLast: true).withTimeToRead
        let work: @Sendable (ReadingLimit) throws(FetchFailure) -> Value = { [self] limit throws(FetchFailure) in
            try read(IncomingResponse(body: text()), .none, credentials.current.scrubber, limit) { text, options in
                try reader(
                    text.body,
                    JSONOptions(maximumBytes: count, maximumDepth: maximumDepth, isExpired: options.isExpired))
            }
        }
        do throws(FetchFailure) {
            if count < Self.largeDocument {
                return try work(ReadingLimit(end: context.end, clock: context.clock))
            }
            return try await readingInPool(count, context, work)
        } catch {
            if case .unusable(let reason) = error {
                throw Problem(.upstreamFailed, "The documents of the parts cannot be used: \(reason).")
            }
            throw UpstreamProblem.problem(of: error, from: name)
        }
    }
}
