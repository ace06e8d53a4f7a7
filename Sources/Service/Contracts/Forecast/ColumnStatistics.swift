import LenientCoding

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// What a column of numbers has in some of its rows; NaN is no value.
struct ColumnStatistics {
    private(set) var count = 0, sum = 0.0
    private(set) var least = Double.infinity, greatest = -Double.infinity
    /// The first rows with the least and the greatest value.
    private(set) var leastRow = 0, greatestRow = 0

    /// The statistics of some rows; `start` is the place in `values` of the column's row 0.
    init(_ values: [Double], from start: Int, _ rows: Range<Int>) {
        for row in rows {
            let value = values[start + row]
            if value.isNaN { continue }
            count += 1
            sum += value
            if value < least { (least, leastRow) = (value, row) }
            if value > greatest { (greatest, greatestRow) = (value, row) }
        }
    }

    /// The mean with two decimals; nil without a value, and if the sum overflows.
    var mean: Double? {
        let mean = sum / Double(count)
        return mean.isFinite ? Conversion.Step(scale: 1, places: 2)(mean) : nil
    }

    /// Whether there is a value for every hour of a span, which can have a half hour more (Australia/Lord_Howe).
    func covers(_ span: Range<Double>) -> Bool {
        count > 0 && Double(count) >= ((span.upperBound - span.lowerBound) / 3600).rounded(.down)
    }

    /// Returns the direction of the sum of some winds in whole degrees; nil if it is not known.
    ///
    /// Open-Meteo computes a day's direction so (open-meteo/open-meteo, `Sources/App/Helper/GenericDailyCalculator.swift`,
    /// `dominantDirection`).
    static func meanBearing(of winds: some Sequence<(speed: Double, bearing: Double)>) -> Double? {
        var (north, east) = (0.0, 0.0)
        for (speed, bearing) in winds {
            if speed.isNaN || bearing.isNaN { continue }
            north += speed * cos(bearing * .pi / 180)
            east += speed * sin(bearing * .pi / 180)
        }
        // Winds that cancel each other out leave the errors of their sums.
        guard hypot(north, east) > 1e-9 else { return nil }
        let degrees = (atan2(east, north) * 180 / .pi).rounded()
        return degrees < 0 ? degrees + 360 : degrees + 0
    }
}
