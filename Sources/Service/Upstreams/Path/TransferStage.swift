import Configuration
import EventLoop
package import HTTPClient
import HTTPCore
import Telemetry
import Synchronization

/// Takes the request from the quota, sends it, receives the response, and notes what the response says about the limits.
struct TransferStage: FetchStage {
    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument {
        var fetch = fetch
        let start = fetch.context.now
        try await takeQuota(fetch)
        fetch.attempt.change { $0.isAdmitted = true }
        if !fetch.attempt.isExtra { fetch.state.retries.withLock { $0.noteRequest() } }
        fetch.sent = fetch.context.clock.seconds
        fetch.state.noteUse(at: start)
        let response: IncomingResponse
        do throws(FetchFailure) {
            response = try await transfer(fetch)
        } catch {
            throw fetch.reservation?.isRefused == true ? .tooManyBodies : error
        }
        fetch.attempt.change { record in
            (record.bytes, record.isReused, record.status) = (response.body.count, response.isReused, response.status)
        }
        note(response, of: fetch, since: start)
        fetch.response = response
        return try await next(fetch)
    }

    nonisolated(nonsending) private func transfer(_ fetch: Fetch) async throws(FetchFailure) -> IncomingResponse {
        let (upstream, context, attempt) = (fetch.upstream, fetch.context, fetch.attempt)
        let credentials = attempt.record.access?.credentials ?? .none
        var outgoing = Authorization.request(
            for: fetch.order.target, at: upstream.baseURL, with: credentials, now: context.clock.seconds)
        outgoing.headers += fetch.order.content.headers.map { ($0.name, Secret($0.value)) }
        outgoing.content = fetch.order.content.body.map { Secret(String(decoding: $0, as: UTF8.self)) }
        if upstream.forwardsTraceparent, let trace = context.trace {
            outgoing.headers.append(("traceparent", Secret(trace.traceparent)))
        }
        let start = context.now
        upstream.transfers.apply(to: &outgoing)
        (outgoing.deadline, outgoing.validators) = (fetch.end - start, fetch.validators)
        let reservation = fetch.reservation
        outgoing.reserveBody = { reservation?.grow(to: $0) ?? true }
        outgoing.count(in: attempt)
        defer { noteFurther(fetch) }
        do {
            let response = try await context.client.fetch(outgoing)
            note(context.now - start, TransferDurations.Ending(status: response.status), of: fetch)
            return response
        } catch {
            if error != .cancelled { note(context.now - start, TransferDurations.Ending(error), of: fetch) }
            throw .transfer(error)
        }
    }

    private func note(_ duration: Duration, _ ending: TransferDurations.Ending, of fetch: Fetch) {
        fetch.state.noteTransfer(duration)
        fetch.kindState.noteTransfer(duration, ending)
    }

    /// Counts a request that is about to be sent.
    nonisolated(nonsending) private func takeQuota(_ fetch: Fetch) async throws(FetchFailure) {
        switch await fetch.state.quotas.take(fetch.kind, in: fetch.context) {
        case .admitted(let exhausted):
            fetch.upstream.log.exhausted(exhausted, fetch.kind)
            fetch.upstream.log.nearlyExhausted(fetch.state.quotas.takeWarnings())
        case .refused(let quota): throw .spent(quota)
        }
    }

    /// Counts the requests that the client has sent beyond the one that was counted before; redirects are no retries.
    private func noteFurther(_ fetch: Fetch) {
        let record = fetch.attempt.record
        guard record.sent > 1 else { return }
        fetch.state.retries.withLock { $0.noteRetries(record.repetitions) }
        let exhausted = fetch.state.quotas.add(
            record.sent - 1, fetch.kind, for: fetch.context.purpose, wallClock: fetch.context.clock.seconds)
        fetch.upstream.log.exhausted(exhausted, fetch.kind)
        fetch.upstream.log.nearlyExhausted(fetch.state.quotas.takeWarnings())
    }

    private func note(_ response: IncomingResponse, of fetch: Fetch, since start: MonotonicTime) {
        let (state, context) = (fetch.state, fetch.context)
        if response.isFromSuspect, state.mayReportSurplus(now: context.now) { fetch.upstream.log.surplus() }
        fetch.kindState.noteBody(response.body.count)
        let limit = RateLimit(response.headers, now: context.clock.seconds)
        fetch.kindState.reported.note(limit, since: start, at: context.now)
        fetch.suspend(limit, limit.pause(after: response.status), isOutage: response.status == 503)
    }
}

extension Fetch {
    /// Makes no request of this kind for `seconds`, if any.
    func suspend(_ limit: RateLimit, _ seconds: Int?, isOutage: Bool) {
        guard let pause = seconds.map(limit.limited) else { return }
        // Clients and the log read this number, which an upstream can choose: it could be a key of digits.
        let scrubber = attempt.record.access?.scrubber
        let requests = limit.limit.flatMap { scrubber?.scrubbed("\($0)") == "\($0)" ? $0 : nil }
        let cause: SpentQuota.Cause = isOutage ? .outage : limit.demandsPauseAlone ? .rateLimit : .quota
        let quota = state.quotas.note(limit: requests, seconds: pause, cause: cause, of: kind, now: context.now)
        upstream.log.exhausted(quota, kind)
    }
}

extension OutgoingRequest {
    /// Lets the client count the requests that it sends in `attempt`.
    package mutating func count(in attempt: Attempt) {
        noteSent = { attempt.change { $0.sent += 1 } }
        noteFailure = { bytes, isReused in attempt.change { ($0.bytes, $0.isReused) = (bytes, isReused) } }
        noteRedirect = { attempt.change { $0.redirects += 1 } }
    }
}

/// What all requests to an upstream have in common: how to connect, and the limits of an answer.
struct TransferSettings: Sendable {
    private let template: OutgoingRequest

    init(_ configuration: UpstreamConfiguration, _ policy: ConnectionPolicy) {
        var template = OutgoingRequest(url: Secret(""))
        template.policy = policy
        template.redirects = configuration.redirectPolicy
        template.connectTimeout = .milliseconds(configuration.connectTimeoutMilliseconds)
        template.firstByteTimeout = configuration.firstByteTimeoutMilliseconds.map { .milliseconds($0) }
        template.minimumRate = configuration.minimumBytesPerSecond
        template.maximumHeadBytes = configuration.maximumHeadBytes
        template.maximumFields = configuration.maximumHeadFields
        template.maximumBodyBytes = configuration.maximumBytes
        template.headers = (configuration.headers ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, Secret($0.value)) }
        self.template = template
    }

    /// Gives `request`, of which only the URL and the fields are set, these settings.
    func apply(to request: inout OutgoingRequest) {
        let (url, headers, sign, content) = (request.url, request.headers, request.sign, request.content)
        request = template
        // A field of the request takes the place of the upstream's.
        request.headers.removeAll { name, _ in headers.contains { $0.name.lowercased() == name.lowercased() } }
        request.headers += headers
        (request.url, request.sign, request.content) = (url, sign, content)
    }
}
