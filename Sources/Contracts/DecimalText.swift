/// Numbers as they are written into the path of an upstream.
enum DecimalText {
    /// `value`, held within ±1,000,000, with at most seven places and without exponent: not every upstream knows `1e-07`.
    static func format(_ value: Double) -> String {
        let scaled = (max(-1e6, min(1e6, value.isNaN ? 0 : value)) * 10_000_000).rounded()
        let magnitude = UInt64(scaled.magnitude)
        let places = String(magnitude % 10_000_000)
        var fraction = String(repeating: "0", count: 7 - places.count) + places
        while fraction.last == "0" { fraction.removeLast() }
        let sign = scaled < 0 ? "-" : ""
        return "\(sign)\(magnitude / 10_000_000)\(fraction.isEmpty ? "" : ".\(fraction)")"
    }
}
