import CivilDates
import API
import HTTPCore
import JSONText
import Records

extension ForecastDialect {
    /// Apple WeatherKit: `/api/v1/weather/{language}/{latitude}/{longitude}?dataSets=…`, with a signed token.
    ///
    /// An answer has a member for each data set, with metric numbers and times in UTC; it names no time zone. Errors are
    /// `{"reason":"…"}`, `{"status":400,"error":"…","message":"…"}` or empty.
    public static let weatherKit = ForecastDialect(
        name: "weatherKit",
        keyLocation: .bearer,
        limitedHosts: ["weatherkit.apple.com"],
        sites: [:],
        coverage: WeatherKit.coverage,
        target: WeatherKit.target,
        read: WeatherKit.read,
        upstreamError: WeatherKit.error,
        expected: ExpectedField.weatherKit, blocks: ExpectedBlock.weatherKit)
}

/// The namespace of everything that only WeatherKit needs.
enum WeatherKit {
    /// 2021-08-01T00:00:00Z: history begins the day before.
    private static let firstTime: Int64 = 1_627_776_000
    private static let secondsPerDay: Int64 = 86_400

    /// Returns the path and query of the request for `query`; `now` is in unix seconds.
    ///
    /// It covers complete local days, because a day's means and extremes depend on all of its hours, and the hours of the
    /// night after the last day. A request for another time has no current weather: its hour has the same fields.
    static func target(for query: ForecastQuery, at site: ForecastSite, now: Int64) -> String {
        let zone = PlaceZone(query.timeZone, longitude: query.longitude)
        let moment = query.time.map { zone.clock.moment($0) ?? Double(now) }
        let start = zone.midnight(before: moment ?? Double(now))
        let days = query.time == nil ? 8 : 1
        let end = zone.midnight(days: days, after: start)
        var dataSets = "forecastHourly,forecastDaily"
        if query.time == nil { dataSets = "currentWeather,\(dataSets)" }
        if query.time == nil || query.isNear(now) { dataSets += ",forecastNextHour" }
        if query.time == nil, query.countryCode != nil { dataSets += ",weatherAlerts" }
        var target = "/api/v1/weather/\(language(query.language))"
        target += "/\(query.coordinates.latitude)/\(query.coordinates.longitude)?dataSets=\(dataSets)"
        target += "&timezone=\(PercentCoding.encode(zone.name))"
        // An end without a start is refused, and so is the + of an offset.
        target += "&hourlyStart=\(text(start))&hourlyEnd=\(text(zone.morning(after: end)))"
        target += "&dailyStart=\(text(start))&dailyEnd=\(text(end))"
        if query.time == nil, let country = query.countryCode {
            target += "&countryCode=\(PercentCoding.encode(country))"
        }
        return target
    }

    /// Returns the times that `site` is asked about, in unix seconds: from August 2021 to ten days ahead.
    static func coverage(of site: ForecastSite, now: Int64) -> ClosedRange<Int64> {
        if site == .own { return Int64.min...Int64.max }
        let end = max(0, min(253_402_300_799, now)) + 10 * secondsPerDay
        return min(firstTime, end)...end
    }

    /// Returns the message of an error, or nil.
    static func error(_ body: JSONNode) -> String? {
        // Apple answers this to every token that it does not accept.
        if body["reason"]?.string == "NOT_ENABLED" {
            return "NOT_ENABLED: the token is wrong, or WeatherKit is not enabled for its key"
        }
        return ["message", "reason", "error"].lazy.compactMap { body[$0]?.string }.first { !$0.isEmpty }
    }

    /// Returns the language tag (BCP 47) for a language of Dark Sky.
    private static func language(_ code: String?) -> String {
        switch code {
        case nil, "x-pig-latin": "en"
        case "no": "nb"
        case "zh-tw": "zh-TW"
        case let code?: PercentCoding.encode(code)
        }
    }

    private static func text(_ seconds: Double) -> String {
        ISO8601Timestamp.format(wholeSeconds: seconds) ?? ""
    }
}

// The places of WeatherKit's values, there and in the answer.
extension WeatherKit {
    private static let blocks = [
        ("forecastHourly.hours[]", "hourly.data[]"), ("forecastDaily.days[]", "daily.data[]"),
        ("forecastNextHour.minutes[]", "minutely.data[]"), ("weatherAlerts.alerts[]", "alerts[]"),
        ("currentWeather", "currently"), ("forecastHourly", "hourly"), ("forecastDaily", "daily"),
        ("forecastNextHour", "minutely"), ("weatherAlerts", "alerts"),
    ]

    /// The fields of the contract whose names differ from those of WeatherKit.
    private static let renamed = [
        "asOf": "time", "forecastStart": "time", "startTime": "time", "conditionCode": "icon",
        "precipitationType": "precipType", "precipitationAmount": "liquidAccumulation",
        "precipitationIntensity": "precipIntensity", "precipitationChance": "precipProbability",
        "snowfallAmount": "snowAccumulation", "snowfallIntensity": "snowIntensity",
        "temperatureApparent": "apparentTemperature", "temperatureDewPoint": "dewPoint",
        "windDirection": "windBearing", "windSpeedAvg": "windSpeed", "windGustSpeedMax": "windGust",
        "maxUvIndex": "uvIndex", "sunrise": "sunriseTime", "sunset": "sunsetTime", "sunriseCivil": "dawnTime",
        "sunsetCivil": "duskTime", "issuedTime": "time", "expireTime": "expires", "areaName": "regions",
        "description": "title", "detailsUrl": "uri",
    ]
    /// The fields with the same name.
    private static let kept: Set = [
        "temperature", "humidity", "pressure", "windSpeed", "windGust", "cloudCover", "uvIndex", "visibility",
        "temperatureMax", "temperatureMaxTime", "temperatureMin", "temperatureMinTime", "severity",
    ]

    /// Returns the pattern in the contract's forecast for a pattern in a document: `hourly.data[].dewPoint` for
    /// `forecastHourly.hours[].temperatureDewPoint`; nil for what has no counterpart.
    static func place(of pattern: String) -> String? {
        for (theirs, ours) in blocks where pattern.hasPrefix(theirs) {
            let rest = pattern.dropFirst(theirs.count)
            if rest.isEmpty { return ours }
            guard rest.first == "." else { continue }
            let name = String(rest.dropFirst())
            return (renamed[name] ?? (kept.contains(name) ? name : nil)).map { "\(ours).\($0)" }
        }
        return nil
    }
}
