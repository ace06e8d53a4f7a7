public import LenientCoding

/// What an upstream is asked for.
public struct ForecastQuery: Sendable {
    /// The moment of a time machine's question.
    public enum Moment: Sendable, Equatable {
        /// Seconds since 1970-01-01T00:00:00Z, negative before it.
        case unix(Int64)
        /// `YYYY-MM-DDThh:mm:ss` on the clocks of the place.
        case local(String)
    }

    /// The place, in degrees: -90…90 and -180…180.
    public var latitude: Double, longitude: Double
    /// The moment asked for; nil for now.
    public var time: Moment?
    /// The language of summaries, by Dark Sky's code; nil for the upstream's own choice.
    public var language: String?
    /// Whether the hourly block is to reach further than two days.
    public var extendsHourly = false
    /// The units that the upstream is asked for, where it can be.
    public var units = UnitSystem.si

    /// The weather at a place.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
