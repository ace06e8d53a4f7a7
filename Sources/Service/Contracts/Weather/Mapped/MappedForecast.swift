import API
package import JSONText
package import Records

/// The upstream of a mapping, as answers name it.
package struct MappedSource: Sendable {
    /// The name of the mapping.
    package let name: String
    /// The words with which the upstream wants to be named, and the address of a page about its data; nil for none.
    package var attribution: String?, about: String?

    /// The source with a name.
    package init(name: String) { self.name = name }
}

/// A forecast in the words of a mapping.
///
/// Everything that the upstream does not say follows from the rest by the contract's own rules: days and the weather now from
/// hours, words and icons, the type of precipitation, the sun and the moon.
package struct MappedForecast: Record {
    private var latitude: Double?, longitude: Double?, timezone: String?, offset: Double?, elevation: Double?
    private var currently: MappedPoint?, minutely: MappedBlock?, hourly: MappedBlock?, daily: MappedBlock?
    private var alerts: [Alert]?, sources: [String]?

    /// A forecast without data.
    package init() {}

    /// The names and the values that mappings may give.
    package static let schema = Schema<MappedForecast>(.absent(-999), .absent("")) {
        Field(\.latitude, .plausible(-90...90), .note("The latitude in degrees; that of the request without it."))
        Field(\.longitude, .plausible(-180...180), .note("The longitude in degrees; that of the request without it."))
        Field(\.timezone, .note("The IANA name of the time zone."))
        Field(\.offset, .plausible(-15...15), .note("The offset of local time from UTC in hours."))
        Field(\.elevation, .note("The height above sea level in metres."))
        Field(\.currently, .note("The weather now; that of the hour without it."))
        Field(\.minutely, .dropInvalid, .atMost(1500), .note("The next hour, in spans of a minute or more."))
        Field(\.hourly, .dropInvalid, .note("The hours, or spans of several hours."))
        Field(\.daily, .dropInvalid, .note("The days; made of the hours without them."))
        Field(\.alerts, .dropInvalid, .note("The weather alerts for the location."))
        Field(\.sources, .dropInvalid, .note("The names of the data sources."))
    }

    /// Reads a document in the words of mappings as the contract's forecast.
    ///
    /// - Throws: `ContractError` if there is no object, or neither weather of now nor hours nor days.
    package static func read(
        _ root: JSONNode, answering query: ForecastQuery?, _ defaults: AnswerDefaults, _ source: MappedSource,
        into forecast: inout Forecast
    ) throws(ContractError) -> DriftReport {
        var reader = RecordReader(), document = MappedForecast()
        guard reader.fill(&document, from: root) else { throw reader.failure(expected: expectation) }
        let hasPoints = [document.hourly, document.daily].contains { $0?.points.isEmpty == false }
        if document.currently == nil, !hasPoints {
            for name: StaticString in ["currently", "hourly", "daily"] { let _: Void? = reader.demand(nil, name) }
        }
        try reader.check()
        var drift = reader.drift.placed(place)
        document.fill(&forecast, answering: query, defaults, source, &drift)
        return drift
    }

    /// Sets the part of the answer that `query` requests; without a query, all of it.
    private mutating func fill(
        _ forecast: inout Forecast, answering query: ForecastQuery?, _ defaults: AnswerDefaults, _ source: MappedSource,
        _ drift: inout DriftReport
    ) {
        (forecast.latitude, forecast.longitude, forecast.elevation) = (latitude, longitude, elevation)
        let place = latitude.flatMap { latitude in longitude.map { (latitude, $0) } } ?? defaults.place
        let named = timezone.flatMap { ZoneRules.named($0) == nil ? nil : $0 }
        let zone = PlaceZone(named ?? query?.timeZone, offset: offset, longitude: place?.1 ?? 0)
        if zone.isApproximate { drift.note(.approximated, timezone == nil ? .missing : .unknownValue, [0], "timezone") }
        // An empty list says nothing of the days, which the hours tell.
        if daily?.points.isEmpty == true, hourly?.points.isEmpty == false { daily = nil }
        setTimes(zone.clock, now: query?.time == nil ? query?.now.map(Double.init) : nil, &drift)
        var hours = hourly?.series(), current: Series?
        var points = ForecastSeries.Points(hours: hourly?.points.map(\.point) ?? [])
        if let hours, currently == nil, let now = query?.now.map(Double.init), query?.time == nil,
            let row = hours.row(at: now)
        {
            currently = hourly?.points[row]
            currently?.point.time = UnixSeconds((now / 60).rounded(.down) * 60)
        }
        if let currently {
            points.current = currently.point
            var block = MappedBlock(points: [currently])
            current = block.series()
        }
        var days = daily?.series(ofDays: true) ?? hours.map { Series(daysOf: $0, zone.clock) }
        points.days = daily?.points.map(\.point) ?? []
        if let place { days?.completeSun(at: place, zone.clock) }
        if let place, let days { hours?.completeDaylight(days, at: place, zone.clock) }
        if let place, let days { current?.completeDaylight(days, at: place, zone.clock) }
        hours?.derive(at: elevation)
        current?.derive(at: elevation)
        let language = SummaryLanguage.named(query?.language)
        let own = days
        var series = ForecastSeries(
            current: current, quarters: quarters(), hours: hours, days: days, zone.clock, language)
        series.points = points
        series.changeDays { days in
            if let own { days.restore(own) }
            days.completeRain()
        }
        let selection = series.selection(query, now: query?.now.map(Double.init) ?? current?.times[0])
        forecast.timezone = zone.name
        series.fill(&forecast, selection, &drift)
        if selection.isCurrent { forecast.alerts = alerts }
        forecast.flags = flags(source, zone, minutes: forecast.minutely == nil ? nil : series.quarters)
        if query?.language != nil { forecast.flags?.lang = language.code }
        setWeatherOfBlocks(&forecast)
    }

    /// The seconds before and after now in which a time can be that of the weather now.
    private static let present = -3.0 * 3600...3600

    /// Sets the times of all points, and drops the weather of another time than now, and points at the times of others.
    private mutating func setTimes(_ clock: LocalClock, now: Double?, _ drift: inout DriftReport) {
        currently?.setTime(clock)
        if let time = currently?.point.time.seconds, let now, !Self.present.contains(time - now) {
            currently = nil
            drift.note(.dropped, .implausible, [0], "currently.time")
        }
        for (name, count) in [
            ("minutely", minutely?.setTimes(clock)), ("hourly", hourly?.setTimes(clock)),
            ("daily", daily?.setTimes(clock, ofDays: true)),
        ] {
            drift.note(.dropped, .duplicate, 0..<(count ?? 0), "\(name).data[]")
        }
    }

    /// The spans of the next hour, whose length is that of the period, or the least distance of two of them.
    private mutating func quarters() -> Series? {
        guard var series = minutely?.series(), !series.times.isEmpty else { return nil }
        let distance = zip(series.times, series.times.dropFirst()).map { $1 - $0 }.filter { $0 >= 60 }.min() ?? 60
        series.hours = min(series.spans.first ?? distance / 3600, 1)
        series.spans = []
        series.derive(at: nil)
        return series
    }

    private func flags(_ source: MappedSource, _ zone: PlaceZone, minutes: Series?) -> Flags {
        var flags = Flags()
        flags.sources = [source.name] + (sources ?? []).filter { $0 != source.name }
        flags.units = .known(.si)
        if let step = minutes?.hours, step > 1.0 / 60 { flags.minutelyStep = step * 60 }
        var others: [JSONValue.Member] = []
        if let attribution = source.attribution { others.append(.init("attribution", .string(attribution))) }
        if let about = source.about { others.append(.init("attributionUrl", .string(about))) }
        if zone.isApproximate { others.append(.init("timezoneIsApproximate", .bool(true))) }
        flags.others = .object(others)
        return flags
    }

    /// Sets the words and the icons of blocks that the upstream has itself.
    private func setWeatherOfBlocks(_ forecast: inout Forecast) {
        let own = [ForecastBlock.minutely: minutely, .hourly: hourly, .daily: daily]
        forecast.forEachBlock { block, name in
            guard let own = own[name] ?? nil else { return }
            if let summary = own.summary { block?.summary = summary }
            if let icon = own.icon { block?.icon = icon }
        }
    }
}

