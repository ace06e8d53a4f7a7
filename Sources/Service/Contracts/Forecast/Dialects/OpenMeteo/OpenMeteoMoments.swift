import LenientCoding

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

extension OpenMeteo.Series {
    /// The variables that describe the span before a row.
    ///
    /// Source: open-meteo/open-meteo-website, `src/routes/en/docs/+page.svelte`, "Valid time".
    private static let ofSpans: [OpenMeteo.Variable] = [
        .precipIntensity, .precipProbability, .rain, .showers, .snow, .windGust, .uvIndex, .solar,
    ]

    /// Moves the values of a span to the row at which the span starts; rows without a next one lose them.
    mutating func alignSpans() {
        let followers = Timeline(times).followers(after: hours * 3600)
        let codes = rows.map { row in
            let next = followers[row] < 0 ? nil : code(followers[row])
            return WeatherCode.code(from: code(row), to: next, cloudCover: number(.cloudCover, row))
        }
        for row in rows { self[.code, row] = codes[row].map(Double.init) ?? .nan }
        let before = values
        for variable in Self.ofSpans {
            let start = start(of: variable)
            for row in rows { values[start + row] = followers[row] < 0 ? .nan : before[start + followers[row]] }
        }
    }

    /// Takes what the current weather lacks from the quarter of an hour that ends with it.
    mutating func complete(fromQuarters quarters: Self) {
        guard let quarter = quarters.rows.first(where: { quarters.times[$0] == times[0] }), quarters.hours == hours
        else { return }
        for variable in [OpenMeteo.Variable.precipIntensity, .rain, .showers, .snow, .code]
        where self[variable, 0].isNaN {
            self[variable, 0] = quarters[variable, quarter]
        }
    }

    /// Computes what follows from other values: rain, freezing rain, the type of precipitation, the station's pressure.
    mutating func derive(at elevation: Double?) {
        for row in rows {
            let weather = weather(row)
            let liquid = liquid(row)
            self[.kind, row] = kind(row, liquid, weather, ofDay: false)
            if let liquid {
                let freezes = weather?.precipitation == .sleet
                self[.rain, row] = freezes ? 0 : liquid
                self[.ice, row] = weather == nil ? .nan : freezes ? liquid : 0
            }
            if self[.stationPressure, row].isNaN, let elevation {
                self[.stationPressure, row] = stationPressure(row, at: elevation)
            }
        }
    }

    /// Returns the depth of all rain (cm), or nil if it is not known.
    ///
    /// The upstream's precipitation is rain and snow as water, 10 mm for 7 cm, and both are rounded to 0.01.
    func liquid(_ row: Int) -> Double? {
        let (rain, showers) = (number(.rain, row), number(.showers, row))
        if rain != nil || showers != nil { return (rain ?? 0) + (showers ?? 0) }
        guard let rate = number(.precipIntensity, row), let snow = number(.snow, row) else { return nil }
        let depth = rate * hours / 10 - snow / 7
        return snow > 0 && depth < 0.002 ? 0 : Conversion.Step(scale: 1, places: 4)(depth)
    }

    /// Returns the index of the type of precipitation, or NaN: by the amounts of rain and snow, or by the code if only
    /// their sum is known.
    ///
    /// Rain with snow and freezing rain are sleet, as for Dark Sky; of a day, the larger amount counts.
    func kind(_ row: Int, _ liquid: Double?, _ weather: WeatherCode?, ofDay: Bool) -> Double {
        let (liquid, snow) = (liquid ?? 0, number(.snow, row) ?? 0)
        let type: PrecipitationType? =
            if liquid > 0, weather?.precipitation == .sleet {
                .sleet
            } else if liquid > 0, snow > 0 {
                !ofDay ? .sleet : liquid < snow / 7 ? .snow : .rain
            } else if liquid > 0 {
                .rain
            } else if snow > 0 {
                .snow
            } else {
                (number(.precipIntensity, row) ?? 0) > 0 ? weather?.precipitation : nil
            }
        return type.flatMap { Self.indices[$0] } ?? .nan
    }

    /// The types of precipitation by their index.
    static let kinds = PrecipitationType.allCases

    private static let indices = Dictionary(
        uniqueKeysWithValues: kinds.enumerated().map { ($0.element, Double($0.offset)) })

    /// Returns the pressure at an elevation (m) by the server's own formula (open-meteo/open-meteo,
    /// `Sources/App/Helper/Meteorology.swift`, `surfacePressure`), or NaN.
    private func stationPressure(_ row: Int, at elevation: Double) -> Double {
        let drop = 0.0065 * elevation
        let pressure = self[.pressure, row] * pow(1 - drop / (self[.temperature, row] + 273.15 + drop), 5.25578)
        return Self.stationPressure.accepts(pressure) ? Conversion.Step(scale: 1, places: 1)(pressure) : .nan
    }

    private static let stationPressure = DataPoint.schema.field(\.stationPressure)
}

extension OpenMeteo {
    /// Makes the points of an answer.
    struct PointMaker {
        let calendar: Calendar
        let clock: LocalClock
        let language: SummaryLanguage

        private static let rate = DataPoint.schema.field(\.rainIntensity)
        private static let depth = DataPoint.schema.field(\.liquidAccumulation)
        /// Ice of 0.917 g/cm³ is as heavy as its water.
        private static let iceOfWater = 1 / 0.917

