import Contracts
import HTTPCore
import HTTPServer
import LenientCoding

/// `GET /weather?lat=&lon=`: the forecast of a place from the first upstream that has it.
struct WeatherRoute: Sendable {
    static let path = "/weather"
    static let example = "/weather?lat=37.8267&lon=-122.4233"

    let source: UpstreamOrder<ForecastUpstream>
    /// The units of clients that ask for none.
    let units: Shaping.Units

    var route: Route {
        Route(Self.path) { call in
            do throws(Problem) {
                let request = try WeatherRequest(weather: call.request.target.query, units: units)
                return .later { await answer(request, call) }
            } catch {
                return .now(error.response)
            }
        }
    }

    private func answer(_ request: WeatherRequest, _ call: Route.Call) async -> Response {
        do throws(Problem) {
            let found = try await source.find(request, route: Self.path, on: call.shard)
            let document = found.document
            return Response(
                headers: Self.headers(document),
                body: request.isExplained ? document.explained(source: found.source) : document.body)
        } catch {
            return error.response
        }
    }

    /// What is said of every document.
    static func headers(_ document: Normalized) -> [(name: String, value: String)] {
        let type = [("Content-Type", "application/json")]
        return document.drift.isEmpty ? type : type + [("Weir-Drift", document.drift.summary)]
    }
}
