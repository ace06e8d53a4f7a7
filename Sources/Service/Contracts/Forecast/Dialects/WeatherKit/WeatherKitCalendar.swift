import LenientCoding

extension WeatherKit {
    /// The days of an answer.
    struct Calendar {
        private let days: [DataPoint]
        private let spans: LocalDays

        init(_ days: [DataPoint], _ clock: LocalClock) {
            self.days = days
            spans = LocalDays(startingAt: days.map(\.time.seconds), clock)
        }

        /// Returns the index and the span of the day that contains `moment`, or nil.
        func day(at moment: Double) -> (index: Int, span: Range<Double>)? { spans.day(at: moment) }

        /// Returns the span of a day, or nil if another day starts less than 23 hours later.
        func span(ofDay index: Int) -> Range<Double>? { spans.span(ofDay: index) }

        /// Whether the sun is down, by sunrise and sunset; false if they are not known.
        func isNight(_ time: UnixSeconds) -> Bool {
            guard let day = day(at: time.seconds).map({ days[$0.index] }), let sunrise = day.sunriseTime,
                let sunset = day.sunsetTime, sunrise < sunset
            else { return false }
            return time < sunrise || time >= sunset
        }
    }

    /// The points of an answer that a query requests; a request covers complete days, so its answer has more.
    enum Selection {
        /// All points.
        case all
        /// Some hours from now on, and eight days from the start of today on, as Dark Sky answered.
        case upcoming(now: Double, today: Double, hours: Int)
        /// The local day that contains a moment, with its index among the days and its span, where they are known.
        case day(moment: Double, index: Int?, span: Range<Double>?)
        case nothing

        /// The selection for `query`; `now` is the time of the answer, nil if it is not known.
        init(_ query: ForecastQuery?, now: Double?, _ calendar: Calendar, _ zone: Zone) {
            guard let query else {
                self = .all
                return
            }
            guard let time = query.time else {
                let now = now ?? -.infinity
                let today = calendar.day(at: now)?.span ?? zone.clock.day(at: now)
                self = .upcoming(
                    now: now, today: today?.lowerBound ?? now - 86_399, hours: query.extendsHourly ? 169 : 49)
                return
            }
            guard let moment = zone.moment(time) else {
                self = .nothing
                return
            }
            let day = calendar.day(at: moment)
            self = .day(moment: moment, index: day?.index, span: day?.span ?? zone.clock.day(at: moment))
        }

        /// Returns the current weather; of a historical query, the hour that contains the moment.
        func current(_ now: DataPoint?, among hours: [DataPoint]) -> DataPoint? {
            switch self {
            case .all, .upcoming: return now
            case .nothing: return nil
            case .day(let moment, _, _):
                var hour = hours.hour(at: moment)
                hour?.time = UnixSeconds(moment)
                return hour
            }
        }

        func hours(_ hours: [DataPoint]) -> [DataPoint] {
            switch self {
            case .all: hours
            case .upcoming(let now, _, let count):
                Array(hours.lazy.filter { $0.time.seconds > now - 3600 }.prefix(count))
            case .day(_, _, let span): hours.filter { span?.contains($0.time.seconds) == true }
            case .nothing: []
            }
        }

        func days(_ days: [DataPoint]) -> [DataPoint] {
            switch self {
            case .all: days
            case .upcoming(_, let today, _): Array(days.filter { $0.time.seconds >= today }.prefix(8))
            case .day(_, let index, _): index.map { [days[$0]] } ?? []
            case .nothing: []
            }
        }
    }
}

extension [DataPoint] {
    /// Returns the last of these hours that contains a moment.
    func hour(at moment: Double) -> DataPoint? {
        last { $0.time.seconds <= moment && moment < $0.time.seconds + 3600 }
    }
}
