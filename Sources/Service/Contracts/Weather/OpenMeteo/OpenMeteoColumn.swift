import API
import JSONText
import Records

extension OpenMeteo {
    /// The columns of a moment or an hour.
    static let moments = ColumnTable([
        .number("temperature_2m", "temperature", to: .temperature, \.temperature, .temperature),
        .number("apparent_temperature", to: .apparentTemperature, \.apparentTemperature, .temperature),
        .number("dew_point_2m", "dewpoint_2m", to: .dewPoint, \.dewPoint, .temperature),
        .number("relative_humidity_2m", "relativehumidity_2m", to: .humidity, \.humidity, .fraction),
        .number("precipitation", to: .precipIntensity, \.precipIntensity, .rate),
        .number("precipitation_probability", to: .precipProbability, \.precipProbability, .fraction),
        .number("rain", to: .rain, \.liquidAccumulation, .water),
        .number("showers", to: .showers, \.liquidAccumulation, .water),
        .number("snowfall", to: .snow, \.snowAccumulation, .snow),
        .weatherCode,
        .integer("is_day", to: .isDay, \.isDay),
        .number("cloud_cover", "cloudcover", to: .cloudCover, \.cloudCover, .fraction),
        .number("pressure_msl", to: .pressure, \.pressure, .pressure),
        .number("surface_pressure", to: .stationPressure, \.stationPressure, .pressure),
        .number("wind_speed_10m", "windspeed_10m", "windspeed", to: .windSpeed, \.windSpeed, .speed),
        .number(
            "wind_direction_10m", "winddirection_10m", "winddirection", to: .windBearing, \.windBearing, .direction),
        .number("wind_gusts_10m", "windgusts_10m", to: .windGust, \.windGust, .speed),
        .number("visibility", to: .visibility, \.visibility, .distance),
        .number("uv_index", to: .uvIndex, \.uvIndex, .plain),
        .number("shortwave_radiation", to: .solar, \.solar, .radiation),
        .number("cape", to: .cape, \.cape, .energy),
    ])

    /// The columns of a day.
    ///
    /// Nearly everything is computed from the hours: the upstream's days have 24 hours and start an hour early for sums.
    static let days = ColumnTable([
        .weatherCode,
        .time("sunrise", to: .sunrise, \.sunriseTime),
        .time("sunset", to: .sunset, \.sunsetTime),
        .number("temperature_2m_max", to: .temperatureMax, \.temperatureMax, .temperature),
        .number("temperature_2m_min", to: .temperatureMin, \.temperatureMin, .temperature),
        .number("apparent_temperature_max", to: .apparentTemperatureMax, \.apparentTemperatureMax, .temperature),
        .number("apparent_temperature_min", to: .apparentTemperatureMin, \.apparentTemperatureMin, .temperature),
        .number("precipitation_sum", to: .precipIntensity, \.precipIntensity, .rate),
        .number("precipitation_probability_max", to: .precipProbability, \.precipProbability, .fraction),
        .number("rain_sum", to: .rain, \.liquidAccumulation, .water),
        .number("showers_sum", to: .showers, \.liquidAccumulation, .water),
        .number("snowfall_sum", to: .snow, \.snowAccumulation, .snow),
        .number("wind_speed_10m_mean", "windspeed_10m_mean", to: .windSpeed, \.windSpeed, .speed),
        .unused("wind_speed_10m_max", "windspeed_10m_max", measure: .speed),
        .number(
            "wind_direction_10m_dominant", "winddirection_10m_dominant", to: .windBearing, \.windBearing, .direction),
        .number("wind_gusts_10m_max", "windgusts_10m_max", to: .windGust, \.windGust, .speed),
        .number("uv_index_max", to: .uvIndex, \.uvIndex, .plain),
        .number("cape_max", to: .capeMax, \.capeMax, .energy),
        .number("dew_point_2m_mean", "dewpoint_2m_mean", to: .dewPoint, \.dewPoint, .temperature),
        .number("relative_humidity_2m_mean", "relativehumidity_2m_mean", to: .humidity, \.humidity, .fraction),
        .number("pressure_msl_mean", to: .pressure, \.pressure, .pressure),
        .number("surface_pressure_mean", to: .stationPressure, \.stationPressure, .pressure),
        .number("cloud_cover_mean", "cloudcover_mean", to: .cloudCover, \.cloudCover, .fraction),
        .number("visibility_mean", to: .visibility, \.visibility, .distance),
    ])

    /// A member of an answer that holds weather.
    enum Block: Int, CaseIterable {
        case current, currentWeather, minutely, hourly, daily

        /// The columns that the block can have.
        var table: ColumnTable { self == .daily ? days : moments }

        /// The number of variables of its rows.
        var variables: Int { self == .daily ? Variable.ofDays : Variable.ofMoments }

        /// Whether the block has one row, whose `interval` names its span.
        var isMoment: Bool { self == .current || self == .currentWeather }

        /// The number of hours that the sums of a row cover, if the answer does not say it.
        var hours: Double { self == .daily ? 24 : self == .minutely ? 0.25 : 1 }
    }

