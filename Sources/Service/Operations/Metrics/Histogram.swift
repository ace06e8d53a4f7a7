/// Durations by upper bounds, with their sum.
public struct Histogram: Sendable, FigureValue {
    /// The bounds that OpenTelemetry advises ("Semantic conventions for HTTP metrics"), in nanoseconds.
    public static let transferBounds: [UInt64] = [
        5_000_000, 10_000_000, 25_000_000, 50_000_000, 75_000_000, 100_000_000, 250_000_000, 500_000_000, 750_000_000,
        1_000_000_000, 2_500_000_000, 5_000_000_000, 7_500_000_000, 10_000_000_000,
    ]

    private let bounds: [UInt64]
    /// The durations by bound; the last ones took longer than the greatest bound.
    private var counts: [UInt64]
    /// The sum in nanoseconds.
    private var sum: UInt64 = 0

    /// No durations; the upper bounds are in nanoseconds, the least one first.
    public init(_ bounds: [UInt64]) {
        (self.bounds, counts) = (bounds, [UInt64](repeating: 0, count: bounds.count + 1))
    }

    /// The number of durations.
    public var count: Int { counts.reduce(0) { $0 + Int($1) } }

    /// Counts a duration.
    public mutating func add(nanoseconds: UInt64) {
        var index = 0
        while index < bounds.count, nanoseconds > bounds[index] { index += 1 }
        counts[index] += 1
        sum += nanoseconds
    }

    /// Adds the durations of a histogram with the same bounds.
    public mutating func add(_ other: Histogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        sum += other.sum
    }

    /// Returns the milliseconds that `part` of the durations did not exceed, rounded up to the next bound.
    ///
    /// Returns nil if there are none, or if the time exceeds the greatest bound.
    public func percentile(_ part: Double) -> Double? {
        let rank = (Double(count) * part).rounded(.up)
        var seen: UInt64 = 0
        for (bound, count) in zip(bounds, counts) where count > 0 {
            seen += count
            if Double(seen) >= rank { return Double(bound) / 1e6 }
        }
        return nil
    }

    /// Writes the counts by upper bounds in seconds, their sum in seconds and their number.
    public func write(to text: inout MetricsText) {
        var total = 0.0
        for (bound, count) in zip(bounds.map { "\(Double($0) / 1e9)" } + ["+Inf"], counts) {
            total += Double(count)
            text.sample(total, suffix: "_bucket", bound: bound)
        }
        text.sample(Double(sum) / 1e9, suffix: "_sum")
        text.sample(total, suffix: "_count")
    }
}
