import Contracts
import EventLoop
import HTTPClient
import HTTPCore
import HTTPServer
import LenientCoding

/// `GET /weather?lat=&lon=`: the forecast of a place from the first upstream that has it.
struct WeatherRoute: Sendable {
    static let path = "/weather"
    static let example = "/weather?lat=37.8267&lon=-122.4233"

    let upstreams: [Upstream]
    /// One for each shard, by its index.
    let clients: [Client]
    let log: Log

    var route: Route {
        Route(Self.path) { call in
            var parameters = Parameters(call.request.target.query, known: ["lat", "lon"])
            let latitude = parameters.number("lat", in: -90...90, "degrees")
            let longitude = parameters.number("lon", in: -180...180, "degrees")
            guard let latitude, let longitude, parameters.faults.isEmpty else {
                return .now(Problem.invalidParameters(parameters.faults).response)
            }
            let query = ForecastQuery(latitude: latitude, longitude: longitude)
            let client = clients[call.shard.index]
            return .later { await answer(query, with: client) }
        }
    }

    private func answer(_ query: ForecastQuery, with client: Client) async -> Response {
        var problem: Problem?
        for upstream in upstreams {
            do throws(Upstream.Failure) {
                return response(try await upstream.fetch(query, with: client))
            } catch {
                let failure = Problem(error, from: upstream.name)
                log.write(
                    .warning, "upstream failed",
                    [
                        "route": Self.path, "upstream": upstream.name, "status": "\(failure.status.code)",
                        "detail": failure.detail,
                    ])
                problem = failure
            }
        }
        // The configuration names at least one upstream.
        return (problem ?? Problem.notFound(tryInstead: Self.example)).response
    }

    private func response(_ document: Normalized) -> Response {
        var headers = [("Content-Type", "application/json")]
        if !document.drift.isEmpty { headers.append(("Weir-Drift", document.drift.summary)) }
        return Response(headers: headers, body: document.body)
    }
}
