public import JSONText
public import Records

/// The weather at one place: Dark Sky v2's document, cleaned.
///
/// Names and nesting are those of Dark Sky's documentation; fields that Pirate Weather added have its names.
public struct Forecast: Record {
    /// The location; see ``schema`` for each field.
    public var latitude: Double?, longitude: Double?, timezone = "", offset: Double?, elevation: Double?
    /// The weather, now and in blocks; an absent block is not an empty one.
    public var currently: DataPoint?, minutely: DataBlock?, hourly: DataBlock?, daily: DataBlock?, dayNight: DataBlock?
    /// The alerts, and the sources of the data.
    public var alerts: [Alert]?, flags: Flags?

    /// A forecast without data.
    public init() {}

    /// The table of fields.
    public static let schema = Schema<Forecast>(.absent(-999), .absent("")) {
        Field(
            \.latitude, .plausible(-90...90), .mustBeValid,
            .note("The latitude in degrees, positive to the north; that of the request if the upstream names none."))
        Field(
            \.longitude, .plausible(-180...180), .mustBeValid,
            .note("The longitude in degrees, positive to the east; that of the request if the upstream names none."))
        Field(\.timezone, .note("The IANA name of the time zone."))
        Field(\.offset, .plausible(-15...15), .note("The offset of local time from UTC in hours, such as 5.5."))
        Field(\.elevation, .note("The height above sea level in metres."))
        Field(\.currently, .note("The current weather, or that of the requested moment."))
        Field(\.minutely, .note("The next hour, minute by minute."))
        Field(\.hourly, .note("The next days or the requested day, hour by hour."))
        Field(\.daily, .note("The next days or the requested day, each from midnight to midnight local time."))
        Field(\.dayNight, .or("day_night"), .note("The next days, split into day and night (Pirate Weather)."))
        Field(\.alerts, .dropInvalid, .note("The weather alerts for the location."))
        Field(\.flags, .note("The sources and the units of the answer."))
    }

    /// Returns the system that the document's flags name, or nil if they name no known one.
    static func unitSystem(of document: JSONNode) -> UnitSystem? {
        document["flags"]?["units"]?.string.flatMap(UnitSystem.init)
    }

    /// Returns the units of the system that the document's flags name, or of Dark Sky's default `us`.
    public static func units(of document: JSONNode) -> Units { (unitSystem(of: document) ?? .us).units }

    /// The usual number of bytes of the forecast as JSON: columns become two to four times as long.
    var expectedSize: Int {
        (minutely?.data?.count ?? 0) * 80 + (hourly?.data?.count ?? 0) * 512 + (daily?.data?.count ?? 0) * 1536
    }

    /// The units that the flags name, or Dark Sky's default `us` if they name no known system.
    var units: UnitSystem {
        if case .known(let units) = flags?.units { units } else { .us }
    }
}

// The blocks of points.
extension Forecast {
    /// Passes each block of points, in the order of the contract and in its place.
    @inline(__always)
    mutating func forEachBlock(_ body: (inout DataBlock?, ForecastBlock) -> Void) {
        body(&minutely, .minutely)
        body(&hourly, .hourly)
        body(&daily, .daily)
        body(&dayNight, .dayNight)
    }

    /// Returns the points of a block; nil for the current weather and what has no points.
    func points(of block: ForecastBlock) -> [DataPoint]? {
        switch block {
        case .minutely: minutely?.data
        case .hourly: hourly?.data
        case .daily: daily?.data
        case .dayNight: dayNight?.data
        case .currently, .alerts, .flags: nil
        }
    }
}

/// A list of data points: of minutes, hours, days or half days.
public struct DataBlock: Record {
    /// The fields; a nil `data` differs from an empty one.
    public var summary: String?, icon: OpenEnum<Icon>?, data: [DataPoint]?

    /// A block without points.
    public init() {}

    /// The table of fields.
    public static let schema = Schema<DataBlock>(.absent(-999), .absent("", "none")) {
        Field(\.summary, .note("The weather of the block in words."))
        Field(\.icon, .note("The weather of the block as the name of an icon."))
        Field(\.data, .dropInvalid, .note("The data points, in the upstream's order."))
    }
}

/// A weather alert of the authorities.
///
/// Old answers lack most of its fields.
public struct Alert: Record, Hashable {
    /// The severity of an alert.
    public enum Severity: String, Sendable, CaseIterable {
        /// Dark Sky's, the least severe first.
        case advisory, watch, warning
        /// Those of the Common Alerting Protocol 1.2, the most severe first.
        case extreme = "Extreme", severe = "Severe", moderate = "Moderate", minor = "Minor", unknown = "Unknown"
    }

    /// The fields; see ``schema``.
    public var title: String?, regions: [String]?, severity: OpenEnum<Severity>?
    public var time: UnixSeconds?, expires: UnixSeconds?, description: String?, uri: String?

    /// An alert without data.
    public init() {}

    /// The table of fields.
    public static let schema = Schema<Alert>(.absent(-999), .absent("")) {
        Field(\.title, .note("A short title."))
        Field(\.regions, .dropInvalid, .note("The names of the affected regions."))
        Field(\.severity, .note("The severity; Dark Sky's are the first three."))
        Field(\.time, .note("The time of issue."))
        Field(\.expires, .note("The time when the alert ends."))
        Field(\.description, .note("The text of the alert."))
        Field(\.uri, .note("The address of a page about the alert."))
    }
}
