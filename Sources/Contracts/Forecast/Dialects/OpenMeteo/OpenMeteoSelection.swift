import LenientCoding

extension OpenMeteo {
    /// Which rows of an answer a question was for: whole days are asked for, so that highs and lows can be found.
    struct Selection {
        /// What was asked for.
        private enum Asked {
            /// Whatever there is.
            case all
            /// From now on, so many hours; nil where the answer does not say what time it is.
            case ahead(from: Double?, hours: Int)
            /// The day that holds a moment; nil for a moment that cannot be placed.
            case day(of: Double?)
        }

        /// Dark Sky's days ahead, today first.
        private static let maximumDays = 8
        private let asked: Asked
        private let clock: Clock

        init(_ query: ForecastQuery?, now: Double?, clock: Clock) {
            self.clock = clock
            asked =
                switch query?.time {
                case _ where query == nil: .all
                // The hour at hand, and as many more as Dark Sky had.
                case nil: .ahead(from: now, hours: query?.extendsHourly == true ? 169 : 49)
                case .unix(let seconds): .day(of: Double(seconds))
                case .local(let text): .day(of: clock.moment(text))
                }
        }

        /// The weather at the moment asked for: of a time machine's, the hour that holds it.
        func current(_ row: Row?, among hours: [Row]) -> Row? {
            guard case .day(let moment) = asked else { return row }
            guard let moment, var hour = hours.last(where: { Self.holds(moment, $0.point.time.seconds, 3600) }) else {
                return nil
            }
            hour.point.time = UnixSeconds(moment)
            return hour
        }

        /// The hours asked for.
        func hours(_ rows: [Row], among days: [Row]) -> [Row] {
            switch asked {
            case .all: return rows
            case .ahead(let now, let count):
                return Array(rows.filter { $0.point.time.seconds > (now ?? -.infinity) - 3600 }.prefix(count))
            case .day(let moment):
                guard let moment, let day = span(of: moment, among: days) else { return [] }
                return rows.filter { day.contains($0.point.time.seconds) }
            }
        }

        /// The days asked for.
        func days(_ rows: [Row]) -> [Row] {
            switch asked {
            case .all: return rows
            case .ahead(let now, _):
                let left = rows.filter { $0.point.time.seconds > (now ?? -.infinity) - 86400 }
                return Array(left.prefix(Self.maximumDays))
            case .day(let moment):
                guard let moment, let (place, _) = Calendar(rows).day(at: moment) else { return [] }
                return [rows[place]]
            }
        }

        /// The day that holds a moment: by the document's days, else by the clocks of the place.
        private func span(of moment: Double, among days: [Row]) -> Range<Double>? {
            if let (_, span) = Calendar(days).day(at: moment) { return span }
            guard let offset = clock.offset else { return nil }
            let start = ((moment + offset) / 86400).rounded(.down) * 86400 - offset
            return start < start + 86400 ? start..<start + 86400 : nil
        }

        private static func holds(_ moment: Double, _ start: Double, _ length: Double) -> Bool {
            start <= moment && moment < start + length
        }
    }
}
