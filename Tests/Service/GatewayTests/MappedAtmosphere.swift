import ContractsSupport
import Foundation

/// The document that each mapped upstream would send about the known days of `SyntheticAtmosphere`.
enum MappedAtmosphere {
    private typealias Values = [String: Double]

    /// The weather of an hour: nothing, rain, snow, or the storm.
    private enum Weather: Int { case dry, rain, snow, storm }

    /// An upstream: its document around the hours, an hour, and what of the contract the upstream does not have.
    struct Source: Sendable, CustomStringConvertible {
        let name: String, document: String, lacks: Set<String>
        var description: String { name }
    }

    private static func text(_ values: Values) -> String {
        Date(timeIntervalSince1970: values["time"] ?? 0).formatted(.iso8601)
    }

    private static func weather(_ values: Values) -> Weather {
        if values["precipIntensity"] == 7.5 { return .storm }
        return values["rainIntensity"] ?? 0 > 0 ? .rain : values["snowIntensity"] ?? 0 > 0 ? .snow : .dry
    }

    /// Returns the members of an object: a field of the contract, and the factor of the upstream's unit.
    private static func members(_ values: Values, _ names: KeyValuePairs<String, (String, Double)>) -> String {
        names.map { "\"\($0)\":\((values[$1.0] ?? 0) * $1.1)" }.joined(separator: ",")
    }

    /// Returns the hours of a document; `hour` gets the values at its start, and those of the hour that ends then.
    private static func hours(after extra: Int = 0, _ hour: (Values, Values) -> String) -> String {
        (0..<72 + extra).map { index in
            hour(SyntheticAtmosphere.hour(index), index == 0 ? [:] : SyntheticAtmosphere.hour(index - 1))
        }.joined(separator: ",")
    }

    private static let sun: Set = ["sunriseTime", "sunsetTime"]

    static var all: [Source] {
        [metNorway, openWeatherMap, tomorrowIO, visualCrossing, weatherbit, brightSky, smhi, nws]
    }

    private static var metNorway: Source {
        let hours = hours { values, _ in
            let symbol = ["cloudy", "rain", "snow", "heavyrainandthunder"][weather(values).rawValue]
            let now = members(
                values,
                [
                    "air_temperature": ("temperature", 1), "dew_point_temperature": ("dewPoint", 1),
                    "relative_humidity": ("humidity", 100), "air_pressure_at_sea_level": ("pressure", 1),
                    "wind_speed": ("windSpeed", 1), "wind_speed_of_gust": ("windGust", 1),
                    "wind_from_direction": ("windBearing", 1), "cloud_area_fraction": ("cloudCover", 100),
                    "ultraviolet_index_clear_sky": ("uvIndex", 1),
                ])
            let next = members(
                values,
                [
                    "precipitation_amount": ("precipIntensity", 1),
                    "probability_of_precipitation": ("precipProbability", 100),
                ])
            return #"{"time":"\#(text(values))","data":{"instant":{"details":{\#(now)}},"#
                + #""next_1_hours":{"summary":{"symbol_code":"\#(symbol)"},"details":{\#(next)}}}}"#
        }
        return Source(
            name: "metNorway",
            document: #"{"geometry":{"coordinates":[13.4,52.5,34]},"properties":{"timeseries":[\#(hours)]}}"#,
            lacks: sun.union(["apparentTemperature", "visibility"]))
    }

