public import LenientCoding

/// The quantities of a forecast; units are in the order of ``UnitSystem``: si, ca, uk2, uk, us.
extension Units.Dimension {
    /// Temperature: °C or °F.
    public static let temperature = Self(
        "temperature", number: 0, units: [celsius, celsius, celsius, celsius, Unit(scale: 5 / 9, offset: -160 / 9)],
        places: 2)
    /// Speed of the wind: m/s, km/h or mph.
    public static let speed = Self(
        "speed", number: 1, units: [Unit(), Unit(scale: 1 / 3.6), milesPerHour, milesPerHour, milesPerHour], places: 2)
    /// Distance, for visibility and storms: km or miles.
    public static let distance = Self(
        "distance", number: 2, units: [Unit(), Unit(), mile, Unit(), mile], places: 2)
    /// Rate of precipitation: mm/h or in/h.
    public static let rate = Self(
        "rate", number: 3, units: [Unit(), Unit(), Unit(), Unit(), Unit(scale: 25.4)], places: 4)
    /// Depth of precipitation: cm or in.
    public static let depth = Self(
        "depth", number: 4, units: [Unit(), Unit(), Unit(), Unit(), Unit(scale: 2.54)], places: 4)
    /// Air pressure: hPa in every system.
    public static let pressure = Self(
        "pressure", number: 5, units: [Unit()], places: 2)

    /// Every dimension of a forecast.
    public static let ofWeather: [Units.Dimension] = [temperature, speed, distance, rate, depth, pressure]

    private static let celsius = Unit()
    private static let milesPerHour = Unit(scale: 0.44704)
    private static let mile = Unit(scale: 1.609344)
}
