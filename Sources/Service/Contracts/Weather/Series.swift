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

    /// The series with the rows of some indices, all of whose names are listed.
    func taking(_ rows: [Int]) -> Series {
        var taken = self
        taken.times = rows.map { times[$0] }
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

    /// Sets the numbers that points of all spans have.
    private mutating func take(_ series: Series, _ row: Int) {
        precipType = series.precipitation(row)
        precipIntensity = series.number(.precipIntensity, row)
        precipProbability = series.number(.precipProbability, row)
        dewPoint = series.number(.dewPoint, row)
        humidity = series.number(.humidity, row)
        pressure = series.number(.pressure, row)
        stationPressure = series.number(.stationPressure, row)
        windSpeed = series.number(.windSpeed, row)
        windGust = series.number(.windGust, row)
        windBearing = series.number(.windBearing, row)
        cloudCover = series.number(.cloudCover, row)
        uvIndex = series.number(.uvIndex, row)
        visibility = series.number(.visibility, row)
    }

    /// Sets the numbers of a moment or an hour; only hours have accumulations.
    mutating func takeMoment(_ series: Series, _ row: Int, accumulates: Bool) {
        take(series, row)
        temperature = series.number(.temperature, row)
        apparentTemperature = series.number(.apparentTemperature, row)
        if accumulates { takeDepths(series, row) }
        rainIntensity = Self.amount(series[.rainRate, row], Self.rate)
        snowIntensity = Self.amount(series[.snowRate, row], Self.rate)
        iceIntensity = Self.amount(series[.iceRate, row], Self.rate)
        solar = series.number(.solar, row)
        cape = series.number(.cape, row)
    }

    /// Sets the numbers of a day, its extremes and their times.
    mutating func takeDay(_ days: Series, _ row: Int) {
        func take(_ value: inout Double?, _ time: inout UnixSeconds?, _ variable: Variable) {
            value = days.number(variable, row)
            let moment = days[timeOf: variable, row]
            time = moment.isNaN ? nil : UnixSeconds(moment)
        }
        (sunriseTime, sunsetTime) = (days.time(.sunrise, row), days.time(.sunset, row))
        (dawnTime, duskTime) = (days.time(.dawn, row), days.time(.dusk, row))
        self.take(days, row)
        takeDepths(days, row)
        rainIntensityMax = Self.amount(days[.rainRateMax, row], Self.rate)
        snowIntensityMax = Self.amount(days[.snowRateMax, row], Self.rate)
        iceIntensityMax = Self.amount(days[.iceRateMax, row], Self.rate)
        take(&precipIntensityMax, &precipIntensityMaxTime, .precipIntensityMax)
        take(&temperatureHigh, &temperatureHighTime, .temperatureHigh)
        take(&temperatureLow, &temperatureLowTime, .temperatureLow)
        take(&temperatureMin, &temperatureMinTime, .temperatureMin)
        take(&temperatureMax, &temperatureMaxTime, .temperatureMax)
        take(&apparentTemperatureHigh, &apparentTemperatureHighTime, .apparentTemperatureHigh)
        take(&apparentTemperatureLow, &apparentTemperatureLowTime, .apparentTemperatureLow)
        take(&apparentTemperatureMin, &apparentTemperatureMinTime, .apparentTemperatureMin)
        take(&apparentTemperatureMax, &apparentTemperatureMaxTime, .apparentTemperatureMax)
        take(&windGust, &windGustTime, .windGust)
        take(&uvIndex, &uvIndexTime, .uvIndex)
        take(&capeMax, &capeMaxTime, .capeMax)
        solarMax = days.number(.solarMax, row)
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
