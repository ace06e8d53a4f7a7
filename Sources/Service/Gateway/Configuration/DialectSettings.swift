import Settings
import API
import Contracts

extension UpstreamConfiguration {
    /// Notes the faults of the settings of single dialects.
    func checkDialectSettings(_ note: SettingNotes<Self>) {
        let settings: [(KeyPath<Self, String?>, dialects: [ForecastDialect])] = [
            (\.historyURL, ForecastDialect.all.filter { $0.sites[.history] != nil }),
            (\.archiveURL, ForecastDialect.all.filter { $0.sites[.archive] != nil }),
            (\.model, [.openMeteo]), (\.timeZone, [.weatherKit]), (\.countryCode, [.weatherKit]),
        ]
        for (setting, dialects) in settings where self[keyPath: setting] != nil {
            let names = dialects.map(\.name)
            if let dialect, names.contains(dialect) { continue }
            note(setting, "must be left out, unless dialect is \(names.joined(separator: " or "))")
        }
        if dialect == ForecastDialect.openMeteo.name, let model, model.wholeMatch(of: /[a-z0-9_]{1,64}/) == nil {
            note(\.model, "must be the name of one of Open-Meteo's weather models, such as icon_seamless")
        }
        if dialect == ForecastDialect.weatherKit.name { checkWeatherKit(note) }
    }

    private func checkWeatherKit(_ note: SettingNotes<Self>) {
        if let timeZone, !ForecastQuery.isTimeZone(timeZone) {
            note(\.timeZone, "must be an IANA name that the system knows, such as America/New_York")
        }
        if let countryCode, countryCode.wholeMatch(of: /[A-Z]{2}/) == nil {
            note(\.countryCode, "must be two capital letters (ISO 3166-1), such as US")
        }
        // A sample asks for no token. Faults of `authorization` itself are noted elsewhere.
        if sample != nil || authorization != nil && scheme == nil { return }
        if scheme != .jwt {
            note(
                \.authorization, "must be jwt: WeatherKit takes only tokens that a key of Apple's developer site signs")
        } else if let jwt, jwt.id == nil {
            note(
                \.jwt?.id,
                "is missing: WeatherKit takes TEAM.SERVICE, here \(Quotation.quote("\(jwt.issuer).\(jwt.subject)"))")
        }
    }
}
