import JSONText
import LenientCoding

extension Dialect {
    /// Pirate Weather.
    public static let pirateWeather = Dialect(
        name: "pirateWeather",
        keyPlace: .header("apikey"),
        target: Dialect.darkSky.target,
        read: Dialect.darkSky.read,
        upstreamError: { $0["error"]?.string })
}
