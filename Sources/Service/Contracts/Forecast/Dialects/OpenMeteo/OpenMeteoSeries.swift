extension OpenMeteo {
    /// A number that a row of an answer can have.
    enum Variable: Int {
        case temperature, apparentTemperature, dewPoint, humidity, precipIntensity, precipProbability
        /// The depths that fell in the span (cm): rain without what freezes, showers, snow, and freezing rain as water.
        case rain, showers, snow, ice
        /// The weather by `WeatherCode`; 1 by day and 0 by night; the index of a `PrecipitationType`.
        case code, isDay, kind
        case cloudCover, pressure, stationPressure, windSpeed, windBearing, windGust, visibility, uvIndex, solar, cape
        // Only days have the others.
        case sunrise, sunset
        case temperatureMax, temperatureMin, apparentTemperatureMax, apparentTemperatureMin, temperatureHigh,
            temperatureLow, apparentTemperatureHigh, apparentTemperatureLow, precipIntensityMax, rainMax, snowMax,
            iceMax,
            solarMax, capeMax
        case temperatureMaxTime, temperatureMinTime, apparentTemperatureMaxTime, apparentTemperatureMinTime,
            temperatureHighTime, temperatureLowTime, apparentTemperatureHighTime, apparentTemperatureLowTime,
            precipIntensityMaxTime, windGustTime, uvIndexTime, capeMaxTime

        /// The number of variables of a moment or an hour.
        static let ofMoments = Variable.sunrise.rawValue
        /// The number of all variables.
        static let ofDays = Variable.capeMaxTime.rawValue + 1
    }

    /// The rows of a block as columns of numbers, which are NaN where the answer has none.
    ///
    /// A row as a `DataPoint` takes 1.6 KB; the points are made at the end, of the rows that the answer has.
    struct Series {
        /// The starts of the rows, in the upstream's order.
        var times: [Double]
        /// The number of hours that sums cover.
        var hours: Double
        /// The columns, one after the other.
        var values: [Double]

        init(times: [Double], variables: Int, hours: Double) {
            self.times = times
            self.hours = hours
            values = [Double](repeating: .nan, count: times.count * variables)
        }

        /// A series without rows.
        static let none = Series(times: [], variables: 0, hours: 1)

        var rows: Range<Int> { times.indices }

        /// Returns the index in `values` at which a column starts.
        func start(of variable: Variable) -> Int { variable.rawValue * times.count }

        subscript(variable: Variable, row: Int) -> Double {
            get { values[variable.rawValue * times.count + row] }
            set { values[variable.rawValue * times.count + row] = newValue }
        }

        /// Returns the number, or nil if there is none.
        func number(_ variable: Variable, _ row: Int) -> Double? {
            let value = self[variable, row]
            return value.isNaN ? nil : value
        }

        /// Returns the weather code, or nil if there is none.
        func code(_ row: Int) -> Int? { number(.code, row).map { Int($0) } }

        /// Returns the weather, or nil if it is unknown.
        func weather(_ row: Int) -> WeatherCode? { code(row).flatMap(WeatherCode.find) }

        /// Returns the count, the sum and the extremes of a variable in some rows.
        func statistics(_ variable: Variable, _ rows: Range<Int>) -> ColumnStatistics {
            ColumnStatistics(values, from: start(of: variable), rows)
        }

        /// The series with the rows of some indices.
        func taking(_ rows: [Int]) -> Series {
            var taken = self
            taken.times = rows.map { times[$0] }
            taken.values = stride(from: 0, to: values.count, by: max(1, times.count)).flatMap { start in
                rows.map { values[start + $0] }
            }
            return taken
        }
    }
}
