import LenientCoding

extension OpenMeteo {
    /// Rows in the order of their times, to be found by them.
    struct Timeline {
        private let times: [Double]
        /// The place of each among the rows as they came.
        private let places: [Int]

        init(_ rows: [Row]) {
            places = rows.indices.sorted { rows[$0].point.time < rows[$1].point.time }
            times = places.map { rows[$0].point.time.seconds }
        }

        /// The places of the rows that start in `span`.
        func places(in span: Range<Double>) -> ArraySlice<Int> {
            let first = index(of: span.lowerBound)
            return places[first..<max(first, index(of: span.upperBound))]
        }

        /// The place of the last row that starts at a moment or before it, and when the next one starts.
        func place(at moment: Double) -> (place: Int, start: Double, next: Double?)? {
            let index = index(of: moment.nextUp)
            guard index > 0 else { return nil }
            return (places[index - 1], times[index - 1], index < times.count ? times[index] : nil)
        }

        /// How many rows start before `moment`.
        private func index(of moment: Double) -> Int {
            var (low, high) = (0, times.count)
            while low < high {
                let middle = (low + high) / 2
                if times[middle] < moment { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// The days of a document.
    struct Calendar {
        private let timeline: Timeline

        init(_ days: [Row]) { timeline = Timeline(days) }

        /// The place and the span of the day that holds `moment`; nil when there is none.
        ///
        /// A day ends where the next one starts, at the latest an hour late; else after 24 hours.
        func day(at moment: Double) -> (place: Int, span: Range<Double>)? {
            guard let (place, start, next) = timeline.place(at: moment) else { return nil }
            let end = next.map { $0 <= start + 90000 ? $0 : start + 86400 } ?? start + 86400
            return start <= moment && moment < end ? (place, start..<end) : nil
        }

        /// The span of the day in a place; nil where another one starts within it.
        func span(of day: Row, in place: Int) -> Range<Double>? {
            guard let (found, span) = self.day(at: day.point.time.seconds), found == place,
                span.upperBound - span.lowerBound >= 82800
            else { return nil }
            return span
        }
    }
}
