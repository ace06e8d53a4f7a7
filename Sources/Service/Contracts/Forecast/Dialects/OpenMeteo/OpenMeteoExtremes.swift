extension OpenMeteo {
    /// The hours of the windows of a day.
    struct Windows {
        private let span: Range<Double>?
        private let clock: LocalClock
        private let hours: Hours?
        private var parts: [Hours.Part?] = [nil, nil, nil]

        /// `span` is nil if the day has no hours of its own.
        init(_ span: Range<Double>?, _ clock: LocalClock, _ hours: Hours?) {
            (self.span, self.clock, self.hours) = (span, clock, hours)
        }

        /// Returns the hours that count for a window, or nil if the day has none.
        mutating func part(_ window: DayWindow) -> Hours.Part? {
            if let part = parts[window.rawValue] { return part }
            guard let span, let hours else { return nil }
            let part = hours.part(window.range(in: span, clock))
            parts[window.rawValue] = part
            return part
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
            Extreme(.rain, .peak, of: .day, to: .rainMax),
            Extreme(.snow, .peak, of: .day, to: .snowMax),
            Extreme(.ice, .peak, of: .day, to: .iceMax),
            Extreme(.windGust, .peak, of: .day, to: .windGust, .windGustTime),
            Extreme(.uvIndex, .peak, of: .day, to: .uvIndex, .uvIndexTime),
            Extreme(.solar, .peak, of: .day, to: .solarMax),
            Extreme(.cape, .peak, of: .day, to: .capeMax, .capeMaxTime),
        ]

        /// Completes a day with its extreme and the time of it.
        ///
        /// A value of the day's own column stays. Its time is known if the hours cover the window, or if the extreme of
        /// the hours is the same value.
        func complete(_ days: inout Series, _ day: Int, _ windows: inout Windows) {
            guard let part = windows.part(window), case let statistics = part.statistics(hourly), statistics.count > 0
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
}
