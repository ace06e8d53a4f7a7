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

    let upstreams: [ForecastUpstream]
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
        for forecasts in upstreams {
            let name = forecasts.upstream.name
            do throws(Upstream.Failure) {
                let document = try await forecasts.fetch(query, request.shaping, with: clients[shard.index])
                let source = DocumentSource(upstream: name, dialect: forecasts.dialect.name, failed: failed)
                return Found(document: document, source: source)
            } catch {
                let problem = Problem(error, from: name)
                log.write(problem, from: name, route: route)
                problems.append(problem)
                failed.append(name)
            }
        }
        throw Problem.mostTelling(of: problems)
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
