import CivilDates

/// The times and the days that a mapping's requests name.
package struct MappedTimes: Sendable {
    /// The requested moment, or that of the request, in unix seconds.
    package let time: Int64
    /// The local day of the moment, the day after it, and the last day that an answer needs, as `2026-11-29`.
    package let date: String, nextDate: String, lastDate: String

    /// The times of a query at `now`, in unix seconds, for an upstream that knows so many days after today.
    ///
    /// The zone is that of the query, or the nautical one of the longitude.
    package init(_ query: ForecastQuery, now: Int64, futureDays: Int) {
        let zone = PlaceZone(query.timeZone, longitude: query.longitude)
        let moment = query.time.flatMap { zone.clock.moment($0) } ?? Double(now)
        time = Int64(moment.rounded(.down))
        let start = zone.midnight(before: moment)
        func date(_ days: Int) -> String {
            let midnight = zone.midnight(days: days, after: start)
            let local = midnight + (zone.clock.offset(at: midnight) ?? 0)
            return String(ISO8601Timestamp.format(secondsSinceEpoch: local)?.prefix(10) ?? "")
        }
        (self.date, nextDate) = (date(0), date(1))
        // Eight days and the night after the last one.
        lastDate = date(query.time == nil ? min(8, futureDays) : 1)
    }
}
