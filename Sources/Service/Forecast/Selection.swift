/// The rows of an answer that a query requests; a request covers complete days, so its answer has more.
enum Selection {
    /// All rows.
    case all
    /// Some hours from now on, and eight days from the start of today on, as Dark Sky answered.
    case upcoming(from: Double, hours: Int, today: Double)
    /// The local day that contains a moment: its index among the days and its span, where they are known.
    case day(of: Double, index: Int?, span: Range<Double>?)
    case nothing

    /// The selection for `query`; `now` is the time of the current weather, nil if it is not known.
    init(_ query: ForecastQuery?, now: Double?, _ days: LocalDays, _ clock: LocalClock) {
        guard let query else {
            self = .all
            return
        }
        guard let time = query.time else {
            let now = now ?? -.infinity
            let today = days.day(at: now)?.span ?? clock.day(at: now)
            // Dark Sky answered the current hour and 48 more, or a week of them.
            let hours = query.extendsHourly ? 169 : 49
            self = .upcoming(from: now, hours: hours, today: today?.lowerBound ?? now - 86_399)
            return
        }
        guard let moment = clock.moment(time) else {
            self = .nothing
            return
        }
        let day = days.day(at: moment)
        self = .day(of: moment, index: day?.index, span: day?.span ?? clock.day(at: moment))
    }

    /// Whether the answer has the current weather and the next hour of the upstream.
    var isCurrent: Bool {
        switch self {
        case .all, .upcoming: true
        case .day, .nothing: false
        }
    }

    /// Returns the hour that contains the moment of a historical query, and that moment.
    func moment(among hours: [Double]) -> (row: Int, time: Double)? {
        guard case .day(let moment, _, _) = self else { return nil }
        return hours.hour(at: moment).map { ($0, moment) }
    }

    /// Returns the rows of the hours with these starts.
    func rows(ofHours hours: [Double]) -> [Int] {
        switch self {
        case .all: Array(hours.indices)
        case .upcoming(let now, let count, _):
            Array(hours.indices.lazy.filter { hours[$0] > now - 3600 }.prefix(count))
        case .day(_, _, let span): hours.indices.filter { span?.contains(hours[$0]) == true }
        case .nothing: []
        }
    }

    /// Returns the rows of the days with these starts.
    func rows(ofDays days: [Double]) -> [Int] {
        switch self {
        case .all: Array(days.indices)
        case .upcoming(_, _, let today): Array(days.indices.lazy.filter { days[$0] >= today }.prefix(8))
        case .day(_, let index, _): index.map { [$0] } ?? []
        case .nothing: []
        }
    }
}

extension [Double] {
    /// Returns the last of the hours with these starts that contains a moment.
    func hour(at moment: Double) -> Int? { lastIndex { $0 <= moment && moment < $0 + 3600 } }
}
