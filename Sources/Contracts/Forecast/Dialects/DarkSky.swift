import JSONText
import LenientCoding

extension Dialect {
    /// Dark Sky v2, switched off in 2023 and still spoken by others:
    /// `/forecast/{key}/{latitude},{longitude}[,{time}]?units=&lang=&extend=hourly`.
    ///
    /// It knew the units us, si, ca and uk2. Blocks are never left out: what a client does without is left out later.
    /// Errors are `{"code":400,"error":"…"}` or plain text.
    public static let darkSky = Dialect(
        name: "darkSky",
        keyPlace: .path,
        target: { query in
            // What it called uk at first are the units of no other upstream, and uk2 took their place.
            let units = query.units == .uk ? UnitSystem.uk2 : query.units
            return query.darkSkyTarget(key: "{key}", units: units.rawValue)
        },
        read: { node, _ throws(ContractError) in
            let (forecast, drift) = try Forecast.read(node)
            return (forecast, drift)
        },
        upstreamError: { $0["error"]?.string })
}

extension ForecastQuery {
    /// Dark Sky's path and query, with `key` where its key stands and `units` by the upstream's own name.
    func darkSkyTarget(key: String, units: String) -> String {
        var target = "/forecast/\(key)/\(DecimalText.format(latitude)),\(DecimalText.format(longitude))"
        switch time {
        case .unix(let seconds): target += ",\(seconds)"
        case .local(let text): target += "," + PercentText.encode(text)
        case nil: break
        }
        target += "?units=\(units)"
        if let language { target += "&lang=" + PercentText.encode(language) }
        if extendsHourly { target += "&extend=hourly" }
        return target
    }
}
