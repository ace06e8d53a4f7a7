import Contracts
import HTTPCore

/// `GET /weather?lat=&lon=`: the forecast for a place.
struct WeatherRoute: Sendable {
    static let path = "/weather"
    static let example = "/weather?lat=37.8267&lon=-122.4233"

    let chain: FailoverChain<ForecastUpstream>
    /// The units for clients that ask for none.
    let units: Shaping.Units

    var route: Route {
        Route(Self.path) { call throws(Problem) in
            try WeatherRequest(weather: call.request.target.query, units: units)
        } respond: { request, call throws(Problem) in
            try await chain.find(request, route: Self.path, on: call.shard).response(isExplained: request.isExplained)
        }
    }
}