    private static var openWeatherMap: Source {
        let hours = hours { values, _ in
            let numbers = members(
                values,
                [
                    "dt": ("time", 1), "temp": ("temperature", 1), "feels_like": ("apparentTemperature", 1),
                    "dew_point": ("dewPoint", 1), "humidity": ("humidity", 100), "pressure": ("pressure", 1),
                    "wind_speed": ("windSpeed", 1), "wind_gust": ("windGust", 1), "wind_deg": ("windBearing", 1),
                    "clouds": ("cloudCover", 100), "visibility": ("visibility", 1000), "uvi": ("uvIndex", 1),
                    "pop": ("precipProbability", 1),
                ])
            let code = [804, 500, 600, 201][weather(values).rawValue]
            return #"{\#(numbers),"rain":{\#(members(values, ["1h": ("rainIntensity", 1)]))},"#
                + #""snow":{\#(members(values, ["1h": ("snowIntensity", 1)]))},"weather":[{"id":\#(code)}]}"#
        }
        return Source(
            name: "openWeatherMap",
            document: #"{"lat":52.5,"lon":13.4,"timezone":"Europe/Berlin","hourly":[\#(hours)]}"#, lacks: sun)
    }

    private static var tomorrowIO: Source {
        let hours = hours { values, _ in
            let numbers = members(
                values,
                [
                    "temperature": ("temperature", 1), "temperatureApparent": ("apparentTemperature", 1),
                    "dewPoint": ("dewPoint", 1), "humidity": ("humidity", 100), "pressureSeaLevel": ("pressure", 1),
                    "windSpeed": ("windSpeed", 1), "windGust": ("windGust", 1), "windDirection": ("windBearing", 1),
                    "cloudCover": ("cloudCover", 100), "visibility": ("visibility", 1), "uvIndex": ("uvIndex", 1),
                    "precipitationProbability": ("precipProbability", 100), "rainIntensity": ("rainIntensity", 1),
                    "snowIntensity": ("snowIntensity", 1),
                ])
            let code = [1001, 4001, 5000, 8000][weather(values).rawValue]
            return #"{"time":"\#(text(values))","values":{\#(numbers),"weatherCode":\#(code)}}"#
        }
        return Source(
            name: "tomorrowIO",
            document: #"{"location":{"lat":52.5,"lon":13.4},"timelines":{"hourly":[\#(hours)]}}"#,
            lacks: sun.union(["liquidAccumulation", "snowAccumulation", "precipAccumulation"]))
    }

    private static var visualCrossing: Source {
        let hours = hours { values, _ in
            let numbers = members(
                values,
                [
                    "datetimeEpoch": ("time", 1), "temp": ("temperature", 1), "feelslike": ("apparentTemperature", 1),
                    "dew": ("dewPoint", 1), "humidity": ("humidity", 100), "pressure": ("pressure", 1),
                    "windspeed": ("windSpeed", 3.6), "windgust": ("windGust", 3.6), "winddir": ("windBearing", 1),
                    "cloudcover": ("cloudCover", 100), "visibility": ("visibility", 1), "uvindex": ("uvIndex", 1),
                    "precipprob": ("precipProbability", 100), "precip": ("precipIntensity", 1),
                    "snow": ("snowAccumulation", 1),
                ])
            let icon = ["cloudy", "rain", "snow", "thunder-rain"][weather(values).rawValue]
            return #"{\#(numbers),"icon":"\#(icon)"}"#
        }
        return Source(
            name: "visualCrossing",
            document: #"{"latitude":52.5,"longitude":13.4,"timezone":"Europe/Berlin","days":[{"hours":[\#(hours)]}]}"#,
            lacks: sun)
    }

    /// Its sums are those of the hour before.
    private static var weatherbit: Source {
        let hours = hours(after: 1) { values, before in
            let now = members(
                values,
                [
                    "ts": ("time", 1), "temp": ("temperature", 1), "app_temp": ("apparentTemperature", 1),
                    "dewpt": ("dewPoint", 1), "rh": ("humidity", 100), "slp": ("pressure", 1),
                    "wind_spd": ("windSpeed", 1), "wind_gust_spd": ("windGust", 1), "wind_dir": ("windBearing", 1),
                    "clouds": ("cloudCover", 100), "vis": ("visibility", 1), "uv": ("uvIndex", 1),
                ])
            let sums = members(
                before,
                [
                    "pop": ("precipProbability", 100), "precip": ("precipIntensity", 1),
                    "snow": ("snowAccumulation", 10),
                ])
            let code = [804, 500, 600, 201][weather(before).rawValue]
            return #"{\#(now),\#(sums),"weather":{"code":\#(code)}}"#
        }
        return Source(
            name: "weatherbit",
            document:
                #"{"days":{"lat":52.5,"lon":13.4,"timezone":"Europe/Berlin","data":[]},"hours":{"data":[\#(hours)]}}"#,
            lacks: sun)
    }

    /// Its sums and its wind are those of the hour before.
    private static var brightSky: Source {
        let hours = hours(after: 1) { values, before in
            let now = members(
                values,
                [
                    "temperature": ("temperature", 1), "dew_point": ("dewPoint", 1),
                    "relative_humidity": ("humidity", 100), "pressure_msl": ("pressure", 1),
                    "cloud_cover": ("cloudCover", 100), "visibility": ("visibility", 1000),
                ])
            let sums = members(
                before,
                [
                    "wind_speed": ("windSpeed", 3.6), "wind_gust_speed": ("windGust", 3.6),
                    "wind_direction": ("windBearing", 1), "precipitation_probability": ("precipProbability", 100),
                    "precipitation": ("precipIntensity", 1),
                ])
            let kind = weather(before).rawValue, condition = ["dry", "rain", "snow", "rain"][kind]
            let icon = ["cloudy", "rain", "snow", "thunderstorm"][kind]
            return #"{"timestamp":"\#(text(values))",\#(now),\#(sums),"condition":"\#(condition)","icon":"\#(icon)"}"#
        }
        return Source(
            name: "brightSky", document: #"{"records":{"sources":[{"lat":52.5,"lon":13.4}],"weather":[\#(hours)]}}"#,
            lacks: sun.union(["apparentTemperature", "uvIndex"]))
    }

    /// Its sums are those of the hour before; clouds are in eighths.
    private static var smhi: Source {
        let hours = hours(after: 1) { values, before in
            let now = members(
                values,
                [
                    "air_temperature": ("temperature", 1), "relative_humidity": ("humidity", 100),
                    "air_pressure_at_mean_sea_level": ("pressure", 1), "wind_speed": ("windSpeed", 1),
                    "wind_speed_of_gust": ("windGust", 1), "wind_from_direction": ("windBearing", 1),
                    "cloud_area_fraction": ("cloudCover", 8), "visibility_in_air": ("visibility", 1),
                ])
            let sums = members(
                before,
                [
                    "precipitation_amount_mean": ("precipIntensity", 1),
                    "probability_of_precipitation": ("precipProbability", 100),
                ])
            let frozen = weather(before) == .snow ? 100 : 0
            let own = [6, 19, 26, 21][weather(before).rawValue]
            return #"{"time":"\#(text(values))","intervalParametersStartTime":"","data":{\#(now),\#(sums),"#
                + #""precipitation_frozen_part":\#(frozen),"symbol_code":\#(own < 8 ? 6 : own)}}"#
        }
        return Source(
            name: "smhi", document: #"{"geometry":{"coordinates":[13.4,52.5]},"timeSeries":[\#(hours)]}"#,
            lacks: sun.union(["apparentTemperature", "dewPoint", "uvIndex"]))
    }

    private static var nws: Source {
        let hours = hours { values, _ in
            func number(_ name: String, _ unit: String, _ factor: Double = 1) -> String {
                #"{"unitCode":"\#(unit)","value":\#((values[name] ?? 0) * factor)}"#
            }
            let words = ["Cloudy", "Rain", "Snow", "Thunderstorms"][weather(values).rawValue]
            return #"{"startTime":"\#(text(values))","temperature":\#(number("temperature", "wmoUnit:degC")),"#
                + #""dewpoint":\#(number("dewPoint", "wmoUnit:degC")),"#
                + #""relativeHumidity":\#(number("humidity", "wmoUnit:percent", 100)),"#
                + #""probabilityOfPrecipitation":\#(number("precipProbability", "wmoUnit:percent", 100)),"#
                + #""windSpeed":\#(number("windSpeed", "wmoUnit:km_h-1", 3.6)),"#
                + #""windGust":\#(number("windGust", "wmoUnit:km_h-1", 3.6)),"shortForecast":"\#(words)"}"#
        }
        return Source(
            name: "nws",
            document: #"{"point":{"geometry":{"coordinates":[13.4,52.5]},"properties":{"timeZone":"Europe/Berlin"}},"#
                + #""hours":{"properties":{"periods":[\#(hours)]}}}"#,
            lacks: sun.union([
                "apparentTemperature", "pressure", "windBearing", "cloudCover", "visibility", "uvIndex",
                "precipIntensity", "precipIntensityMax", "precipIntensityMaxTime", "rainIntensity", "snowIntensity",
                "liquidAccumulation", "snowAccumulation", "precipAccumulation", "precipType",
            ]))
    }
}
