import API
import Contracts
import HTTPCore
import JSONText
import Proxy
import Records
import Settings

extension Record {
    /// Notes the sources of keys that are malformed.
    func check(
        _ sources: [(setting: KeyPath<Self, KeyConfiguration?>, key: KeyConfiguration?)], _ note: SettingNotes<Self>
    ) {
        for (setting, key) in sources {
            key?.check(note[setting])
        }
    }
}

extension KeyConfiguration {
    /// Notes the faults of a source.
    func check(_ note: SettingNotes<Self>) {
        if (environment == nil) == (file == nil) { note(\.self, "must have either environment or file") }
        if let fault = pathFault(file) { note(\.file, fault) }
        // The text is not quoted, because the text could be the key itself.
        if let environment, environment.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil {
            note(\.environment, "must be the name of a variable: letters, digits and _, no digit first")
        }
    }
}

extension UpstreamConfiguration {
    /// Notes the faults of the settings.
    func check(_ note: SettingNotes<Self>) {
        if name.isEmpty { note(\.name, "must not be empty") }
        if dialect == nil || knownDialect != nil { checkAuthorization(note) }
        checkConnection(note)
        if let fault = probeFault { note(\.probePath, fault) }
        checkDialectSettings(note)
        check(addresses: [\.historyURL, \.archiveURL], note)
        switch (baseURL, sample) {
        case (nil, nil): note(\.self, "must have a baseURL, or a sample to be served instead")
        case (_?, _?): note(\.self, "must have a baseURL or a sample, not both")
        case (_?, nil): check(addresses: [\.baseURL], note)
        case (nil, let folder?):
            if let fault = folder.isEmpty ? "must not be empty" : pathFault(folder) { note(\.sample, fault) }
        }
        check(keySources.map { ($0.setting, $0.value) }, note)
    }

    /// Notes those of the settings that are no addresses.
    private func check(addresses settings: [KeyPath<Self, String?>], _ note: SettingNotes<Self>) {
        for (setting, url) in values(of: settings) {
            do throws(BaseURL.Fault) { _ = try BaseURL(url) } catch { note(setting, error.detail) }
        }
    }

    private func checkAuthorization(_ note: SettingNotes<Self>) {
        let schemes = AuthorizationScheme.allCases.filter { $0.isAvailable(to: knownDialect) }.map(\.rawValue)
        // It is not quoted, because it could be the key itself.
        if let authorization, let detail = choiceFault(authorization, among: schemes, quotes: false) {
            return note(\.authorization, detail)
        }
        checkKeyName(note)
        if key != nil, keyLocation == .none {
            note(\.key, "must be left out, unless authorization is set: requests of \(dialect ?? "JSON") carry no key")
        }
        checkKeyHosts(note)
        if let scheme, [.oauth1, .oauth2, .jwt].contains(scheme), key != nil {
            note(\.key, "must be left out: the keys of \(scheme) are in \(scheme)")
        }
        let others: [(AuthorizationScheme, setting: PartialKeyPath<Self>, isSet: Bool)] = [
            (.oauth1, \.oauth1, oauth1 != nil), (.oauth2, \.oauth2, oauth2 != nil), (.jwt, \.jwt, jwt != nil),
        ]
        for (other, setting, isSet) in others where isSet && scheme != other {
            note(setting, "must be left out, unless authorization is \(other)")
        }
        check(addresses: [\.oauth2?.tokenURL], note)
        // RFC 6749 §3.3.
        if let scope = oauth2?.scope, scope.wholeMatch(of: /[!#-\[\]-~]+(?: [!#-\[\]-~]+)*/) == nil {
            note(\.oauth2?.scope, "must be words of visible ASCII without \" and \\, with a space between them")
        }
        for (setting, text) in values(of: [\.jwt?.keyID, \.jwt?.issuer, \.jwt?.subject]) where text.isEmpty {
            note(setting, "must not be empty")
        }
    }

    private func checkKeyName(_ note: SettingNotes<Self>) {
        guard let scheme, scheme.takesName else {
            if keyName != nil { note(\.keyName, "must be left out, unless authorization is header or query") }
            return
        }
        guard let keyName else {
            return note(\.keyName, "is missing: it takes the name of the header field or of the parameter")
        }
        if !scheme.accepts(name: keyName, beside: knownDialect?.parameterNames ?? []) {
            note(\.keyName, "must be a name of letters, digits, - and _ that has no other use in requests")
        }
    }

    /// Notes the addresses that take no key, if there is one.
    private func checkKeyHosts(_ note: SettingNotes<Self>) {
        guard !keySources.isEmpty, let dialect = knownDialect else { return }
        for (setting, url) in values(of: [\.baseURL, \.historyURL, \.archiveURL]) {
            guard let host = (try? BaseURL(url))?.host, let other = dialect.hostForKey(insteadOf: host)
            else { continue }
            note(setting, "must name \(other), because there is a key, which \(host) does not take")
        }
    }

    /// Notes the faults of the settings of single dialects.
    private func checkDialectSettings(_ note: SettingNotes<Self>) {
        let settings: [(KeyPath<Self, String?>, dialects: [ForecastDialect])] = [
            (\.historyURL, ForecastDialect.all.filter { $0.sites[.history] != nil }),
            (\.archiveURL, ForecastDialect.all.filter { $0.sites[.archive] != nil }),
            (\.model, [.openMeteo]), (\.timeZone, [.weatherKit]), (\.countryCode, [.weatherKit]),
        ]
        for (setting, dialects) in settings where self[keyPath: setting] != nil {
            let names = dialects.map(\.name)
            if let dialect, names.contains(dialect) { continue }
            if mapping is ForecastMapping, ![\Self.historyURL, \.archiveURL].contains(setting) { continue }
            note(setting, "must be left out, unless dialect is \(names.joined(separator: " or "))")
        }
        if dialect == ForecastDialect.openMeteo.name, let model, model.wholeMatch(of: /[a-z0-9_]{1,64}/) == nil {
            note(\.model, "must be the name of one of Open-Meteo's weather models, such as icon_seamless")
        }
        for (name, meaning) in (mapping?.headers ?? [:]).sorted(by: { $0.key < $1.key })
        where sample == nil && !(headers ?? [:]).keys.contains(where: { $0.lowercased() == name.lowercased() }) {
            note(\.headers, "must have \(name): \(meaning)")
        }
        if dialect == ForecastDialect.weatherKit.name { checkWeatherKit(note) }
        if let timeZone, !ForecastQuery.isTimeZone(timeZone) {
            note(\.timeZone, "must be an IANA name that the system knows, such as America/New_York")
        }
        if let countryCode, countryCode.wholeMatch(of: /[A-Z]{2}/) == nil {
            note(\.countryCode, "must be two capital letters (ISO 3166-1), such as US")
        }
    }

    private func checkWeatherKit(_ note: SettingNotes<Self>) {
        // A sample asks for no token. Faults of `authorization` itself are noted elsewhere.
        if sample != nil || authorization != nil && scheme == nil { return }
        if scheme != .jwt {
            note(
                \.authorization, "must be jwt: WeatherKit takes only tokens that a key of Apple's developer site signs")
        }
    }
}
