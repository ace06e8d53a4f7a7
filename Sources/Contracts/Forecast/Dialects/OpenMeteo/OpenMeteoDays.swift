import LenientCoding

extension OpenMeteo {
    /// The days with what their hours know: when highs and lows come, and what no column of theirs says.
    static func told(_ days: [Row], by hours: [Row]) -> [Row] {
        let calendar = Calendar(days)
        let timeline = Timeline(hours)
        return days.enumerated().map { index, day in
            var day = day
            let span = calendar.span(of: day, in: index)
            for extreme in extremes {
                let window = span.map(extreme.window.span)
                let places = window.map(timeline.places) ?? []
                extreme.tell(&day.point, from: hours, at: places, in: window)
            }
            let places = span.map(timeline.places) ?? []
            for field in means where day.point[keyPath: field] == nil {
                day.point[keyPath: field] = mean(of: field, in: hours, at: places)
            }
            return day
        }
    }

    /// The greatest and least values, one line each; what stands in for another one comes before it.
    ///
    /// The high is the day's and the low that of the night after it, as Dark Sky had them: 6 to 18, and 18 to 6.
    private static let extremes = [
        Extreme(of: \.temperature, .greatest, in: .day, \.temperatureMax, at: \.temperatureMaxTime),
        Extreme(of: \.temperature, .least, in: .day, \.temperatureMin, at: \.temperatureMinTime),
        Extreme(of: \.temperature, .greatest, in: .daytime, \.temperatureHigh, at: \.temperatureHighTime)
            .or(\.temperatureMax),
        Extreme(of: \.temperature, .least, in: .night, \.temperatureLow, at: \.temperatureLowTime)
            .or(\.temperatureMin),
        Extreme(
            of: \.apparentTemperature, .greatest, in: .day, \.apparentTemperatureMax,
            at: \.apparentTemperatureMaxTime),
        Extreme(
            of: \.apparentTemperature, .least, in: .day, \.apparentTemperatureMin, at: \.apparentTemperatureMinTime),
        Extreme(
            of: \.apparentTemperature, .greatest, in: .daytime, \.apparentTemperatureHigh,
            at: \.apparentTemperatureHighTime
        ).or(\.apparentTemperatureMax),
        Extreme(
            of: \.apparentTemperature, .least, in: .night, \.apparentTemperatureLow, at: \.apparentTemperatureLowTime
        ).or(\.apparentTemperatureMin),
        Extreme(of: \.precipIntensity, .most, in: .day, \.precipIntensityMax, at: \.precipIntensityMaxTime),
        Extreme(of: \.windGust, .most, in: .day, \.windGust, at: \.windGustTime),
        Extreme(of: \.uvIndex, .most, in: .day, \.uvIndex, at: \.uvIndexTime),
    ]

    /// What a day has from its hours on average, where no column says it.
    private static let means: [PointNumber] = [\.dewPoint, \.humidity, \.pressure, \.cloudCover]

    private static func mean(of field: PointNumber, in hours: [Row], at places: ArraySlice<Int>) -> Double? {
        let values = places.compactMap { hours[$0].point[keyPath: field] }
        if values.isEmpty { return nil }
        let mean = values.reduce(0, +) / Double(values.count)
        return mean.isFinite ? Conversion.Step(scale: 1, places: 2)(mean) : nil
    }
}

extension OpenMeteo {
    /// The greatest or least value that the hours of a day have, and when.
    struct Extreme: Sendable {
        /// The hours in which it is looked for.
        enum Window: Sendable { case day, daytime, night }

        /// Which value it is; `most` is the greatest of amounts, and nothing has no time.
        enum Kind: Sendable { case greatest, least, most }

        private let hourly: PointNumber
        private let kind: Kind
        private let value: PointNumber
        private let time: PointMoment
        /// The value of the day that stands in where the hours do not cover the window.
        private var substitute: PointNumber?
        let window: Window

        fileprivate init(
            of hourly: PointNumber, _ kind: Kind, in window: Window, _ value: PointNumber, at time: PointMoment
        ) {
            self.hourly = hourly
            self.kind = kind
            self.window = window
            self.value = value
            self.time = time
        }

        /// The extreme with a value of the day that stands in for it.
        fileprivate func or(_ field: PointNumber) -> Extreme {
            var extreme = self
            extreme.substitute = field
            return extreme
        }

        /// Tells a day its extreme and the time of it.
        ///
        /// What a column says counts. Hours count where they cover the window, and for the time also where one of them
        /// has the very value of the column.
        fileprivate func tell(
            _ day: inout DataPoint, from hours: [Row], at places: ArraySlice<Int>, in span: Range<Double>?
        ) {
            let known = places.filter { hours[$0].point[keyPath: hourly] != nil }
            guard let span, let found = extreme(known, of: hours), let best = hours[found].point[keyPath: hourly] else {
                return substitute(in: &day)
            }
            if Double(known.count) >= (span.upperBound - span.lowerBound) / 3600 {
                day[keyPath: value] = day[keyPath: value] ?? best
            } else {
                substitute(in: &day)
                if substitute != nil || day[keyPath: value] != best { return }
            }
            if kind == .most, best == 0 { return }
            day[keyPath: time] = hours[found].point.time
        }

        private func substitute(in day: inout DataPoint) {
            if let substitute { day[keyPath: value] = day[keyPath: substitute] }
        }

        /// The place of the first of the hours that has the extreme.
        private func extreme(_ places: [Int], of hours: [Row]) -> Int? {
            places.reduce(nil) { found, place in
                guard let found, let best = hours[found].point[keyPath: hourly],
                    let next = hours[place].point[keyPath: hourly]
                else { return place }
                return (kind == .least ? next < best : next > best) ? place : found
            }
        }
    }
}

extension OpenMeteo.Extreme.Window {
    /// The window as part of a day.
    fileprivate func span(of day: Range<Double>) -> Range<Double> {
        switch self {
        case .day: day
        case .daytime: day.lowerBound + 6 * 3600..<day.lowerBound + 18 * 3600
        case .night: day.lowerBound + 18 * 3600..<day.lowerBound + 30 * 3600
        }
    }
}
