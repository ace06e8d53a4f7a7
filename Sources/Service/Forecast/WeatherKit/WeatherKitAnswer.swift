import Contracts
import JSONText
import Records

extension WeatherKit {
    /// Reads an answer as the contract's forecast.
    ///
    /// A data set that Apple marks as unavailable is absent, reported, and named in the flags.
    /// - Throws: `ContractError` if there is no object, or neither current weather nor hours nor days.
    static func read(
        _ root: JSONNode, answering query: ForecastQuery?, _ defaults: AnswerDefaults
    ) throws(ContractError) -> (record: Forecast, drift: DriftReport) {
        var reader = RecordReader()
        var answer = Answer()
        guard reader.fill(&answer, from: root) else { throw reader.failure(expected: Answer.expectation) }
        var survey = Survey()
        answer.current = survey.admit(answer.current, "currentWeather", &reader)
        answer.hourly = survey.admit(answer.hourly, "forecastHourly", &reader)
        answer.daily = survey.admit(answer.daily, "forecastDaily", &reader)
        answer.nextHour = survey.admit(answer.nextHour, "forecastNextHour", &reader)
        answer.alerts = survey.admit(answer.alerts, "weatherAlerts", &reader)
        answer.dropUntimed(&reader)
        if answer.current == nil, answer.hourly?.hours == nil, answer.daily?.days == nil {
            // The next hour and alerts say nothing of today. Each failure has the reason why the data set is missing.
            for name: StaticString in ["currentWeather", "forecastHourly", "forecastDaily"] {
                let _: Void? = reader.demand(nil, name)
            }
        }
        try reader.check()
        let location = survey.place ?? defaults.place
        let zone = Zone(for: query, longitude: location?.longitude ?? 0)
        var forecast = answer.forecast(answering: query, in: zone)
        (forecast.latitude, forecast.longitude) = (location?.latitude, location?.longitude)
        forecast.flags = survey.flags(zone)
        // The words of the conditions are English.
        if query?.language != nil { forecast.flags?.lang = SummaryLanguage.english.code }
        return (forecast, reader.drift.placed(place))
    }

    /// The document of an answer.
    fileprivate struct Answer: Record {
        var current: Current?, hourly: Hourly?, daily: Daily?, nextHour: NextHour?, alerts: Alerts?

        static let schema = Schema<Answer> {
            Field("currentWeather", \.current)
            Field("forecastHourly", \.hourly)
            Field("forecastDaily", \.daily)
            Field("forecastNextHour", \.nextHour)
            Field("weatherAlerts", \.alerts)
        }

        /// Drops current weather without a time.
        mutating func dropUntimed(_ reader: inout RecordReader) {
            if current == nil || current?.time != nil { return }
            reader.at("currentWeather") { $0.note(.dropped, .invalid) }
            current = nil
        }

        /// Returns the part of the answer that `query` requests; without a query, all of it.
        mutating func forecast(answering query: ForecastQuery?, in zone: Zone) -> Forecast {
            let days = LocalDays(Day.sun(of: daily?.days ?? []), zone.clock)
            hourly?.hours?.decide(days)
            let hours = hourly?.hours?.points
            let hourNumbers = Series(hours ?? [], variables: Variable.ofMoments)
            let dayPoints = daily?.days.map { Day.points(of: $0, from: hourNumbers, days, zone.clock) }
            var now = current?.point(days)
            // Apple's probabilities are those of hours.
            if let time = now?.time.seconds, now?.precipProbability == nil {
                let row = hourNumbers.times.hour(at: time)
                now?.precipProbability = row.flatMap { hourNumbers.number(.precipProbability, $0) }
            }
            let moment = now?.time.seconds ?? hourly?.metadata?.readTime?.time.seconds
            let selection = Selection(query, now: moment, days, zone.clock)
            var forecast = Forecast()
            forecast.currently = selection.isCurrent ? now : nil
            if let (row, time) = selection.moment(among: hourNumbers.times) {
                forecast.currently = hours?[row]
                forecast.currently?.time = UnixSeconds(time)
            }
            // Of another time there are neither, although an answer may have them.
            if selection.isCurrent {
                forecast.minutely = nextHour?.block(from: query == nil ? nil : moment, current: now)
                forecast.alerts = alerts?.alerts?.map(\.model)
            }
            forecast.hourly = hours.map { hours in
                Self.block(hours, selection.rows(ofHours: hourNumbers.times))
            }
            forecast.daily = dayPoints.map { points in
                Self.block(points, selection.rows(ofDays: points.map(\.time.seconds)))
            }
            forecast.timezone = zone.name
            let start = forecast.currently ?? forecast.hourly?.data?.first ?? forecast.daily?.data?.first
            forecast.offset = start.flatMap { zone.clock.offset(at: $0.time.seconds) }
                .map { Conversion.Step(scale: 1 / 3600, places: 10)($0) }
            return forecast
        }

        /// Returns a block of some points, with the summary and the icon of the most severe weather among them.
        private static func block(_ all: [DataPoint], _ rows: [Int]) -> DataBlock {
            var block = DataBlock()
            // A point takes 1.6 KB: a copy of 240 would double the time of a document.
            let points = rows.elementsEqual(all.indices) ? all : rows.map { all[$0] }
            block.data = points
            var greatest = -1
            for index in points.indices where points[index].icon != nil {
                // Most hours are like the one before.
                if index > 0, points[index].summary == points[index - 1].summary, greatest >= 0 { continue }
                let severity = Condition.severity(ofSummary: points[index].summary, points[index].icon)
                if severity <= greatest { continue }
                greatest = severity
                (block.summary, block.icon) = (points[index].summary, points[index].icon)
            }
            return block
        }
    }

    /// What the data sets say about themselves.
    private struct Survey {
        /// Apple's page, which every user of the data must link to.
        private static let attributionURL = "https://weatherkit.apple.com/legal-attribution.html"

        private var all: [(name: StaticString, metadata: Metadata)] = []
        private var unavailable: [StaticString] = []

        /// Returns a data set that can be used: it is available, and its numbers are metric.
        mutating func admit<Part: DataSet>(
            _ part: Part?, _ name: StaticString, _ reader: inout RecordReader
        ) -> Part? {
            guard let part else { return nil }
            guard let metadata = part.metadata else { return part }
            all.append((name, metadata))
            if metadata.isUnavailable == true {
                unavailable.append(name)
                reader.at(name) { $0.note(.dropped, .refused) }
                return nil
            }
            if let units = metadata.units, units != "m" {
                reader.at(name) { $0.note(.dropped, .unknownUnit) }
                return nil
            }
            return part
        }

        /// The place of the first data set that names one.
        var place: (latitude: Double, longitude: Double)? {
            for metadata in all.map(\.metadata) {
                if let latitude = metadata.latitude, let longitude = metadata.longitude { return (latitude, longitude) }
            }
            return nil
        }

        /// Returns the flags: the sources, the attribution that Apple requires, and what is missing or estimated.
        func flags(_ zone: Zone) -> Flags {
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
