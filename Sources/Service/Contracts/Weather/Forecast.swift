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

/// The sources and the units of a forecast.
///
/// Upstreams add members freely. The ones that are not listed here pass under their camelCase name (`isd-stations`
/// becomes `isdStations`).
public struct Flags: Record {
    /// The listed fields; see ``schema``.
    public var sources: [String]?, units: OpenEnum<UnitSystem>?, nearestStation: Double?, version: String?,
        sourceTimes: OpenMap?, lang: String?, minutelyStep: Double?
    /// All other scalars and arrays.
    public var others = JSONValue.object([])

    /// Flags without data.
    public init() {}

    /// The table of fields.
    public static let schema = Schema<Flags>(.absent(-999), .absent("")) {
        Field(\.sources, .dropInvalid, .note("The names of the data sources."))
        Field(\.units, .note("The unit system of the answer."))
        Field(
            \.nearestStation, .or("nearest-station", "nearest_station"),
            .note("The distance to the nearest weather station, in the upstream's unit."))
        Field(\.version, .note("The version of the upstream's software."))
        Field(
            \.sourceTimes, .or("source-times", "source_times"),
            .note("The last model run of each source; the keys are data and keep their spelling."))
        Field(
            \.lang,
            .note("The language of the summaries, if one was requested that the upstream does not write itself."))
        Field(
            \.minutelyStep,
            .note("The length in minutes of the spans that the rates of minutely are known for, if not 1."))
        // Pirate Weather's place in the grid of each model.
        Ignored("sourceIDX")
        OtherFields(\.others)
    }

    /// Returns the flags with those that Dark Sky always sent, under its names such as `nearest-station`.
    ///
    /// `distance` is the conversion to the client's `units`. Without a station, as in a model, its distance is 0.
    func inForm(_ form: DarkSkyForm, units: UnitSystem, distance: Conversion.Step?) -> Flags {
        var flags = self
        flags.sources = (sources ?? []).filter { form != .documented || Self.darkSkySources.contains($0) }
        flags.units = .known(units)
        flags.nearestStation = nil
        guard case .object(var members) = others else { return flags }
        let keys = Set(members.map(\.key))
        for index in members.indices {
            // A document that has both spellings keeps both.
            guard let name = Self.darkSkyNames[members[index].key], !keys.contains(name) else { continue }
            members[index].key = name
        }
        if form == .documented {
            (flags.version, flags.sourceTimes, flags.lang, flags.minutelyStep) = (nil, nil, nil, nil)
            members = members.filter(Self.isDarkSkys)
        } else {
            flags.sourceTimes = sourceTimes ?? OpenMap()
        }
        // In range, so that no conversion overflows.
        let station = max(0, min(50_000, nearestStation ?? 0))
        let number = JSONWriter.bytes(expecting: 32) { $0.write(distance?(station) ?? station) }
        members.insert(JSONValue.Member("nearest-station", .number(String(decoding: number, as: UTF8.self))), at: 0)
        flags.others = .object(members)
        return flags
    }

    /// Whether Dark Sky could have sent the member: lists of stations and texts of licences, mostly before 2018.
    private static func isDarkSkys(_ member: JSONValue.Member) -> Bool {
        guard darkSkyNames.values.contains(member.key) else { return false }
        if member.key.hasSuffix("-stations") {
            return member.value.elements?.allSatisfy { $0.stringValue != nil } == true
        }
        return member.key == "darksky-unavailable" || member.value.stringValue != nil
    }

    /// Dark Sky's words for its sources, which clients enumerate.
    private static let darkSkySources: Set = [
        "cmc", "darksky", "ecpa", "gfs", "hrrr", "icon", "isd", "madis", "meteoalarm", "nam", "nearest-precip", "nwspa",
        "sref",
    ]

    /// Dark Sky's names of the other flags that it sent.
    private static let darkSkyNames = [
        "darkskyStations": "darksky-stations", "darkskyUnavailable": "darksky-unavailable",
        "datapointStations": "datapoint-stations", "isdStations": "isd-stations", "lampStations": "lamp-stations",
        "madisStations": "madis-stations", "metarStations": "metar-stations", "meteoalarmLicense": "meteoalarm-license",
        "metnoLicense": "metno-license",
    ]
}
