import EventLoop
import HTTPClient
import HTTPCore
import Operations
import Synchronization

/// Limits the time of each try, and notes the try for the log, the metrics and the record of the exchange.
enum TryStage {
    static nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        // The client has left: no log line would have the try.
        if Task.isCancelled { throw .transfer(.cancelled) }
        let (tries, kind, attempt) = (fetch.context.trace.tries, fetch.kind.name, fetch.attempt)
        let (name, clock, start) = (fetch.upstream.name, fetch.context.clock, fetch.context.now)
        let describe: @Sendable (String, String?, String?) -> UpstreamTry = { result, url, errorType in
            let record = attempt.record
            return UpstreamTry(
                upstream: name, requests: kind, result: result, milliseconds: (clock.now() - start).wholeMilliseconds,
                bytes: record.bytes, sent: record.sent, isReused: record.isReused, url: url,
                span: attempt.span(of: fetch, record.status, errorType))
        }
        let id = tries.begin { describe("under way", nil, nil) }
        if tries.isTraced { attempt.trace = fetch.context.position?.child(id) }
        attempt.mark(fetch.context) { $0.start = $1 }
        attempt.end = min(fetch.context.end, start + fetch.request.deadline)
        do throws(FetchFailure) {
            let answer = try await next(fetch)
            let failure = answer.document.failure
            let status = attempt.record.status ?? 200
            tries.end(id, describe(failure?.result ?? "\(status)", nil, failure?.label))
            fetch.kindState.noteTry(failure?.label ?? RequestMetrics.label(ofStatus: status))
            return answer
        } catch {
            let scrubber = attempt.record.access?.scrubber ?? fetch.upstream.credentials.current.scrubber
            let url = error.wasForwarded ? fetch.request.address.shownURL(of: fetch.request, scrubber) : nil
            tries.end(id, describe(error.result, url, error.label))
            fetch.kindState.noteTry(error.label)
            throw error
        }
    }
}

/// What one try at an upstream has come to: for the stages around it, such as retries, hedging and the log, and from one
/// stage to the next.
///
/// The client adds what it sends on another thread, and a thread of the pool can read the response.
package final class Attempt: Sendable {
    package struct Record: Sendable {
        /// What authorizes the request.
        package var access: Access?
        /// Whether quota, breaker and queue have admitted it.
        var isAdmitted = false
        /// The requests that were sent: more than one after a repetition or a redirect.
        package var sent = 0
        package var redirects = 0
        /// The bytes of the body; of a body that is not whole, those that have arrived.
        package var bytes = 0
        /// Whether the connection had been used before; nil if no request was sent on one.
        package var isReused: Bool?
        /// The status of the response; nil without one.
        package var status: Int?

        /// Requests that were sent again, because a connection had ended or answered 408.
        var repetitions: Int { max(0, sent - 1 - redirects) }
    }

    /// What the stages of a try hand on.
    private struct Progress {
        var end: MonotonicTime?
        var reservation: BodyReservation?
        var response: IncomingResponse?
        var sent = 0
        var document: ReadDocument?
        var trace: TraceContext?
        var moments = TryMoments()
    }

    /// True for retries and hedged requests, which add nothing to the retry budget.
    let isExtra: Bool
    private let state = Mutex(Record())
    private let progress = Mutex(Progress())

    package init(isExtra: Bool = false) { self.isExtra = isExtra }

    package var record: Record { state.withLock { $0 } }

    package func change(_ body: (inout Record) -> Void) { state.withLock { body(&$0) } }

    /// When the try must end; nil before the try has begun.
    var end: MonotonicTime? {
        get { progress.withLock { $0.end } }
        set { progress.withLock { $0.end = newValue } }
    }

    /// The memory of the body.
    var reservation: BodyReservation? {
        get { progress.withLock { $0.reservation } }
        set { progress.withLock { $0.reservation = newValue } }
    }

    /// The response; without keys when its document has been read.
    var response: IncomingResponse? {
        get { progress.withLock { $0.response } }
        set { progress.withLock { $0.response = newValue } }
    }

    /// When the request was sent, in unix seconds.
    var sent: Int {
        get { progress.withLock { $0.sent } }
        set { progress.withLock { $0.sent = newValue } }
    }

    /// The place of the try in the trace; nil without traces.
    var trace: TraceContext? {
        get { progress.withLock { $0.trace } }
        set { progress.withLock { $0.trace = newValue } }
    }

    /// Notes a moment of a try with a span.
    func mark(_ context: FetchContext, _ note: (inout TryMoments, UInt64) -> Void) {
        guard context.trace.tries.isTraced else { return }
        let now = context.now.nanoseconds
        progress.withLock { note(&$0.moments, now) }
    }

    /// Returns the span of the try, which ends now; nil without traces.
    fileprivate func span(of fetch: Fetch, _ status: Int?, _ errorType: String?) -> TrySpan? {
        guard let trace else { return nil }
        mark(fetch.context) { $0.end = $1 }
        let address = fetch.request.address
        return TrySpan(
            trace, method: fetch.request.content.body == nil ? "GET" : "POST", host: address.name, port: address.port,
            progress.withLock { $0.moments }, status: status, errorType: errorType)
    }

    /// The document in the response.
    var document: ReadDocument? {
        get { progress.withLock { $0.document } }
        set { progress.withLock { $0.document = newValue } }
    }
}
