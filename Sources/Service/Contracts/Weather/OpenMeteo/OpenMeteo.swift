import CivilDates
import API
import HTTPCore
import JSONText
import Records

extension ForecastDialect {
    /// Open-Meteo: `/v1/forecast?latitude=…&longitude=…&hourly=…`, with a key at the hosts for customers.
    ///
    /// An answer holds columns: an array for each variable, beside an array of times, and the unit of each variable.
    /// Errors are `{"error":true,"reason":"…"}`.
    public static let openMeteo = ForecastDialect(
        name: "openMeteo",
        keyLocation: .header("X-Api-Key"),
        needsKey: false,
        hostForKey: OpenMeteo.customerHost,
        limitedHosts: OpenMeteo.hosts,
        sites: [
            .history: "https://historical-forecast-api.open-meteo.com", .archive: "https://archive-api.open-meteo.com",
        ],
        coverage: OpenMeteo.dates,
        target: OpenMeteo.target,
        read: OpenMeteo.read,
        upstreamError: { $0["reason"]?.string },
        pauseByMessage: OpenMeteo.pause,
        blocks: ExpectedBlock.openMeteo,
        answersForGrid: true)
}

/// The namespace of everything that only Open-Meteo needs.
enum OpenMeteo {
    /// The hosts that leave dates to other hosts; any other one is somebody's own server.
    static let hosts = ["api.open-meteo.com", "customer-api.open-meteo.com"]
    private static let secondsPerDay: Int64 = 86_400

    /// The columns that describe a moment, as the contract has them.
    static let state = [
        "temperature_2m", "apparent_temperature", "dew_point_2m", "relative_humidity_2m", "cloud_cover", "pressure_msl",
        "wind_speed_10m", "wind_direction_10m", "wind_gusts_10m",
    ]
    /// The columns that tell rain from snow; the upstream's `rain` and `showers` follow from them.
    static let quarter = ["precipitation", "snowfall", "weather_code"]
    private static let ofForecasts = ["visibility", "uv_index", "cape"]
    static let moment = state + ["shortwave_radiation"] + ofForecasts
    static let hourOfArchive = state + quarter + ["shortwave_radiation"]
    /// The archive does not have the others (open-meteo/open-meteo, `Sources/App/Era5/Era5Controller.swift`).
    static let hour = hourOfArchive + ofForecasts + ["precipitation_probability"]
    static let day = ["sunrise", "sunset"]
    /// The last quarter of an hour, and those of the next hour; around a time within an hour of now, those of both hours.
    private static let quarters = "&forecast_minutely_15=6"
    private static let quartersNearby = "&past_minutely_15=6&forecast_minutely_15=10&past_days=2&forecast_days=4"

    /// Returns the host for customers that belongs to a free host; nil for other hosts.
    ///
    /// A free host redirects a request with a key there (open-meteo/open-meteo,
    /// `Sources/App/Helper/Vapor/ApiKeyManager.swift`, `withApiParameter`).
    static func customerHost(of host: String) -> String? {
        host.hasSuffix("api.open-meteo.com") && !host.hasPrefix("customer-") ? "customer-" + host : nil
    }

    /// Returns whether the weather code 96 of a model means hail: DWD's ICON sends the code itself, the upstream computes
    /// that of the others (open-meteo/open-meteo, `Sources/App/Helper/WeatherCode.swift`).
    static func tellsHail(_ model: String?) -> Bool {
        model.map { $0.hasPrefix("icon_") || $0.hasPrefix("dwd_icon") } ?? false
    }

