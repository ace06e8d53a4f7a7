import Glibc
import LenientCoding

extension WeatherKit {
    /// The hours of an answer in the order of their times, as columns of numbers, for what days compute from them.
    ///
    /// A point takes 1.6 KB: with columns instead of points, a document takes a quarter of the time.
    struct Hours {
        /// A field of the hours.
        enum Column: Int, CaseIterable {
            case temperature, apparentTemperature, dewPoint, humidity, pressure, cloudCover, windSpeed, windBearing
            case windGust, uvIndex, precipProbability, precipIntensity, rainIntensity, snowIntensity, iceIntensity
            case liquidAccumulation, snowAccumulation
        }

        /// The hours that start in a span of time.
        struct Window {
            fileprivate let rows: Range<Int>
            /// The number of whole hours of the span, which can have a half hour more (Australia/Lord_Howe).
            fileprivate let hours: Double
        }

        /// What a column has in a window.
        struct Statistics {
            /// Whether every hour has a value.
            fileprivate(set) var isComplete = false
            fileprivate(set) var count = 0, sum = 0.0
            /// The extremes, and the times of the first hours with them.
            fileprivate(set) var least = Double.infinity, greatest = -Double.infinity
            fileprivate(set) var leastTime = UnixSeconds(0), greatestTime = UnixSeconds(0)

            /// The mean with two decimals; nil without a value.
            var mean: Double? { count == 0 ? nil : Conversion.Step(scale: 1, places: 2)(sum / Double(count)) }
        }

        private var times: [Double]
        private var types: [PrecipitationType?]
        /// The columns, one after the other; a value that an hour lacks is NaN.
        private var values: [Double]

        init(_ hours: [DataPoint]) {
            let order = hours.indices.sorted { hours[$0].time < hours[$1].time }
            times = order.map { hours[$0].time.seconds }
            types = order.map { index in
                if case .known(let type)? = hours[index].precipType { type } else { nil }
            }
            values = [Double](repeating: .nan, count: Column.allCases.count * hours.count)
            for (row, index) in order.enumerated() { take(hours[index], at: row) }
        }

        private mutating func take(_ hour: borrowing DataPoint, at row: Int) {
            self[.temperature, row] = hour.temperature ?? .nan
            self[.apparentTemperature, row] = hour.apparentTemperature ?? .nan
            self[.dewPoint, row] = hour.dewPoint ?? .nan
            self[.humidity, row] = hour.humidity ?? .nan
            self[.pressure, row] = hour.pressure ?? .nan
            self[.cloudCover, row] = hour.cloudCover ?? .nan
            self[.windSpeed, row] = hour.windSpeed ?? .nan
            self[.windBearing, row] = hour.windBearing ?? .nan
            self[.windGust, row] = hour.windGust ?? .nan
            self[.uvIndex, row] = hour.uvIndex ?? .nan
            self[.precipProbability, row] = hour.precipProbability ?? .nan
            self[.precipIntensity, row] = hour.precipIntensity ?? .nan
            self[.rainIntensity, row] = hour.rainIntensity ?? .nan
            self[.snowIntensity, row] = hour.snowIntensity ?? .nan
            self[.iceIntensity, row] = hour.iceIntensity ?? .nan
            self[.liquidAccumulation, row] = hour.liquidAccumulation ?? .nan
            self[.snowAccumulation, row] = hour.snowAccumulation ?? .nan
        }

        private subscript(column: Column, row: Int) -> Double {
            get { values[column.rawValue * times.count + row] }
            set { values[column.rawValue * times.count + row] = newValue }
        }

        /// Returns the hours that start in `span`.
        func window(_ span: Range<Double>) -> Window {
            let first = count(before: span.lowerBound)
            return Window(
                rows: first..<max(first, count(before: span.upperBound)),
                hours: ((span.upperBound - span.lowerBound) / 3600).rounded(.down))
        }

        /// Returns what a column has in a window.
        func statistics(_ column: Column, in window: Window) -> Statistics {
            let start = column.rawValue * times.count
            var result = Statistics()
            var (leastRow, greatestRow) = (0, 0)
            for row in window.rows {
                let value = values[start + row]
                if value.isNaN { continue }
                result.count += 1
                result.sum += value
                if value < result.least { (result.least, leastRow) = (value, row) }
                if value > result.greatest { (result.greatest, greatestRow) = (value, row) }
            }
            guard result.count > 0 else { return result }
            (result.leastTime, result.greatestTime) = (UnixSeconds(times[leastRow]), UnixSeconds(times[greatestRow]))
            result.isComplete = Double(result.count) >= window.hours
            return result
        }

        /// Returns the type with the largest amount, of those that Weir knows.
        func largestType(in window: Window) -> OpenEnum<PrecipitationType>? {
            var amounts: [PrecipitationType: Double] = [:]
            for row in window.rows {
                guard let type = types[row] else { continue }
                let rate = self[.precipIntensity, row]
                amounts[type, default: 0] += rate.isNaN ? 0 : rate
            }
            return amounts.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }.map { .known($0.key) }
        }

        /// Returns the direction of the sum of all winds in whole degrees; nil if it is not known.
        func meanBearing(in window: Window) -> Double? {
            var (east, north) = (0.0, 0.0)
            for row in window.rows {
                let (speed, bearing) = (self[.windSpeed, row], self[.windBearing, row])
                if speed.isNaN || bearing.isNaN { continue }
                east += speed * sin(bearing * .pi / 180)
                north += speed * cos(bearing * .pi / 180)
            }
            // Winds that cancel each other out leave the errors of their sums.
            guard hypot(east, north) > 1e-9 else { return nil }
            let degrees = (atan2(east, north) * 180 / .pi).rounded()
            return degrees < 0 ? degrees + 360 : degrees + 0
        }

        /// Returns the number of hours that start before `moment`, by binary search.
        private func count(before moment: Double) -> Int {
            var (low, high) = (0, times.count)
            while low < high {
                let middle = (low + high) / 2
                if times[middle] < moment { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}