        /// Returns the point of a row of moments or hours; only hours have accumulations.
        func moment(_ series: Series, _ row: Int, accumulates: Bool) -> DataPoint {
            var point = DataPoint()
            point.time = UnixSeconds(series.times[row])
            point.temperature = series.number(.temperature, row)
            point.apparentTemperature = series.number(.apparentTemperature, row)
            if accumulates { accumulate(&point, series, row) }
            point.rainIntensity = Self.amount(series[.rain, row] * 10 / series.hours, Self.rate)
            // 7 cm of snow are 10 mm of water.
            point.snowIntensity = Self.amount(series[.snow, row] / 0.7 / series.hours, Self.rate)
            point.iceIntensity = Self.amount(series[.ice, row] * 10 / series.hours, Self.rate)
            point.solar = series.number(.solar, row)
            point.cape = series.number(.cape, row)
            describe(&point, series, row)
            if let weather = series.weather(row), calendar.isNight(series, row) {
                point.icon = .known(weather.nightIcon)
            }
            return point
        }

        /// Returns the point of a day.
        func day(_ days: Series, _ row: Int) -> DataPoint {
            func time(_ variable: Variable) -> UnixSeconds? { days.number(variable, row).map(UnixSeconds.init) }
            var point = DataPoint()
            point.time = UnixSeconds(days.times[row])
            point.sunriseTime = time(.sunrise)
            point.sunsetTime = time(.sunset)
            point.moonPhase = MoonPhase.ofDay(from: days.times[row], clock)
            point.precipIntensityMax = days.number(.precipIntensityMax, row)
            point.precipIntensityMaxTime = time(.precipIntensityMaxTime)
            accumulate(&point, days, row)
            point.rainIntensityMax = Self.amount(days[.rainMax, row] * 10, Self.rate)
            point.snowIntensityMax = Self.amount(days[.snowMax, row] / 0.7, Self.rate)
            point.iceIntensityMax = Self.amount(days[.iceMax, row] * 10, Self.rate)
            point.temperatureHigh = days.number(.temperatureHigh, row)
            point.temperatureHighTime = time(.temperatureHighTime)
            point.temperatureLow = days.number(.temperatureLow, row)
            point.temperatureLowTime = time(.temperatureLowTime)
            point.temperatureMin = days.number(.temperatureMin, row)
            point.temperatureMinTime = time(.temperatureMinTime)
            point.temperatureMax = days.number(.temperatureMax, row)
            point.temperatureMaxTime = time(.temperatureMaxTime)
            point.apparentTemperatureHigh = days.number(.apparentTemperatureHigh, row)
            point.apparentTemperatureHighTime = time(.apparentTemperatureHighTime)
            point.apparentTemperatureLow = days.number(.apparentTemperatureLow, row)
            point.apparentTemperatureLowTime = time(.apparentTemperatureLowTime)
            point.apparentTemperatureMin = days.number(.apparentTemperatureMin, row)
            point.apparentTemperatureMinTime = time(.apparentTemperatureMinTime)
            point.apparentTemperatureMax = days.number(.apparentTemperatureMax, row)
            point.apparentTemperatureMaxTime = time(.apparentTemperatureMaxTime)
            point.windGustTime = time(.windGustTime)
            point.uvIndexTime = time(.uvIndexTime)
            point.solarMax = days.number(.solarMax, row)
            point.capeMax = days.number(.capeMax, row)
            point.capeMaxTime = time(.capeMaxTime)
            describe(&point, days, row)
            return point
        }

        /// Returns a block with the summary and the icon of the most severe weather among `rows`, by day and night.
        func block(_ points: [DataPoint], of series: Series, _ rows: some Collection<Int>, byNight: Bool) -> DataBlock {
            var block = DataBlock()
            block.data = points
            let weather = rows.compactMap { row in series.weather(row).map { (row: row, weather: $0) } }
            guard let severest = weather.max(by: { $0.weather.severity < $1.weather.severity }) else { return block }
            block.summary = series.code(severest.row).flatMap { language.words[$0] }
            let isNight = byNight && calendar.isNight(series, severest.row)
            block.icon = .known(isNight ? severest.weather.nightIcon : severest.weather.icon)
            return block
        }

        /// Sets the fields that all points share, with the icon by day.
        private func describe(_ point: inout DataPoint, _ series: Series, _ row: Int) {
            if let code = series.code(row), let weather = WeatherCode.find(code) {
                point.summary = language.words[code]
                point.icon = .known(weather.icon)
            }
            point.precipType = series.number(.kind, row).map { .known(Series.kinds[Int($0)]) }
            point.precipIntensity = series.number(.precipIntensity, row)
            point.precipProbability = series.number(.precipProbability, row)
            point.dewPoint = series.number(.dewPoint, row)
            point.humidity = series.number(.humidity, row)
            point.pressure = series.number(.pressure, row)
            point.stationPressure = series.number(.stationPressure, row)
            point.windSpeed = series.number(.windSpeed, row)
            point.windGust = series.number(.windGust, row)
            point.windBearing = series.number(.windBearing, row)
            point.cloudCover = series.number(.cloudCover, row)
            point.uvIndex = series.number(.uvIndex, row)
            point.visibility = series.number(.visibility, row)
        }

        private func accumulate(_ point: inout DataPoint, _ series: Series, _ row: Int) {
            let snow = series.number(.snow, row)
            point.liquidAccumulation = Self.amount(series[.rain, row], Self.depth)
            point.iceAccumulation = Self.amount(series[.ice, row] * Self.iceOfWater, Self.depth)
            point.snowAccumulation = snow
            // Dark Sky's precipAccumulation counts snow only, and is absent without any.
            if let snow, snow > 0 { point.precipAccumulation = snow }
        }

        /// Returns a computed amount with four decimals, or nil if the field does not accept it.
        private static func amount(_ value: Double, _ field: SchemaField<Double>) -> Double? {
            let rounded = Conversion.Step(scale: 1, places: 4)(value)
            return field.accepts(rounded) ? rounded : nil
        }
    }
}
