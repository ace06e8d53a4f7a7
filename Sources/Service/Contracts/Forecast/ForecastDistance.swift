#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

extension Forecast {
    /// How far the forecast's place is from that of `query`, in degrees of latitude.
    func distance(from query: ForecastQuery) -> Double {
        let north = latitude - query.latitude
        // The same meridian is 180 and -180, and meridians are near each other at a pole.
        let turn = abs(longitude - query.longitude).truncatingRemainder(dividingBy: 360)
        let east = min(turn, 360 - turn) * cos(query.latitude * .pi / 180)
        return (north * north + east * east).squareRoot()
    }
}
