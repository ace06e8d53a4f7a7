import Glibc
import LenientCoding

extension WeatherKit {
    /// The weather now or in an hour, in the contract's fields but Apple's units.
    struct Weather: Record {
        var point = DataPoint()
        var condition: OpenEnum<Condition>?, kind: OpenEnum<Kind>?, daylight: Bool?
        /// Water and snow (mm), and their rates (mm/h).
        var amount: Double?, intensity: Double?, snowAmount: Double?, snowIntensity: Double?

        static let schema = Schema<Weather>(.absent(-999), .absent("")) {
            Field("conditionCode", \.condition, .exact)
            Field("precipitationType", \.kind, .exact)
            Field("daylight", \.daylight)
            Field("precipitationAmount", \.amount, .plausible(0...3000))
            Field("precipitationIntensity", \.intensity, .plausible(0...3000))
            Field("snowfallAmount", \.snowAmount, .plausible(0...50_000))
            Field("snowfallIntensity", \.snowIntensity, .plausible(0...50_000))
            Field("precipitationChance", \.point.precipProbability, .plausible(0...1))
            Field("temperature", \.point.temperature, .plausible(-100...70))
            Field("temperatureApparent", \.point.apparentTemperature, .plausible(-130...100))
            Field("temperatureDewPoint", \.point.dewPoint, .plausible(-100...70))
            Field("humidity", \.point.humidity, .plausible(0...1))
            Field("pressure", \.point.pressure, .plausible(800...1100))
            Field("windSpeed", \.point.windSpeed, .plausible(0...540))
            Field("windGust", \.point.windGust, .plausible(0...540))
            Field("windDirection", \.point.windBearing, .plausible(0...360))
            Field("cloudCover", \.point.cloudCover, .plausible(0...1))
            Field("uvIndex", \.point.uvIndex, .plausible(0...50))
            Field("visibility", \.point.visibility, .plausible(0...1_000_000))
            Ignored(
                "cloudCoverHighAltPct", "cloudCoverLowAltPct", "cloudCoverMidAltPct", "perceivedPrecipitationIntensity",
                "precipitationAmount1h", "precipitationAmount24h", "precipitationAmount6h", "precipitationAmountByType",
                "precipitationAmountNext1h", "precipitationAmountNext1hByType", "precipitationAmountNext24h",
                "precipitationAmountNext24hByType", "precipitationAmountNext6h", "precipitationAmountNext6hByType",
                "precipitationAmountPrevious1hByType", "precipitationAmountPrevious24hByType",
                "precipitationAmountPrevious6hByType", "pressureTrend", "snowfallAmount1h", "snowfallAmount24h",
                "snowfallAmount6h", "snowfallAmountNext1h", "snowfallAmountNext24h", "snowfallAmountNext6h",
                "temperatureApparentMax", "temperatureApparentMin")
        }

        /// Returns the weather in the contract's units; `isSpan` says whether it is that of an hour.
        func point(at time: UnixSeconds, isSpan: Bool, _ calendar: Calendar) -> DataPoint {
            var point = point
            point.time = time
            point.convert()
            point.describe(condition, byNight: daylight.map { !$0 } ?? calendar.isNight(time))
            // In an hour, a rate is the depth that falls.
            let precipitation = Precipitation(
                kind, condition, water: isSpan ? amount ?? intensity : intensity,
                snow: isSpan ? snowAmount ?? snowIntensity : snowIntensity)
            precipitation.setRates(of: &point)
            if isSpan { precipitation.setDepths(of: &point) }
            return point
        }
    }

    /// An hour.
    struct Hour: Record {
        var start = ISODate(time: UnixSeconds(0))
        var weather = Weather()

        static let schema = Schema<Hour> {
            Field("forecastStart", \.start)
            Included(\.weather)
            Ignored("forecastEnd")
        }

        func point(_ calendar: Calendar) -> DataPoint { weather.point(at: start.time, isSpan: true, calendar) }
    }

    /// The hours of an answer in the order of their times, for what days compute from them.
    struct Hours {
        private let all: [DataPoint]

        init(_ hours: [DataPoint]) { all = hours.sorted { $0.time < $1.time } }

        /// Returns the hours that start in `span`.
        func points(in span: Range<Double>) -> ArraySlice<DataPoint> {
            let first = count(before: span.lowerBound)
            return all[first..<max(first, count(before: span.upperBound))]
        }

        /// Returns the values of a field in the hours of `span`, or nil if an hour lacks it.
        ///
        /// A span can have a half hour more (Australia/Lord_Howe).
        func all(_ field: KeyPath<DataPoint, Double?>, in span: Range<Double>) -> [Double]? {
            let values = points(in: span).compactMap { $0[keyPath: field] }
            let hours = ((span.upperBound - span.lowerBound) / 3600).rounded(.down)
            return values.isEmpty || Double(values.count) < hours ? nil : values
        }

        /// Returns the type with the largest amount, of those that Weir knows.
        func largestType(in span: Range<Double>) -> OpenEnum<PrecipitationType>? {
            var amounts: [PrecipitationType: Double] = [:]
            for hour in points(in: span) {
                if case .known(let type)? = hour.precipType { amounts[type, default: 0] += hour.precipIntensity ?? 0 }
            }
            return amounts.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }.map { .known($0.key) }
        }

        /// Returns the direction of the sum of all winds in whole degrees; nil if it is not known.
        func meanBearing(in span: Range<Double>) -> Double? {
            var (east, north) = (0.0, 0.0)
            for hour in points(in: span) {
                guard let speed = hour.windSpeed, let bearing = hour.windBearing else { continue }
                east += speed * sin(bearing * .pi / 180)
                north += speed * cos(bearing * .pi / 180)
            }
            // Winds that cancel each other out leave the errors of their sums.
            guard hypot(east, north) > 1e-9 else { return nil }
            let degrees = (atan2(east, north) * 180 / .pi).rounded()
            return degrees < 0 ? degrees + 360 : degrees + 0
        }

        /// Returns the number of hours that start before `moment`, by binary search.
        private func count(before moment: Double) -> Int {
            var (low, high) = (0, all.count)
            while low < high {
                let middle = (low + high) / 2
                if all[middle].time.seconds < moment { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}

extension DataPoint {
    /// Turns km/h into m/s, and metres into kilometres.
    mutating func convert() {
        let speed = Conversion.Step(scale: 1 / 3.6, places: 2), distance = Conversion.Step(scale: 0.001, places: 3)
        windSpeed = windSpeed.map { speed($0) }
        windGust = windGust.map { speed($0) }
        visibility = visibility.map { distance($0) }
    }

    /// Sets the weather in words and its icon; an unknown condition passes as it came.
    mutating func describe(_ condition: OpenEnum<WeatherKit.Condition>?, byNight isNight: Bool) {
        switch condition {
        case .known(let condition)?:
            summary = condition.summary
            icon = .known(isNight ? condition.icon.atNight : condition.icon)
        case .unknown(let text)?: summary = text
        case nil: break
        }
    }
}
