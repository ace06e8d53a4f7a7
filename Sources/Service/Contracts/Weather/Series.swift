import Records

/// A number that a row of an answer can have.
enum Variable: Int, CaseIterable {
    case temperature, apparentTemperature, dewPoint, humidity, precipIntensity, precipProbability
    /// The depths that fell in the span (cm): rain without what freezes, showers, snow, and freezing rain as water.
    case rain, showers, snow, ice
    /// The weather by `WeatherCode`; 1 by day and 0 by night; the index of a `PrecipitationType`.
    case code, isDay, kind
    /// The rates at which they fall (mm/h of water).
    case rainRate, snowRate, iceRate
    case cloudCover, pressure, stationPressure, windSpeed, windBearing, windGust, visibility, uvIndex, solar, cape
    // Only days have the others.
    case sunrise, sunset, dawn, dusk
    case temperatureMax, temperatureMin, apparentTemperatureMax, apparentTemperatureMin, temperatureHigh,
        temperatureLow, apparentTemperatureHigh, apparentTemperatureLow, precipIntensityMax, rainRateMax,
        snowRateMax, iceRateMax, solarMax, capeMax

    /// The number of columns of moments and hours.
    static let ofMoments = Variable.sunrise.rawValue
    /// The number of columns of days: all variables, and the time of each.
    static let ofDays = 2 * allCases.count
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
    /// The number of hours that the sums of each row cover, where that differs from row to row.
    var spans: [Double] = []
    /// The names of weather and of precipitation that Weir does not know, by their rows.
    var unlistedWeather: [Int: String] = [:], unlistedKinds: [Int: String] = [:]

    init(times: [Double], variables: Int, hours: Double) {
        self.times = times
        self.hours = hours
        values = [Double](repeating: .nan, count: times.count * variables)
    }

    /// A series without rows.
    static let none = Series(times: [], variables: 0, hours: 1)

    var rows: Range<Int> { times.indices }

    /// Whether any row has a number.
    var hasValues: Bool { values.contains { !$0.isNaN } }

    /// Returns the number of hours that the sums of a row cover.
    func span(_ row: Int) -> Double { spans.isEmpty ? hours : spans[row] }

    /// Returns the last row that contains a moment; a row is an hour long, or as long as its span says.
    func row(at moment: Double) -> Int? {
        times.indices.last { times[$0] <= moment && moment < times[$0] + (spans.isEmpty ? 1 : spans[$0]) * 3600 }
    }

    /// Returns the index in `values` at which a column starts.
    func start(of variable: Variable) -> Int { variable.rawValue * times.count }

    subscript(variable: Variable, row: Int) -> Double {
        get { values[variable.rawValue * times.count + row] }
        set { values[variable.rawValue * times.count + row] = newValue }
    }

    /// The time of an extreme of a day.
    subscript(timeOf variable: Variable, row: Int) -> Double {
        get { values[(variable.rawValue + Variable.ofDays / 2) * times.count + row] }
        set { values[(variable.rawValue + Variable.ofDays / 2) * times.count + row] = newValue }
    }

    /// Returns the number, or nil if there is none.
    func number(_ variable: Variable, _ row: Int) -> Double? {
        let value = self[variable, row]
        return value.isNaN ? nil : value
    }

    /// Returns the time that a day has as a number, or nil if there is none.
    func time(_ variable: Variable, _ row: Int) -> UnixSeconds? { number(variable, row).map(UnixSeconds.init) }

    /// Returns the weather code, or nil if there is none.
    func code(_ row: Int) -> Int? { number(.code, row).map { Int($0) } }

    /// Returns the weather, or nil if it is unknown.
    func weather(_ row: Int) -> WeatherCode? { code(row).flatMap(WeatherCode.find) }

    /// The types of precipitation by their index.
    static let kinds = PrecipitationType.allCases

    /// Returns the index of a type of precipitation, or NaN for nil.
    static func index(of type: PrecipitationType?) -> Double {
        type.flatMap { kinds.firstIndex(of: $0) }.map(Double.init) ?? .nan
    }