// The places of values in the answer.
extension MappedForecast {
    private static let blocks = ["minutely", "hourly", "daily"]

    /// Returns the pattern in the contract's forecast for one in a document of a mapping: `hourly.data[].icon` for
    /// `hourly[].code`; nil for the same pattern.
    package static func place(of pattern: String) -> String? {
        var parts = pattern.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first else { return nil }
        if first == "sources" || first == "sources[]" { return "flags." + pattern }
        if let block = blocks.first(where: { first == "\($0)[]" }) {
            parts.replaceSubrange(0...0, with: [block, "data[]"])
        }
        let isPoint = parts.count == 3 && parts[1] == "data[]" || parts.count == 2 && first == "currently"
        if isPoint, let field = parts.last.flatMap({ MappedPoint.fields[$0] }) { parts[parts.count - 1] = field }
        let place = parts.joined(separator: ".")
        return place == pattern ? nil : place
    }
}

// Days that an upstream does not have, or has in part.
extension Series {
    /// The fewest hours of a day at the end of an answer that make a day.
    private static let leastHours = 12.0

    /// The local days of hours, without the last one if too few of its hours are known.
    fileprivate init(daysOf hours: Series, _ clock: LocalClock) {
        let hours = hours.spread
        var starts: [Double: Double] = [:]
        for time in hours.times { if let day = clock.day(at: time) { starts[day.lowerBound, default: 0] += 1 } }
        var days = starts.keys.sorted()
        if days.count > 1, let last = days.last, starts[last, default: 0] < Self.leastHours { days.removeLast() }
        self.init(times: days, variables: Variable.ofDays, hours: 24)
    }

