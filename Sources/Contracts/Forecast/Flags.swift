public import LenientCoding

/// Where the data of a forecast come from.
///
/// Upstreams add to it freely: what is not listed passes under its camelCase name (`isd-stations` as `isdStations`).
public struct Flags: Record {
    /// The names of the sources.
    public var sources: [String]?
    /// The units of the document: us, si, ca or uk2.
    public var units: OpenEnum<UnitSystem>?
    /// How far away the nearest station is, in the upstream's own unit.
    public var nearestStation: Double?
    /// The upstream's version.
    public var version: String?
    /// When each source was last run.
    ///
    /// The keys are data and stay as they are.
    public var sourceTimes: OpenMap?
    /// Every other scalar or list.
    public var others = JSONValue.object([])

    /// Flags that say nothing.
    public init() {}

    /// One line a field.
    public static let schema = Schema<Flags>(.absent(-999), .absent("")) {
        Field(\.sources, .dropInvalid)
        Field(\.units)
        Field(\.nearestStation, .or("nearest-station", "nearest_station"))
        Field(\.version)
        Field(\.sourceTimes, .or("source-times", "source_times"))
        OtherFields(\.others)
    }
}
