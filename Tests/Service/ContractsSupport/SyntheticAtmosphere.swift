import Foundation

/// Three known days over Berlin, and the document that each upstream would send about them.
///
/// An upstream's document follows its page in `docs/upstreams`: spans, units, means and sums are the upstream's.
package enum SyntheticAtmosphere {
    /// 2026-02-06T00:00:00+01:00.
    package static let start = 1_770_332_400
    package static let days = 0..<3
    package static let hours = 0..<72
    private static let place = #""latitude":52.5,"longitude":13.4,"timezone":"Europe/Berlin""#

    /// The values of an hour that starts at `time`, in the contract's names and in `si`.
    package static func hour(_ hour: Int) -> [String: Double] {
        let local = hour % 24
        let temperature = (60 - 60 * cos(Double(local - 3) * .pi / 12) + Double(hour / 24 * 13)).rounded() / 10
        return [
            "time": Double(start + hour * 3600), "temperature": temperature, "apparentTemperature": temperature - 2,
            "dewPoint": temperature - 3, "humidity": Double(10 + hour % 7) / 20, "pressure": Double(1000 + hour % 11),
            "windSpeed": 2 + Double(hour * 5 % 9) / 2, "windGust": 8 + Double(hour * 7 % 13),
            "windBearing": Double(hour * 25 % 360), "cloudCover": Double(hour % 5) / 4,
            "uvIndex": Double(max(0, 3 - abs(local - 12))), "visibility": Double(4 + hour % 9),
            "precipIntensity": rain(hour) + snow(hour), "precipProbability": rain(hour) + snow(hour) > 0 ? 0.9 : 0.05,
            "rainIntensity": rain(hour), "snowIntensity": snow(hour), "liquidAccumulation": rain(hour) / 10,
            // 7 cm of snow are 10 mm of water.
            "snowAccumulation": snow(hour) * 0.7,
        ]
    }

    /// The rain of an hour in mm: a shower at 2:00, and the storm at 14:20 of the first day.
    private static func rain(_ hour: Int) -> Double { [2: 0.5, 14: 7.5][hour] ?? 0 }
    /// The snow of an hour, as mm of water: in the evening of the second day.
    private static func snow(_ hour: Int) -> Double { [44: 2, 45: 1][hour] ?? 0 }

    /// The type of the largest amount of precipitation, by the depths of rain and snow; nil without any.
    package static func precipitation(_ rain: Double?, _ snow: Double?) -> String? {
        let (rain, snow) = (rain ?? 0, (snow ?? 0) / 7)
        return rain + snow == 0 ? nil : rain > snow ? "rain" : "snow"
    }

    /// The values of a day in the contract's names and in `si`.
    package static func day(_ day: Int) -> [String: Double] {
        let hours = (day * 24..<day * 24 + 24).map(hour)
        let daytime = hours[6..<18], night = (day * 24 + 18..<day * 24 + 30).map(hour)
        func sum(_ name: String) -> Double { hours.reduce(0) { $0 + ($1[name] ?? 0) } }
        var values = ["time": Double(start + day * 86400), "windBearing": Double(100 + day)]
        for name in ["dewPoint", "humidity", "pressure", "windSpeed", "cloudCover", "precipIntensity"] {
            values[name] = sum(name) / 24
        }
        for name in ["liquidAccumulation", "snowAccumulation"] { values[name] = sum(name) }
        func extreme(_ field: String, of hours: some Sequence<[String: Double]>, as name: String, least: Bool = false) {
            let sorted = hours.sorted { ($0[field] ?? 0) < ($1[field] ?? 0) }
            // The first of equal hours.
            let best = least ? sorted.first : sorted.last.flatMap { last in sorted.first { $0[field] == last[field] } }
            values[name] = best?[field]
            values[name + "Time"] = best?["time"]
        }
        for name in ["temperature", "apparentTemperature"] {
            extreme(name, of: hours, as: name + "Max")
            extreme(name, of: hours, as: name + "Min", least: true)
            extreme(name, of: daytime, as: name + "High")
            extreme(name, of: night, as: name + "Low", least: true)
        }
        extreme("windGust", of: hours, as: "windGust")
        extreme("uvIndex", of: hours, as: "uvIndex")
        extreme("precipIntensity", of: hours, as: "precipIntensityMax")
        values["precipProbability"] = hours.compactMap { $0["precipProbability"] }.max()
        values["sunriseTime"] = Double(start + day * 86400 + 27_000)
        values["sunsetTime"] = Double(start + day * 86400 + 61_000)
        return values
    }

    /// Dark Sky's document: of the amounts, the depth of snow alone.
    package static var darkSky: String {
        document(storm: "rain") { values, _ in
            var values = values
            if let depth = values["snowAccumulation"], depth > 0 { values["precipAccumulation"] = depth }
            for name in ["rainIntensity", "snowIntensity", "liquidAccumulation", "snowAccumulation"] {
                values[name] = nil
            }
            return values
        }
    }

    /// Pirate Weather's document: ten times the water for snow, all precipitation in one sum, and mean gusts of days.
    package static var pirateWeather: String {
        document(storm: "thunderstorm") { values, hours in
            var values = values
            values["snowIntensity"]? *= 10
            values["precipAccumulation"] = (values["liquidAccumulation"] ?? 0) + (values["snowAccumulation"] ?? 0)
            values["windGust"] = hours.compactMap { $0["windGust"] }.reduce(0, +) / Double(hours.count)
            return values
        }
    }

    /// Returns a document in Dark Sky's form; `storm` is the icon of a storm, `change` gets the values of a point and of
    /// its hours.
    private static func document(
        storm: String, _ change: ([String: Double], [[String: Double]]) -> [String: Double]
    ) -> String {
        func point(_ values: [String: Double], of hours: [[String: Double]]) -> String {
            let members = change(values, hours).map { "\"\($0.key)\":\($0.value)" }
            let type = precipitation(values["liquidAccumulation"], values["snowAccumulation"])
            let icon = values["precipIntensity"] == 7.5 ? storm : type
            let words = [("precipType", type), ("icon", icon)].compactMap { name, word in
                word.map { "\"\(name)\":\"\($0)\"" }
            }
            return "{" + (members + words).joined(separator: ",") + "}"
        }
        let values = hours.map(hour)
        let hourly = values.map { point($0, of: [$0]) }
        let daily = days.map { point(day($0), of: Array(values[$0 * 24..<$0 * 24 + 24])) }
        return """
            {\(place),"offset":1,"hourly":{"data":[\(hourly.joined(separator: ","))]},
            "daily":{"data":[\(daily.joined(separator: ","))]},"flags":{"units":"si","sources":["x"]}}
            """
    }

    /// Open-Meteo's document: columns, with the sums, greatest values and weather of an hour at its end.
    package static var openMeteo: String {
        func column(_ name: String, _ value: (Int) -> Double?) -> String {
            let cells = hours.map { value($0).map { "\($0)" } ?? "null" }
            return "\"\(name)\":[\(cells.joined(separator: ","))]"
        }
        func moment(_ name: String, _ field: String, times factor: Double = 1) -> String {
            column(name) { hour($0)[field].map { $0 * factor } }
        }
        func span(_ name: String, _ field: String, times factor: Double = 1) -> String {
            column(name) { $0 == 0 ? nil : hour($0 - 1)[field].map { $0 * factor } }
        }
        let columns = [
            moment("time", "time"), moment("temperature_2m", "temperature"), moment("dew_point_2m", "dewPoint"),
            moment("apparent_temperature", "apparentTemperature"),
            moment("relative_humidity_2m", "humidity", times: 100), moment("pressure_msl", "pressure"),
            moment("wind_speed_10m", "windSpeed"), moment("wind_direction_10m", "windBearing"),
            moment("cloud_cover", "cloudCover", times: 100), moment("visibility", "visibility", times: 1000),
            span("wind_gusts_10m", "windGust"), span("uv_index", "uvIndex"), span("precipitation", "precipIntensity"),
            span("precipitation_probability", "precipProbability", times: 100), span("rain", "rainIntensity"),
            column("showers") { _ in 0 }, span("snowfall", "snowAccumulation"),
            column("weather_code") { $0 == 0 ? 3 : [2: 61, 14: 95, 44: 71, 45: 71][$0 - 1] ?? 3 },
        ]
        func daily(_ name: String, _ field: String) -> String {
            "\"\(name)\":[\(days.map { "\(day($0)[field] ?? 0)" }.joined(separator: ","))]"
        }
        let dailyColumns = [
            daily("time", "time"), daily("sunrise", "sunriseTime"), daily("sunset", "sunsetTime"),
            daily("wind_direction_10m_dominant", "windBearing"),
        ]
        return """
            {\(place),"utc_offset_seconds":3600,"hourly_units":{"wind_speed_10m":"m/s","wind_gusts_10m":"m/s"},
            "hourly":{\(columns.joined(separator: ","))},"daily":{\(dailyColumns.joined(separator: ","))}}
            """
    }

    /// WeatherKit's document: km/h, metres, and millimetres of water and of snow; the days have little of their own.
    package static var weatherKit: String {
        func text(_ seconds: Double?) -> String {
            "\"" + Date(timeIntervalSince1970: seconds ?? 0).formatted(.iso8601) + "\""
        }
        let metadata = #""metadata":{"latitude":52.5,"longitude":13.4,"units":"m"}"#
        let names = [
            "temperature": "temperature", "temperatureApparent": "apparentTemperature",
            "temperatureDewPoint": "dewPoint",
            "humidity": "humidity", "pressure": "pressure", "windDirection": "windBearing", "cloudCover": "cloudCover",
            "uvIndex": "uvIndex", "precipitationChance": "precipProbability", "precipitationAmount": "precipIntensity",
        ]
        let hourly = hours.map { number in
            let values = hour(number)
            let factors = [
                ("windSpeed", "windSpeed", 3.6), ("windGust", "windGust", 3.6), ("visibility", "visibility", 1000.0),
                ("snowfallAmount", "snowAccumulation", 10),
            ]
            let numbers =
                names.map { "\"\($0)\":\(values[$1] ?? 0)" }
                + factors.map { "\"\($0.0)\":\((values[$0.1] ?? 0) * $0.2)" }
            let type = precipitation(values["liquidAccumulation"], values["snowAccumulation"])
            let condition =
                values["precipIntensity"] == 7.5
                ? "Thunderstorms" : type == "rain" ? "Rain" : type == nil ? "Cloudy" : "Snow"
            return #"{"forecastStart":\#(text(values["time"])),"conditionCode":"\#(condition)","#
                + #""precipitationType":"\#(type ?? "clear")",\#(numbers.joined(separator: ","))}"#
        }
        let daily = days.map { number in
            let values = day(number)
            return #"{"forecastStart":\#(text(values["time"])),"sunrise":\#(text(values["sunriseTime"])),"#
                + #""sunset":\#(text(values["sunsetTime"]))}"#
        }
        return """
            {"forecastHourly":{\(metadata),"hours":[\(hourly.joined(separator: ","))]},
            "forecastDaily":{\(metadata),"days":[\(daily.joined(separator: ","))]}}
            """
    }
}
