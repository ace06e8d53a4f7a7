import Contracts
import EventLoop
import HTTPClient
import HTTPCore
import JSONText
import LenientCoding

/// An upstream of one kind of document.
protocol DocumentUpstream: Sendable {
    associatedtype Request: Sendable

    var upstream: Upstream { get }

    /// Whether the upstream can have what is requested; otherwise it is not asked.
    func canAnswer(_ request: Request) -> Bool

    /// Returns the time that a request needs if that is more than the usual deadline allows; nil for that one.
    func deadline(for request: Request) -> Duration?

    /// Returns the problem of a request that none of `upstreams` can answer, or nil.
    static func refusal(of request: Request, by upstreams: [Self]) -> Problem?

    /// Fetches and normalizes the requested document.
    nonisolated(nonsending) func fetch(
        _ request: Request, in context: FetchContext
    ) async throws(Upstream.Failure) -> Normalized
}

extension DocumentUpstream {
    func canAnswer(_ request: Request) -> Bool { true }

    func deadline(for request: Request) -> Duration? { nil }

    static func refusal(of request: Request, by upstreams: [Self]) -> Problem? { nil }
}

struct FoundDocument: Sendable {
    let document: Normalized
    let source: DocumentSource

    /// Returns the response with the document as its body, or with its explanation.
    func response(isExplained: Bool = false) -> Response {
        var headers = [("Content-Type", "application/json")]
        if !document.drift.isEmpty { headers.append(("Weir-Drift", document.drift.summary)) }
        return Response(headers: headers, body: isExplained ? document.explained(source: source) : document.body)
    }
}

/// The upstreams of one kind of document, tried in order until one answers or the time is over.
struct FailoverChain<Source: DocumentUpstream>: Sendable {
    let upstreams: [Source]
    /// One client per shard.
    let clients: [Client]
    /// The time for one request, however many upstreams are tried.
    let deadline: Duration
    /// Whether the log names the tries of every request, or only those of a request with a try that failed.
    let logsEveryRequest: Bool
    let log: Log

    /// Returns the requested document; `route` is named in the log.
    /// - Throws: The most informative of the upstreams' problems if all of them fail, 504 if the time is over.
    // Not sending, as what it calls: the task stays on its shard, and looking for the executor takes time.
    nonisolated(nonsending) func find(
        _ request: Source.Request, route: String, for call: Route.Call
    ) async throws(Problem) -> FoundDocument {
        let able = upstreams.filter { $0.canAnswer(request) }
        if able.isEmpty, let refusal = Source.refusal(of: request, by: upstreams) { throw refusal }
        let longest = able.compactMap { $0.deadline(for: request) }.max() ?? .zero
        let deadline = FetchDeadline(end: .now + max(deadline, longest))
        let traceparent = Traceparent.read(call.request.headers)
        let tries = Tries()
        defer { write(tries.all, of: route) }
        var problems: [Problem] = []
        for (index, source) in able.enumerated() {
            let left = able.count - index
            let context = FetchContext(
                client: clients[call.shard.index], shard: call.shard, end: deadline.shareEnd(forFirstOf: left),
                isLast: left == 1, traceparent: traceparent, tries: tries)
            let name = source.upstream.name
            do throws(Upstream.Failure) {
                let document = try await source.fetch(request, in: context)
                let failed = problems.compactMap(\.upstream?.name)
                return FoundDocument(
                    document: document,
                    source: DocumentSource(upstream: name, dialect: source.upstream.dialect, failed: failed))
            } catch {
                let problem = Problem(error, from: name)
                // The client has gone, or the service stops: that says nothing about the upstream.
                if Task.isCancelled || error.isCancellation { throw problem }
                problems.append(problem)
                if !error.isLoggedElsewhere { log(problem, of: name, route) }
                if deadline.hasPassed() { throw Problem.deadlinePassed(after: problem) }
            }
        }
        throw Problem.mostInformative(of: problems)
    }

    private func log(_ problem: Problem, of upstream: String, _ route: String) {
        let status = "\(problem.status.code)"
        log.write(
            .warning, "upstream failed",
            ["route": route, "upstream": upstream, "status": status, "detail": problem.detail])
    }

    private func write(_ tries: [Try], of route: String) {
        guard logsEveryRequest || tries.contains(where: { !$0.isSuccess }) else { return }
        log.write(.info, "fetched", ["route": route], [.init("tries", .array(tries.map(\.json)))])
    }
}
