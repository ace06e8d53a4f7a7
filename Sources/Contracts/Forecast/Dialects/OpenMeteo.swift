import JSONText
import LenientCoding

extension Dialect {
    /// Open-Meteo: `/v1/forecast?latitude=…&longitude=…&hourly=…`, without a key.
    ///
    /// Its answers are columns beside a column of times, with the unit of each. Errors are `{"error":true,"reason":"…"}`.
    public static let openMeteo = Dialect(
        name: "openMeteo",
        keyPlace: .none,
        target: OpenMeteo.target,
        read: OpenMeteo.read,
        upstreamError: { $0["reason"]?.string })
}

/// What is Open-Meteo's own: how it is asked, and how its columns become a forecast.
enum OpenMeteo {}
