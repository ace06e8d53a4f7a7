import Records

extension OpenMeteo {
    /// Makes the points of an answer.
    struct PointMaker {
        let days: LocalDays
        let clock: LocalClock
        let language: SummaryLanguage

        /// Returns the point of a row of moments or hours; only hours have accumulations.
        func moment(_ series: Series, _ row: Int, accumulates: Bool) -> DataPoint {
            var point = DataPoint()
            point.time = UnixSeconds(series.times[row])
            point.takeMoment(series, row, accumulates: accumulates)
            describe(&point, series, row)
            if let weather = series.weather(row), isNight(series, row) { point.icon = .known(weather.icon.atNight) }
            return point
        }

        /// Returns the point of a day.
        func day(_ days: Series, _ row: Int) -> DataPoint {
            var point = DataPoint()
            point.time = UnixSeconds(days.times[row])
            point.sunriseTime = days.number(.sunrise, row).map(UnixSeconds.init)
            point.sunsetTime = days.number(.sunset, row).map(UnixSeconds.init)
            point.moonPhase = MoonPhase.ofDay(from: days.times[row], clock)
            point.takeDay(days, row)
            describe(&point, days, row)
            return point
        }

        /// Whether the sun is down: by the row's own `is_day`, else by its day.
        private func isNight(_ series: Series, _ row: Int) -> Bool {
            series.number(.isDay, row).map { $0 == 0 } ?? days.isNight(series.times[row])
        }

        /// Returns a block with the summary and the icon of the most severe weather among `rows`, by day and night.
        func block(_ points: [DataPoint], of series: Series, _ rows: some Collection<Int>, byNight: Bool) -> DataBlock {
            var block = DataBlock()
            block.data = points
            let weather = rows.compactMap { row in series.weather(row).map { (row: row, weather: $0) } }
            guard let severest = weather.max(by: { $0.weather.severity < $1.weather.severity }) else { return block }
            block.summary = series.code(severest.row).flatMap { language.words[$0] }
            let isNight = byNight && isNight(series, severest.row)
            block.icon = .known(isNight ? severest.weather.icon.atNight : severest.weather.icon)
            return block
        }

        /// Sets the weather in words, and its icon by day.
        private func describe(_ point: inout DataPoint, _ series: Series, _ row: Int) {
            guard let code = series.code(row), let weather = WeatherCode.find(code) else { return }
            point.summary = language.words[code]
            point.icon = .known(weather.icon)
        }

        /// The number of minutes in Dark Sky's block, both ends of the hour included.
        private static let minutes = 61

        /// Returns the minutes of the hour from `start` on, whose rates are those of their quarters of an hour; nil without any.
        ///
        /// The probability is that of the hour.
        func minutes(from start: Double, _ quarters: Series, _ hours: Series?) -> DataBlock? {
            let quarterLine = Timeline(quarters.times)
            let hourLine = Timeline(hours?.times ?? [])
            var points: [DataPoint] = []
            points.reserveCapacity(Self.minutes)
            var used: [Int] = []
            for minute in 0..<Self.minutes {
                let time = start + Double(minute) * 60
                guard let quarter = quarterLine.row(at: time), time < quarter.start + 900,
                    let rate = quarters.number(.precipIntensity, quarter.index)
                else { continue }
                var point = DataPoint()
                point.time = UnixSeconds(time)
                point.precipIntensity = rate
                point.precipType = quarters.precipitation(quarter.index)
                if let hours, let hour = hourLine.row(at: time), time < hour.start + 3600 {
                    point.precipProbability = hours.number(.precipProbability, hour.index)
                }
                points.append(point)
                if used.last != quarter.index { used.append(quarter.index) }
            }
            return points.isEmpty ? nil : block(points, of: quarters, used, byNight: true)
        }
    }
}
