import LenientCoding

extension WeatherKit {
    /// A day, in the contract's fields but Apple's units.
    struct Day: Record {
        private var own = DataPoint()
        private var start = ISODate(time: UnixSeconds(0))
        private var condition: OpenEnum<Condition>?, kind: OpenEnum<Kind>?
        /// Water and snow (mm).
        private var amount: Double?, snowAmount: Double?
        private var sunrise: ISODate?, sunset: ISODate?, dawn: ISODate?, dusk: ISODate?
        private var maximumTime: ISODate?, minimumTime: ISODate?

        static let schema = Schema<Day>(.absent(-999), .absent("")) {
            Field("forecastStart", \.start)
            Field("conditionCode", \.condition, .exact)
            Field("precipitationType", \.kind, .exact)
            Field("precipitationAmount", \.amount, .plausible(0...30_000))
            Field("snowfallAmount", \.snowAmount, .plausible(0...50_000))
            Field("precipitationChance", \.own.precipProbability, .plausible(0...1))
            Field("sunrise", \.sunrise)
            Field("sunset", \.sunset)
            Field("sunriseCivil", \.dawn)
            Field("sunsetCivil", \.dusk)
            Field("temperatureMax", \.own.temperatureMax, .plausible(-100...70))
            Field("temperatureMaxTime", \.maximumTime)
            Field("temperatureMin", \.own.temperatureMin, .plausible(-100...70))
            Field("temperatureMinTime", \.minimumTime)
            Field("windSpeedAvg", \.own.windSpeed, .plausible(0...540))
            Field("windGustSpeedMax", \.own.windGust, .plausible(0...540))
            Field("maxUvIndex", \.own.uvIndex, .plausible(0...50))
            // The half days are those of 7 h and 19 h, not the contract's.
            Ignored(
                "daytimeForecast", "forecastEnd", "humidityMax", "humidityMin", "moonPhase", "moonrise", "moonset",
                "overnightForecast", "precipitationAmountByType", "restOfDayForecast", "solarMidnight", "solarNoon",
                "sunriseAstronomical", "sunriseNautical", "sunsetAstronomical", "sunsetNautical", "visibilityMax",
                "visibilityMin", "windSpeedMax")
        }

        /// The day as Apple describes it, in the contract's units.
        var point: DataPoint {
            var point = own
            point.time = start.time
            point.convert()
            point.describe(condition, byNight: false)
            (point.sunriseTime, point.sunsetTime) = (sunrise?.time, sunset?.time)
            (point.dawnTime, point.duskTime) = (dawn?.time, dusk?.time)
            let precipitation = Precipitation(kind, condition, water: amount, snow: snowAmount)
            point.precipType = precipitation.type
            point.precipIntensity = amount.map { Conversion.Step(scale: 1.0 / 24, places: 4)($0) }
            precipitation.setDepths(of: &point)
            return point
        }

        /// Returns the day completed from its hours: amounts, means, and extremes with their times.
        ///
        /// `span` is nil if the day has no hours of its own.
        func completed(from hours: Hours, _ span: Range<Double>?, _ clock: LocalClock) -> DataPoint {
            var point = point
            point.moonPhase = MoonPhase.ofDay(from: start.time.seconds, clock)
            if let span { point.summarize(hours, in: span) }
            for extreme in Extreme.all { extreme.complete(&point, from: hours, span, clock) }
            if case .unknown(let text)? = kind { point.precipType = .unknown(text) }
            point.temperatureMaxTime = maximumTime?.time ?? point.temperatureMaxTime
            point.temperatureMinTime = minimumTime?.time ?? point.temperatureMinTime
            return point
        }
    }

    /// The greatest or least value of a day's hours, and its time.
    private struct Extreme: Sendable {
        typealias Number = any WritableKeyPath<DataPoint, Double?> & Sendable
        typealias Time = any WritableKeyPath<DataPoint, UnixSeconds?> & Sendable

        enum Kind: Sendable {
            case minimum, maximum
            /// The maximum of an amount, which has no time if it is 0.
            case peak
        }

        /// The hours that count: Dark Sky's high is that of 6 to 18 h, its low that of the following night.
        enum Window: Sendable { case day, daytime, night }

        /// The field of the hours.
        let hourly: Number
        let kind: Kind, window: Window
        /// The fields of the day.
        let value: Number, time: Time?
        /// The field of the day to copy if the hours do not cover the window.
        let fallback: Number?

        private init(_ hourly: Number, _ kind: Kind, to value: Number, _ time: Time) {
            (self.hourly, self.kind, self.value, self.time) = (hourly, kind, value, time)
            (window, fallback) = (.day, nil)
        }

        private init(
            _ hourly: Number, _ kind: Kind, of window: Window, to value: Number, _ time: Time, else fallback: Number
        ) {
            (self.hourly, self.kind, self.value, self.time) = (hourly, kind, value, time)
            (self.window, self.fallback) = (window, fallback)
        }

        private init(peakOf hourly: Number, to value: Number) {
            (self.hourly, kind, self.value, time) = (hourly, .peak, value, nil)
            (window, fallback) = (.day, nil)
        }

