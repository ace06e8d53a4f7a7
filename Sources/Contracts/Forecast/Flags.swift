import JSONText
public import LenientCoding

/// The sources and the units of a forecast.
///
/// Upstreams add members freely. The ones that are not listed here pass under their camelCase name (`isd-stations`
/// becomes `isdStations`).
public struct Flags: Record {
    /// The names of the data sources.
    public var sources: [String]?
    /// The units of the document: us, si, ca or uk2.
    public var units: OpenEnum<UnitSystem>?
    /// The distance to the nearest station, in the upstream's unit.
    public var nearestStation: Double?
    /// The upstream's version.
    public var version: String?
    /// When each source was last updated, by the source's name.
    ///
    /// The names are data and keep their spelling.
    public var sourceTimes: OpenMap?
    /// All other scalars and lists.
    public var others = JSONValue.object([])

    /// Flags without data.
    public init() {}

    /// The table of fields.
    public static let schema = Schema<Flags>(.absent(-999), .absent("")) {
        Field(\.sources, .dropInvalid)
        Field(\.units)
        Field(\.nearestStation, .or("nearest-station", "nearest_station"))
        Field(\.version)
        Field(\.sourceTimes, .or("source-times", "source_times"))
        OtherFields(\.others)
    }

    /// The flags under the names that Dark Sky documented, such as `nearest-station`; others keep their name.
    var spelledAsDarkSky: Flags {
        guard case .object(var members) = others else { return self }
        let keys = Set(members.map(\.key))
        for index in members.indices {
            // A document that has both spellings keeps both.
            guard let name = Self.darkSkyNames[members[index].key], !keys.contains(name) else { continue }
            members[index].key = name
        }
        var spelled = self
        if let nearestStation {
            spelled.nearestStation = nil
            let number = JSONWriter.bytes(expecting: 32) { $0.write(nearestStation) }
            members.insert(JSONValue.Member("nearest-station", .number(String(decoding: number, as: UTF8.self))), at: 0)
        }
        spelled.others = .object(members)
        return spelled
    }

    private static let darkSkyNames = [
        "darkskyStations": "darksky-stations", "darkskyUnavailable": "darksky-unavailable",
        "datapointStations": "datapoint-stations", "isdStations": "isd-stations", "lampStations": "lamp-stations",
        "madisStations": "madis-stations", "metarStations": "metar-stations", "meteoalarmLicense": "meteoalarm-license",
        "metnoLicense": "metno-license",
    ]
}
