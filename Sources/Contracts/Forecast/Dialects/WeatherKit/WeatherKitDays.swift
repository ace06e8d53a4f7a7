import Glibc
import LenientCoding

extension WeatherKit {
    /// A day, in the contract's fields but Apple's units.
    struct Day: Record {
        var point = DataPoint()
        var start = ISODate(time: UnixSeconds(0))
        var condition: OpenEnum<Condition>?, kind: OpenEnum<Kind>?
        /// Water and snow (mm).
        var amount: Double?, snowAmount: Double?
        var sunrise: ISODate?, sunset: ISODate?, dawn: ISODate?, dusk: ISODate?
        var maximumTime: ISODate?, minimumTime: ISODate?

        static let schema = Schema<Day>(.absent(-999), .absent("")) {
            Field("forecastStart", \.start)
            Field("conditionCode", \.condition, .exact)
            Field("precipitationType", \.kind, .exact)
            Field("precipitationAmount", \.amount, .plausible(0...30_000))
            Field("snowfallAmount", \.snowAmount, .plausible(0...50_000))
            Field("precipitationChance", \.point.precipProbability, .plausible(0...1))
            Field("sunrise", \.sunrise)
            Field("sunset", \.sunset)
            Field("sunriseCivil", \.dawn)
            Field("sunsetCivil", \.dusk)
            Field("temperatureMax", \.point.temperatureMax, .plausible(-100...70))
            Field("temperatureMaxTime", \.maximumTime)
            Field("temperatureMin", \.point.temperatureMin, .plausible(-100...70))
            Field("temperatureMinTime", \.minimumTime)
            Field("windSpeedAvg", \.point.windSpeed, .plausible(0...540))
            Field("windGustSpeedMax", \.point.windGust, .plausible(0...540))
            Field("maxUvIndex", \.point.uvIndex, .plausible(0...50))
            // The half days are those of 7 h and 19 h, not the contract's.
            Ignored(
                "daytimeForecast", "forecastEnd", "humidityMax", "humidityMin", "moonPhase", "moonrise", "moonset",
                "overnightForecast", "precipitationAmountByType", "restOfDayForecast", "solarMidnight", "solarNoon",
                "sunriseAstronomical", "sunriseNautical", "sunsetAstronomical", "sunsetNautical", "visibilityMax",
                "visibilityMin", "windSpeedMax")
        }

        var row: OpenMeteo.Row {
            var row = OpenMeteo.Row(at: start.time)
            row.point = point
            row.point.time = start.time
            row.point.convert()
            row.point.describe(condition)
            (row.point.sunriseTime, row.point.sunsetTime) = (sunrise?.time, sunset?.time)
            (row.point.dawnTime, row.point.duskTime) = (dawn?.time, dusk?.time)
            // moonPhase would be set here, computed from the time: Apple's eight words are no number.
            let precipitation = Precipitation(kind, condition, water: amount, snow: snowAmount)
            precipitation.setDepths(of: &row)
            row.point.precipIntensity = amount.map { Conversion.Step(scale: 1.0 / 24, places: 4)($0) }
            if case .known(let type)? = precipitation.type { row.inputs.kind = type }
            return row
        }
    }

    /// Returns the days, completed from the hours: amounts, means, extremes with their times, and the direction of wind.
    static func complete(
        _ days: [Day], from hours: [OpenMeteo.Row], _ calendar: OpenMeteo.Calendar, _ zone: Zone
    ) -> [OpenMeteo.Row] {
        var rows = days.map(\.row)
        rows.complete(from: hours, calendar, zone.clock)
        let winds = hours.compactMap { Wind($0.point) }.sorted { $0.time < $1.time }
        for index in rows.indices {
            if case .unknown(let text)? = days[index].kind { rows[index].point.precipType = .unknown(text) }
            rows[index].point.temperatureMaxTime = days[index].maximumTime?.time ?? rows[index].point.temperatureMaxTime
            rows[index].point.temperatureMinTime = days[index].minimumTime?.time ?? rows[index].point.temperatureMinTime
            rows[index].point.windBearing = calendar.span(ofDay: index).flatMap { Wind.meanBearing(winds, in: $0) }
        }
        return rows
    }

    /// The wind of an hour as a vector.
    private struct Wind {
        let time: Double
        private let east: Double, north: Double

        /// The wind of a point; nil if its speed or its direction is not known.
        init?(_ point: DataPoint) {
            guard let speed = point.windSpeed, let bearing = point.windBearing else { return nil }
            time = point.time.seconds
            (east, north) = (speed * sin(bearing * .pi / 180), speed * cos(bearing * .pi / 180))
        }

        /// Returns the direction of the mean of the winds in `span`, in whole degrees; nil if there is none.
        static func meanBearing(_ winds: [Wind], in span: Range<Double>) -> Double? {
            let first = winds.partitioningIndex { $0.time >= span.lowerBound }
            var (east, north) = (0.0, 0.0)
            for wind in winds[first...].prefix(while: { $0.time < span.upperBound }) {
                east += wind.east
                north += wind.north
            }
            guard hypot(east, north) > 1e-9 else { return nil }
            let degrees = (atan2(east, north) * 180 / .pi).rounded()
            return degrees < 0 ? degrees + 360 : degrees + 0
        }
    }
}

extension Array {
    /// Returns the index of the first element that satisfies `belongs`, in an array with all such elements at its end.
    fileprivate func partitioningIndex(_ belongs: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