    /// Returns the path and query of the request for `query` to `site`; `now` is in unix seconds.
    ///
    /// It covers complete days even if the answer is 48 hours, because a day's high and low depend on all of its hours,
    /// and one day more than the answer has, for the last night and for the values of its last hour. The units are those
    /// that need the least conversion. Open-Meteo has no texts, so `query.language` is not sent.
    static func target(for query: ForecastQuery, at site: ForecastSite, now: Int64) -> String {
        let isArchive = site == .archive
        func list(_ columns: [String]) -> String { columns.joined(separator: ",") }
        var target = isArchive ? "/v1/archive" : "/v1/forecast"
        target += "?latitude=\(query.coordinates.latitude)&longitude=\(query.coordinates.longitude)"
        if query.time == nil {
            target += "&current=\(list(moment))&minutely_15=\(list(quarter))" + quarters
        }
        // A range of dates and a number of quarters exclude each other.
        let isNear = !isArchive && site != .history && query.isNear(now)
        if isNear { target += "&minutely_15=\(list(quarter))" + quartersNearby }
        target += "&hourly=\(list(isArchive ? hourOfArchive : hour))&daily=\(list(day))"
        // The archive has other models, and chooses among them.
        if let model = query.model, !isArchive { target += "&models=" + PercentCoding.encode(model) }
        target += "&timezone=auto&timeformat=unixtime&wind_speed_unit=ms"
        if isNear { return target }
        guard let time = query.time, let span = dates(around: time) else { return target + "&forecast_days=9" }
        let range = dates(of: site, now: now)
        func text(_ day: Int64) -> Substring {
            let seconds = max(range.lowerBound, min(range.upperBound, day * secondsPerDay))
            return ISO8601Timestamp.format(secondsSinceEpoch: Double(seconds))?.prefix(10) ?? ""
        }
        return target + "&start_date=\(text(span.first))&end_date=\(text(span.last))"
    }

    /// Returns the times for which `site` has data, from the start of a date to the end of one.
    ///
    /// The hosts compare dates with the date in UTC (open-meteo/open-meteo,
    /// `Sources/App/Controllers/ForecastapiController.swift`); the historical forecast permits 2016, but has global data
    /// from 2017 on.
    static func dates(of site: ForecastSite, now: Int64) -> ClosedRange<Int64> {
        let today = (max(0, min(253_402_300_799, now)) / secondsPerDay) * secondsPerDay
        func end(daysAhead days: Int64) -> Int64 { today + (days + 1) * secondsPerDay - 1 }
        switch site {
        case .current: return today - 92 * secondsPerDay...end(daysAhead: 15)
        case .history: return min(1_483_228_800, today)...end(daysAhead: 0)
        case .archive: return -946_771_200...end(daysAhead: 0)
        case .own: return -946_771_200...end(daysAhead: 215)
        }
    }

    /// Returns the first and the last day, counted from 1970-01-01, that an answer about `moment` needs.
    ///
    /// These are the days before and after the local day: the upstream's days can start an hour late. The local date of a
    /// moment in UTC is not known yet. Nil for an invalid local time.
    private static func dates(around moment: ForecastQuery.Moment) -> (first: Int64, last: Int64)? {
        switch moment {
        case .unix(let seconds):
            // Later dates have no data, and could overflow.
            let day = Int64((Double(max(-1 << 40, min(1 << 40, seconds))) / 86400).rounded(.down))
            return (day - 2, day + 2)
        case .local(let text):
            guard let local = ISO8601Timestamp.seconds(of: text) else { return nil }
            let day = Int64((local / 86400).rounded(.down))
            return (day - 1, day + 1)
        }
    }

    /// Returns the seconds until a limit that the reason of an error names is free again, or nil if it names none.
    ///
    /// The counters are cleared up to a minute late (open-meteo/open-meteo,
    /// `Sources/App/Helper/Vapor/RateLimiter.swift`).
    static func pause(after reason: String, now: Int64) -> Int? {
        func rest(of period: Int64) -> Int { Int(period - max(0, now) % period) }
        if reason.hasPrefix("Minutely") { return 60 }
        if reason.hasPrefix("Hourly") { return rest(of: 3600) + 60 }
        if reason.hasPrefix("Daily") { return rest(of: secondsPerDay) + 60 }
        return reason.hasPrefix("Too many concurrent requests") ? 1 : nil
    }
}
