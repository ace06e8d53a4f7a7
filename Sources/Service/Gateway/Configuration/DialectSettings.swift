import Configuration
import Contracts
import Forecast
import Tweets

/// What the dialect of an upstream decides of its settings.
struct DialectSettings {
    private static let weatherKit = "weatherKit", openMeteo = "openMeteo"

    private let settings: UpstreamConfiguration
    private let forecasts: ForecastDialect?
    private let tweets: TweetDialect?

    init(_ settings: UpstreamConfiguration) {
        self.settings = settings
        (forecasts, tweets) = (ForecastDialect.named(settings.dialect), TweetDialect.named(settings.dialect))
    }

    /// The names of all dialects.
    static var names: [String] { ForecastDialect.all.map(\.name) + TweetDialect.all.map(\.name) }

    /// Where requests of the dialect carry the key, unless `authorization` is set.
    var dialectKeyLocation: KeyLocation { forecasts?.keyLocation ?? tweets?.keyLocation ?? .none }

    /// The names of the parameters that requests of the dialect have without a key.
    var parameterNames: Set<String> { forecasts?.parameterNames ?? tweets?.parameterNames ?? [] }

    /// Whether the dialect takes no request without a key.
    var dialectNeedsKey: Bool { forecasts?.needsKey ?? tweets?.needsKey ?? false }

    /// Whether requests must be authorized.
    var needsKey: Bool { settings.scheme != nil || dialectNeedsKey }

    /// Where requests carry the key.
    var keyLocation: KeyLocation {
        switch settings.scheme {
        case .bearer, .oauth2, .jwt: .bearer
        case .header: .header(settings.keyName ?? "")
        case .query: .query(settings.keyName ?? "")
        case .path: .path
        case .basic: .basic
        case .oauth1, nil: dialectKeyLocation
        }
    }

    /// Calls `note` with the path below the upstream and the detail of each fault.
    func checkPlace(_ note: (_ path: String, _ detail: String) -> Void) {
        let settings = settings
        if let model = settings.model {
            if settings.dialect != Self.openMeteo {
                note(".model", "must be left out, unless dialect is \(Self.openMeteo)")
            } else if model.wholeMatch(of: /[a-z0-9_]{1,64}/) == nil {
                note(".model", "must be the name of one of Open-Meteo's weather models, such as icon_seamless")
            }
        }
        guard settings.dialect == Self.weatherKit else {
            for (name, value) in [("timeZone", settings.timeZone), ("countryCode", settings.countryCode)]
            where value != nil {
                note(".\(name)", "must be left out, unless dialect is \(Self.weatherKit)")
            }
            return
        }
        if let timeZone = settings.timeZone, !ForecastQuery.isTimeZone(timeZone) {
            note(".timeZone", "must be an IANA name that the system knows, such as America/New_York")
        }
        if let countryCode = settings.countryCode, countryCode.wholeMatch(of: /[A-Z]{2}/) == nil {
            note(".countryCode", "must be two capital letters (ISO 3166-1), such as US")
        }
        // A sample asks for no token. Faults of `authorization` itself are noted elsewhere.
        if settings.sample != nil || settings.authorization != nil && settings.scheme == nil { return }
        if settings.scheme != .jwt {
            note(
                ".authorization", "must be jwt: WeatherKit takes only tokens that a key of Apple's developer site signs"
            )
        } else if let jwt = settings.jwt, jwt.id == nil {
            note(
                ".jwt.id",
                "is missing: WeatherKit takes TEAM.SERVICE, here \(Quotation.quote("\(jwt.issuer).\(jwt.subject)"))")
        }
    }
}
