/// How long the transfers of an upstream took: exact count and mean, percentiles with an error of at most 1/16.
///
/// The count and the mean are those of all transfers. The percentiles are those of the recent ones, because the
/// buckets are halved whenever they hold `maximumHeld`.
struct LatencyHistogram: Sendable {
    private static let maximumHeld = 8192
    /// The exponents of the values in microseconds; the last one has those above half an hour.
    private static let exponents = 32
    private static let stepsPerExponent = 8

    private(set) var count = 0
    private var sum = Duration.zero
    private var held = 0
    private var buckets = [UInt16](repeating: 0, count: exponents * stepsPerExponent)

    /// The mean of all transfers; nil without any.
    var mean: Duration? { count > 0 ? sum / count : nil }

    mutating func add(_ duration: Duration) {
        if held == Self.maximumHeld { halve() }
        count += 1
        sum += duration
        held += 1
        buckets[Self.bucket(of: duration)] += 1
    }

    /// Returns the time within which this part of the recent transfers ended, such as 0.95; nil without any.
    func percentile(_ part: Double) -> Duration? {
        guard held > 0 else { return nil }
        let rank = max(1, Int((part * Double(held)).rounded(.up)))
        var seen = 0
        for (index, number) in buckets.enumerated() {
            seen += Int(number)
            if seen >= rank { return Self.middle(of: index) }
        }
        return nil
    }

    private mutating func halve() {
        for index in buckets.indices { buckets[index] /= 2 }
        held = buckets.reduce(0) { $0 + Int($1) }
    }

    /// Values below `stepsPerExponent` have a bucket each; above, each power of two is divided into equal steps.
    private static func bucket(of duration: Duration) -> Int {
        let microseconds = max(0, Int(duration / .microseconds(1)))
        guard microseconds >= stepsPerExponent else { return microseconds }
        let exponent = microseconds.bitWidth - 1 - microseconds.leadingZeroBitCount
        let step = (microseconds >> (exponent - 3)) - stepsPerExponent
        return min((exponent - 2) * stepsPerExponent + step, exponents * stepsPerExponent - 1)
    }

    private static func middle(of bucket: Int) -> Duration {
        guard bucket >= stepsPerExponent else { return .microseconds(bucket) }
        let exponent = bucket / stepsPerExponent + 2
        let width = 1 << (exponent - 3)
        return .microseconds((stepsPerExponent + bucket % stepsPerExponent) * width + width / 2)
    }
}