    /// Returns the type of precipitation, or nil if there is none.
    func precipitation(_ row: Int) -> OpenEnum<PrecipitationType>? {
        if !unlistedKinds.isEmpty, let name = unlistedKinds[row] { return .unknown(name) }
        return number(.kind, row).map { .known(Self.kinds[Int($0)]) }
    }

    /// Returns the count, the sum and the extremes of a variable in some rows.
    func statistics(_ variable: Variable, _ rows: Range<Int>) -> ColumnStatistics {
        ColumnStatistics(values, from: start(of: variable), rows)
    }

    /// The series with a row for each hour of rows that are longer: amounts are divided, other values repeated.
    ///
    /// An hour that another row describes more closely has that row alone.
    var spread: Series {
        guard spans.contains(where: { $0 >= 2 }) else { return self }
        let line = Timeline(times)
        var rows: [Int] = [], starts: [Double] = [], parts: [Double] = []
        for row in times.indices {
            let count = max(1, Int(spans[row]))
            let next = line.start(after: times[row]) ?? .infinity
            for hour in 0..<count where hour == 0 || times[row] + Double(hour) * 3600 < next {
                rows.append(row)
                starts.append(times[row] + Double(hour) * 3600)
                parts.append(Double(count))
            }
        }
        var result = taking(rows)
        (result.times, result.spans, result.unlistedKinds) = (starts, [], [:])
        for variable in [Variable.rain, .showers, .snow, .ice] {
            for row in rows.indices { result[variable, row] /= parts[row] }
        }
        return result
    }

    /// The series with the rows of some indices, all of whose names are listed.
    func taking(_ rows: [Int]) -> Series {
        var taken = self
        taken.times = rows.map { times[$0] }
        if !spans.isEmpty { taken.spans = rows.map { spans[$0] } }
        taken.values = stride(from: 0, to: values.count, by: max(1, times.count)).flatMap { start in
            rows.map { values[start + $0] }
        }
        return taken
    }
}

// The numbers of a row as the fields of a point.
extension DataPoint {
    private static let rate = schema.field(\.rainIntensity)
    private static let depth = schema.field(\.liquidAccumulation)
    /// Ice of 0.917 g/cm³ is as heavy as its water.
    private static let iceOfWater = 1 / 0.917

    /// Passes each number that a row of any span has as it is, with its variable.
    @inline(__always)
    private mutating func forEachNumber(_ body: (inout Double?, Variable) -> Void) {
        body(&precipIntensity, .precipIntensity)
        body(&precipProbability, .precipProbability)
        body(&dewPoint, .dewPoint)
        body(&humidity, .humidity)
        body(&pressure, .pressure)
        body(&stationPressure, .stationPressure)
        body(&windSpeed, .windSpeed)
        body(&windGust, .windGust)
        body(&windBearing, .windBearing)
        body(&cloudCover, .cloudCover)
        body(&uvIndex, .uvIndex)
        body(&visibility, .visibility)
    }

    /// Passes each number that a moment or an hour has as it is, with its variable.
    @inline(__always)
    private mutating func forEachNumberOfMoments(_ body: (inout Double?, Variable) -> Void) {
        forEachNumber(body)
        body(&temperature, .temperature)
        body(&apparentTemperature, .apparentTemperature)
        body(&solar, .solar)
        body(&cape, .cape)
    }

    /// Passes each rate of a type of precipitation, with its variable.
    @inline(__always)
    private mutating func forEachRate(ofDay: Bool, _ body: (inout Double?, Variable) -> Void) {
        if ofDay {
            body(&rainIntensityMax, .rainRateMax)
            body(&snowIntensityMax, .snowRateMax)
            body(&iceIntensityMax, .iceRateMax)
        } else {
            body(&rainIntensity, .rainRate)
            body(&snowIntensity, .snowRate)
            body(&iceIntensity, .iceRate)
        }
    }

    /// Passes each time of the sun, with its variable.
    @inline(__always)
    private mutating func forEachTimeOfSun(_ body: (inout UnixSeconds?, Variable) -> Void) {
        body(&sunriseTime, .sunrise)
        body(&sunsetTime, .sunset)
        body(&dawnTime, .dawn)
        body(&duskTime, .dusk)
    }

