import JSONText
import LenientCoding

extension Dialect {
    /// Dark Sky v2, switched off in 2023 and still spoken by others: `/forecast/{key}/{latitude},{longitude}`.
    ///
    /// Errors are `{"code":400,"error":"…"}` or plain text.
    public static let darkSky = Dialect(
        name: "darkSky",
        keyPlace: .path,
        target: { "/forecast/{key}/\(DecimalText.format($0.latitude)),\(DecimalText.format($0.longitude))" },
        read: { node, _ throws(ContractError) in
            let (forecast, drift) = try Forecast.read(node)
            return (forecast, drift)
        },
        upstreamError: { $0["error"]?.string })
}
