import Records

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// The phase of the moon, which no upstream needs to send.
enum MoonPhase {
    /// The seconds of 2000-01-01T12:00:00Z, from which the series counts.
    private static let epoch = 946_728_000.0
    private static let secondsPerCentury = 36525.0 * 86400

    /// Returns the part of the moon's cycle that has passed at a moment: 0 new, 0.25 first quarter, 0.5 full; below 1.
    ///
    /// This is the excess of the moon's ecliptic longitude over the sun's, divided by 360°, by the largest terms of
    /// Jean Meeus, Astronomical Algorithms, chapter 48. It is within 0.001 of the published times of 1994 and 2024.
    static func fraction(at unixSeconds: Int64) -> Double {
        let centuries = (Double(unixSeconds) - epoch) / secondsPerCentury
        func angle(_ start: Double, _ rate: Double) -> Double {
            (start + rate * centuries).truncatingRemainder(dividingBy: 360) * .pi / 180
        }
        let elongation = angle(297.850_192, 445_267.111_403)
        let sun = angle(357.529_109, 35999.050_291)
        let moon = angle(134.963_396, 477_198.867_506)
        // In degrees: the moon's ellipse, the sun's, the evection, the variation, and the second term of the ellipse.
        let correction =
            6.289 * sin(moon) - 2.1 * sin(sun) + 1.274 * sin(2 * elongation - moon) + 0.658 * sin(2 * elongation)
            + 0.214 * sin(2 * moon)
        let cycles = elongation / (2 * .pi) + correction / 360
        let fraction = cycles - cycles.rounded(.down)
        return fraction < 1 ? fraction : 0
    }

    /// Returns the phase at noon of the local day that starts at `start`, as Dark Sky with two decimals.
    static func ofDay(from start: Double, _ clock: LocalClock) -> Double? {
        guard let noon = Int64(exactly: clock.moment(atHour: 12, ofDayFrom: start).rounded()) else { return nil }
        let phase = Conversion.Step(scale: 1, places: 2)(fraction(at: noon))
        return phase < 1 ? phase : 0
    }
}
