import JSONText
import LenientCoding

extension Dialect {
    /// Pirate Weather, which took Dark Sky's place: its path, with the key in the header `apikey`.
    ///
    /// Where the key stood there must be some text, which is not looked at. Version 2 adds fields of its own; the
    /// parts that it sends only when asked are asked for. What others call uk2 is `uk` here, and leaves as uk2.
    /// Errors are `{"detail":"…"}`, `{"message":"…"}` or HTML.
    /// The source of all this is https://github.com/Pirate-Weather/pirateweather/blob/main/docs/API.md.
    public static let pirateWeather = Dialect(
        name: "pirateWeather",
        keyPlace: .header("apikey"),
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
