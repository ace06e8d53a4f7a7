import Glibc

/// Sunrise and sunset of a day at a place, for upstreams that send neither.
///
/// The equations are those of NOAA's solar calculator (https://gml.noaa.gov/grad/solcalc/calcdetails.html), which follow Jean
/// Meeus, Astronomical Algorithms. They are within two minutes of published times between the polar circles.
struct SolarDay {
    /// The times in unix seconds; nil if the sun stays up or down all day.
    let sunrise: Double?, sunset: Double?
    /// Whether the sun is up at noon.
    let isLit: Bool

    /// The angle in degrees of the centre of the sun from the zenith at sunrise: its radius and the refraction of the air.
    private static let horizon = 90.833

    /// The day around `noon`, that of the local clock in unix seconds, at a place in degrees.
    init(around noon: Double, latitude: Double, longitude: Double) {
        var transit = noon
        for _ in 0..<2 { transit -= Self.hourAngle(at: transit, longitude) * 240 }
        isLit = Self.halfDay(at: transit, latitude).map { $0 > 0 } ?? false
        func crossing(_ direction: Double) -> Double? {
            var moment = transit
            for _ in 0..<4 {
                guard let half = Self.halfDay(at: moment, latitude), half < 180, half > 0 else { return nil }
                // The error of the hour angle at the last estimate, in seconds: a degree takes the earth four minutes.
                moment -= Self.wrapped(Self.hourAngle(at: moment, longitude) - direction * half) * 240
            }
            return moment
        }
        (sunrise, sunset) = (crossing(-1)?.rounded(), crossing(1)?.rounded())
    }

    /// Returns the degrees that the earth turns between sunrise and noon: 180 if the sun stays up, 0 if it stays down.
    private static func halfDay(at moment: Double, _ latitude: Double) -> Double? {
        let declination = position(at: moment).declination, latitude = latitude * .pi / 180
        let cosine =
            cos(horizon * .pi / 180) / (cos(latitude) * cos(declination)) - tan(latitude) * tan(declination)
        return cosine.isNaN ? nil : acos(max(-1, min(1, cosine))) * 180 / .pi
    }

    /// Returns the degrees that the earth has turned since the sun was in the south: -180 to 180.
    private static func hourAngle(at moment: Double, _ longitude: Double) -> Double {
        let minutes = (moment / 60).truncatingRemainder(dividingBy: 1440) + position(at: moment).equationOfTime
        return wrapped(minutes / 4 + longitude - 180)
    }

    /// Returns the same angle from -180 to 180 degrees.
    private static func wrapped(_ angle: Double) -> Double { angle - (angle / 360).rounded() * 360 }

    /// Returns the sun's declination in radians, and the minutes that sundials are ahead of clocks.
    private static func position(at moment: Double) -> (declination: Double, equationOfTime: Double) {
        let century = (moment - 946_728_000) / (36525 * 86400), radian = Double.pi / 180
        let longitude =
            (280.46646 + century * (36000.76983 + century * 0.0003032))
            .truncatingRemainder(dividingBy: 360) * radian
        let anomaly = (357.52911 + century * (35999.05029 - 0.0001537 * century)) * radian
        let eccentricity = 0.016708634 - century * (0.000042037 + 0.0000001267 * century)
        let centre =
            sin(anomaly) * (1.914602 - century * (0.004817 + 0.000014 * century))
            + sin(2 * anomaly) * (0.019993 - 0.000101 * century) + sin(3 * anomaly) * 0.000289
        let node = (125.04 - 1934.136 * century) * radian
        let apparent = longitude + (centre - 0.00569 - 0.00478 * sin(node)) * radian
        let obliquity =
            (23 + (26 + (21.448 - century * (46.815 + century * (0.00059 - century * 0.001813))) / 60) / 60
                + 0.00256 * cos(node)) * radian
        let y = tan(obliquity / 2) * tan(obliquity / 2)
        let equation =
            y * sin(2 * longitude) - 2 * eccentricity * sin(anomaly)
            + 4 * eccentricity * y * sin(anomaly) * cos(2 * longitude) - 0.5 * y * y * sin(4 * longitude)
            - 1.25 * eccentricity * eccentricity * sin(2 * anomaly)
        return (asin(sin(obliquity) * sin(apparent)), equation / radian * 4)
    }
}
