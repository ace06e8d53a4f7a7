import API
import HTTPCore
import JSONText
import Records

extension ForecastDialect {
    /// Dark Sky v2, shut down in 2023 and still served by others:
    /// `/forecast/{key}/{latitude},{longitude}[,{time}]?units=&lang=&extend=hourly`.
    ///
    /// Requests never exclude a block; `Shaping` removes the ones that a client excludes. Errors are
    /// `{"code":400,"error":"…"}` or plain text.
    public static let darkSky = ForecastDialect(
        name: "darkSky",
        keyLocation: .path,
        limitedHosts: [],
        sites: [:],
        coverage: { _, _ in Int64.min...Int64.max },
        target: { query, _, _ in
            // `uk2` replaced Dark Sky's older `uk`.
            let units = query.units == .uk ? UnitSystem.uk2 : query.units
            return query.darkSkyTarget(key: "{key}", units: units.rawValue)
        },
        read: { node, _, defaults, forecast throws(ContractError) in
            try forecast.read(darkSky: node, defaults)
        },
        upstreamError: { $0["error"]?.string },
        expected: ExpectedField.darkSky, blocks: ExpectedBlock.darkSky)
}

extension Forecast {
    /// Reads a document in the units that its flags name, or else in those that were requested, or else in Dark Sky's
    /// default `us`; the flags then name them.
    ///
    /// `uk` of Pirate Weather is Dark Sky's `uk2`.
    mutating func read(
        darkSky node: JSONNode, _ defaults: AnswerDefaults, ukIsUK2: Bool = false
    ) throws(ContractError) -> DriftReport {
        let named = Self.unitSystem(of: node)
        let requested: UnitSystem? =
            switch defaults.units {
            case .system(.uk): .uk2
            case .system(let system): system
            case .automatic: node["timezone"]?.string.map(UnitSystem.init(inTimeZone:))
            case nil: nil
            }
        let assumed = requested ?? .us
        let units = named ?? assumed
        var drift: DriftReport
        (self, drift) = try Self.read(node, in: (ukIsUK2 && units == .uk ? .uk2 : units).units)
        if named == nil {
            flags = flags ?? Flags()
            flags?.units = .known(assumed)
            drift.note(.approximated, .unknownUnit, [0], "flags.units")
        }
        return drift
    }
}

extension ForecastQuery {
    /// Returns Dark Sky's path and query, with `units` as the upstream spells them; `writeTime` spells some times.
    func darkSkyTarget(key: String, units: String, writeTime: ((Int64) -> String?)? = nil) -> String {
        let (latitude, longitude) = coordinates
        var target = "/forecast/\(key)/\(latitude),\(longitude)"
        switch time {
        case .unix(let seconds): target += "," + (writeTime?(seconds) ?? "\(seconds)")
        case .local(let text): target += "," + PercentCoding.encode(text)
        case nil: break
        }
        target += "?units=\(units)"
        if let language { target += "&lang=" + PercentCoding.encode(language) }
        if extendsHourly { target += "&extend=hourly" }
        return target
    }
}
