import Foundation

/// A Dark Sky answer as plain Codable types, with the fields of the contract's `Forecast`.
enum DarkSkyCodable {
    /// The weather of one place.
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

    /// A span of time in points.
    struct DataBlock: Codable {
        var summary: String?
        var icon: String?
        var data: [DataPoint]?
    }

    /// A warning of the place's authorities.
    struct Alert: Codable {
        var title: String?
        var regions: [String]?
        var severity: String?
        var time: Date?
        var expires: Date?
        var description: String?
        var uri: String?
    }

    /// Where the data come from.
    ///
    /// The record keeps every other list as well; here they are ignored, which is less work.
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
}