        /// An extreme comes after its fallback.
        static let all = [
            Extreme(\.temperature, .maximum, to: \.temperatureMax, \.temperatureMaxTime),
            Extreme(\.temperature, .minimum, to: \.temperatureMin, \.temperatureMinTime),
            Extreme(
                \.temperature, .maximum, of: .daytime, to: \.temperatureHigh, \.temperatureHighTime,
                else: \.temperatureMax),
            Extreme(
                \.temperature, .minimum, of: .night, to: \.temperatureLow, \.temperatureLowTime, else: \.temperatureMin
            ),
            Extreme(\.apparentTemperature, .maximum, to: \.apparentTemperatureMax, \.apparentTemperatureMaxTime),
            Extreme(\.apparentTemperature, .minimum, to: \.apparentTemperatureMin, \.apparentTemperatureMinTime),
            Extreme(
                \.apparentTemperature, .maximum, of: .daytime, to: \.apparentTemperatureHigh,
                \.apparentTemperatureHighTime, else: \.apparentTemperatureMax),
            Extreme(
                \.apparentTemperature, .minimum, of: .night, to: \.apparentTemperatureLow,
                \.apparentTemperatureLowTime, else: \.apparentTemperatureMin),
            Extreme(\.precipIntensity, .peak, to: \.precipIntensityMax, \.precipIntensityMaxTime),
            Extreme(peakOf: \.rainIntensity, to: \.rainIntensityMax),
            Extreme(peakOf: \.snowIntensity, to: \.snowIntensityMax),
            Extreme(peakOf: \.iceIntensity, to: \.iceIntensityMax),
            Extreme(\.windGust, .peak, to: \.windGust, \.windGustTime),
            Extreme(\.uvIndex, .peak, to: \.uvIndex, \.uvIndexTime),
        ]

        /// Completes a day with its extreme and the time of it; `span` is nil if the day has no hours of its own.
        ///
        /// A value of Apple stays. Its time is known if the hours cover the window, or if the extreme of the hours is the
        /// same value.
        func complete(_ day: inout DataPoint, from hours: Hours, _ span: Range<Double>?, _ clock: LocalClock) {
            let window = span.map { range(in: $0, clock) }
            guard let window, let extreme = extreme(of: hours.points(in: window)) else { return substitute(in: &day) }
            if hours.all(hourly, in: window) != nil {
                day[keyPath: value] = day[keyPath: value] ?? extreme.value
            } else {
                substitute(in: &day)
                if fallback != nil || day[keyPath: value] != extreme.value { return }
            }
            guard let time, kind != .peak || extreme.value > 0 else { return }
            day[keyPath: time] = extreme.time
        }

        /// Returns the first of the extreme values.
        private func extreme(of hours: ArraySlice<DataPoint>) -> (value: Double, time: UnixSeconds)? {
            var best: (value: Double, time: UnixSeconds)?
            for hour in hours {
                guard let value = hour[keyPath: hourly] else { continue }
                if let best, kind == .minimum ? value >= best.value : value <= best.value { continue }
                best = (value, hour.time)
            }
            return best
        }

        private func substitute(in day: inout DataPoint) {
            if let fallback { day[keyPath: value] = day[keyPath: fallback] }
        }

        private func range(in day: Range<Double>, _ clock: LocalClock) -> Range<Double> {
            func moment(_ hour: Double) -> Double { clock.moment(atHour: hour, ofDayFrom: day.lowerBound) }
            switch window {
            case .day: return day
            case .daytime: return moment(6)..<max(moment(6), moment(18))
            case .night: return moment(18)..<max(moment(18), moment(30))
            }
        }
    }
}

extension DataPoint {
    /// Takes the amounts of the hours in `span`, if they cover it, and their means.
    fileprivate mutating func summarize(_ hours: WeatherKit.Hours, in span: Range<Double>) {
        func sum(_ field: KeyPath<DataPoint, Double?>) -> Double? {
            hours.all(field, in: span).map { Conversion.Step(scale: 1, places: 4)($0.reduce(0, +)) }
        }
        liquidAccumulation = sum(\.liquidAccumulation) ?? liquidAccumulation
        snowAccumulation = sum(\.snowAccumulation) ?? snowAccumulation
        precipAccumulation = snowAccumulation.flatMap { $0 > 0 ? $0 : nil }
        precipProbability = precipProbability ?? hours.all(\.precipProbability, in: span)?.max()
        if let amounts = hours.all(\.precipIntensity, in: span) {
            let scale = 3600 / (span.upperBound - span.lowerBound)
            precipIntensity = Conversion.Step(scale: scale, places: 4)(amounts.reduce(0, +))
            precipType = hours.largestType(in: span)
        }
        for field: WritableKeyPath<DataPoint, Double?> in [
            \.dewPoint, \.humidity, \.pressure, \.cloudCover, \.windSpeed,
        ]
        where self[keyPath: field] == nil {
            let values = hours.points(in: span).compactMap { $0[keyPath: field] }
            if values.isEmpty { continue }
            let mean = values.reduce(0, +) / Double(values.count)
            self[keyPath: field] = Conversion.Step(scale: 1, places: 2)(mean)
        }
        windBearing = hours.meanBearing(in: span)
    }
}
