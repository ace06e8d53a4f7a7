import LenientCoding

extension OpenMeteo {
    /// The path and query for `query`.
    ///
    /// Whole days are asked for, also where the answer is 48 hours: the highs and lows of a day are found in all of its
    /// hours. Units are those that need least conversion; summaries come in English whatever the language.
    static func target(for query: ForecastQuery) -> String {
        let columns = moments.askedNames.joined(separator: ",")
        var target = "/v1/forecast?latitude=\(DecimalText.format(query.latitude))"
        target += "&longitude=\(DecimalText.format(query.longitude))"
        if query.time == nil { target += "&current=\(columns)" }
        target += "&hourly=\(columns)&daily=\(days.askedNames.joined(separator: ","))"
        target += "&timezone=auto&timeformat=unixtime&wind_speed_unit=ms"
        guard let time = query.time, let (first, last) = dates(around: time) else { return target + "&forecast_days=8" }
        return target + "&start_date=\(first)&end_date=\(last)"
    }

    /// The days that hold a moment: of one in UTC the day before and after too, for clocks that are ahead or behind.
    private static func dates(around moment: ForecastQuery.Moment) -> (first: Substring, last: Substring)? {
        switch moment {
        case .unix(let seconds):
            guard let first = date(seconds, days: -1), let last = date(seconds, days: 1) else { return nil }
            return (first, last)
        case .local(let text):
            guard let time = ISO8601.date(from: text), let date = ISO8601.string(from: time)?.prefix(10) else {
                return nil
            }
            return (date, date)
        }
    }

    /// The date in UTC so many days from a moment, held within the years 0 to 9999.
    private static func date(_ seconds: Int64, days: Int64) -> Substring? {
        let held = max(-62_167_219_200, min(253_402_300_799, max(-1 << 40, min(1 << 40, seconds)) + days * 86400))
        return ISO8601.string(from: UnixSeconds(Double(held)).date)?.prefix(10)
    }
}
