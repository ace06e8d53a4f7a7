import Records

/// What Pirate Weather means otherwise than the contract, applied to the reference's document.
enum ReferencePirateWeather {
    static func corrected(_ forecast: JSONValue) -> JSONValue {
        var forecast = forecast
        if let height = forecast["elevation"]?.doubleValue, !isMetric(forecast) {
            forecast["elevation"] = .number("\((height * 0.3048 * 10).rounded() / 10)")
        }
        forecast["currently"] = forecast["currently"].map(point)
        for block in ["minutely", "hourly", "daily", "dayNight"] {
            guard let points = forecast[block]?["data"]?.elements else { continue }
            forecast[block]?["data"] = .array(points.map(point))
        }
        forecast = ReferenceForecast.movingDays(of: forecast).forecast
        guard let days = forecast["daily"]?["data"]?.elements else { return forecast }
        let corrected = days.indices.map { index in
            replacing("windGust", in: days[index], with: greatestGust(ofDay: index, in: forecast))
        }
        forecast["daily"]?["data"] = .array(corrected)
        return forecast
    }

    /// Returns the number of days whose gust stays a mean.
    static func meanGusts(in forecast: JSONValue) -> Int {
        let days = forecast["daily"]?["data"]?.elements ?? []
        return days.indices.count { days[$0]["windGust"] != nil && greatestGust(ofDay: $0, in: forecast) == nil }
    }

    /// Returns the greatest gust of the hours that cover a day; nil if they do not.
    private static func greatestGust(ofDay index: Int, in forecast: JSONValue) -> Double? {
        let days = forecast["daily"]?["data"]?.elements ?? [], hours = forecast["hourly"]?["data"]?.elements ?? []
        guard index < 14, index + 1 < days.count, let start = days[index]["time"]?.doubleValue,
            let end = days[index + 1]["time"]?.doubleValue
        else { return nil }
        let gusts = hours.compactMap { hour in
            hour["time"]?.doubleValue.map { start <= $0 && $0 < end } == true ? hour["windGust"]?.doubleValue : nil
        }
        let isDay = gusts.count >= 23 && gusts.count <= 25 && Double(gusts.count) * 3600 >= end - start
        return isDay ? gusts.max() : nil
    }

    private static func isMetric(_ forecast: JSONValue) -> Bool {
        ["si", "ca", "uk2", "uk"].contains(forecast["flags"]?["units"]?.stringValue)
    }

    private static func point(_ point: JSONValue) -> JSONValue {
        var point = point
        for name in ["snowIntensity", "snowIntensityMax"] {
            guard let rate = point[name]?.doubleValue else { continue }
            point = replacing(name, in: point, with: (rate * 0.1 * 10_000).rounded() / 10_000)
        }
        if let sum = point["precipAccumulation"]?.doubleValue, sum != 0 {
            let snow = point["snowAccumulation"]
            if snow != nil || ![nil, "snow"].contains(point["precipType"]?.stringValue) {
                point["precipAccumulation"] = snow
            }
        }
        if let start = point["time"]?.doubleValue, let rise = point["sunriseTime"]?.doubleValue,
            let set = point["sunsetTime"]?.doubleValue, set - start == 86_399, [1, 86_398].contains(rise - start)
        {
            let invented = ["sunriseTime", "sunsetTime", "dawnTime", "duskTime"]
            point = .object((point.members ?? []).filter { !invented.contains($0.key) })
        }
        return point
    }

    /// Returns the point with another number in the place of one that it has.
    private static func replacing(_ name: String, in point: JSONValue, with number: Double?) -> JSONValue {
        guard let number, point[name] != nil else { return point }
        var point = point
        point[name] = .number("\(number)")
        return point
    }
}
