import JSONText
import LenientCoding

extension OpenMeteo {
    /// An index of rows by time; the rows themselves keep the upstream's order.
    fileprivate struct Timeline {
        private let rows: [Row]
        /// The indices of `rows` in the order of their times, and those times.
        private let order: [Int], times: [Double]

        init(_ rows: [Row]) {
            self.rows = rows
            order = rows.indices.sorted { rows[$0].point.time < rows[$1].point.time }
            times = order.map { rows[$0].point.time.seconds }
        }

        /// Returns the values of a field in the rows that start in `span`, earliest first.
        func values(of field: PointReader, in span: Range<Double>) -> [(time: UnixSeconds, value: Double)] {
            indices(in: span).compactMap { index in
                field(rows[index].point).map { (rows[index].point.time, $0) }
            }
        }

        /// Returns what `read` finds in the rows that start in `span`, or nil if an hour of the span lacks it.
        func all<Value>(_ read: (Row) -> Value?, in span: Range<Double>) -> [Value]? {
            let values = indices(in: span).compactMap { read(rows[$0]) }
            return Self.covers(span, count: values.count) ? values : nil
        }

        /// Whether so many hours cover `span`, which can have a half hour more (Australia/Lord_Howe).
        static func covers(_ span: Range<Double>, count: Int) -> Bool {
            count > 0 && Double(count) >= ((span.upperBound - span.lowerBound) / 3600).rounded(.down)
        }

        private func indices(in span: Range<Double>) -> ArraySlice<Int> {
            let first = count(before: span.lowerBound)
            return order[first..<max(first, count(before: span.upperBound))]
        }

        /// Returns the index and the start of the last row that starts at or before `moment`, and the start of the next.
        func row(at moment: Double) -> (index: Int, start: Double, next: Double?)? {
            let position = count(before: moment.nextUp)
            guard position > 0 else { return nil }
            return (order[position - 1], times[position - 1], position < times.count ? times[position] : nil)
        }

        /// Returns the number of rows that start before `moment`, by binary search.
        private func count(before moment: Double) -> Int {
            var (low, high) = (0, times.count)
            while low < high {
                let middle = (low + high) / 2
                if times[middle] < moment { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// The days of an answer.
    struct Calendar {
        private let days: [Row]
        private let timeline: Timeline
        private let clock: Clock

        init(_ days: [Row], _ clock: Clock) {
            self.days = days
            self.clock = clock
            timeline = Timeline(days)
        }

        /// Returns the index and the span of the day that contains `moment`, or nil.
        ///
        /// A day ends where the next one starts, but after at most 25 hours; else at the next midnight.
        func day(at moment: Double) -> (index: Int, span: Range<Double>)? {
            guard let (index, start, next) = timeline.row(at: moment) else { return nil }
            let following = next.flatMap { $0 <= start + 90000 ? $0 : nil }
            let end = following ?? clock.moment(atHour: 24, ofDayFrom: start)
            return start <= moment && moment < end ? (index, start..<end) : nil
        }

        /// Returns the span of a day, or nil if another day starts less than 23 hours later.
        func span(ofDay index: Int) -> Range<Double>? {
            guard let day = day(at: days[index].point.time.seconds), day.index == index,
                day.span.upperBound - day.span.lowerBound >= 82800
            else { return nil }
            return day.span
        }

        /// Whether the sun is down: by the row's own `is_day`, else by sunrise and sunset, else false.
        func isNight(_ row: Row) -> Bool {
            if let isDay = row.inputs.isDay { return isDay == 0 }
            let time = row.point.time
            guard let (index, _) = day(at: time.seconds), let sunrise = days[index].point.sunriseTime,
                let sunset = days[index].point.sunsetTime, sunrise < sunset
            else { return false }
            return time < sunrise || time >= sunset
        }
    }
}

extension [OpenMeteo.Row] {
    /// Completes days from their hours: amounts, means, the weather in words, and extremes with their times.
    mutating func complete(from hours: [OpenMeteo.Row], _ calendar: OpenMeteo.Calendar, _ clock: OpenMeteo.Clock) {
        let timeline = OpenMeteo.Timeline(hours)
        for index in indices {
            let span = calendar.span(ofDay: index)
            if let span {
                self[index].total(timeline, in: span)
                self[index].average(timeline, in: span)
            }
            self[index].derive(for: .daily, calendar)
            for extreme in OpenMeteo.Extreme.all {
                extreme.complete(&self[index].point, from: timeline, span, clock)
            }
        }
    }
}

extension OpenMeteo.Row {
    /// Takes the amounts of precipitation and the most severe weather from the hours of the day, if they cover it.
    ///
    /// The upstream's own sums start and end an hour early, and its own code is the one with the greatest number.
    fileprivate mutating func total(_ hours: OpenMeteo.Timeline, in span: Range<Double>) {
        func sum(_ read: (Self) -> Double?) -> Double? {
            hours.all(read, in: span).map { Conversion.Step(scale: 1, places: 4)($0.reduce(0, +)) }
        }
        inputs.rain = sum(\.inputs.rain) ?? inputs.rain
        inputs.showers = sum(\.inputs.showers) ?? inputs.showers
        inputs.snow = sum(\.inputs.snow) ?? inputs.snow
        let codes = hours.all(\.inputs.code, in: span)
        inputs.code = codes?.compactMap(WeatherCode.find).max { $0.severity < $1.severity }?.code ?? inputs.code
        let probabilities = hours.all(\.point.precipProbability, in: span)
        point.precipProbability = point.precipProbability ?? probabilities?.max()
        let amounts = hours.all({ row in row.point.precipIntensity.map { (row.point.precipType, $0) } }, in: span)
        guard let amounts else { return }
        let total = amounts.reduce(0) { $0 + $1.1 }
        point.precipIntensity = Conversion.Step(scale: 3600 / (span.upperBound - span.lowerBound), places: 4)(total)
        var kinds: [PrecipitationType: Double] = [:]
        for case (.known(let kind)?, let amount) in amounts { kinds[kind, default: 0] += amount }
        inputs.kind = kinds.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }?.key
    }

    /// Takes the means of the hours that have a value, for the fields that no column of the day has.
    fileprivate mutating func average(_ hours: OpenMeteo.Timeline, in span: Range<Double>) {
        for field in OpenMeteo.means where point[keyPath: field] == nil {
            let values = hours.values(of: { $0[keyPath: field] }, in: span)
            let mean = values.reduce(0) { $0 + $1.value } / Double(values.count)
            // Not finite without values, and if their sum overflows.
            guard mean.isFinite else { continue }
            point[keyPath: field] = Conversion.Step(scale: 1, places: 2)(mean)
        }
    }
}

extension OpenMeteo {
    /// The fields of a day that are the mean of its hours if no column has them.
    fileprivate static let means: [PointNumber] = [\.dewPoint, \.humidity, \.pressure, \.cloudCover, \.windSpeed]

    /// The greatest or least value of a day's hours, and its time.
    fileprivate struct Extreme: Sendable {
        enum Kind: Sendable {
            case minimum, maximum
            /// The maximum of an amount, which has no time if it is 0.
            case peak
        }

        /// The hours that count: Dark Sky's high is that of 6 to 18 h, its low that of the following night.
        enum Window: Sendable { case day, daytime, night }

        /// The field of the hours.
        let hourly: PointReader
        let kind: Kind, window: Window
        /// The fields of the day.
        let value: PointNumber, time: PointTime
        /// The field of the day to copy if the hours do not cover the window.
        let fallback: PointReader?

        init(
            _ hourly: @escaping PointReader, _ kind: Kind, of window: Window, to value: PointNumber, _ time: PointTime,
            else fallback: PointReader? = nil
        ) {
            self.hourly = hourly
            self.kind = kind
            self.window = window
            self.value = value
            self.time = time
            self.fallback = fallback
        }

        /// An extreme comes after its fallback.
        static let all = [
            Extreme(\.temperature, .maximum, of: .day, to: \.temperatureMax, \.temperatureMaxTime),
            Extreme(\.temperature, .minimum, of: .day, to: \.temperatureMin, \.temperatureMinTime),
            Extreme(
                \.temperature, .maximum, of: .daytime, to: \.temperatureHigh, \.temperatureHighTime,
                else: \.temperatureMax),
            Extreme(
                \.temperature, .minimum, of: .night, to: \.temperatureLow, \.temperatureLowTime, else: \.temperatureMin
            ),
            Extreme(
                \.apparentTemperature, .maximum, of: .day, to: \.apparentTemperatureMax, \.apparentTemperatureMaxTime),
            Extreme(
                \.apparentTemperature, .minimum, of: .day, to: \.apparentTemperatureMin, \.apparentTemperatureMinTime),
            Extreme(
                \.apparentTemperature, .maximum, of: .daytime, to: \.apparentTemperatureHigh,
                \.apparentTemperatureHighTime, else: \.apparentTemperatureMax),
            Extreme(
                \.apparentTemperature, .minimum, of: .night, to: \.apparentTemperatureLow,
                \.apparentTemperatureLowTime, else: \.apparentTemperatureMin),
            Extreme(\.precipIntensity, .peak, of: .day, to: \.precipIntensityMax, \.precipIntensityMaxTime),
            Extreme(\.windGust, .peak, of: .day, to: \.windGust, \.windGustTime),
            Extreme(\.uvIndex, .peak, of: .day, to: \.uvIndex, \.uvIndexTime),
        ]

        /// Completes a day with its extreme and the time of it; `span` is nil if the day has no hours of its own.
        ///
        /// A value of the day's own column stays. Its time is known if the hours cover the window, or if the extreme of
        /// the hours is the same value.
        func complete(_ day: inout DataPoint, from hours: Timeline, _ span: Range<Double>?, _ clock: Clock) {
            guard let window = span.map({ range(in: $0, clock) }),
                case let values = hours.values(of: hourly, in: window), let first = values.first
            else { return substitute(in: &day) }
            let extreme = values.dropFirst().reduce(first) { best, next in
                (kind == .minimum ? next.value < best.value : next.value > best.value) ? next : best
            }
            if Timeline.covers(window, count: values.count) {
                day[keyPath: value] = day[keyPath: value] ?? extreme.value
            } else {
                substitute(in: &day)
                if fallback != nil || day[keyPath: value] != extreme.value { return }
            }
            if kind == .peak, extreme.value == 0 { return }
            day[keyPath: time] = extreme.time
        }

        private func substitute(in day: inout DataPoint) {
            if let fallback { day[keyPath: value] = fallback(day) }
        }

        private func range(in day: Range<Double>, _ clock: Clock) -> Range<Double> {
            func moment(_ hour: Double) -> Double { clock.moment(atHour: hour, ofDayFrom: day.lowerBound) }
            switch window {
            case .day: return day
            case .daytime: return moment(6)..<max(moment(6), moment(18))
            case .night: return moment(18)..<max(moment(18), moment(30))
            }
        }
    }
}
