import Records

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// The rows of a block in the order of time.
struct Timeline {
    /// The indices of the rows in the order of their times, and those times.
    let order: [Int]
    private let times: [Double]

    init(_ times: [Double]) {
        let isSorted = zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
        order = isSorted ? Array(times.indices) : times.indices.sorted { times[$0] < times[$1] }
        self.times = isSorted ? times : order.map { times[$0] }
    }

    /// Returns the places in `order` of the rows that start in `span`.
    func places(in span: Range<Double>) -> Range<Int> {
        let first = count(before: span.lowerBound)
        return first..<max(first, count(before: span.upperBound))
    }

    /// Returns the index and the start of the last row that starts at or before `moment`, and the start of the next.
    func row(at moment: Double) -> (index: Int, start: Double, next: Double?)? {
        let position = count(before: moment.nextUp)
        guard position > 0 else { return nil }
        return (order[position - 1], times[position - 1], position < times.count ? times[position] : nil)
    }

    /// Returns for each row the index of the row that starts `seconds` later, if that is the next one, else -1.
    func followers(after seconds: Double) -> [Int] {
        var followers = [Int](repeating: -1, count: order.count)
        for position in order.indices.dropLast() where times[position + 1] == times[position] + seconds {
            followers[order[position]] = order[position + 1]
        }
        return followers
    }

    /// Returns the number of rows that start before `moment`, by binary search.
    private func count(before moment: Double) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < moment { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

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
