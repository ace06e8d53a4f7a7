/// What a request says about its answer, for answers that do not say it themselves.
public struct AnswerDefaults: Sendable {
    /// The latitude and the longitude in degrees; nil if they are not known.
    public var place: (latitude: Double, longitude: Double)?
    /// The units that were requested; nil if they are not known.
    public var units: Shaping.Units?
    /// Whether the answer must have all fields that Weir's requests ask for; absent ones are reported as missing.
    public var expectsFields = false

    /// No defaults.
    public init() {}

    /// The place, the units and the fields of a request; no defaults without one.
    public init(_ query: ForecastQuery?) {
        guard let query else { return }
        expectsFields = true
        place = (query.latitude, query.longitude)
        units = query.unitsAreAutomatic ? .automatic : .system(query.units)
    }
}
