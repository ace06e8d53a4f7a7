import EventLoop
import HTTPClient
import HTTPCore
import Telemetry

// The way of a request: quota and breaker, a place, the transfer, the reading, and perhaps another try.
extension Upstream {
    /// Documents from this size on are read on other threads; they would block the event loop for about a millisecond.
    static let largeDocument = 64 << 10

    /// What authorizes a transfer, and what the log names of it.
    struct Exchange: Sendable {
        var access: Access?
        var bytes = 0
        var sent = 0
        var isReused: Bool?
        /// Whether the answer says that the document is still the one that is known.
        var isNotModified = false
        /// Whether it is made again, or beside another one: then it earns no retry.
        var isExtra = false
        /// Whether its answer must not come on a connection that had been used before.
        var needsNewConnection = false
        /// Whether quota, breaker and queue have admitted it.
        var isAdmitted = false
    }

    /// Fetches a document, unless the upstream may not be asked now.
    nonisolated(nonsending) func fetch<Document: Sendable>(
        _ request: DocumentRequest<Document>, in context: FetchContext
    ) async throws(Failure) -> Document {
        var tries = 0
        var (isSent, hasNewKey) = (false, false)
        // The one that the try under way may mend.
        var earlier: Failure?
        while true {
            var exchange = Exchange(isExtra: isSent)
            let failure: Failure
            do throws(Failure) {
                return try await hedgedAttempt(request, &exchange, context)
            } catch {
                failure = error
            }
            isSent = isSent || exchange.isAdmitted
            if let earlier, !exchange.isAdmitted, failure.attemptFailure == .final {
                state.returnRetry()
                // Why Weir makes no retry says less than the upstream's own answer.
                throw failure.isCancellation ? failure : lasting(earlier, request.endpoint, context)
            }
            earlier = nil
            if failure.isUnauthorized, !hasNewKey, let access = exchange.access, await isReplaced(access, context) {
                hasNewKey = true
                continue
            }
            tries += 1
            guard let pause = pause(after: failure, tries, request.endpoint, context) else {
                throw lasting(failure, request.endpoint, context)
            }
            do {
                try await Task.sleep(for: pause)
            } catch {
                state.returnRetry()
                throw .transfer(.cancelled)
            }
            earlier = failure
        }
    }

    /// Returns the pause before the next try, or nil if there is none; another upstream is better than another try.
    private func pause(
        after failure: Failure, _ tries: Int, _ endpoint: Endpoint, _ context: FetchContext
    ) -> Duration? {
        guard context.isLast, !Task.isCancelled else { return nil }
        let pause = AttemptPolicy().pause(
            after: failure.attemptFailure, tries: tries, left: context.end - context.now, random: .random(in: 0..<1))
        guard let pause, refusal(of: endpoint, after: pause, context) == nil, state.takeRetry() else { return nil }
        return pause
    }

    /// Makes one try, and notes it.
    nonisolated(nonsending) func attempt<Document: Sendable>(
        _ request: DocumentRequest<Document>, _ exchange: inout Exchange, _ context: FetchContext
    ) async throws(Failure) -> Document {
        // The client has left: no log line would have the try.
        if Task.isCancelled { throw .transfer(.cancelled) }
        let start = context.now
        let describe: @Sendable (String, Exchange) -> UpstreamTry = { [self] result, exchange in
            UpstreamTry(
                upstream: name, requests: request.endpoint.rawValue, result: result,
                milliseconds: (context.now - start).wholeMilliseconds, bytes: exchange.bytes,
                sent: exchange.sent, isReused: exchange.isReused)
        }
        let id = context.tries.begin { describe("under way", Exchange()) }
        do throws(Failure) {
            let document = try await admitted(request, &exchange, context)
            let status = exchange.isNotModified ? "304" : "200"
            context.tries.end(id, describe(status, exchange))
            state.noteTry(request.endpoint.rawValue, status)
            return document
        } catch {
            context.tries.end(id, describe(error.result, exchange))
            state.noteTry(request.endpoint.rawValue, error.label)
            throw error
        }
    }

    /// Fetches a document with a place and a permit.
    nonisolated(nonsending) private func admitted<Document: Sendable>(
        _ request: DocumentRequest<Document>, _ exchange: inout Exchange, _ context: FetchContext
    ) async throws(Failure) -> Document {
        let endpoint = request.endpoint
        if let refusal = refusal(of: endpoint, context) { throw refusal }
        // It would fail without a word of the upstream's, which quota and breaker would count.
        if FetchDeadline(end: context.end).hasPassed(at: context.now) { throw .transfer(.tooSlow) }
        let end = min(context.end, context.now + deadline)
        let longestWait = min(end, context.now + maximumWait)
        let reported = state.reported[endpoint.index]
        if !reported.enterNow(at: context.now) {
            try admit(await reported.enter(until: longestWait, context.clock, on: context.shard), end, context)
        }
        defer { reported.leave() }
        if endpoint == .history { try await enter(state.placesOfPast, until: longestWait, of: end, context) }
        defer { if endpoint == .history { state.placesOfPast.leave() } }
        // Nearly always there is a place, and then this needs no asynchronous call.
        if !state.places.enterNow() { try await enter(state.places, until: longestWait, of: end, context) }
        defer { state.places.leave() }
        let permit = try permit(for: endpoint, context)
        do throws(Failure) {
            let document = try await transferAndRead(request, until: end, &exchange, context)
            note(.success, permit, endpoint, context)
            return document
        } catch {
            note(error.verdict, permit, endpoint, context)
            throw error
        }
    }