    /// The columns of a block.
    struct ColumnTable: Sendable {
        let columns: [Column]
        private let indices: [String: Int]

        init(_ columns: [Column]) {
            self.columns = columns
            let names = columns.enumerated().flatMap { index, column in column.names.map { ($0, index) } }
            indices = Dictionary(uniqueKeysWithValues: names)
        }

        /// Returns the index of the column called `name`, or nil.
        func index(of name: String) -> Int? { indices[name] }
    }

    /// One variable of Open-Meteo and its place in a row.
    struct Column: Sendable {
        /// How a cell is read, by the rules of the field that it goes to.
        indirect enum Cell: Sendable {
            case number(Variable, SchemaField<Double>)
            case integer(Variable, SchemaField<Int>)
            case time(Variable, SchemaField<UnixSeconds>)
            case unused
        }

        /// The newest name and the older ones.
        let names: [String]
        let measure: Measure
        let cell: Cell
        /// The field of the contract that the column fills; nil for none.
        var field: String?

        var isWeatherCode: Bool { if case .integer(.code, _) = cell { true } else { false } }
    }

    /// The values of columns that are integers, and the span of a moment's sums.
    struct Inputs: Record {
        var code: Int?, isDay: Int?, interval: Double?
        /// Any number, such as a time.
        var number: Double?

        static let schema = Schema<Inputs>(.absent(-999), .absent("", "none")) {
            Field(\.number)
            Field(\.code)
            Field(\.isDay, .plausible(0...1))
            Field(\.interval, .plausible(1...86400))
        }
    }
}

extension OpenMeteo.Column {
    fileprivate static func number(
        _ names: String..., to variable: Variable, _ property: WritableKeyPath<DataPoint, Double?>,
        _ measure: OpenMeteo.Measure
    ) -> Self {
        Self(
            names: names, measure: measure, cell: .number(variable, DataPoint.schema.field(property)),
            field: DataPoint.schema.path(of: property))
    }

    fileprivate static func time(
        _ name: String, to variable: Variable, _ property: WritableKeyPath<DataPoint, UnixSeconds?>
    ) -> Self {
        Self(
            names: [name], measure: .plain, cell: .time(variable, DataPoint.schema.field(property)),
            field: DataPoint.schema.path(of: property))
    }

    fileprivate static func integer(
        _ names: String..., to variable: Variable, _ property: WritableKeyPath<OpenMeteo.Inputs, Int?>,
        field: String? = nil
    ) -> Self {
        Self(
            names: names, measure: .plain, cell: .integer(variable, OpenMeteo.Inputs.schema.field(property)),
            field: field)
    }

    fileprivate static var weatherCode: Self {
        .integer(
            "weather_code", "weathercode", to: .code, \.code, field: DataPoint.schema.path(of: \DataPoint.icon))
    }

    /// A column without a counterpart in the contract.
    fileprivate static func unused(_ names: String..., measure: OpenMeteo.Measure) -> Self {
        Self(names: names, measure: measure, cell: .unused)
    }
}

// The places of Open-Meteo's values, there and in the answer.
extension OpenMeteo.Block {
    /// The members of an answer, and the block of the contract.
    private static let places: [(name: StaticString, units: StaticString, block: ForecastBlock)] = [
        ("current", "current_units", .currently), ("current_weather", "current_weather_units", .currently),
        ("minutely_15", "minutely_15_units", .minutely), ("hourly", "hourly_units", .hourly),
        ("daily", "daily_units", .daily),
    ]

    /// The member of an answer with the weather, and the one with the units.
    var name: StaticString { Self.places[rawValue].name }
    var nameOfUnits: StaticString { Self.places[rawValue].units }

    fileprivate var block: ForecastBlock { Self.places[rawValue].block }
}

extension OpenMeteo {
    /// Returns the pattern in the contract's forecast for a pattern in a document: `hourly.data[].temperature` for
    /// `hourly.temperature_2m[]`; nil for what has no counterpart.
    static func place(of pattern: String) -> String? {
        // The document can be a list with one place.
        let pattern = pattern.hasPrefix("[].") ? String(pattern.dropFirst(3)) : pattern
        let parts = pattern.split(separator: ".", maxSplits: 1)
        guard let first = parts.first, let block = Block.allCases.first(where: { "\($0.name)" == first }) else {
            return pattern == "utc_offset_seconds" ? "offset" : nil
        }
        guard parts.count == 2 else { return block.block.rawValue }
        let name = String(parts[1].replacing("[]", with: ""))
        let field = name == "time" ? "time" : block.table.index(of: name).flatMap { block.table.columns[$0].field }
        return field.map { block.block.rawValue + (block.isMoment ? "." : ".data[].") + $0 }
    }

    /// Returns the columns of a block that each request asks for: of the weather now, or of another time.
    ///
    /// A request for another time can go to the archive, which has fewer columns, so the others are not expected.
    static func requested(_ block: Block, ofNow isOfNow: Bool) -> [Int] {
        switch block {
        case .current: isOfNow ? currentColumns : []
        case .currentWeather: []
        case .minutely: isOfNow ? quarterColumns : []
        case .hourly: isOfNow ? hourColumns : archiveColumns
        case .daily: dayColumns
        }
    }

