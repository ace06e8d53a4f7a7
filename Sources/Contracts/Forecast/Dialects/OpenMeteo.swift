import JSONText
import LenientCoding

extension Dialect {
    /// Open-Meteo.
    public static let openMeteo = Dialect(
        name: "openMeteo",
        keyPlace: .none,
        target: Dialect.darkSky.target,
        read: Dialect.darkSky.read,
        upstreamError: { $0["reason"]?.string })
}