    /// Returns why quota or breaker will refuse a request after `delay`, the longest reason; nil if neither of them will, as
    /// far as is known.
    private func refusal(
        of endpoint: Endpoint, after delay: Duration = .zero, _ context: FetchContext
    ) -> Failure? {
        let now = context.now + delay
        let wallClock = context.clock.seconds + Int(delay.components.seconds)
        let suspended = state.refusal(of: endpoint, now: now)
        if let quota = state.quotas.quota(of: endpoint, for: context.purpose, now: now, wallClock: wallClock),
            quota.seconds >= suspended ?? 0
        {
            return .spent(quota)
        }
        return suspended.map { .suspended(seconds: $0) }
    }

    /// Returns a failure whose client learns when Weir asks the upstream again, if the upstream names an earlier time.
    private func lasting(_ failure: Failure, _ endpoint: Endpoint, _ context: FetchContext) -> Failure {
        guard case .status(let status, let meaning, let message, let retryAfter) = failure,
            [429, 503].contains(meaning ?? status), let seconds = refusal(of: endpoint, context)?.seconds
        else { return failure }
        return .status(status, meaning: meaning, message: message, retryAfter: max(seconds, retryAfter ?? 0))
    }

    /// Waits for one of the upstream's places until `longestWait`, for a try that ends at `end`.
    private func enter(
        _ places: Admission, until longestWait: MonotonicTime, of end: MonotonicTime, _ context: FetchContext
    ) async throws(Failure) {
        try admit(await places.enter(until: longestWait, on: context.shard), end, context)
    }

    /// Throws unless a try that ends at `end` was admitted to what it has waited for.
    private func admit(_ outcome: Admission.Outcome, _ end: MonotonicTime, _ context: FetchContext) throws(Failure) {
        switch outcome {
        case .admitted: return
        case .refused: throw .transfer(.queueFull)
        case .tooLate: throw .transfer(end <= context.now ? .tooSlow : .queueFull)
        case .cancelled: throw .transfer(.cancelled)
        }
    }

    /// Transfers a document, and reads it; once more, on a new connection, if it may belong to an earlier request.
    nonisolated(nonsending) private func transferAndRead<Document: Sendable>(
        _ request: DocumentRequest<Document>, until end: MonotonicTime, _ exchange: inout Exchange,
        _ context: FetchContext
    ) async throws(Failure) -> Document {
        let (trusted, distance) = try await trustedDocument(request, until: end, &exchange, context)
        if let trusted { return trusted }
        state.noteRetries(1)
        (exchange.isExtra, exchange.needsNewConnection) = (true, true)
        let document = try await transferAndReadOnce(request, until: end, &exchange, context)
        let other = request.distance(document)
        if other <= state.knownDistance(request.endpoint, now: context.now), !exchange.isNotModified {
            if state.mayReportSurplus(now: context.now) { logSurplus() }
        } else {
            state.noteDistance(max(distance, other), request.endpoint, now: context.now)
            var outgoing = OutgoingRequest(url: Secret(baseURL))
            transfers.apply(to: &outgoing)
            context.client.trust(outgoing)
        }
        return document
    }

    /// Transfers a document, and reads it; nil if it came on a used connection, and is further from what was asked for than
    /// the upstream's other documents.
    nonisolated(nonsending) private func trustedDocument<Document: Sendable>(
        _ request: DocumentRequest<Document>, until end: MonotonicTime, _ exchange: inout Exchange,
        _ context: FetchContext
    ) async throws(Failure) -> (document: Document?, distance: Double) {
        let document = try await transferAndReadOnce(request, until: end, &exchange, context)
        let distance = request.distance(document)
        if distance == 0 || distance <= state.knownDistance(request.endpoint, now: context.now) {
            return (document, distance)
        }
        if exchange.isReused == true { return (nil, distance) }
        state.noteDistance(distance, request.endpoint, now: context.now)
        return (document, distance)
    }

