import JSONText
import LenientCoding

extension Dialect {
    /// Pirate Weather, the successor of Dark Sky: the same path, with the key in the header field `apikey`.
    ///
    /// The upstream ignores the path segment that held the key, but it must not be empty. Version 2 adds fields, and
    /// `include` and `extraVars` add the optional ones. Dark Sky's `uk2` is `uk` here. Errors are `{"detail":"…"}`,
    /// `{"message":"…"}` or HTML.
    /// Source: https://github.com/Pirate-Weather/pirateweather/blob/main/docs/API.md.
    public static let pirateWeather = Dialect(
        name: "pirateWeather",
        keyLocation: .header("apikey"),
        target: { query in
            let units = query.units == .uk2 ? UnitSystem.uk : query.units
            return query.darkSkyTarget(key: "apikey", units: units.rawValue)
                + "&version=2&include=day_night_forecast,airqualitydetails&extraVars=stationPressure"
        },
        read: { node, _ throws(ContractError) in
            let units = Forecast.unitSystem(of: node)
            var (forecast, drift) = try Forecast.read(node, in: (units == .uk ? .uk2 : units).units)
            if forecast.flags?.units == .known(.uk) { forecast.flags?.units = .known(.uk2) }
            return (forecast, drift)
        },
        upstreamError: { body in
            ["detail", "message", "error"].lazy.compactMap { body[$0]?.string }.first
        })
}