    /// Sets the sun's times of days that have neither.
    fileprivate mutating func completeSun(at place: (latitude: Double, longitude: Double), _ clock: LocalClock) {
        for day in rows where self[.sunrise, day].isNaN && self[.sunset, day].isNaN {
            let sun = SolarDay(from: times[day], clock, place)
            (self[.sunrise, day], self[.sunset, day]) = (sun.sunrise ?? .nan, sun.sunset ?? .nan)
            if sun.sunrise == nil, sun.sunset == nil { self[.isDay, day] = sun.isLit ? 1 : 0 }
        }
    }

    /// Tells day from night for the hours that do not say it, and that no day holds.
    fileprivate mutating func completeDaylight(
        _ days: Series, at place: (latitude: Double, longitude: Double), _ clock: LocalClock
    ) {
        let known = Set(days.times)
        var suns: [Double: SolarDay] = [:]
        for row in rows where self[.isDay, row].isNaN {
            guard let start = clock.day(at: times[row])?.lowerBound, !known.contains(start) else { continue }
            let sun = suns[start] ?? SolarDay(from: start, clock, place)
            suns[start] = sun
            self[.isDay, row] = sun.isUp(at: times[row]) ? 1 : 0
        }
    }

    /// Sets again the numbers that the upstream itself has.
    fileprivate mutating func restore(_ own: Series) {
        for index in values.indices where !own.values[index].isNaN { values[index] = own.values[index] }
    }
}

extension SolarDay {
    /// The local day that starts at `start`.
    fileprivate init(from start: Double, _ clock: LocalClock, _ place: (latitude: Double, longitude: Double)) {
        let noon = clock.moment(atHour: 12, ofDayFrom: start)
        self.init(around: noon, latitude: place.latitude, longitude: place.longitude)
    }

    /// Whether the sun is up at a moment of the day.
    fileprivate func isUp(at moment: Double) -> Bool {
        guard let sunrise, let sunset else { return isLit }
        return sunrise <= moment && moment < sunset
    }
}