    nonisolated(nonsending) private func transferAndReadOnce<Document: Sendable>(
        _ request: DocumentRequest<Document>, until end: MonotonicTime, _ exchange: inout Exchange,
        _ context: FetchContext
    ) async throws(Failure) -> Document {
        let access = try await access(until: end, context)
        exchange.access = access
        let expected = min(maximumBytes, state.expectedBody(of: request.endpoint))
        let reservation: BodyReservation
        if let free = bodies.reserveNow(expected, in: state.bodyShare) {
            reservation = free
        } else {
            reservation = try await reserve(expected, until: end, context)
        }
        let start = context.now
        try takeQuota(of: request.endpoint, context)
        exchange.isAdmitted = true
        if !exchange.isExtra { state.noteRequest() }
        let response: IncomingResponse
        do throws(Failure) {
            response = try await transfer(request, access.credentials, until: end, reservation, &exchange, context)
        } catch {
            throw reservation.isRefused ? .overloaded("too many answers are in memory") : error
        }
        (exchange.bytes, exchange.isReused) = (response.body.count, response.isReused)
        exchange.isNotModified = response.isNotModified
        if response.isFromSuspect, !exchange.needsNewConnection, state.mayReportSurplus(now: context.now) {
            logSurplus()
        }
        state.noteBody(response.body.count, request.endpoint)
        let limit = RateLimit(response.headers, now: context.clock.seconds)
        state.reported[request.endpoint.index].note(limit, since: start, at: context.now)
        note(
            limit, pause: limit.pause(after: response.status), isOutage: response.status == 503, request.endpoint,
            access.scrubber, context)
        do throws(Failure) {
            if response.body.count >= Self.largeDocument {
                return try await readInPool(context) { [self] limit throws(Failure) in
                    // Until the reading has really ended, even if nobody waits for it.
                    defer { reservation.release() }
                    return try read(response, request, access.scrubber, limit)
                }
            }
            defer { reservation.release() }
            return try read(response, request, access.scrubber, ReadingLimit(end: context.end, clock: context.clock))
        } catch {
            note(limit, pause: error.pause, isOutage: false, request.endpoint, access.scrubber, context)
            throw error
        }
    }

    /// Waits for memory for as much as the latest bodies had, before anything is sent.
    private func reserve(
        _ expected: Int, until end: MonotonicTime, _ context: FetchContext
    ) async throws(Failure) -> BodyReservation {
        let result = await bodies.reserve(expected, in: state.bodyShare, until: end, on: context.shard)
        switch result {
        case .success(let reservation): return reservation
        case .failure(.cancelled): throw .transfer(.cancelled)
        case .failure(.tooLate): throw .overloaded("too many answers are in memory")
        }
    }

    nonisolated(nonsending) private func transfer<Document>(
        _ request: DocumentRequest<Document>, _ credentials: Credentials, until end: MonotonicTime,
        _ reservation: BodyReservation, _ exchange: inout Exchange, _ context: FetchContext
    ) async throws(Failure) -> IncomingResponse {
        var outgoing = Authorization.request(
            for: request.target, at: baseURL, with: credentials, now: context.clock.seconds)
        if forwardsTraceparent, let trace = context.trace {
            outgoing.headers.append(("traceparent", Secret(trace.traceparent)))
        }
        let start = context.now
        (outgoing.deadline, outgoing.validators) = (end - start, request.validators)
        outgoing.needsNewConnection = exchange.needsNewConnection
        transfers.apply(to: &outgoing)
        outgoing.reserveBody = { reservation.grow(to: $0) }
        let sent = SentRequests()
        outgoing.noteSent = { sent.add() }
        outgoing.noteFailure = { sent.note(($0, $1)) }
        outgoing.noteRedirect = { sent.addRedirect() }
        defer {
            exchange.sent += sent.count
            noteFurther(sent, request.endpoint, context)
        }
        do {
            let response = try await context.client.fetch(outgoing)
            let now = context.now
            let duration = now - start
            state.noteTransfer(duration, ConcurrencyLimit.Outcome(status: response.status, duration), now: now)
            return response
        } catch {
            if let failure = sent.failure { (exchange.bytes, exchange.isReused) = failure }
            let now = context.now
            let outcome: ConcurrencyLimit.Outcome? = error.isSlowAnswer ? .overloaded : nil
            if error != .cancelled { state.noteTransfer(now - start, outcome, now: now) }
            throw .transfer(error)
        }
    }

    /// Returns the result of `read`, which takes long, from a thread of the pool.
    func readInPool<Document: Sendable>(
        _ context: FetchContext, _ read: @escaping @Sendable (ReadingLimit) throws(Failure) -> Document
    ) async throws(Failure) -> Document {
        let result: Result<Document, Failure>
        do throws(DocumentPool.Failure) {
            result = try await state.pool.run(until: context.end, on: context.shard) { limit in
                Result { () throws(Failure) in try read(limit) }
            }
        } catch {
            throw error == .cancelled ? .transfer(.cancelled) : .unread
        }
        return try result.get()
    }
}
