import JSONText
import LenientCoding

extension Dialect {
    /// Open-Meteo: `/v1/forecast?latitude=…&longitude=…&hourly=…`, without a key.
    ///
    /// An answer holds columns: an array for each variable, beside an array of times, and the unit of each variable.
    /// Errors are `{"error":true,"reason":"…"}`.
    public static let openMeteo = Dialect(
        name: "openMeteo",
        keyLocation: .none,
        target: OpenMeteo.target,
        read: OpenMeteo.read,
        upstreamError: { $0["reason"]?.string })
}

/// The namespace of everything that only Open-Meteo needs.
enum OpenMeteo {
    /// Returns the path and query of the request for `query`.
    ///
    /// It covers complete days even if the answer is 48 hours, because a day's high and low depend on all of its hours.
    /// The units are those that need the least conversion. Open-Meteo has no texts, so `query.language` is ignored.
    static func target(for query: ForecastQuery) -> String {
        let columns = moments.requestedNames.joined(separator: ",")
        var target = "/v1/forecast?latitude=\(query.coordinates.latitude)&longitude=\(query.coordinates.longitude)"
        if query.time == nil { target += "&current=\(columns)" }
        target += "&hourly=\(columns)&daily=\(days.requestedNames.joined(separator: ","))"
        target += "&timezone=auto&timeformat=unixtime&wind_speed_unit=ms"
        guard let time = query.time, let (first, last) = dates(around: time) else { return target + "&forecast_days=8" }
        return target + "&start_date=\(first)&end_date=\(last)"
    }

    /// Returns the first and the last date whose local day can contain `moment`, or nil for an invalid local time.
    ///
    /// The offset of the place is not known yet: a moment in UTC needs the days before and after as well.
    private static func dates(around moment: ForecastQuery.Moment) -> (first: Substring, last: Substring)? {
        switch moment {
        case .unix(let seconds):
            guard let first = date(seconds, plusDays: -1), let last = date(seconds, plusDays: 1) else { return nil }
            return (first, last)
        case .local(let text):
            return ISO8601.date(from: text).flatMap(ISO8601.string).map { ($0.prefix(10), $0.prefix(10)) }
        }
    }

    /// Returns the date in UTC some days from `seconds`, clamped to the years 0 to 9999 that `ISO8601` can format.
    private static func date(_ seconds: Int64, plusDays days: Double) -> Substring? {
        let moment = max(-62_167_219_200, min(253_402_300_799, Double(seconds) + days * 86400))
        return ISO8601.string(from: UnixSeconds(moment).date)?.prefix(10)
    }
}
