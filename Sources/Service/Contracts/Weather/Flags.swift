import JSONText
public import Records

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
