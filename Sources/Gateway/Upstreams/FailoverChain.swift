import Contracts
import EventLoop
import HTTPClient
import HTTPCore
import LenientCoding

/// An upstream of one kind of document.
protocol DocumentUpstream: Sendable {
    associatedtype Request: Sendable

    var upstream: Upstream { get }

    /// Fetches and normalizes the requested document.
    func fetch(_ request: Request, with client: Client) async throws(Upstream.Failure) -> Normalized
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

/// The upstreams of one kind of document, tried in order until one answers.
struct FailoverChain<Source: DocumentUpstream>: Sendable {
    let upstreams: [Source]
    /// One client per shard.
    let clients: [Client]
    let log: Log

    /// Returns the requested document; `route` is named in the log.
    /// - Throws: The most informative of the upstreams' problems if all of them fail.
    func find(_ request: Source.Request, route: String, on shard: Shard) async throws(Problem) -> FoundDocument {
        var problems: [Problem] = []
        for source in upstreams {
            let name = source.upstream.name
            do throws(Upstream.Failure) {
                let document = try await source.fetch(request, with: clients[shard.index])
                let failed = problems.compactMap(\.upstream?.name)
                return FoundDocument(
                    document: document,
                    source: DocumentSource(upstream: name, dialect: source.upstream.dialect, failed: failed))
            } catch {
                let problem = Problem(error, from: name)
                problems.append(problem)
                // A spent quota is logged once, when it is noticed.
                if case .spent = error { continue }
                log.write(
                    .warning, "upstream failed",
                    ["route": route, "upstream": name, "status": "\(problem.status.code)", "detail": problem.detail])
            }
        }
        throw Problem.mostInformative(of: problems)
    }
}
