import Foundation

/// A Dark Sky answer as Codable types as an application would write them: each block has its own type of data point,
/// with the fields that Dark Sky documents for that block.
enum DarkSkyBlocks {
    /// The forecast for one location.
    struct Forecast: Codable {
        var latitude: Double
        var longitude: Double
        var timezone: String
        var offset: Double?
        var currently: Moment?
        var minutely: Block<Minute>?
        var hourly: Block<Moment>?
        var daily: Block<Day>?
        var alerts: [DarkSkyCodable.Alert]?
        var flags: DarkSkyCodable.Flags?
    }

    /// A block of data points.
    struct Block<Point: Codable>: Codable {
        var summary: String?
        var icon: String?
        var data: [Point]
    }

    /// A data point of the minutely block.
    struct Minute: Codable {
        var time: Date
        var precipIntensity: Double?
        var precipIntensityError: Double?
        var precipProbability: Double?
        var precipType: String?
    }

    /// A data point of the current weather or of the hourly block.
    struct Moment: Codable {
        var time: Date
        var summary: String?
        var icon: String?
        var nearestStormDistance: Double?
        var nearestStormBearing: Double?
        var precipIntensity: Double?
        var precipIntensityError: Double?
        var precipProbability: Double?
        var precipType: String?
        var precipAccumulation: Double?
        var temperature: Double?
        var apparentTemperature: Double?
        var dewPoint: Double?
        var humidity: Double?
        var pressure: Double?
        var windSpeed: Double?
        var windGust: Double?
        var windBearing: Double?
        var cloudCover: Double?
        var uvIndex: Double?
        var visibility: Double?
        var ozone: Double?
    }

    /// A data point of the daily block.
    struct Day: Codable {
        var time: Date
        var summary: String?
        var icon: String?
        var sunriseTime: Date?
        var sunsetTime: Date?
        var moonPhase: Double?
        var precipIntensity: Double?
        var precipIntensityMax: Double?
        var precipIntensityMaxTime: Date?
        var precipProbability: Double?
        var precipType: String?
        var precipAccumulation: Double?
        var temperatureHigh: Double?
        var temperatureHighTime: Date?
        var temperatureLow: Double?
        var temperatureLowTime: Date?
        var temperatureMin: Double?
        var temperatureMinTime: Date?
        var temperatureMax: Double?
        var temperatureMaxTime: Date?
        var apparentTemperatureHigh: Double?
        var apparentTemperatureHighTime: Date?
        var apparentTemperatureLow: Double?
        var apparentTemperatureLowTime: Date?
        var apparentTemperatureMin: Double?
        var apparentTemperatureMinTime: Date?
        var apparentTemperatureMax: Double?
        var apparentTemperatureMaxTime: Date?
        var dewPoint: Double?
        var humidity: Double?
        var pressure: Double?
        var windSpeed: Double?
        var windGust: Double?
        var windGustTime: Date?
        var windBearing: Double?
        var cloudCover: Double?
        var uvIndex: Double?
        var uvIndexTime: Date?
        var visibility: Double?
        var ozone: Double?
    }
}
