import LenientCoding

extension WeatherKit {
    /// The hours of an answer in the order of their times, as columns of numbers, for what days compute from them.
    ///
    /// A point takes 1.6 KB: with columns instead of points, a document takes a quarter of the time.
    struct HourColumns {
        /// A field of the hours.
        enum Column: Int, CaseIterable {
            case temperature, apparentTemperature, dewPoint, humidity, pressure, cloudCover, windSpeed, windBearing
            case windGust, uvIndex, precipProbability, precipIntensity, rainIntensity, snowIntensity, iceIntensity
            case liquidAccumulation, snowAccumulation, visibility
        }

        /// The hours that start in a span of time.
        struct Window {
            fileprivate let rows: Range<Int>
            let span: Range<Double>
        }

        private let timeline: Timeline
        /// The starts of the hours, and what falls in them.
        private let times: [Double], types: [PrecipitationType?]
        /// The columns, one after the other; a value that an hour lacks is NaN.
        private var values: [Double]

        init(_ hours: [DataPoint]) {
            let order = Timeline(hours.map(\.time.seconds)).order
            times = order.map { hours[$0].time.seconds }
            timeline = Timeline(times)
            types = order.map { index in
                if case .known(let type)? = hours[index].precipType { type } else { nil }
            }
            values = [Double](repeating: .nan, count: Column.allCases.count * hours.count)
            for (row, index) in order.enumerated() { take(hours, index, at: row) }
        }

        // The element of an array is not passed, which would copy it.
        private mutating func take(_ hours: [DataPoint], _ index: Int, at row: Int) {
            self[.temperature, row] = hours[index].temperature ?? .nan
            self[.apparentTemperature, row] = hours[index].apparentTemperature ?? .nan
            self[.dewPoint, row] = hours[index].dewPoint ?? .nan
            self[.humidity, row] = hours[index].humidity ?? .nan
            self[.pressure, row] = hours[index].pressure ?? .nan
            self[.cloudCover, row] = hours[index].cloudCover ?? .nan
            self[.windSpeed, row] = hours[index].windSpeed ?? .nan
            self[.windBearing, row] = hours[index].windBearing ?? .nan
            self[.windGust, row] = hours[index].windGust ?? .nan
            self[.uvIndex, row] = hours[index].uvIndex ?? .nan
            self[.precipProbability, row] = hours[index].precipProbability ?? .nan
            self[.precipIntensity, row] = hours[index].precipIntensity ?? .nan
            self[.rainIntensity, row] = hours[index].rainIntensity ?? .nan
            self[.snowIntensity, row] = hours[index].snowIntensity ?? .nan
            self[.iceIntensity, row] = hours[index].iceIntensity ?? .nan
            self[.liquidAccumulation, row] = hours[index].liquidAccumulation ?? .nan
            self[.snowAccumulation, row] = hours[index].snowAccumulation ?? .nan
            self[.visibility, row] = hours[index].visibility ?? .nan
        }

        private subscript(column: Column, row: Int) -> Double {
            get { values[column.rawValue * times.count + row] }
            set { values[column.rawValue * times.count + row] = newValue }
        }

        /// Returns the hours that start in `span`.
        func window(_ span: Range<Double>) -> Window { Window(rows: timeline.places(in: span), span: span) }

        /// Returns what a column has in a window.
        func statistics(_ column: Column, in window: Window) -> ColumnStatistics {
            ColumnStatistics(values, from: column.rawValue * times.count, window.rows)
        }

        /// Returns the time of an hour.
        func time(ofRow row: Int) -> UnixSeconds { UnixSeconds(times[row]) }

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
            ColumnStatistics.meanBearing(
                of: window.rows.lazy.map { (speed: self[.windSpeed, $0], bearing: self[.windBearing, $0]) })
        }
    }
}
