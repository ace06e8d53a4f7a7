import Contracts
import EventLoop
import HTTPClient
import HTTPCore

/// The upstreams of tweets, asked in their order until one answers.
struct TweetSource: Sendable {
    /// A document and where it comes from.
    struct Found: Sendable {
        let document: Normalized
        let source: DocumentSource
    }

    let upstreams: [TweetUpstream]
    /// One for each shard, by its index.
    let clients: [Client]
    let log: Log

    /// The document for `request`, which came by `route`.
    /// - Throws: the most telling of the upstreams' problems when none has it.
    func find(_ request: TweetRequest, route: String, on shard: Shard) async throws(Problem) -> Found {
        var problems: [Problem] = []
        var failed: [String] = []
        for tweets in upstreams {
            let name = tweets.upstream.name
            do throws(Upstream.Failure) {
                let found = try await tweets.fetch(request.query, request.shaping, with: clients[shard.index])
                let source = DocumentSource(upstream: name, dialect: tweets.dialect.name, failed: failed)
                return Found(document: found, source: source)
            } catch {
                let problem = Problem(error, from: name)
                log.write(problem, from: name, route: route)
                problems.append(problem)
                failed.append(name)
            }
        }
        throw Problem.mostTelling(of: problems)
    }
}
