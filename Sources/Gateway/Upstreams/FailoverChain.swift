import Contracts
import EventLoop
import HTTPClient
import HTTPCore

/// An upstream of one kind of document.
protocol DocumentUpstream: Sendable {
    /// What clients can ask for.
    associatedtype Request: Sendable

    var upstream: Upstream { get }
    var dialectName: String { get }

    /// Fetches what `request` asks for and makes the contract's document of it.
    func fetch(_ request: Request, with client: Client) async throws(Upstream.Failure) -> Normalized
}

/// A document and where it comes from.
struct FoundDocument: Sendable {
    let document: Normalized
    let source: DocumentSource
}

/// The upstreams of one kind of document, asked in their order until one answers.
struct UpstreamOrder<Kind: DocumentUpstream>: Sendable {
    let upstreams: [Kind]
    /// One for each shard, by its index.
    let clients: [Client]
    let log: Log

    /// The document for `request`, which came by `route`.
    /// - Throws: the most telling of the upstreams' problems when none has it.
    func find(_ request: Kind.Request, route: String, on shard: Shard) async throws(Problem) -> FoundDocument {
        var problems: [Problem] = []
        var failed: [String] = []
        for asked in upstreams {
            let name = asked.upstream.name
            do throws(Upstream.Failure) {
                let document = try await asked.fetch(request, with: clients[shard.index])
                let source = DocumentSource(upstream: name, dialect: asked.dialectName, failed: failed)
                return FoundDocument(document: document, source: source)
            } catch {
                let problem = Problem(error, from: name)
                if !error.isKnown { log.write(problem, from: name, route: route) }
                problems.append(problem)
                failed.append(name)
            }
        }
        throw Problem.mostTelling(of: problems)
    }
}
