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
        init(_ query: ForecastQuery?, now: Double?, _ calendar: Calendar, _ clock: Clock) {
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

        /// Returns the current weather; of a historical query, the hour that contains the moment.
        func current(_ row: Row?, among hours: [Row]) -> Row? {
            switch scope {
            case .all, .upcoming: return row
            case .nothing: return nil
            case .day(let moment, _, _):
                var hour = hours.last { $0.point.time.seconds <= moment && moment < $0.point.time.seconds + 3600 }
                hour?.point.time = UnixSeconds(moment)
                return hour
            }
        }

        /// Returns the hours of the selection.
        func hours(_ rows: [Row]) -> [Row] {
            switch scope {
            case .all: rows
            case .upcoming(let now, let count, _):
                Array(rows.filter { $0.point.time.seconds > now - 3600 }.prefix(count))
            case .day(_, _, let span): rows.filter { span?.contains($0.point.time.seconds) == true }
            case .nothing: []
            }
        }

        /// Returns the days of the selection.
        func days(_ rows: [Row]) -> [Row] {
            switch scope {
            case .all: rows
            case .upcoming(_, _, let today):
                Array(rows.filter { $0.point.time.seconds >= today }.prefix(Self.maximumDays))
            case .day(_, let index, _): index.map { [rows[$0]] } ?? []
            case .nothing: []
            }
        }
    }
}
