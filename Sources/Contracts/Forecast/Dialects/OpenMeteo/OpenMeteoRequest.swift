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
        guard let time = query.time, let (first, last) = dates(around: time) else { return target + "&forecast_days=9" }
        return target + "&start_date=\(first)&end_date=\(last)"
    }

    /// Returns the first and the last date that an answer about `moment` needs, or nil for an invalid local time.
    ///
    /// These are the days before and after the local day: the upstream's days can start an hour late. The local date of a
    /// moment in UTC is not known yet.
    private static func dates(around moment: ForecastQuery.Moment) -> (first: Substring, last: Substring)? {
        let seconds: Int64
        let days: Double
        switch moment {
        case .unix(let time): (seconds, days) = (time, 2)
        case .local(let text):
            guard let time = ISO8601.date(from: text) else { return nil }
            (seconds, days) = (Int64(UnixSeconds(time).seconds), 1)
        }
        guard let first = date(seconds, plusDays: -days), let last = date(seconds, plusDays: days) else { return nil }
        return (first, last)
    }

    /// Returns the date in UTC some days from `seconds`, clamped to the years 0 to 9999 that `ISO8601` can format.
    private static func date(_ seconds: Int64, plusDays days: Double) -> Substring? {
        let moment = max(-62_167_219_200, min(253_402_300_799, Double(seconds) + days * 86400))
        return ISO8601.string(from: UnixSeconds(moment).date)?.prefix(10)
    }
}
