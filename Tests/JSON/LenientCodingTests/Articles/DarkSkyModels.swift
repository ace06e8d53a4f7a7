import Foundation
import LenientCoding

/// Hand-written models of a forecast: one struct with nested containers, nested structs, and the hours of a day.
enum DarkSkyModels {
    static let document = """
        {"latitude":52.52,"longitude":13.405,"timezone":"Europe/Berlin",
         "currently":{"time":1700000000,"summary":"Light Drizzle","icon":"rain","precipProbability":0.35,"temperature":8.5,
          "humidity":0.9,"windSpeed":4.25,"uvIndex":1},
         "hourly":{"summary":"Drizzle","data":[
          {"time":1700000000,"windSpeed":4,"temperature":8.5,"precipIntensity":0.02},
          {"time":1700003600,"windSpeed":"calm","temperature":8.25,"precipIntensity":0.01},
          {"time":1700007200,"windSpeed":5,"temperature":8.0,"precipIntensity":0}]}}
        """

    /// A forecast in one struct, with a nested container for each level.
    struct FlatWeather: Decodable, Equatable {
        var latitude: Double
        var longitude: Double
        var summaryDescription: String
        var icon: String
        var precipProbability: Double
        var temperature: Double
        var humidity: Double
        var windspeed: Double

        enum CodingKeys: String, CodingKey { case latitude, longitude, currently }

        enum CurrentlyKeys: String, CodingKey {
            case summary, icon, precipProbability, temperature, humidity
            case windspeed = "windSpeed"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            latitude = try values.decode(.latitude)
            longitude = try values.decode(.longitude)
            let currently = try values.nestedContainer(keyedBy: CurrentlyKeys.self, forKey: .currently)
            summaryDescription = try currently.decode(.summary)
            icon = try currently.decode(.icon)
            precipProbability = try currently.decode(.precipProbability)
            temperature = try currently.decode(.temperature)
            humidity = try currently.decode(.humidity)
            windspeed = try currently.decode(.windspeed)
        }
    }

    /// A forecast with a struct for each level.
    struct Weather: Codable, Equatable {
        var latitude: Double
        var longitude: Double
        var currentWeather: CurrentWeather

        private enum CodingKeys: String, CodingKey {
            case latitude, longitude
            case currentWeather = "currently"
        }
    }

    struct CurrentWeather: Codable, Equatable {
        var summary: String
        var temperature: Double
        var windspeed: Double
        var uvIndex: Int?

        private enum CodingKeys: String, CodingKey {
            case summary, temperature, uvIndex
            case windspeed = "windSpeed"
        }
    }

    /// The hours that decode, as `Codable` models.
    struct HourlyWeather: Decodable, Equatable {
        let lat: Double
        let long: Double
        let hourData: [WeatherHour]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            lat = try container.decode("latitude")
            long = try container.decode("longitude")
            hourData = try container.nestedContainer("hourly").decodeElements("data", invalidElementStrategy: .remove)
        }
    }

    struct WeatherHour: Decodable, Equatable {
        @Coded<UnixSeconds> var time: Date
        let windSpeed: Int
        let temperature: Double
        let precipitation: Double

        private enum CodingKeys: String, CodingKey {
            case time, windSpeed, temperature
            case precipitation = "precipIntensity"
        }
    }

    /// The same hours as `JSONDecodable` models.
    struct JSONHourlyWeather: JSONDecodable {
        let lat: Double
        let long: Double
        let hourData: [JSONWeatherHour]

        init(json: JSONValue) throws {
            lat = try json.decode("latitude")
            long = try json.decode("longitude")
            let hours = try json.decode("hourly", as: JSONValue.self).decode("data", as: [JSONValue].self)
            hourData = hours.compactMap { try? JSONWeatherHour(json: $0) }
        }
    }

    struct JSONWeatherHour: JSONDecodable {
        let time: Date
        let windSpeed: Int
        let temperature: Double
        let precipitation: Double

        init(json: JSONValue) throws {
            time = Date(timeIntervalSince1970: try json.decode("time"))
            windSpeed = try json.decode("windSpeed")
            temperature = try json.decode("temperature")
            precipitation = try json.decode("precipIntensity")
        }
    }
}
