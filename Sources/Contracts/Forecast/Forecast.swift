public import JSONText
public import LenientCoding

/// The weather at one place: Dark Sky v2's document, cleaned.
///
/// Names and nesting are those of Dark Sky's documentation; fields that Pirate Weather added have its names.
public struct Forecast: Record {
    /// The coordinates in degrees: -90…90 and -180…180.
    public var latitude = 0.0, longitude = 0.0
    /// The IANA name of the time zone.
    public var timezone = ""
    /// The offset from UTC in hours, not always a whole number: 5.5.
    public var offset: Double?
    /// The height above sea level in metres.
    public var elevation: Double?
    /// The current weather.
    public var currently: DataPoint?
    /// The next hour by the minute, the next days by the hour, and the next week by the day.
    public var minutely: DataBlock?, hourly: DataBlock?, daily: DataBlock?
    /// The next week by half days: day and night.
    public var dayNight: DataBlock?
    /// Weather alerts of the authorities.
    public var alerts: [Alert]?
    /// The sources and the units of the data.
    public var flags: Flags?

    /// A forecast without data.
    public init() {}

    /// The table of fields.
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

    /// Returns the system that the document's flags name, or Dark Sky's default `us` if they name no known one.
    static func unitSystem(of document: JSONNode) -> UnitSystem {
        document["flags"]?["units"]?.string.flatMap(UnitSystem.init) ?? .us
    }

    /// Returns the units of the system that the document's flags name.
    public static func units(of document: JSONNode) -> Units { unitSystem(of: document).units }

    /// The units that the flags name, or Dark Sky's default `us` if they name no known system.
    var units: UnitSystem {
        if case .known(let units) = flags?.units { units } else { .us }
    }
}

/// A span of time in data points: minutes, hours, days or half days.
public struct DataBlock: Record {
    /// A sentence about the whole span.
    public var summary: String?
    /// An icon for the whole span.
    public var icon: OpenEnum<Icon>?
    /// The points in the upstream's order; nil is not the same as empty.
    public var data: [DataPoint]?

    /// A block without points.
    public init() {}

    /// The table of fields.
    public static let schema = Schema<DataBlock>(.absent(-999), .absent("", "none")) {
        Field(\.summary)
        Field(\.icon)
        Field(\.data, .dropInvalid)
    }
}
