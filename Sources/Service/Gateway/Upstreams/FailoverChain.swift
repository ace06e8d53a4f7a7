import Contracts
import EventLoop
import HTTPClient
import HTTPCore
import JSONText
import LenientCoding
import Telemetry

/// An upstream of one kind of document.
protocol DocumentUpstream: Sendable {
    associatedtype Request: Sendable

    var upstream: Upstream { get }

    /// Whether the upstream can have what is requested at `now`, in unix seconds; otherwise it is not asked.
    func canAnswer(_ request: Request, now: Int64) -> Bool

    /// Returns the time that a request needs if that is more than the usual deadline allows; nil for that one.
    func deadline(for request: Request, now: Int64) -> Duration?

    /// Returns the problem of a request that none of `upstreams` can answer, or nil.
    static func refusal(of request: Request, by upstreams: [Self], now: Int64) -> Problem?

    /// Returns the requested document in the form that the client wants.
    nonisolated(nonsending) func find(
        _ request: Request, _ form: AnswerForm, in context: FetchContext
    ) async throws(Upstream.Failure) -> FetchedDocument
}

extension DocumentUpstream {
    func canAnswer(_ request: Request, now: Int64) -> Bool { true }

    func deadline(for request: Request, now: Int64) -> Duration? { nil }

    static func refusal(of request: Request, by upstreams: [Self], now: Int64) -> Problem? { nil }
}

struct FoundDocument: Sendable {
    let document: FetchedDocument
    let source: DocumentSource

    /// Returns the response with the document as its body, or with its explanation, at `now` in unix seconds.
    func response(now: Int) -> Response {
        let variant = document.variant
        var response = Response(
            headers: variant.headers, body: document.explained?.explained(source: source) ?? variant.body)
        response.note.upstream = source.upstream
        (response.note.repaired, response.note.dropped) = (variant.repaired, variant.dropped)
        document.note(on: &response, now: now)
        return response
    }
}

/// The upstreams of one kind of document, tried in order until one answers or the time is over.
struct FailoverChain<Source: DocumentUpstream>: Sendable {
    let upstreams: [Source]
    /// The time for one request, however many upstreams are tried.
    let deadline: Duration
    /// Whether the log names the tries of every request, or only those of a request with a try that failed.
    let logsEveryRequest: Bool
    let log: Log
    /// The cache of the documents; nil without one.
    var cache: DocumentCache?

    /// Returns the response with the requested document; the log names `route`.
    /// - Throws: The problem of `find`.
    nonisolated(nonsending) func answer(
        _ request: Source.Request, _ form: AnswerForm, to call: Route.Call, route: RouteName
    ) async throws(Problem) -> Response {
        let found = try await find(request, form, for: call, route: route)
        return await found.response(for: call.request.headers, in: cache, now: call.context.clock.seconds)
    }

    /// Returns the requested document; the log names `route`.
    /// - Throws: The most informative of the upstreams' problems if all of them fail, 504 if the time is over.
    // Not sending, as what it calls: the task stays on its shard, and looking for the executor takes time.
    nonisolated(nonsending) func find(
        _ request: Source.Request, _ form: AnswerForm, for call: Route.Call, route: RouteName
    ) async throws(Problem) -> FoundDocument {
        let clock = call.context.clock, now = Int64(clock.seconds)
        let able = upstreams.filter { $0.canAnswer(request, now: now) }
        if able.isEmpty, let refusal = Source.refusal(of: request, by: upstreams, now: now) { throw refusal }
        let longest = able.compactMap { $0.deadline(for: request, now: now) }.max() ?? .zero
        let deadline = FetchDeadline(end: clock.now() + max(deadline, longest))
        let tries = call.tries
        defer { write(tries.all.filter { !$0.isShared }, of: route.template, call.trace) }
        let stale = StaleDocuments()
        var problems: [Problem] = []
        for (index, source) in able.enumerated() {
            let left = able.count - index
            let context = FetchContext(
                client: call.context.client, shard: call.context.shard, clock: clock,
                end: deadline.shareEnd(forFirstOf: left, at: clock.now()), isLast: left == 1,
                trace: call.trace, tries: tries, clientFields: call.request.headers, stale: stale)
            let name = source.upstream.name
            do throws(Upstream.Failure) {
                let document = try await source.find(request, form, in: context)
                // What another upstream has given is asked of the first one again.
                if problems.isEmpty, let cached = document.cached?.document {
                    call.remember(cached, form, countsClient: source.upstream.countsClient)
                }
                return FoundDocument(document: document, source: source.upstream.source(after: problems))
            } catch {
                var problem = Problem(error, from: name)
                problem.cacheNote = context.cacheNote.value
                // The client has gone, or the service stops: that says nothing about the upstream.
                if Task.isCancelled || error.isCancellation { throw problem }
                problems.append(problem)
                // A failure that is remembered was logged when it occurred.
                if !error.isLoggedElsewhere, problem.cacheNote?.isHit != true { log(problem, of: name, route.template) }
                if deadline.hasPassed(at: clock.now()) {
                    problems = [.deadlinePassed(after: problem)]
                    break
                }
            }
        }
        // The first upstream's is the first, even if the time was over before the others were asked.
        if let (document, upstream) = stale.first {
            return FoundDocument(document: document, source: upstream.source(after: problems))
        }
        throw Problem.mostInformative(of: problems)
    }

    private func log(_ problem: Problem, of upstream: String, _ route: String) {
        let status = "\(problem.status.code)"
        log.write(
            .warning, "upstream failed",
            ["route": route, "upstream": upstream, "status": status, "detail": problem.detail])
    }

    private func write(_ tries: [UpstreamTry], of route: String, _ trace: TraceContext?) {
        guard logsEveryRequest || tries.contains(where: { $0.result != "200" }) else { return }
        log.write(.info, "fetched", ["route": route]) { line in
            line.write(raw: #","tries":"#)
            line.write(tries)
            // Named as in the access log, whose line of the request has the same ones.
            if let trace {
                line.write(raw: #","trace_id":"#)
                line.write(trace.traceIDText)
                line.write(raw: #","span_id":"#)
                line.write(trace.spanIDText)
            }
        }
    }
}
