import LenientCoding

extension OpenMeteo {
    /// The days of an answer.
    struct Calendar {
        private let days: Series
        private let spans: LocalDays

        init(_ days: Series, _ clock: LocalClock) {
            self.days = days
            spans = LocalDays(startingAt: days.times, clock)
        }

        /// Returns the index and the span of the day that contains `moment`, or nil.
        func day(at moment: Double) -> (index: Int, span: Range<Double>)? { spans.day(at: moment) }

        /// Returns the span of a day, or nil if another day starts less than 23 hours later.
        func span(ofDay index: Int) -> Range<Double>? { spans.span(ofDay: index) }

        /// Whether the sun is down: by the row's own `is_day`, else by the day's sunrise and sunset, else false.
        func isNight(_ series: Series, _ row: Int) -> Bool {
            if let isDay = series.number(.isDay, row) { return isDay == 0 }
            let time = series.times[row]
            guard let (index, _) = day(at: time) else { return false }
            if let isDay = days.number(.isDay, index) { return isDay == 0 }
            guard let sunrise = days.number(.sunrise, index), let sunset = days.number(.sunset, index),
                sunrise < sunset
            else { return false }
            return time < sunrise || time >= sunset
        }
    }
}

extension OpenMeteo.Series {
    /// Moves days to their real midnights, and removes the days that do not exist and the times of a sun that does not
    /// rise or does not set.
    ///
    /// In the polar night both are the midnight that starts the day, in the polar day sunset is 24 hours later
    /// (open-meteo/open-meteo, `Sources/App/Helper/Solar/SunRiseSet.swift`).
    mutating func correctDays(_ clock: LocalClock) {
        let existing = rows.filter { clock.exists(dayLabelled: times[$0]) }
        if existing.count < times.count { self = taking(existing) }
        for day in rows {
            let label = times[day]
            times[day] = clock.midnight(ofDayLabelled: label)
            let (sunrise, sunset) = (self[.sunrise, day], self[.sunset, day])
            let isInvented = sunrise == label && [0, 86400].contains(sunset - label)
            if isInvented { self[.isDay, day] = sunset == label ? 0 : 1 }
            if isInvented || sunrise == sunset { (self[.sunrise, day], self[.sunset, day]) = (.nan, .nan) }
        }
    }

    /// Completes days from their hours: amounts, means, the weather, and extremes with their times.
    mutating func completeDays(
        from hours: OpenMeteo.Series?, _ calendar: OpenMeteo.Calendar, _ clock: LocalClock
    ) {
        let hours = hours.map(OpenMeteo.Hours.init)
        for day in rows {
            let span = calendar.span(ofDay: day)
            if let span, let part = hours?.part(span) {
                total(day, part)
                average(day, part)
            }
            let liquid = liquid(day).map { $0 + (number(.ice, day) ?? 0) }
            if self[.kind, day].isNaN { self[.kind, day] = kind(day, liquid, weather(day), ofDay: true) }
            if self[.ice, day].isNaN { self[.rain, day] = liquid ?? .nan }
            var windows = OpenMeteo.Windows(span, clock, hours)
            for extreme in OpenMeteo.Extreme.all { extreme.complete(&self, day, &windows) }
        }
    }

    /// Takes the amounts of precipitation and the most severe weather from the hours of the day, if they cover it.
    ///
    /// The upstream's own sums start and end an hour early, and its own code is the one with the greatest number.
    private mutating func total(_ day: Int, _ hours: OpenMeteo.Hours.Part) {
        let round = Conversion.Step(scale: 1, places: 4)
        if let rain = hours.covering(.rain) {
            self[.rain, day] = round(rain.sum)
            self[.showers, day] = .nan
            self[.ice, day] = hours.covering(.ice).map { round($0.sum) } ?? .nan
        }
        if let snow = hours.covering(.snow) { self[.snow, day] = round(snow.sum) }
        if hours.covering(.code) != nil { self[.code, day] = hours.severestCode ?? self[.code, day] }
        if self[.precipProbability, day].isNaN, let probability = hours.covering(.precipProbability) {
            self[.precipProbability, day] = probability.greatest
        }
        guard let amounts = hours.covering(.precipIntensity) else { return }
        let seconds = hours.span.upperBound - hours.span.lowerBound
        self[.precipIntensity, day] = Conversion.Step(scale: 3600 / seconds, places: 4)(amounts.sum)
        self[.kind, day] = hours.largestKind
    }

    /// The variables of a day that are the mean of its hours if no column has them.
    private static let means: [OpenMeteo.Variable] = [
        .dewPoint, .humidity, .pressure, .stationPressure, .cloudCover, .visibility, .windSpeed,
    ]

    /// Takes the means of the hours that have a value, for the variables that no column of the day has.
    private mutating func average(_ day: Int, _ hours: OpenMeteo.Hours.Part) {
        for variable in Self.means where self[variable, day].isNaN {
            if let mean = hours.statistics(variable).mean { self[variable, day] = mean }
        }
        if self[.windBearing, day].isNaN { self[.windBearing, day] = hours.meanBearing ?? .nan }
    }
}

extension OpenMeteo {
    /// The hours of an answer in the order of time, for what days compute from them.
    struct Hours {
        let series: Series
        let timeline: Timeline

        init(_ series: Series) {
            let order = Timeline(series.times).order
            self.series = order.elementsEqual(series.rows) ? series : series.taking(order)
            timeline = Timeline(self.series.times)
        }

        func part(_ span: Range<Double>) -> Part { Part(series: series, rows: timeline.places(in: span), span: span) }

        /// The hours that start in a span.
        struct Part {
            let series: Series
            let rows: Range<Int>
            let span: Range<Double>

            func statistics(_ variable: Variable) -> ColumnStatistics { series.statistics(variable, rows) }

            /// Returns the statistics if every hour of the span has a value.
            func covering(_ variable: Variable) -> ColumnStatistics? {
                let result = statistics(variable)
                return result.covers(span) ? result : nil
            }

            /// The known code of the most severe weather.
            var severestCode: Double? {
                var severest: (code: Double, severity: Int)?
                for row in rows {
                    guard let weather = series.weather(row) else { continue }
                    if weather.severity > severest?.severity ?? -1 {
                        severest = (series[.code, row], weather.severity)
                    }
                }
                return severest?.code
            }

            /// The index of the type of precipitation with the largest amount, or NaN.
            var largestKind: Double {
                var amounts = [Double](repeating: -1, count: Series.kinds.count)
                for row in rows {
                    guard let kind = series.number(.kind, row), let amount = series.number(.precipIntensity, row)
                    else { continue }
                    amounts[Int(kind)] = max(0, amounts[Int(kind)]) + amount
                }
                let largest = amounts.indices.filter { amounts[$0] >= 0 }.max {
                    (amounts[$0], Series.kinds[$0].rawValue) < (amounts[$1], Series.kinds[$1].rawValue)
                }
                return largest.map(Double.init) ?? .nan
            }

            /// The direction of the sum of all winds in whole degrees; nil if it is not known.
            var meanBearing: Double? {
                ColumnStatistics.meanBearing(
                    of: rows.lazy.map { (speed: series[.windSpeed, $0], bearing: series[.windBearing, $0]) })
            }
        }
    }
}
