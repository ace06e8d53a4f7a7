import API
import Contracts
import HTTPCore
import JSONText
import Proxy
import Records
import Settings

/// A mapping of an API of weather, compiled: a dialect, and the plans of its requests.
struct ForecastMapping: CompiledMapping {
    let text: String
    let headers: [String: String]
    let forecast: ForecastDialect, past: ForecastDialect?
    let plan: MappingPlan, planOfPast: MappingPlan?
    private let futureDays: Int
    /// The most decimals of coordinates.
    let coordinateDigits: Int?

    var dialect: any Dialect { forecast }

    /// Compiles a mapping called `name`; nil with a fault.
    init?(_ name: String, _ settings: MappingConfiguration, _ note: SettingNotes<MappingConfiguration>) {
        func plan(_ setting: KeyPath<MappingConfiguration, MappedRequestConfiguration?>) -> MappingPlan? {
            guard var request = settings[keyPath: setting] else { return nil }
            request.answer = request.answer ?? settings.forecast?.answer
            return MappingPlan(
                request, names: MappedValues.names, error: settings.error, schema: MappedForecast.schema, note[setting])
        }
        let ofTweets: [(PartialKeyPath<MappingConfiguration>, isSet: Bool)] = [
            (\.status, settings.status != nil), (\.timeline, settings.timeline != nil),
            (\.search, settings.search != nil), (\.indices, settings.indices != nil), (\.ids, settings.ids != nil),
        ]
        for (setting, isSet) in ofTweets where isSet { note(setting, "must be left out: the contract is forecast") }
        for request in [settings.forecast, settings.past] where request?.next != nil {
            note(\.forecast?.next, "must be left out: a forecast has no pages")
        }
        if settings.forecast == nil { note(\.forecast, "is missing: it takes a request and an answer") }
        if settings.past == nil, settings.covers?.pastDays ?? 0 > 0 { note(\.past, "is missing: covers has past days") }
        let own = plan(\.forecast)
        // Without an answer of its own, it has the faults of that one.
        let past = own == nil && settings.past?.answer == nil ? nil : plan(\.past)
        guard let own, (settings.past == nil) == (past == nil) else { return nil }
        (self.plan, planOfPast) = (own, past)
        text = String(decoding: settings.json?.text ?? [], as: UTF8.self)
        headers = settings.headers ?? [:]
        coordinateDigits = settings.coordinateDigits
        let futureDays = settings.covers?.futureDays ?? 14
        self.futureDays = futureDays
        var source = MappedSource(name: name)
        (source.attribution, source.about) = (settings.attribution, settings.about)
        let covers =
            past == nil
            ? nil : (pastDays: settings.covers?.pastDays ?? 36_500, futureDays: settings.covers?.futureDays ?? 14)
        func made(_ plan: MappingPlan) -> ForecastDialect {
            ForecastDialect(
                mapped: name, keyLocation: settings.key?.location ?? .none,
                needsKey: settings.key.map { $0.optional != true } ?? false, covers: covers,
                parameterNames: Set([own, past].compactMap(\.self).flatMap(\.queryNames)),
                upstreamError: { plan.errorMessage($0) },
                read: { [source] root, query, defaults, forecast in
                    let form = MappedForm(
                        parameters: query.map { MappedValues.values(of: $0, futureDays: futureDays) } ?? [:])
                    return try plan.read(root, form, named: MappedForecast.place) { shaped in
                        try MappedForecast.read(shaped, answering: query, defaults, source, into: &forecast)
                    }
                })
        }
        forecast = made(own)
        self.past = past.map(made)
    }

    /// Returns the dialect and the plan that answer a query.
    func plan(for query: ForecastQuery) -> (plan: MappingPlan, dialect: ForecastDialect) {
        if query.time != nil, let planOfPast, let past { return (planOfPast, past) }
        return (plan, forecast)
    }

    /// Returns the values of a query for templates.
    func values(of query: ForecastQuery, excluded: Set<ForecastBlock>) -> [String: JSONValue] {
        MappedValues.values(of: query, futureDays: futureDays, excluded: excluded)
    }
}
