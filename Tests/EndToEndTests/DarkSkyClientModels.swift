import Foundation

/// Models of public clients of Dark Sky in other languages: the same fields, as strict as there.
enum DarkSkyClientModels {
    /// An object that may have no other keys than its model.
    struct Strict<Model: Decodable & KnownKeys>: Decodable {
        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
            let unknown = Set(keys).subtracting(Model.keys)
            if !unknown.isEmpty {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "unknown: \(unknown.sorted())"))
            }
            _ = try Model(from: decoder)
        }

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }

    protocol KnownKeys {
        static var keys: Set<String> { get }
    }

    /// Python: Detrous/darksky, `darksky/forecast.py` and `darksky/base.py`.
    ///
    /// Constructors take the members of the root and of blocks as named parameters, so another one is an error. Times are
    /// used only if they are integers.
    struct Detrous: Decodable, KnownKeys {
        static let keys: Set = [
            "latitude", "longitude", "timezone", "currently", "minutely", "hourly", "daily", "alerts", "flags",
            "offset",
        ]
        let latitude: Double, longitude: Double, timezone: String, offset: Int
        let currently: Point, minutely: Strict<Block>?, hourly: Strict<Block>, daily: Strict<Block>

        struct Block: Decodable, KnownKeys {
            static let keys: Set = ["summary", "icon", "data"]
            let summary: String?, icon: String?, data: [Point]
        }
        struct Point: Decodable {
            let time: Int, sunriseTime: Int?, sunsetTime: Int?, temperatureHighTime: Int?, windGustTime: Int?
        }
    }

    /// C#: amweiss/dark-sky-core, `src/Models`, with the setting of its tests, `tests/Fixtures`, that forbids members
    /// without a property.
    struct DarkSkyCore: Decodable, KnownKeys {
        static let keys = Detrous.keys
        let latitude: Double, longitude: Double, timezone: String
        let currently: Strict<Point>, minutely: Strict<Block>?, hourly: Strict<Block>, daily: Strict<Block>
        let alerts: [Strict<Alert>]?, flags: Flags

        struct Block: Decodable, KnownKeys {
            static let keys = Detrous.Block.keys
            let summary: String?, icon: Icon?, data: [Strict<Point>]
        }
        struct Point: Decodable, KnownKeys {
            static let keys = Set(
                """
                apparentTemperature apparentTemperatureHigh apparentTemperatureHighTime apparentTemperatureLow
                apparentTemperatureLowTime apparentTemperatureMax apparentTemperatureMaxTime apparentTemperatureMin
                apparentTemperatureMinTime cloudCover dewPoint humidity icon moonPhase nearestStormBearing
                nearestStormDistance ozone precipAccumulation precipIntensity precipIntensityError precipIntensityMax
                precipIntensityMaxTime precipProbability precipType pressure summary sunriseTime sunsetTime temperature
                temperatureHigh temperatureHighTime temperatureLow temperatureLowTime temperatureMax temperatureMaxTime
                temperatureMin temperatureMinTime time uvIndex uvIndexTime visibility windBearing windGust windGustTime
                windSpeed
                """.split(whereSeparator: \.isWhitespace).map(String.init))
            let time: Int, icon: Icon?, precipType: PrecipitationType?
            let nearestStormBearing: Int?, windBearing: Int?, uvIndex: Int?, uvIndexTime: Int?, windGustTime: Int?
            let temperature: Double?, visibility: Double?, precipIntensityMaxTime: Int?, sunriseTime: Int?
        }
        struct Alert: Decodable, KnownKeys {
            static let keys: Set = ["title", "regions", "severity", "time", "expires", "description", "uri"]
            let title: String, regions: [String], severity: String, time: Int, description: String, uri: String
        }
        struct Flags: Decodable {
            let sources: [String], units: String, nearestStation: Double
            private enum CodingKeys: String, CodingKey {
                case sources, units
                case nearestStation = "nearest-station"
            }
        }
        enum Icon: String, Decodable {
            case rain, snow, sleet, wind, fog, cloudy
            case clearDay = "clear-day"
            case clearNight = "clear-night"
            case partlyCloudyDay = "partly-cloudy-day"
            case partlyCloudyNight = "partly-cloudy-night"
        }
        enum PrecipitationType: String, Decodable { case rain, snow, sleet }
    }

    /// A client that requires every field of Dark Sky's documentation, but `ozone` and those that a dry hour, a calm or a distant
    /// storm removes.
    struct Documented: Decodable {
        let latitude: Double, longitude: Double, timezone: String, currently: Hour, minutely: Minutes?
        let hourly: Block<Hour>, daily: Block<Day>, flags: DarkSkyCore.Flags

        struct Block<Point: Decodable>: Decodable { let summary: String, icon: DarkSkyCore.Icon, data: [Point] }
        struct Minutes: Decodable { let data: [Minute] }
        struct Minute: Decodable { let time: Int, precipIntensity: Double, precipProbability: Double }
        struct Weather: Decodable {
            let time: Int, summary: String, icon: DarkSkyCore.Icon, precipIntensity: Double, precipProbability: Double
            let dewPoint: Double, humidity: Double, pressure: Double, windSpeed: Double, windGust: Double
            let cloudCover: Double, uvIndex: Int, visibility: Double
        }
        struct Hour: Decodable {
            private enum CodingKeys: String, CodingKey { case temperature, apparentTemperature }
            init(from decoder: any Decoder) throws {
                _ = try Weather(from: decoder)
                let values = try decoder.container(keyedBy: CodingKeys.self)
                for key in [CodingKeys.temperature, .apparentTemperature] {
                    _ = try values.decode(Double.self, forKey: key)
                }
            }
        }
        struct Day: Decodable {
            let sunriseTime: Int, sunsetTime: Int, moonPhase: Double, precipIntensityMax: Double
            let precipIntensityMaxTime: Int, windGustTime: Int, uvIndexTime: Int
            let temperatureHigh: Double, temperatureHighTime: Int, temperatureLow: Double, temperatureLowTime: Int
            let temperatureMin: Double, temperatureMinTime: Int, temperatureMax: Double, temperatureMaxTime: Int
            let apparentTemperatureHigh: Double, apparentTemperatureHighTime: Int
            let apparentTemperatureLow: Double, apparentTemperatureLowTime: Int
            let apparentTemperatureMin: Double, apparentTemperatureMinTime: Int
            let apparentTemperatureMax: Double, apparentTemperatureMaxTime: Int
        }
    }

    /// Python: Pirate-Weather/pirate-weather-ha, `weather.py`, `sensor.py` and `forecast_models.py`: what Home Assistant rounds or
    /// multiplies without a test, with `version=2`.
    struct HomeAssistant: Decodable {
        let currently: Point, hourly: Block, daily: Block, alerts: [AlertReader.Alert], flags: Flags

        struct Block: Decodable { let summary: String, icon: String, data: [Point] }
        struct Point: Decodable {
            let time: Int, icon: String, humidity: Double, cloudCover: Double, windSpeed: Double, windGust: Double
            let windBearing: Double, dewPoint: Double, pressure: Double, uvIndex: Double, ozone: Double
            let precipProbability: Double
        }
        struct Flags: Decodable { let sources: [String], sourceTimes: [String: String], units: String }
    }

    /// A client that computes with the end of each alert.
    struct AlertReader: Decodable {
        struct Alert: Decodable { let title: String, time: Int, expires: Int, uri: String }
        let alerts: [Alert]?
    }

    /// A client that has an enumeration of Dark Sky's sources.
    struct SourceReader: Decodable {
        enum Source: String, Decodable {
            case cmc, darksky, ecpa, gfs, hrrr, icon, isd, madis, meteoalarm, nam, nwspa, sref
            case nearestPrecipitation = "nearest-precip"
        }
        struct Flags: Decodable { let sources: [Source] }
        let flags: Flags
    }

    /// Rust: frohman04/utility-stats, `src/darksky.rs`, whose integers are small and whose flags and offset are required.
    struct UtilityStats: Decodable {
        let latitude: Float, longitude: Float, timezone: String, offset: Int8
        let currently: Point?, minutely: Block?, hourly: Block?, daily: Block?, flags: DarkSkyCore.Flags?

        struct Block: Decodable { let data: [Point], summary: String?, icon: String? }
        struct Point: Decodable {
            let time: Int64, windGustTime: UInt64?, windBearing: Int16?, uvIndex: UInt8?, nearestStormBearing: Int16?
            let uvIndexTime: UInt64?, sunriseTime: UInt64?, sunsetTime: UInt64?, temperatureHighTime: UInt64?
            let temperatureLowTime: UInt64?, precipIntensityMaxTime: UInt64?, visibility: Float?
        }
    }
}
