import API
import JSONText
import Records

extension WeatherKit {
    /// Reads an answer as the contract's forecast.
    ///
    /// A data set that Apple marks as unavailable is absent, reported, and named in the flags.
    /// - Throws: `ContractError` if there is no object, or neither current weather nor hours nor days.
    static func read(
        _ root: JSONNode, answering query: ForecastQuery?, _ defaults: AnswerDefaults, into forecast: inout Forecast
    ) throws(ContractError) -> DriftReport {
        var reader = RecordReader()
        var answer = Answer()
        guard reader.fill(&answer, from: root) else { throw reader.failure(expected: Answer.expectation) }
        var survey = Survey()
        survey.check(&answer.current, answer.current?.metadata, "currentWeather", &reader)
        survey.check(&answer.hours, answer.ofHours, "forecastHourly", &reader)
        survey.check(&answer.days, answer.ofDays, "forecastDaily", &reader)
        survey.check(&answer.nextHour, answer.nextHour?.metadata, "forecastNextHour", &reader)
        survey.check(&answer.alerts, answer.ofAlerts, "weatherAlerts", &reader)
        answer.dropUntimed(&reader)
        if answer.current == nil, answer.hours == nil, answer.days == nil {
            // The next hour and alerts say nothing of today. Each failure has the reason why the data set is missing.
            for name: StaticString in ["currentWeather", "forecastHourly", "forecastDaily"] {
                let _: Void? = reader.demand(nil, name)
            }
        }
        try reader.check()
        let location = survey.place ?? defaults.place
        let zone = PlaceZone(query?.timeZone, longitude: query?.longitude ?? location?.longitude ?? 0)
        var drift = reader.drift.placed(place)
        answer.fill(&forecast, answering: query, in: zone, &drift)
        if defaults.expectsFields { answer.noteMissingConditions(&drift) }
        (forecast.latitude, forecast.longitude) = (location?.latitude, location?.longitude)
        forecast.flags = survey.flags(zone)
        if query?.language != nil { forecast.flags?.lang = SummaryLanguage.english.code }
        return drift
    }

    /// The document of an answer.
    fileprivate struct Answer: Record {
        var current: Current?, hours: Hours?, days: [Day]?, nextHour: NextHour?, alerts: [AlertSummary]?
        var ofHours: Metadata?, ofDays: Metadata?, ofAlerts: Metadata?

        static let schema = Schema<Answer> {
            Field("currentWeather", \.current)
            Field("forecastHourly.metadata", \.ofHours)
            Field("forecastHourly.hours", \.hours, .dropInvalid, .atMost(1000))
            Ignored("name", in: "forecastHourly")
            Field("forecastDaily.metadata", \.ofDays)
            Field("forecastDaily.days", \.days, .dropInvalid, .atMost(100))
            Ignored("name", "learnMoreURL", in: "forecastDaily")
            Field("forecastNextHour", \.nextHour)
            Field("weatherAlerts.metadata", \.ofAlerts)
            Field("weatherAlerts.alerts", \.alerts, .dropInvalid, .atMost(1000))
            Ignored("name", "detailsUrl", in: "weatherAlerts")
        }

        /// Drops current weather without a time.
        mutating func dropUntimed(_ reader: inout RecordReader) {
            if current == nil || current?.time != nil { return }
            reader.at("currentWeather") { $0.note(.dropped, .invalid) }
            current = nil
        }

        /// Sets the part of the answer that `query` requests; without a query, all of it.
        func fill(
            _ forecast: inout Forecast, answering query: ForecastQuery?, in zone: PlaceZone, _ drift: inout DriftReport
        ) {
            // The words of the conditions are English.
            var series = ForecastSeries(
                current: current?.series, hours: hours?.series, days: days.map(Day.series), zone.clock, .english
            )
            if let days { series.changeDays { Day.setWeather(days, of: &$0) } }
            let now = series.current?.times[0] ?? ofHours?.readTime?.time.seconds
            let selection = series.selection(query, now: now)
            forecast.timezone = zone.name
            series.fill(&forecast, selection, &drift)
            // Of another time there are neither, although an answer may have them, unless its minutes are among those.
            let start = query == nil ? nil : selection.start(ofMinutes: now)
            if selection.isCurrent || start.map({ nextHour?.hasMinutes(from: $0) == true }) == true {
                forecast.minutely = nextHour?.block(from: start, series, current: forecast.currently)
            }
            if selection.isCurrent { forecast.alerts = alerts?.map(\.model) }
        }

        /// Notes as missing the conditions that no hour, no day or not the current weather has; the other values tell the
        /// weather then.
        func noteMissingConditions(_ drift: inout DriftReport) {
            if let current, current.weather.condition == nil { note("currently", "currentWeather") }
            if let hours, !hours.series.times.isEmpty, !hours.hasConditions {
                note("hourly.data[]", "forecastHourly.hours[]")
            }
            if let days, !days.isEmpty, !days.contains(where: \.hasCondition) {
                note("daily.data[]", "forecastDaily.days[]")
            }
            func note(_ path: String, _ from: String) {
                let path = "\(path).icon"
                if drift.entries.contains(where: { $0.path == path }) { return }
                drift.noteMissing(path, from: "\(from).conditionCode")
            }
        }
    }

    /// What the data sets say about themselves.
    private struct Survey {
        /// Apple's page, which every user of the data must link to.
        private static let attributionURL = "https://weatherkit.apple.com/legal-attribution.html"

        private var all: [(name: StaticString, metadata: Metadata)] = []
        private var unavailable: [StaticString] = []

        /// Drops a data set that cannot be used: it is not available, or its numbers are not metric.
        mutating func check<Part>(
            _ part: inout Part?, _ metadata: Metadata?, _ name: StaticString, _ reader: inout RecordReader
        ) {
            guard let metadata else { return }
            all.append((name, metadata))
            if metadata.isUnavailable == true { unavailable.append(name) }
            guard metadata.isUnavailable == true || metadata.units.map({ $0 != "m" }) == true else { return }
            reader.at(name) { $0.note(.dropped, metadata.isUnavailable == true ? .refused : .unknownUnit) }
            part = nil
        }

        /// The place of the first data set that names one.
        var place: (latitude: Double, longitude: Double)? {
            for metadata in all.map(\.metadata) {
                if let latitude = metadata.latitude, let longitude = metadata.longitude { return (latitude, longitude) }
            }
            return nil
        }

        /// Returns the flags: the sources, the attribution that Apple requires, and what is missing or estimated.
        func flags(_ zone: PlaceZone) -> Flags {
            var flags = Flags()
            flags.sources = ["weatherkit"]
            for case let provider? in all.map(\.metadata.providerName) where flags.sources?.contains(provider) == false
            {
                flags.sources?.append(provider)
            }
            flags.units = .known(.si)
            let url = all.lazy.compactMap(\.metadata.attributionURL).first ?? Self.attributionURL
            var others = [
                JSONValue.Member("attribution", .string("Apple Weather")), .init("attributionUrl", .string(url)),
            ]
            if zone.isApproximate { others.append(.init("timezoneIsApproximate", .bool(true))) }
            if !unavailable.isEmpty {
                others.append(.init("temporarilyUnavailable", .array(unavailable.map { .string($0.description) })))
            }
            flags.others = .object(others)
            return flags
        }
    }
}
