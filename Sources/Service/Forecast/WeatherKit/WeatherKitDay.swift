import Contracts
import Records

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
        private var point: DataPoint {
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

        /// Returns the starts of days, and when the sun rises and sets.
        static func sun(of days: [Day]) -> Series {
            var series = Series(times: days.map(\.start.time.seconds), variables: Variable.ofDays, hours: 24)
            for (row, day) in days.enumerated() {
                series[.sunrise, row] = day.sunrise?.time.seconds ?? .nan
                series[.sunset, row] = day.sunset?.time.seconds ?? .nan
            }
            return series
        }

        /// Returns the points of days, completed from their hours: amounts, means, and extremes with their times.
        static func points(
            of days: [Day], from hours: Series, _ spans: LocalDays, _ clock: LocalClock
        ) -> [DataPoint] {
            var points = days.map(\.point)
            var series = Series(points, variables: Variable.ofDays)
            series.completeDays(from: hours, spans, clock)
            for (row, day) in days.enumerated() {
                points[row].takeDay(series, row)
                points[row].moonPhase = MoonPhase.ofDay(from: series.times[row], clock)
                if case .unknown? = day.condition { points[row].setMeasuredIcon(byNight: false) }
                if case .unknown(let text)? = day.kind { points[row].precipType = .unknown(text) }
                if let time = day.maximumTime?.time { points[row].temperatureMaxTime = time }
                if let time = day.minimumTime?.time { points[row].temperatureMinTime = time }
            }
            return points
        }
    }
}
