import Foundation
import LenientCoding

/// The models of "My transition to Codable": from a dictionary, with nested containers, and a struct for each level.
enum SeedForecasts {
    static let document = """
        {"latitude":37.8267,"longitude":-122.4233,"timezone":"America/Los_Angeles","currently":{"time":1557685055,
         "summary":"Mostly Cloudy","icon":"partly-cloudy-day","nearestStormDistance":0,"precipIntensity":0,
         "precipProbability":0,"temperature":53.72,"apparentTemperature":53.72,"dewPoint":50.31,"humidity":0.88,
         "pressure":1016.37,"windSpeed":6.11,"windGust":10.03,"windBearing":260,"cloudCover":0.9,"uvIndex":4,
         "visibility":10,"ozone":351.5}}
        """

    /// A model that takes its values from a dictionary and keeps 0 or no text for the others.
    struct FromDictionary: Equatable {
        var latitude = 0.0, longitude = 0.0, precipProbability = 0.0, temperature = 0.0, humidity = 0.0, windSpeed = 0.0
        var summaryDescription = "", icon = ""

        init(_ dictionary: [String: Any]) {
            if let value = dictionary["latitude"] as? Double { latitude = value }
            if let value = dictionary["longitude"] as? Double { longitude = value }
            guard let currently = dictionary["currently"] as? [String: Any] else { return }
            if let value = currently["summary"] as? String { summaryDescription = value }
            if let value = currently["icon"] as? String { icon = value }
            if let value = currently["precipProbability"] as? Double { precipProbability = value }
            if let value = currently["temperature"] as? Double { temperature = value }
            if let value = currently["humidity"] as? Double { humidity = value }
            if let value = currently["windSpeed"] as? Double { windSpeed = value }
        }
    }

    struct Flat: Decodable {
        var latitude: Double, longitude: Double
        var summaryDescription: String, icon: String
        var precipProbability: Double, temperature: Double, humidity: Double, windspeed: Double

        enum CodingKeys: String, CodingKey { case latitude, longitude, currently }
        enum CurrentlyKeys: String, CodingKey {
            case summary, icon, precipProbability, temperature, humidity, windspeed = "windSpeed"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            latitude = try values.decode(Double.self, forKey: .latitude)
            longitude = try values.decode(Double.self, forKey: .longitude)
            let currently = try values.nestedContainer(keyedBy: CurrentlyKeys.self, forKey: .currently)
            summaryDescription = try currently.decode(String.self, forKey: .summary)
            icon = try currently.decode(String.self, forKey: .icon)
            precipProbability = try currently.decode(Double.self, forKey: .precipProbability)
            temperature = try currently.decode(Double.self, forKey: .temperature)
            humidity = try currently.decode(Double.self, forKey: .humidity)
            windspeed = try currently.decode(Double.self, forKey: .windspeed)
        }
    }

    struct Nested: Decodable {
        var latitude: Double, longitude: Double, currentWeather: Current

        private enum CodingKeys: String, CodingKey { case latitude, longitude, currentWeather = "currently" }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            latitude = try values.decode(Double.self, forKey: .latitude)
            longitude = try values.decode(Double.self, forKey: .longitude)
            currentWeather = try values.decode(Current.self, forKey: .currentWeather)
        }
    }

    struct Current: Decodable {
        var summary: String, temperature: Double, windspeed: Double, uvIndex: Int?

        private enum CurrentKeys: String, CodingKey { case summary, temperature, windspeed = "windSpeed", uvIndex }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CurrentKeys.self)
            summary = try values.decode(String.self, forKey: .summary)
            temperature = try values.decode(Double.self, forKey: .temperature)
            windspeed = try values.decode(Double.self, forKey: .windspeed)
            uvIndex = try values.decodeIfPresent(Int.self, forKey: .uvIndex)
        }
    }
}

/// The models of "JSON to Swift" in the series on Thunderstorm: hours from dictionaries, as a failable initializer.
enum SeedHours {
    static let document = """
        {"latitude":37.8267,"longitude":-122.423,"hourly":{"summary":"Clear throughout the day.","data":[
         {"time":1478505600,"windSpeed":5,"temperature":54.11,"precipIntensity":0},
         {"time":1478509200,"windSpeed":4.5,"temperature":53,"precipIntensity":0.0012},
         {"time":1478512800,"windSpeed":6.0,"temperature":52,"precipIntensity":1},
         {"time":1478516400,"windSpeed":7,"temperature":"51","precipIntensity":0}]}}
        """

    struct Forecast: Equatable {
        let lat: Double, long: Double, hourData: [Hour]

        init?(json: Any) {
            guard let json = json as? [String: Any], let lat = json["latitude"] as? Double,
                let long = json["longitude"] as? Double, let hourly = json["hourly"] as? [String: Any],
                let hours = hourly["data"] as? [[String: Any]]
            else { return nil }
            (self.lat, self.long, hourData) = (lat, long, hours.compactMap { Hour(json: $0) })
        }
    }

    struct Hour: Equatable {
        let time: Date, windSpeed: Int, temperature: Double, precipitation: Double

        init?(json: Any) {
            guard let json = json as? [String: Any], let time = json["time"] as? Double,
                let windSpeed = json["windSpeed"] as? Int, let temperature = json["temperature"] as? Double,
                let precipitation = json["precipIntensity"] as? Double
            else { return nil }
            (self.windSpeed, self.temperature, self.precipitation) = (windSpeed, temperature, precipitation)
            self.time = Date(timeIntervalSince1970: time)
        }
    }
}
