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
