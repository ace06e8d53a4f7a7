import Contracts

// What some upstreams must be told: WeatherKit where its places are and who asks, Open-Meteo which model to take.
extension UpstreamConfiguration {
    private static let weatherKit = "weatherKit", openMeteo = "openMeteo"

    /// Calls `note` with the path below the upstream and the detail of each fault.
    func checkPlace(_ note: (_ path: String, _ detail: String) -> Void) {
        if let model {
            if dialect != Self.openMeteo {
                note(".model", "must be left out, unless dialect is \(Self.openMeteo)")
            } else if model.wholeMatch(of: /[a-z0-9_]{1,64}/) == nil {
                note(".model", "must be the name of one of Open-Meteo's weather models, such as icon_seamless")
            }
        }
        guard dialect == Self.weatherKit else {
            for (name, value) in [("timeZone", timeZone), ("countryCode", countryCode)] where value != nil {
                note(".\(name)", "must be left out, unless dialect is \(Self.weatherKit)")
            }
            return
        }
        if let timeZone, !ForecastQuery.isTimeZone(timeZone) {
            note(".timeZone", "must be an IANA name that the system knows, such as America/New_York")
        }
        if let countryCode, countryCode.wholeMatch(of: /[A-Z]{2}/) == nil {
            note(".countryCode", "must be two capital letters (ISO 3166-1), such as US")
        }
        // A sample asks for no token. Faults of `authorization` itself are noted elsewhere.
        if sample != nil || authorization != nil && scheme == nil { return }
        if scheme != .jwt {
            note(
                ".authorization", "must be jwt: WeatherKit takes only tokens that a key of Apple's developer site signs"
            )
        } else if let jwt, jwt.id == nil {
            note(
                ".jwt.id",
                "is missing: WeatherKit takes TEAM.SERVICE, here \(Parameters.quote("\(jwt.issuer).\(jwt.subject)"))")
        }
    }
}
