import Contracts
import EventLoop
import HTTPClient
import HTTPCore
import HTTPServer
import LenientCoding

/// The upstreams of forecasts, asked in their order until one answers.
struct ForecastSource: Sendable {
    /// A document and where it comes from.
    struct Found: Sendable {
        let document: Normalized
        let source: DocumentSource
    }

    let upstreams: [Upstream]
    /// One for each shard, by its index.
    let clients: [Client]
    let log: Log
    /// To how many decimals of a degree upstreams are asked.
    let coordinateDigits: Int

    /// The document for `request`, which came by `route`.
    /// - Throws: the most telling of the upstreams' problems when none has it.
    func find(_ request: WeatherRequest, route: String, on shard: Shard) async throws(Problem) -> Found {
        var problems: [Problem] = []
        var failed: [String] = []
        let query = rounded(request.query)
        for upstream in upstreams {
            do throws(Upstream.Failure) {
                let document = try await upstream.fetch(query, request.shaping, with: clients[shard.index])
                let source = DocumentSource(
                    upstream: upstream.name, dialect: upstream.dialect.name, failed: failed)
                return Found(document: document, source: source)
            } catch {
                let problem = Problem(error, from: upstream.name)
                write(problem, from: upstream.name, route)
                problems.append(problem)
                failed.append(upstream.name)
            }
        }
        throw Problem.mostTelling(of: problems)
    }

    private func write(_ problem: Problem, from upstream: String, _ route: String) {
        log.write(
            .warning, "upstream failed",
            [
                "route": route, "upstream": upstream, "status": "\(problem.status.code)", "detail": problem.detail,
            ])
    }

    /// The query with its place rounded, so that neighbours share an answer.
    private func rounded(_ query: ForecastQuery) -> ForecastQuery {
        let scale = (0..<coordinateDigits).reduce(1.0) { scale, _ in scale * 10 }
        var query = query
        // Adding zero makes 0 of -0.
        query.latitude = (query.latitude * scale).rounded() / scale + 0
        query.longitude = (query.longitude * scale).rounded() / scale + 0
        return query
    }
}

extension Problem {
    /// Which problem a client gets when every upstream failed, the more telling first: an answer that has a meaning of
    /// its own says more than one that is wrong, that more than none in time, and that more than nobody there.
    private static let telling: [Kind] = [
        .upstreamNotFound, .upstreamRateLimit, .upstreamFailed, .upstreamTooSlow, .upstreamUnavailable,
    ]

    /// The most telling of `problems`, which came from upstreams, and the first among equals.
    static func mostTelling(of problems: [Problem]) -> Problem {
        let ranked = telling.lazy.compactMap { kind in problems.first { $0.kind == kind } }
        return ranked.first
            ?? Problem(kind: .upstreamUnavailable, status: .serviceUnavailable, detail: "There is no upstream.")
    }
}
