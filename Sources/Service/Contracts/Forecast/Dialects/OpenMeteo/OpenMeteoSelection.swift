import LenientCoding

extension OpenMeteo {
    /// The rows of an answer that a query requests; a request covers complete days, so its answer has more.
    struct Selection {
        private enum Scope {
            /// All rows.
            case all
            /// Some hours from now on, and the days from the start of today on.
            case upcoming(from: Double, hours: Int, today: Double)
            /// The local day that contains a moment: its index among the days and its span, where they are known.
            case day(of: Double, index: Int?, span: Range<Double>?)
            case nothing
        }

        /// The number of days in Dark Sky's daily block, today included.
        private static let maximumDays = 8
        private let scope: Scope

        /// The selection for `query`; `now` is the time of the current block, nil if the answer has none.
        init(_ query: ForecastQuery?, now: Double?, _ calendar: Calendar, _ clock: LocalClock) {
            guard let query else {
                scope = .all
                return
            }
            let moment: Double?
            switch query.time {
            case nil:
                // Dark Sky answered the current hour and 48 more, or a week of them.
                let now = now ?? -.infinity
                let today = calendar.day(at: now)?.span ?? clock.day(at: now)
                scope = .upcoming(
                    from: now, hours: query.extendsHourly ? 169 : 49, today: today?.lowerBound ?? now - 86399)
                return
            case .unix(let seconds): moment = Double(seconds)
            case .local(let text): moment = clock.moment(text)
            }
            guard let moment else {
                scope = .nothing
                return
            }
            let day = calendar.day(at: moment)
            scope = .day(of: moment, index: day?.index, span: day?.span ?? clock.day(at: moment))
        }

        /// Whether the answer has the current weather and the next hour of the upstream.
        var isCurrent: Bool {
            switch scope {
            case .all, .upcoming: true
            case .day, .nothing: false
            }
        }

        /// Returns the hour that contains the moment of a historical query, and that moment.
        func moment(among hours: Series) -> (row: Int, time: Double)? {
            guard case .day(let moment, _, _) = scope else { return nil }
            let row = hours.rows.last { hours.times[$0] <= moment && moment < hours.times[$0] + 3600 }
            return row.map { ($0, moment) }
        }

        /// Returns the rows of the hours of the selection.
        func rows(ofHours hours: Series) -> [Int] {
            switch scope {
            case .all: Array(hours.rows)
            case .upcoming(let now, let count, _):
                Array(hours.rows.lazy.filter { hours.times[$0] > now - 3600 }.prefix(count))
            case .day(_, _, let span): hours.rows.filter { span?.contains(hours.times[$0]) == true }
            case .nothing: []
            }
        }

        /// Returns the rows of the days of the selection.
        func rows(ofDays days: Series) -> [Int] {
            switch scope {
            case .all: Array(days.rows)
            case .upcoming(_, _, let today):
                Array(days.rows.lazy.filter { days.times[$0] >= today }.prefix(Self.maximumDays))
            case .day(_, let index, _): index.map { [$0] } ?? []
            case .nothing: []
            }
        }
    }
}