    private static let currentColumns = moment.compactMap(moments.index)
    private static let quarterColumns = quarter.compactMap(moments.index)
    private static let hourColumns = hour.compactMap(moments.index)
    private static let archiveColumns = hourOfArchive.compactMap(moments.index)
    private static let dayColumns = day.compactMap(days.index)
}

extension OpenMeteo {
    /// The quantity of a column, which determines its possible units.
    enum Measure: Int, Sendable, CaseIterable {
        case temperature, speed, distance, pressure, fraction, direction, radiation, energy
        /// Water per hour, and the depths of water and of snow.
        case rate, water, snow
        /// A number or a time without a unit; any unit that an answer names is ignored.
        case plain

        /// Returns the unit that Open-Meteo calls `name`, or nil if it is unknown.
        func unit(named name: String) -> Unit? {
            self == .plain ? .contract : Self.units[rawValue].first { $0.name == name }?.unit
        }

        /// The unit of an answer that names none: Open-Meteo's default, the first of the table.
        var defaultUnit: Unit { Self.units[rawValue].first?.unit ?? .contract }

        /// Decimal conversions keep every digit; the others round as `UnitSystem` does.
        private static let table: [Measure: KeyValuePairs<String, Unit>] = [
            .temperature: ["°C": .contract, "°F": .scaled(5 / 9, -160 / 9), "K": .scaled(1, -273.15)],
            .speed: [
                "km/h": .scaled(1 / 3.6), "m/s": .contract, "mp/h": .scaled(0.44704), "mph": .scaled(0.44704),
                "kn": .scaled(1852 / 3600),
            ],
            .distance: [
                "m": .scaled(0.001, places: 3), "km": .contract, "ft": .scaled(0.000_304_8), "mi": .scaled(1.609_344),
            ],
            .pressure: ["hPa": .contract, "Pa": .scaled(0.01, places: 4)],
            .fraction: ["%": .scaled(0.01, places: 4)],
            .direction: ["°": .contract],
            .radiation: ["W/m²": .contract],
            .energy: ["J/kg": .contract],
            .rate: ["mm": .contract, "cm": .scaled(10, places: 4), "inch": .scaled(25.4, places: 4)],
            .water: ["mm": millimetre, "cm": .contract, "inch": inch],
            .snow: ["cm": .contract, "mm": millimetre, "inch": inch],
        ]

        /// The units by the index of the measure; a few names are found faster in a list than by their hashes.
        private static let units: [[(name: String, unit: Unit)]] = allCases.map { measure in
            (table[measure] ?? [:]).map { ($0.key, $0.value) }
        }

        private static let millimetre = Unit.scaled(0.1, places: 4), inch = Unit.scaled(2.54, places: 4)
    }

    /// A unit of Open-Meteo, as its conversion to the contract's unit of the same measure.
    struct Unit: Sendable {
        /// Nil if the two units are the same.
        let step: Conversion.Step?

        /// The contract's own unit.
        static let contract = Unit(step: nil)

        fileprivate static func scaled(_ scale: Double, _ offset: Double = 0, places: Int = 2) -> Unit {
            Unit(step: Conversion.Step(scale: scale, offset: offset, places: places))
        }

        /// Returns the unit of a sum over some hours whose contract field is a rate per hour.
        func divided(byHours hours: Double) -> Unit {
            hours == 1 ? self : .scaled((step?.scale ?? 1) / hours, places: 4)
        }
    }

    /// The units that an answer names for the columns of its blocks.
    struct Units {
        /// By the block and the index of the column; nil for a column without a unit, `.some(nil)` for an unknown one.
        private var named = [[Unit??]](repeating: [], count: Block.allCases.count)
        /// The first known unit of each measure, by its index.
        private var firstKnown = [Unit?](repeating: nil, count: Measure.allCases.count)

        /// Reads the units of one block: an object of strings.
        mutating func read(_ node: JSONNode, of block: Block, _ reader: inout RecordReader) {
            guard node.kind == .object else { return reader.note(.dropped, .mistyped) }
            let table = block.table
            var units = [Unit??](repeating: nil, count: table.columns.count)
            for (key, value) in node.members where !value.isNull && value.string != "" {
                guard let index = key.string.flatMap(table.index) else { continue }
                let measure = table.columns[index].measure
                // A unit that is not a string is unknown to all measures but `plain`.
                let unit = measure.unit(named: value.string ?? "")
                units[index] = .some(unit)
                if firstKnown[measure.rawValue] == nil { firstKnown[measure.rawValue] = unit }
            }
            named[block.rawValue] = units
        }

        /// Returns the unit of a column, or nil if it is unknown.
        ///
        /// A request sets one unit per measure, so a block that names none has the unit of the other blocks.
        func unit(ofColumn index: Int, in block: Block) -> Unit? {
            let units = named[block.rawValue]
            if index < units.count, let unit = units[index] { return unit }
            let measure = block.table.columns[index].measure
            return firstKnown[measure.rawValue] ?? measure.defaultUnit
        }
    }
}
