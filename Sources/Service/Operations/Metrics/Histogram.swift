import HTTPCore

/// An exchange whose spans are exported, as an example of the durations in a histogram (OpenMetrics 1.0).
public struct Exemplar: Sendable {
    /// The trace and the span of the exchange.
    let trace: TraceContext
    /// The duration in nanoseconds.
    let duration: UInt64
    /// The time of the end, in unix milliseconds.
    let milliseconds: Int

    /// The labels, the value in seconds and the time in unix seconds.
    var text: String {
        let time = "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
        let labels = #"{trace_id="\#(trace.traceIDText)",span_id="\#(trace.spanIDText)"}"#
        return " # \(labels) \(Double(duration) / 1e9) \(time)"
    }
}

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
    /// The latest exemplar of each bound; empty without any.
    private var exemplars: [Exemplar?] = []

    /// No durations; the upper bounds are in nanoseconds, the least one first.
    public init(_ bounds: [UInt64]) {
        (self.bounds, counts) = (bounds, [UInt64](repeating: 0, count: bounds.count + 1))
    }

    /// The number of durations.
    public var count: Int { counts.reduce(0) { $0 + Int($1) } }

    /// Counts a duration.
    public mutating func add(nanoseconds: UInt64) {
        counts[index(of: nanoseconds)] += 1
        sum += nanoseconds
    }

    /// Keeps an exemplar of a duration that was counted, in place of an older one.
    mutating func add(_ exemplar: Exemplar) {
        if exemplars.isEmpty { exemplars = [Exemplar?](repeating: nil, count: counts.count) }
        let index = index(of: exemplar.duration)
        if let known = exemplars[index], known.milliseconds > exemplar.milliseconds { return }
        exemplars[index] = exemplar
    }

    private func index(of nanoseconds: UInt64) -> Int {
        var index = 0
        while index < bounds.count, nanoseconds > bounds[index] { index += 1 }
        return index
    }

    /// Adds the durations of a histogram with the same bounds.
    public mutating func add(_ other: Histogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        sum += other.sum
        for case let exemplar? in other.exemplars { add(exemplar) }
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
        for (index, bound) in (bounds.map { "\(Double($0) / 1e9)" } + ["+Inf"]).enumerated() {
            total += Double(counts[index])
            let exemplar = exemplars.isEmpty ? nil : exemplars[index]
            text.sample(total, suffix: "_bucket", bound: bound, exemplar)
        }
        text.sample(Double(sum) / 1e9, suffix: "_sum")
        text.sample(total, suffix: "_count")
    }
}
