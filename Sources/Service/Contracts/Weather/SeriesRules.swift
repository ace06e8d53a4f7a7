import Glibc
import Records

// What follows from other numbers of a row, by the same rules for all upstreams with columns.
extension Series {
    /// The variables that describe the span before a row.
    ///
    /// Source: open-meteo/open-meteo-website, `src/routes/en/docs/+page.svelte`, "Valid time".
    private static let ofSpans: [Variable] = [
        .precipIntensity, .precipProbability, .rain, .showers, .snow, .windGust, .uvIndex, .solar,
    ]

    /// Moves the values of a span to the row at which the span starts; rows without a next one lose them.
    mutating func alignSpans() {
        let followers = Timeline(times).followers(after: hours * 3600)
        let codes = rows.map { row -> Int? in
            let next = followers[row] < 0 ? nil : code(followers[row])
            // Precipitation whose code is unknown is told by its amount.
            if next == nil, followers[row] >= 0, self[.precipIntensity, followers[row]] > 0 { return nil }
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
        for variable in [Variable.precipIntensity, .rain, .showers, .snow, .code]
        where self[variable, 0].isNaN {
            self[variable, 0] = quarters[variable, quarter]
        }
    }

    /// Computes what follows from other values: rain, freezing rain, the type of precipitation, the weather if no known code
    /// tells it, the station's pressure.
    mutating func derive(at elevation: Double?) {
        for row in rows {
            let weather = weather(row)
            let liquid = liquid(row)
            if self[.kind, row].isNaN, unlistedKinds[row] == nil {
                self[.kind, row] =
                    self[.ice, row] > 0 ? Self.index(of: .sleet) : kind(row, liquid, weather, ofDay: false)
            }
            if let liquid, self[.ice, row].isNaN {
                let freezes = weather?.precipitation == .sleet
                self[.rain, row] = freezes ? 0 : liquid
                self[.ice, row] = weather == nil ? .nan : freezes ? liquid : 0
            }
            let hours = span(row)
            // 7 cm of snow are 10 mm of water.
            for (rate, depth, water) in [
                (Variable.rainRate, Variable.rain, 10.0), (.snowRate, .snow, 1 / 0.7), (.iceRate, .ice, 10),
            ] where self[rate, row].isNaN {
                self[rate, row] = self[depth, row] * water / hours
            }
            if weather == nil, let code = measuredCode(row) {
                self[.code, row] = Double(code)
                if self[.kind, row].isNaN { self[.kind, row] = Self.index(of: self.weather(row)?.precipitation) }
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
        let depth = rate * span(row) / 10 - snow / 7
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
        return Self.index(of: type)
    }

    /// Returns the code of the weather that the precipitation and the clouds tell; nil if neither is known.
    func measuredCode(_ row: Int) -> Int? {
        WeatherCode.measured(
            number(.kind, row).map { Self.kinds[Int($0)] }, rate: self[.precipIntensity, row],
            snowRate: self[.snowRate, row], temperature: self[.temperature, row], cloudCover: number(.cloudCover, row))
    }

    /// Returns the pressure at an elevation (m) by the server's own formula (open-meteo/open-meteo,
    /// `Sources/App/Helper/Meteorology.swift`, `surfacePressure`), or NaN.
    private func stationPressure(_ row: Int, at elevation: Double) -> Double {
        let drop = 0.0065 * elevation
        let pressure = self[.pressure, row] * pow(1 - drop / (self[.temperature, row] + 273.15 + drop), 5.25578)
        return Self.stationPressure.accepts(pressure) ? Conversion.Step(scale: 1, places: 1)(pressure) : .nan
    }

    private static let stationPressure = DataPoint.schema.field(\.stationPressure)

    /// Completes the rain, the type of precipitation and the weather of days whose hours do not tell them.
    mutating func completeRain() {
        for day in rows {
            let liquid = liquid(day).map { $0 + (number(.ice, day) ?? 0) }
            if self[.kind, day].isNaN { self[.kind, day] = kind(day, liquid, weather(day), ofDay: true) }
            if self[.ice, day].isNaN { self[.rain, day] = liquid ?? .nan }
            if weather(day) == nil { self[.code, day] = measuredCode(day).map(Double.init) ?? .nan }
        }
    }
}
