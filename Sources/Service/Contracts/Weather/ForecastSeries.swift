import Records

/// The blocks of an answer as series, and how they become the contract's forecast.
struct ForecastSeries {
    /// The current weather in one row, quarters of an hour, hours, and days completed from their hours.
    let current: Series?, quarters: Series?, hours: Series?
    var days: Series?
    let clock: LocalClock
    let language: SummaryLanguage
    /// The points of the current weather, the hours and the days as the upstream has them, if its document has points; their
    /// fields that no series has stay.
    var points = Points()
    private let localDays: LocalDays
    /// The days of which not all hours are known.
    private var partialDays: Set<Int> = []

    /// The points of an upstream by their rows; no points for an upstream with columns.
    struct Points {
        var current: DataPoint?, hours: [DataPoint] = [], days: [DataPoint] = []
    }

    init(
        current: Series?, quarters: Series? = nil, hours: Series?, days: Series?, _ clock: LocalClock,
        _ language: SummaryLanguage
    ) {
        (self.current, self.quarters, self.hours, self.days) = (current, quarters, hours, days)
        (self.clock, self.language) = (clock, language)
        localDays = LocalDays(days ?? .none, clock)
        partialDays = self.days?.completeDays(from: hours?.spread, localDays, clock) ?? []
    }

    /// Changes the days, if there are some, in their place.
    mutating func changeDays(_ body: (inout Series) -> Void) {
        guard var changed = days.take() else { return }
        body(&changed)
        days = changed
    }

    /// Returns the rows that `query` requests; `now` is the time of the current weather, nil if it is not known.
    func selection(_ query: ForecastQuery?, now: Double?) -> Selection { Selection(query, now: now, localDays, clock) }

    /// Sets the current weather, the blocks and the offset of `forecast`.
    func fill(_ forecast: inout Forecast, _ selection: Selection, _ drift: inout DriftReport) {
        forecast.currently = currently(selection)
        if let quarters, let start = selection.start(ofMinutes: current?.times[0] ?? quarters.times.first) {
            forecast.minutely = minutes(from: start, quarters)
        }
        forecast.hourly = hours.map { hours in
            let rows = selection.rows(ofHours: hours)
            // In place: each copy of a point is one of 70 optional values.
            var points = Self.points(self.points.hours, rows)
            for (index, row) in zip(points.indices, rows) { fill(&points[index], hours, row, accumulates: true) }
            return block(points, of: hours, rows, byNight: true)
        }
        forecast.daily = days.map { days in
            let rows = selection.rows(ofDays: days.times)
            let partial = rows.indices.filter { partialDays.contains(rows[$0]) }
            drift.note(.approximated, .missing, partial, "daily.data[]")
            var points = Self.points(self.points.days, rows)
            for (index, row) in zip(points.indices, rows) { fillDay(&points[index], days, row) }
            return block(points, of: days, rows, byNight: false)
        }
        let start = forecast.currently ?? forecast.hourly?.data?.first ?? forecast.daily?.data?.first
        guard let offset = start.flatMap({ clock.offset(at: $0.time.seconds) }) else { return }
        forecast.offset = Conversion.Step(scale: 1 / 3600, places: 10)(offset)
    }

    /// Returns the upstream's points of some rows, or blank ones.
    private static func points(_ points: [DataPoint], _ rows: [Int]) -> [DataPoint] {
        points.isEmpty ? [DataPoint](repeating: DataPoint(), count: rows.count) : rows.map { points[$0] }
    }

    /// Returns the current weather, or the hour of a historical query; what the first lacks is that of its hour.
    private func currently(_ selection: Selection) -> DataPoint? {
        guard selection.isCurrent else {
            // An upstream can know the moment without its hours.
            let spans = [(hours, points.hours, true), (current, points.current.map { [$0] } ?? [], false)]
            for case (let series?, let points, let accumulates) in spans {
                guard let (row, time) = selection.moment(among: series) else { continue }
                var point = points.isEmpty ? DataPoint() : points[row]
                fill(&point, series, row, accumulates: accumulates)
                point.time = UnixSeconds(time)
                return point
            }
            return nil
        }
        guard let current else { return nil }
        var point = points.current ?? DataPoint()
        fill(&point, current, 0, accumulates: false)
        if let hours, point.precipProbability == nil, let hour = hours.row(at: current.times[0]) {
            point.precipProbability = hours.number(.precipProbability, hour)
        }
        return point
    }

