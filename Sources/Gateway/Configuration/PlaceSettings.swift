import Contracts

// What WeatherKit must be told: where its places are, and who asks.
extension UpstreamConfiguration {
    private static let weatherKit = "weatherKit"

    /// Calls `note` with the path below the upstream and the detail of each fault.
    func checkPlace(_ note: (_ path: String, _ detail: String) -> Void) {
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
            note(".jwt.id", "is missing: WeatherKit takes TEAM.SERVICE, here \"\(jwt.issuer).\(jwt.subject)\"")
        }
    }
}