    /// Passes each extreme of a day and its time, with its variable.
    @inline(__always)
    private mutating func forEachExtreme(_ body: (inout Double?, inout UnixSeconds?, Variable) -> Void) {
        body(&precipIntensityMax, &precipIntensityMaxTime, .precipIntensityMax)
        body(&temperatureHigh, &temperatureHighTime, .temperatureHigh)
        body(&temperatureLow, &temperatureLowTime, .temperatureLow)
        body(&temperatureMin, &temperatureMinTime, .temperatureMin)
        body(&temperatureMax, &temperatureMaxTime, .temperatureMax)
        body(&apparentTemperatureHigh, &apparentTemperatureHighTime, .apparentTemperatureHigh)
        body(&apparentTemperatureLow, &apparentTemperatureLowTime, .apparentTemperatureLow)
        body(&apparentTemperatureMin, &apparentTemperatureMinTime, .apparentTemperatureMin)
        body(&apparentTemperatureMax, &apparentTemperatureMaxTime, .apparentTemperatureMax)
        body(&windGust, &windGustTime, .windGust)
        body(&uvIndex, &uvIndexTime, .uvIndex)
        body(&capeMax, &capeMaxTime, .capeMax)
    }

    /// Sets the numbers of a moment or an hour; only hours have accumulations.
    mutating func takeMoment(_ series: Series, _ row: Int, accumulates: Bool) {
        precipType = series.precipitation(row)
        forEachNumberOfMoments { $0 = series.number($1, row) }
        if accumulates { takeDepths(series, row) }
        forEachRate(ofDay: false) { $0 = Self.amount(series[$1, row], Self.rate) }
    }

    /// Sets the numbers of a day, its extremes and their times.
    mutating func takeDay(_ days: Series, _ row: Int) {
        precipType = days.precipitation(row)
        forEachTimeOfSun { $0 = days.time($1, row) }
        forEachNumber { $0 = days.number($1, row) }
        takeDepths(days, row)
        forEachRate(ofDay: true) { $0 = Self.amount(days[$1, row], Self.rate) }
        forEachExtreme { value, time, variable in
            value = days.number(variable, row)
            let moment = days[timeOf: variable, row]
            time = moment.isNaN ? nil : UnixSeconds(moment)
        }
        solarMax = days.number(.solarMax, row)
    }

    /// Enters the numbers into a row; the point is not changed, but passed in its place.
    mutating func fill(_ row: Int, of series: inout Series, isDay: Bool) {
        switch precipType {
        case .known(let type)?: series[.kind, row] = Series.index(of: type)
        case .unknown(let name)?: series.unlistedKinds[row] = name
        case nil: break
        }
        series[.rain, row] = liquidAccumulation ?? .nan
        series[.snow, row] = snowAccumulation ?? precipAccumulation ?? .nan
        series[.ice, row] = iceAccumulation.map { $0 / Self.iceOfWater } ?? .nan
        forEachRate(ofDay: isDay) { series[$1, row] = $0 ?? .nan }
        guard isDay else { return forEachNumberOfMoments { series[$1, row] = $0 ?? .nan } }
        forEachNumber { series[$1, row] = $0 ?? .nan }
        forEachTimeOfSun { series[$1, row] = $0?.seconds ?? .nan }
        forEachExtreme { value, time, variable in
            series[variable, row] = value ?? .nan
            series[timeOf: variable, row] = time?.seconds ?? .nan
        }
        series[.solarMax, row] = solarMax ?? .nan
    }

    private mutating func takeDepths(_ series: Series, _ row: Int) {
        let snow = series.number(.snow, row)
        liquidAccumulation = Self.amount(series[.rain, row], Self.depth)
        iceAccumulation = Self.amount(series[.ice, row] * Self.iceOfWater, Self.depth)
        snowAccumulation = snow
        // Dark Sky's precipAccumulation counts snow only, and is absent without any.
        precipAccumulation = snow.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Returns a computed amount with four decimals, or nil if the field does not accept it.
    private static func amount(_ value: Double, _ field: SchemaField<Double>) -> Double? {
        let rounded = Conversion.Step(scale: 1, places: 4)(value)
        return field.accepts(rounded) ? rounded : nil
    }
}
