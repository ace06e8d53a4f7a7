import Foundation

/// A Dark Sky answer as plain Codable types, with the fields of the contract's `Forecast`.
enum DarkSkyCodable {
    /// The forecast for one location.
    struct Forecast: Codable {
        var latitude: Double
        var longitude: Double
        var timezone: String
        var offset: Double?
        var elevation: Double?
        var currently: DataPoint?
        var minutely: DataBlock?
        var hourly: DataBlock?
        var daily: DataBlock?
        var dayNight: DataBlock?
        var alerts: [Alert]?
        var flags: Flags?
    }

    /// A block of data points.
    struct DataBlock: Codable {
        var summary: String?
        var icon: String?
        var data: [DataPoint]?
    }

    /// A weather alert.
    struct Alert: Codable {
        var title: String?
        var regions: [String]?
        var severity: String?
        var time: Date?
        var expires: Date?
        var description: String?
        var uri: String?
    }

    /// The sources of the data.
    ///
    /// The record also keeps all other members; this type ignores them, which is less work.
    struct Flags: Codable {
        var sources: [String]?
        var units: String?
        var nearestStation: Double?
        var version: String?

        enum CodingKeys: String, CodingKey {
            case sources, units, version
            case nearestStation = "nearest-station"
        }
    }

    /// A data point of any block, with the fields of the contract's data point.
    struct DataPoint: Codable {
        var time: Date
        var summary: String?
        var icon: String?
        var nearestStormDistance: Double?
        var nearestStormBearing: Double?
        var sunriseTime: Date?
        var sunsetTime: Date?
        var dawnTime: Date?
        var duskTime: Date?
        var moonPhase: Double?
        var precipIntensity: Double?
        var precipIntensityError: Double?
        var precipIntensityMax: Double?
        var precipIntensityMaxTime: Date?
        var precipIntensityMin: Double?
        var precipIntensityMinTime: Date?
        var precipProbability: Double?
        var precipType: String?
        var precipAccumulation: Double?
        var rainIntensity: Double?
        var snowIntensity: Double?
        var iceIntensity: Double?
        var rainIntensityMax: Double?
        var snowIntensityMax: Double?
        var iceIntensityMax: Double?
        var liquidAccumulation: Double?
        var snowAccumulation: Double?
        var iceAccumulation: Double?
        var currentDayIce: Double?
        var currentDayLiquid: Double?
        var currentDaySnow: Double?
        var temperature: Double?
        var apparentTemperature: Double?
        var feelsLike: Double?
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
        var stationPressure: Double?
        var windSpeed: Double?
        var windGust: Double?
        var windGustTime: Date?
        var windBearing: Double?
        var cloudCover: Double?
        var uvIndex: Double?
        var uvIndexTime: Date?
        var visibility: Double?
        var ozone: Double?
        var solar: Double?
        var solarMax: Double?
        var smoke: Double?
        var smokeMax: Double?
        var smokeMaxTime: Date?
        var fireIndex: Double?
        var fireIndexMax: Double?
        var fireIndexMaxTime: Date?
        var cape: Double?
        var capeMax: Double?
        var airQualityIndex: Double?
        var airQualityIndexMax: Double?
        var airQualityIndexMin: Double?
        var coConcentration: Double?
        var no2Concentration: Double?
        var ozoneConcentration: Double?
        var so2Concentration: Double?
        var pm10: Double?
        var pm25: Double?
    }
}
