import JSONText
import LenientCoding

extension OpenMeteo {
    /// The local time of an answer's place.
    struct Clock {
        /// Seconds ahead of UTC; nil if the answer has no offset.
        let offset: Double?

        /// Reads a time: unix seconds, or ISO 8601 in local time unless it names a zone.
        ///
        /// Local time without a known offset is mistyped.
        func read(
            _ node: JSONNode, as field: SchemaField<UnixSeconds>, _ reader: inout RecordReader
        ) -> UnixSeconds? {
            guard let text = node.string, let date = ISO8601.date(from: text) else {
                return UnixSeconds.read(node, field.rules, &reader)
            }
            var seconds = UnixSeconds(date).seconds
            if Self.isLocal(text) {
                guard let offset else { return reader.fail(.mistyped) }
                seconds -= offset
            }
            return accepted(seconds, by: field).map(UnixSeconds.init) ?? reader.fail(.implausible)
        }

        /// Returns the moment of a local time, or nil if it is invalid or the offset is not known.
        func moment(_ text: String) -> Double? {
            guard let date = ISO8601.date(from: text), let offset else { return nil }
            return UnixSeconds(date).seconds - offset
        }

        /// Returns the span of the local day that contains `moment`, or nil if the offset is not known.
        func day(at moment: Double) -> Range<Double>? {
            guard let offset else { return nil }
            let start = ((moment + offset) / 86400).rounded(.down) * 86400 - offset
            // A moment that is too large for its seconds to be exact has no day.
            return start < start + 86400 ? start..<start + 86400 : nil
        }

        /// Whether a valid date has no zone: a date without a time, or a text that becomes valid with one more zone.
        private static func isLocal(_ text: String) -> Bool {
            text.utf8.count == 10 || ISO8601.date(from: text + "Z") != nil
        }
    }

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
            let first = count(before: span.lowerBound)
            return order[first..<max(first, count(before: span.upperBound))].compactMap { index in
                field(rows[index].point).map { (rows[index].point.time, $0) }
            }
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

        init(_ days: [Row]) {
            self.days = days
            timeline = Timeline(days)
        }

        /// Returns the index and the span of the day that contains `moment`, or nil.
        ///
        /// A day ends where the next one starts, but after at most 25 hours; else it has 24 hours.
        func day(at moment: Double) -> (index: Int, span: Range<Double>)? {
            guard let (index, start, next) = timeline.row(at: moment) else { return nil }
            let end = next.map { $0 <= start + 90000 ? $0 : start + 86400 } ?? start + 86400
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
        ///
        /// Open-Meteo gives sunrise and sunset the same time if the sun does not rise or does not set that day.
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
    /// Completes days from their hours: extremes with their times, and means.
    mutating func complete(from hours: [OpenMeteo.Row], _ calendar: OpenMeteo.Calendar) {
        let timeline = OpenMeteo.Timeline(hours)
        for index in indices {
            let span = calendar.span(ofDay: index)
            for extreme in OpenMeteo.Extreme.all {
                extreme.complete(&self[index].point, from: timeline, span)
            }
            guard let span else { continue }
            for field in OpenMeteo.means where self[index].point[keyPath: field] == nil {
                let values = timeline.values(of: { $0[keyPath: field] }, in: span)
                let mean = values.reduce(0) { $0 + $1.value } / Double(values.count)
                // Not finite without values, and if their sum overflows.
                guard mean.isFinite else { continue }
                self[index].point[keyPath: field] = Conversion.Step(scale: 1, places: 2)(mean)
            }
        }
    }
}

extension OpenMeteo {
    /// The fields of a day that are the mean of its hours if no column has them.
    fileprivate static let means: [PointNumber] = [\.dewPoint, \.humidity, \.pressure, \.cloudCover]

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
        func complete(_ day: inout DataPoint, from hours: Timeline, _ span: Range<Double>?) {
            guard let window = span.map(range),
                case let values = hours.values(of: hourly, in: window), let first = values.first
            else { return substitute(in: &day) }
            let extreme = values.dropFirst().reduce(first) { best, next in
                (kind == .minimum ? next.value < best.value : next.value > best.value) ? next : best
            }
            if Double(values.count) >= (window.upperBound - window.lowerBound) / 3600 {
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

        private func range(in day: Range<Double>) -> Range<Double> {
            switch window {
            case .day: day
            case .daytime: day.lowerBound + 6 * 3600..<day.lowerBound + 18 * 3600
            case .night: day.lowerBound + 18 * 3600..<day.lowerBound + 30 * 3600
            }
        }
    }
}
