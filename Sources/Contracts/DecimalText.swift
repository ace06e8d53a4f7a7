/// Numbers as they are written into the path of an upstream.
enum DecimalText {
    /// `value` in plain decimal notation, which upstreams parse where they may not know `1e-07`; at most seven places.
    static func format(_ value: Double) -> String {
        let scaled = (value * 10_000_000).rounded()
        let magnitude = UInt64(scaled.magnitude)
        let places = String(magnitude % 10_000_000)
        var fraction = String(repeating: "0", count: 7 - places.count) + places
        while fraction.last == "0" { fraction.removeLast() }
        let sign = scaled < 0 ? "-" : ""
        return "\(sign)\(magnitude / 10_000_000)\(fraction.isEmpty ? "" : ".\(fraction)")"
    }
}