    /// Returns the point of a row of moments or hours; only hours have accumulations.
    func moment(_ series: Series, _ row: Int, accumulates: Bool) -> DataPoint {
        var point = DataPoint()
        fill(&point, series, row, accumulates: accumulates)
        return point
    }

    private func fill(_ point: inout DataPoint, _ series: Series, _ row: Int, accumulates: Bool) {
        point.time = UnixSeconds(series.times[row])
        point.takeMoment(series, row, accumulates: accumulates)
        describe(&point, row, series, byNight: true)
    }

    private func fillDay(_ point: inout DataPoint, _ days: Series, _ row: Int) {
        point.time = UnixSeconds(days.times[row])
        if point.moonPhase == nil { point.moonPhase = MoonPhase.ofDay(from: days.times[row], clock) }
        point.takeDay(days, row)
        describe(&point, row, days, byNight: false)
    }

    /// Sets the words and the icon, unless the upstream's point has its own.
    private func describe(_ point: inout DataPoint, _ row: Int, _ series: Series, byNight: Bool) {
        let (summary, icon) = description(of: row, series, byNight: byNight)
        if point.summary == nil { point.summary = summary }
        if point.icon == nil { point.icon = icon }
    }

    /// Returns the weather of a row in words and as an icon, which is that of the night if the sun is down.
    private func description(of row: Int, _ series: Series, byNight: Bool) -> (String?, OpenEnum<Icon>?) {
        let code = series.code(row), icon = code.flatMap(WeatherCode.find)?.icon
        let summary = series.unlistedWeather.isEmpty ? nil : series.unlistedWeather[row]
        // By the row's own `isDay`, else by its day.
        let isNight = byNight && (series.number(.isDay, row).map { $0 == 0 } ?? localDays.isNight(series.times[row]))
        return (summary ?? code.flatMap(language.summary), icon.map { .known(isNight ? $0.atNight : $0) })
    }

    /// Returns a block with the summary and the icon of the most severe weather among `rows`, by day and night.
    private func block(
        _ points: [DataPoint], of series: Series, _ rows: some Collection<Int>, byNight: Bool
    ) -> DataBlock {
        var block = DataBlock()
        block.data = points
        let weather = rows.compactMap { row in series.weather(row).map { (row: row, severity: $0.severity) } }
        guard let severest = weather.max(by: { $0.severity < $1.severity })?.row else { return block }
        (block.summary, block.icon) = description(of: severest, series, byNight: byNight)
        return block
    }

    /// The number of minutes in Dark Sky's block, both ends of the hour included.
    private static let minutes = 61

    /// Returns the minutes of the hour from `start` on, whose rates are those of their quarters of an hour; nil without any.
    ///
    /// The probability is that of the hour, unless the quarters have one.
    private func minutes(from start: Double, _ quarters: Series) -> DataBlock? {
        let quarterLine = Timeline(quarters.times)
        let hourLine = Timeline(hours?.times ?? [])
        var points: [DataPoint] = []
        points.reserveCapacity(Self.minutes)
        var used: [Int] = []
        for minute in 0..<Self.minutes {
            let time = start + Double(minute) * 60
            guard let quarter = quarterLine.row(at: time), time < quarter.start + quarters.hours * 3600,
                let rate = quarters.number(.precipIntensity, quarter.index)
            else { continue }
            var point = DataPoint()
            point.time = UnixSeconds(time)
            point.precipIntensity = rate
            point.precipType = quarters.precipitation(quarter.index)
            point.precipProbability = quarters.number(.precipProbability, quarter.index)
            if let hours, point.precipProbability == nil, let hour = hourLine.row(at: time), time < hour.start + 3600 {
                point.precipProbability = hours.number(.precipProbability, hour.index)
            }
            points.append(point)
            if used.last != quarter.index { used.append(quarter.index) }
        }
        return points.isEmpty ? nil : block(points, of: quarters, used, byNight: true)
    }
}
