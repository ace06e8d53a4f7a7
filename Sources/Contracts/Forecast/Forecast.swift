public import JSONText
public import LenientCoding

/// The weather of one place: Dark Sky v2's document, cleaned.
///
/// The source of every name is Dark Sky's own documentation; what Pirate Weather added stands under its names.
public struct Forecast: Record {
    /// The place, in degrees: -90…90 and -180…180.
    public var latitude = 0.0, longitude = 0.0
    /// The place's time zone by its IANA name.
    public var timezone = ""
    /// Hours from UTC; 5.5 exists.
    public var offset: Double?
    /// Metres above the sea.
    public var elevation: Double?
    /// The weather now.
    public var currently: DataPoint?
    /// The next hour by the minute, the next days by the hour, and the next week by the day.
    public var minutely: DataBlock?, hourly: DataBlock?, daily: DataBlock?
    /// Half days and half nights.
    public var dayNight: DataBlock?
    /// Warnings of the place's authorities.
    public var alerts: [Alert]?
    /// Where the data come from.
    public var flags: Flags?

    /// A forecast of nowhere.
    public init() {}

    /// One line a field.
    public static let schema = Schema<Forecast>(.absent(-999), .absent("")) {
        Field(\.latitude, .plausible(-90...90))
        Field(\.longitude, .plausible(-180...180))
        Field(\.timezone)
        Field(\.offset, .plausible(-15...15))
        Field(\.elevation)
        Field(\.currently)
        Field(\.minutely)
        Field(\.hourly)
        Field(\.daily)
        Field(\.dayNight, .or("day_night"))
        Field(\.alerts, .dropInvalid)
        Field(\.flags)
    }

    /// The units that the flags name; `us` where they name none that is known, as Dark Sky's default was.
    static func unitSystem(of document: JSONNode) -> UnitSystem {
        document["flags"]?["units"]?.string.flatMap(UnitSystem.init) ?? .us
    }

    /// The units that the flags name.
    public static func units(of document: JSONNode) -> Units { unitSystem(of: document).units }
}
