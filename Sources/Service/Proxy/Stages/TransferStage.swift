import Settings
import EventLoop
package import HTTPClient
import HTTPCore
import Operations
import Synchronization

/// Sends the request, receives the response, and notes what the response says about the limits.
enum TransferStage {
    static nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        let start = fetch.context.now
        try await QuotaStage.take(fetch)
        fetch.attempt.sent = fetch.context.clock.seconds
        fetch.state.noteUse(at: start)
        let response: IncomingResponse
        do throws(FetchFailure) {
            response = try await transfer(fetch)
        } catch {
            throw fetch.attempt.reservation?.isRefused == true ? .tooManyBodies : error
        }
        fetch.attempt.change { record in
            (record.bytes, record.isReused, record.status) = (response.body.count, response.isReused, response.status)
        }
        note(response, of: fetch, since: start)
        fetch.attempt.response = response
        return try await next(fetch)
    }

    nonisolated(nonsending) private static func transfer(_ fetch: Fetch) async throws(FetchFailure) -> IncomingResponse
    {
        let (context, attempt) = (fetch.context, fetch.attempt)
        let credentials = attempt.record.access?.credentials ?? .none
        var outgoing = Authorization.request(
            for: fetch.request.target, at: fetch.request.address.baseURL, with: credentials, now: context.clock.seconds)
        outgoing.headers += fetch.request.content.headers.map { ($0.name, Secret($0.value)) }
        outgoing.content = fetch.request.content.body.map { Secret(String(decoding: $0, as: UTF8.self)) }
        fetch.request.content.credentials?.add(to: &outgoing)
        if fetch.upstream.forwardsTraceparent, let position = context.position {
            outgoing.headers.append(("traceparent", Secret((attempt.trace ?? position).traceparent)))
            if position.parentID != 0, let state = TraceState.read(context.clientFields) {
                outgoing.headers.append(("tracestate", Secret(state)))
            }
        }
        let start = context.now
        fetch.request.address.transfers.apply(to: &outgoing)
        (outgoing.deadline, outgoing.validators) = (fetch.end - start, fetch.validators)
        let reservation = attempt.reservation
        outgoing.reserveBody = { reservation?.grow(to: $0) ?? true }
        outgoing.count(in: attempt, context)
        attempt.mark(context) { $0.sent = $1 }
        defer {
            attempt.mark(context) { $0.received = $1 }
            QuotaStage.takeFurther(fetch)
        }
        do {
            let response = try await context.client.fetch(outgoing)
            note(context.now - start, TransferDurations.Ending(status: response.status), of: fetch)
            return response
        } catch {
            if error != .cancelled { note(context.now - start, TransferDurations.Ending(error), of: fetch) }
            throw .transfer(error)
        }
    }

    private static func note(_ duration: Duration, _ ending: TransferDurations.Ending, of fetch: Fetch) {
        fetch.state.noteTransfer(duration)
        fetch.kindState.noteTransfer(duration, ending)
    }

    private static func note(_ response: IncomingResponse, of fetch: Fetch, since start: MonotonicTime) {
        let (state, context) = (fetch.state, fetch.context)
        if response.isFromSuspect, state.mayReportSurplus(now: context.now) { fetch.upstream.log.surplus() }
        fetch.kindState.noteBody(response.body.count)
        let seconds = response.headers.clockOffset(sent: fetch.attempt.sent, now: context.clock.seconds)
        if let seconds, let isWrong = state.noteClock(ahead: seconds, at: context.now) {
            fetch.upstream.log.clock(ahead: seconds, isWrong: isWrong)
        }
        let limit = RateLimit(response.headers, now: context.clock.seconds)
        // What the upstream says of a client's own quota concerns no other client.
        if fetch.request.content.credentials == nil {
            fetch.kindState.reported.note(limit, since: start, at: context.now)
        }
        fetch.suspend(limit, limit.pause(after: response.status), isOutage: response.status == 503)
    }
}

extension Fetch {
    /// Makes no request of this kind for `seconds`, if any.
    func suspend(_ limit: RateLimit, _ seconds: Int?, isOutage: Bool) {
        if request.content.credentials != nil, !isOutage { return }
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
    /// Lets the client count the requests that it sends in `attempt`, and note when it has a connection for the first one.
    package mutating func count(in attempt: Attempt, _ context: FetchContext) {
        noteSent = {
            attempt.change { $0.sent += 1 }
            attempt.mark(context) { if $0.connected == 0 { $0.connected = $1 } }
        }
        noteFailure = { bytes, isReused in attempt.change { ($0.bytes, $0.isReused) = (bytes, isReused) } }
        noteRedirect = { attempt.change { $0.redirects += 1 } }
    }
}

/// What all requests to an upstream have in common: how to connect, and the limits of an answer.
struct TransferSettings: Sendable {
    private let template: OutgoingRequest

    /// The fields of the requests, and where they go beside their address: other ones mean other documents.
    let identity: String

    init(_ configuration: UpstreamConfiguration, _ policy: ConnectionPolicy) {
        var template = OutgoingRequest(url: Secret(""))
        template.policy = policy
        template.redirects = configuration.redirectPolicy
        template.connectTimeout = .milliseconds(configuration.connectTimeoutMilliseconds)
        template.maximumBodyBytes = configuration.maximumBytes
        template.headers = (configuration.headers ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, Secret($0.value)) }
        self.template = template
        let fields = template.headers.map { name, value in "\n\(name.lowercased()): \(value.withExposedText(\.self))" }
        identity = fields.joined() + "\n\(configuration.proxy ?? "") \(configuration.redirects)"
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
