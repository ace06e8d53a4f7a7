/// A request for the weather at a place, independent of the upstream.
public struct ForecastQuery: Sendable {
    /// The moment of a historical request.
    public enum Moment: Sendable, Equatable {
        /// Seconds since 1970-01-01T00:00:00Z, negative before it.
        case unix(Int64)
        /// `YYYY-MM-DDThh:mm:ss` in the local time of the place.
        case local(String)
    }

    /// The coordinates in degrees: -90…90 and -180…180.
    public var latitude: Double, longitude: Double
    /// The requested moment; nil for now.
    public var time: Moment?
    /// The language of summaries, by Dark Sky's code; nil for the upstream's default.
    public var language: String?
    /// Whether the hourly block covers a week instead of two days.
    public var extendsHourly = false
    /// The IANA name of the place's time zone, and its country (ISO 3166-1 alpha-2), for upstreams that must be told.
    public var timeZone: String?, countryCode: String?
    /// The units to request from upstreams that let the client choose.
    public var units = UnitSystem.si
    /// Whether an upstream that knows the units of the place's country uses those instead.
    public var unitsAreAutomatic = false
    /// The weather model to ask for, for upstreams that let the client choose; nil for their choice.
    public var model: String?

    /// A request for the current weather and the forecast.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether the system knows the time zone with an IANA name.
    public static func isTimeZone(_ name: String) -> Bool { ZoneRules.named(name) != nil }

    /// The coordinates as text for a URL.
    var coordinates: (latitude: String, longitude: String) { (Self.decimal(latitude), Self.decimal(longitude)) }

    /// Returns `degrees` with at most seven decimals and no exponent, because not every upstream parses `1e-07`.
    ///
    /// Values beyond ±1,000,000 are clamped and NaN is 0, so that the conversion to an integer cannot trap.
    private static func decimal(_ degrees: Double) -> String {
        let scaled = (max(-1e6, min(1e6, degrees.isNaN ? 0 : degrees)) * 10_000_000).rounded()
        let (whole, rest) = UInt64(scaled.magnitude).quotientAndRemainder(dividingBy: 10_000_000)
        var text = (scaled < 0 ? "-" : "") + String(whole)
        guard rest > 0 else { return text }
        // The leading 1 keeps the zeros behind the point.
        var fraction = 10_000_000 + rest
        while fraction.isMultiple(of: 10) { fraction /= 10 }
        text += "."
        text.append(contentsOf: String(fraction).dropFirst())
        return text
    }
}
