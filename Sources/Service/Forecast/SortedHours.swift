import Records

// Days are completed from their hours by the same rules for all upstreams.
extension Series {
    /// Completes days from their hours: amounts, means, the weather, and extremes with their times.
    mutating func completeDays(from hours: Series?, _ days: LocalDays, _ clock: LocalClock) {
        let hours = hours.map(SortedHours.init)
        for day in rows {
            let span = days.span(ofDay: day)
            if let span, let part = hours?.part(span) {
                total(day, part)
                average(day, part)
            }
            let windows = span.flatMap { span in hours?.windows(of: span, clock) }
            for extreme in Extreme.all { extreme.complete(&self, day, windows?[extreme.window.rawValue]) }
        }
    }

    /// Takes the amounts of precipitation and the most severe weather from the hours of the day, if they cover it.
    ///
    /// Open-Meteo's own sums start and end an hour early, and its own code is the one with the greatest number.
    private mutating func total(_ day: Int, _ hours: SortedHours.Part) {
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
    private static let means: [Variable] = [
        .dewPoint, .humidity, .pressure, .stationPressure, .cloudCover, .visibility, .windSpeed,
    ]

    /// Takes the means of the hours that have a value, for the variables that no column of the day has.
    private mutating func average(_ day: Int, _ hours: SortedHours.Part) {
        for variable in Self.means where self[variable, day].isNaN {
            if let mean = hours.statistics(variable).mean { self[variable, day] = mean }
        }
        if self[.windBearing, day].isNaN { self[.windBearing, day] = hours.meanBearing ?? .nan }
    }
}

/// The hours of an answer in the order of time, for what days compute from them.
struct SortedHours {
    let series: Series
    let timeline: Timeline

    init(_ series: Series) {
        let order = Timeline(series.times).order
        self.series = order.elementsEqual(series.rows) ? series : series.taking(order)
        timeline = Timeline(self.series.times)
    }

    func part(_ span: Range<Double>) -> Part { Part(series: series, rows: timeline.places(in: span), span: span) }

    /// Returns the hours that count for each `DayWindow` of the day with this span.
    func windows(of span: Range<Double>, _ clock: LocalClock) -> [Part] {
        DayWindow.allCases.map { part($0.range(in: span, clock)) }
    }

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

/// The greatest or least value of a day's hours, and its time.
struct Extreme {
    enum Kind {
        case minimum, maximum
        /// The maximum of an amount, which has no time if it is 0.
        case peak
    }

    /// The variable of the hours.
    let hourly: Variable
    let kind: Kind, window: DayWindow
    /// The variables of the day.
    let value: Variable, time: Variable?
    /// The variable of the day to copy if the hours do not cover the window.
    let fallback: Variable?

    init(
        _ hourly: Variable, _ kind: Kind, of window: DayWindow, to value: Variable, _ time: Variable? = nil,
        else fallback: Variable? = nil
    ) {
        (self.hourly, self.kind, self.window) = (hourly, kind, window)
        (self.value, self.time, self.fallback) = (value, time, fallback)
    }

    /// An extreme comes after its fallback.
    static let all = [
        Extreme(.temperature, .maximum, of: .day, to: .temperatureMax, .temperatureMaxTime),
        Extreme(.temperature, .minimum, of: .day, to: .temperatureMin, .temperatureMinTime),
        Extreme(
            .temperature, .maximum, of: .daytime, to: .temperatureHigh, .temperatureHighTime, else: .temperatureMax),
        Extreme(
            .temperature, .minimum, of: .night, to: .temperatureLow, .temperatureLowTime, else: .temperatureMin),
        Extreme(
            .apparentTemperature, .maximum, of: .day, to: .apparentTemperatureMax, .apparentTemperatureMaxTime),
        Extreme(
            .apparentTemperature, .minimum, of: .day, to: .apparentTemperatureMin, .apparentTemperatureMinTime),
        Extreme(
            .apparentTemperature, .maximum, of: .daytime, to: .apparentTemperatureHigh,
            .apparentTemperatureHighTime, else: .apparentTemperatureMax),
        Extreme(
            .apparentTemperature, .minimum, of: .night, to: .apparentTemperatureLow, .apparentTemperatureLowTime,
            else: .apparentTemperatureMin),
        Extreme(.precipIntensity, .peak, of: .day, to: .precipIntensityMax, .precipIntensityMaxTime),
        Extreme(.rainRate, .peak, of: .day, to: .rainRateMax),
        Extreme(.snowRate, .peak, of: .day, to: .snowRateMax),
        Extreme(.iceRate, .peak, of: .day, to: .iceRateMax),
        Extreme(.windGust, .peak, of: .day, to: .windGust, .windGustTime),
        Extreme(.uvIndex, .peak, of: .day, to: .uvIndex, .uvIndexTime),
        Extreme(.solar, .peak, of: .day, to: .solarMax),
        Extreme(.cape, .peak, of: .day, to: .capeMax, .capeMaxTime),
    ]

    /// Completes a day with its extreme in `part`, the hours of the window, and the time of the extreme.
    ///
    /// A value of the day's own column stays. Its time is known if the hours cover the window, or if the extreme of
    /// the hours is the same value.
    func complete(_ days: inout Series, _ day: Int, _ part: SortedHours.Part?) {
        guard let part, case let statistics = part.statistics(hourly), statistics.count > 0
        else { return substitute(in: &days, day) }
        let isLeast = kind == .minimum
        let extreme = isLeast ? statistics.least : statistics.greatest
        if statistics.covers(part.span) {
            if days[value, day].isNaN { days[value, day] = extreme }
        } else {
            substitute(in: &days, day)
            if fallback != nil || days[value, day] != extreme { return }
        }
        guard let time, kind != .peak || extreme != 0 else { return }
        days[time, day] = part.series.times[isLeast ? statistics.leastRow : statistics.greatestRow]
    }

    private func substitute(in days: inout Series, _ day: Int) {
        if let fallback { days[value, day] = days[fallback, day] }
    }
}
