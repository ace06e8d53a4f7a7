import Records

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
