import LenientCoding

/// What Pirate Weather means otherwise than the contract, applied to the reference's document.
enum ReferencePirateWeather {
    static func corrected(_ forecast: JSONValue) -> JSONValue {
        var forecast = forecast
        forecast["currently"] = forecast["currently"].map(point)
        for block in ["minutely", "hourly", "daily", "dayNight"] {
            guard let points = forecast[block]?["data"]?.elements else { continue }
            forecast[block]?["data"] = .array(points.map(point))
        }
        guard let days = forecast["daily"]?["data"]?.elements, let hours = forecast["hourly"]?["data"]?.elements else {
            return forecast
        }
        forecast["daily"]?["data"] = .array(
            days.indices.map { index in
                guard index < 14, index + 1 < days.count, let start = days[index]["time"]?.doubleValue,
                    let end = days[index + 1]["time"]?.doubleValue
                else { return days[index] }
                let gusts = hours.filter { hour in
                    hour["time"]?.doubleValue.map { start <= $0 && $0 < end } == true && hour["windGust"] != nil
                }
                let isDay = gusts.count >= 23 && gusts.count <= 25 && Double(gusts.count) * 3600 >= end - start
                let greatest = gusts.compactMap { $0["windGust"]?.doubleValue }.max()
                return isDay ? replacing("windGust", in: days[index], with: greatest) : days[index]
            })
        return forecast
    }

    private static func point(_ point: JSONValue) -> JSONValue {
        var point = point
        for name in ["snowIntensity", "snowIntensityMax"] {
            guard let rate = point[name]?.doubleValue else { continue }
            point = replacing(name, in: point, with: (rate * 0.1 * 10_000).rounded() / 10_000)
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
