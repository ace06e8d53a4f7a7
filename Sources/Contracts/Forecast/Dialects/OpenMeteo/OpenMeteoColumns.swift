import JSONText
import LenientCoding

extension OpenMeteo {
    typealias PointNumber = any WritableKeyPath<DataPoint, Double?> & Sendable
    typealias PointReader = @Sendable (DataPoint) -> Double?
    typealias PointTime = any WritableKeyPath<DataPoint, UnixSeconds?> & Sendable
    typealias InputNumber = any WritableKeyPath<Row.Inputs, Double?> & Sendable

    /// The columns of a moment or an hour.
    static let moments = ColumnTable([
        .number("temperature_2m", "temperature", to: \.temperature, .temperature),
        .number("apparent_temperature", to: \.apparentTemperature, .temperature),
        .number("dew_point_2m", "dewpoint_2m", to: \.dewPoint, .temperature),
        .number("relative_humidity_2m", "relativehumidity_2m", to: \.humidity, .fraction),
        .number("precipitation", to: \.precipIntensity, .rate),
        .number("precipitation_probability", to: \.precipProbability, .fraction),
        .input("rain", to: \.rain, .water),
        .input("showers", to: \.showers, .water),
        .input("snowfall", to: \.snow, .snow),
        .weatherCode(),
        .isDay,
        .number("cloud_cover", "cloudcover", to: \.cloudCover, .fraction),
        .number("pressure_msl", to: \.pressure, .pressure),
        .number("surface_pressure", to: \.stationPressure, .pressure),
        .number("wind_speed_10m", "windspeed_10m", "windspeed", to: \.windSpeed, .speed),
        .number("wind_direction_10m", "winddirection_10m", "winddirection", to: \.windBearing, .direction),
        .number("wind_gusts_10m", "windgusts_10m", to: \.windGust, .speed),
        .number("visibility", to: \.visibility, .distance),
        .number("uv_index", to: \.uvIndex, .plain),
        .number("shortwave_radiation", to: \.solar, .radiation),
        .number("cape", to: \.cape, .energy),
    ])

    /// The columns of a day.
    ///
    /// Nearly everything is computed from the hours: the upstream's days have 24 hours and start an hour early for sums.
    static let days = ColumnTable([
        .weatherCode(isRequested: false),
        .time("sunrise", to: \.sunriseTime),
        .time("sunset", to: \.sunsetTime),
        .number("temperature_2m_max", to: \.temperatureMax, .temperature, isRequested: false),
        .number("temperature_2m_min", to: \.temperatureMin, .temperature, isRequested: false),
        .number("apparent_temperature_max", to: \.apparentTemperatureMax, .temperature, isRequested: false),
        .number("apparent_temperature_min", to: \.apparentTemperatureMin, .temperature, isRequested: false),
        .number("precipitation_sum", to: \.precipIntensity, .rate, isRequested: false),
        .number("precipitation_probability_max", to: \.precipProbability, .fraction, isRequested: false),
        .input("rain_sum", to: \.rain, .water, isRequested: false),
        .input("showers_sum", to: \.showers, .water, isRequested: false),
        .input("snowfall_sum", to: \.snow, .snow, isRequested: false),
        .number("wind_speed_10m_mean", "windspeed_10m_mean", to: \.windSpeed, .speed, isRequested: false),
        .unused("wind_speed_10m_max", "windspeed_10m_max", measure: .speed),
        .number("wind_direction_10m_dominant", "winddirection_10m_dominant", to: \.windBearing, .direction),
        .number("wind_gusts_10m_max", "windgusts_10m_max", to: \.windGust, .speed, isRequested: false),
        .number("uv_index_max", to: \.uvIndex, .plain, isRequested: false),
        .number("cape_max", to: \.capeMax, .energy, isRequested: false),
        .number("dew_point_2m_mean", "dewpoint_2m_mean", to: \.dewPoint, .temperature, isRequested: false),
        .number("relative_humidity_2m_mean", "relativehumidity_2m_mean", to: \.humidity, .fraction, isRequested: false),
        .number("pressure_msl_mean", to: \.pressure, .pressure, isRequested: false),
        .number("surface_pressure_mean", to: \.stationPressure, .pressure, isRequested: false),
        .number("cloud_cover_mean", "cloudcover_mean", to: \.cloudCover, .fraction, isRequested: false),
        .number("visibility_mean", to: \.visibility, .distance, isRequested: false),
    ])

    /// The hourly columns that the archive does not have (open-meteo/open-meteo,
    /// `Sources/App/Era5/Era5Controller.swift`).
    static let missingInArchive: Set<String> = ["precipitation_probability", "visibility", "uv_index", "cape"]

    /// A member of an answer that holds weather.
    enum Block: Hashable {
        case current, currentWeather, hourly, daily

        /// The columns that the block can have.
        var table: ColumnTable { self == .daily ? days : moments }

        /// The members that are not columns.
        var ownMembers: Set<String> { self == .hourly || self == .daily ? ["time"] : ["time", "interval"] }
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

        /// Returns the index of the column that `key` names, or nil.
        func index(of key: JSONNode) -> Int? { key.string.flatMap { indices[$0] } }

        /// The columns to request, by their newest names.
        var requestedNames: [String] { columns.filter(\.isRequested).compactMap(\.names.first) }
    }

    /// One variable of Open-Meteo and its place in a row.
    struct Column: Sendable {
        /// The newest name, which requests use, and the older ones.
        let names: [String]
        let measure: Measure
        let isRequested: Bool
        /// Reads a cell into a row by the rules of the field that it goes to.
        let read: @Sendable (JSONNode, Unit, Clock, inout Row, inout RecordReader) -> Void
    }
}

extension OpenMeteo.Column {
    /// A column for a number of the contract.
    fileprivate static func number(
        _ names: String..., to property: OpenMeteo.PointNumber, _ measure: OpenMeteo.Measure, isRequested: Bool = true
    ) -> Self {
        let field = DataPoint.schema.field(property)
        return Self(names: names, measure: measure, isRequested: isRequested) { cell, unit, _, row, reader in
            row.point[keyPath: property] = reader.number(cell, as: field, converted: unit.step)
        }
    }

    /// A column for a time of the contract.
    fileprivate static func time(_ names: String..., to property: OpenMeteo.PointTime) -> Self {
        let field = DataPoint.schema.field(property)
        return Self(names: names, measure: .plain, isRequested: true) { cell, _, clock, row, reader in
            row.point[keyPath: property] = reader.read(cell) { clock.read($0, as: field, &$1) }
        }
    }

    /// A column for a number that fields of the contract are computed from.
    fileprivate static func input(
        _ names: String..., to property: OpenMeteo.InputNumber, _ measure: OpenMeteo.Measure, isRequested: Bool = true
    ) -> Self {
        let field = OpenMeteo.Row.Inputs.schema.field(property)
        return Self(names: names, measure: measure, isRequested: isRequested) { cell, unit, _, row, reader in
            row.inputs[keyPath: property] = reader.number(cell, as: field, converted: unit.step)
        }
    }

    /// A column without a counterpart in the contract.
    fileprivate static func unused(_ names: String..., measure: OpenMeteo.Measure) -> Self {
        Self(names: names, measure: measure, isRequested: false) { _, _, _, _, _ in }
    }

    fileprivate static var isDay: Self {
        let field = OpenMeteo.Row.Inputs.schema.field(\.isDay)
        return Self(names: ["is_day"], measure: .plain, isRequested: true) { cell, _, _, row, reader in
            row.inputs.isDay = reader.read(cell, as: field)
        }
    }

    fileprivate static func weatherCode(isRequested: Bool = true) -> Self {
        let field = OpenMeteo.Row.Inputs.schema.field(\.code)
        let names = ["weather_code", "weathercode"]
        return Self(names: names, measure: .plain, isRequested: isRequested) { cell, _, _, row, reader in
            row.inputs.code = reader.read(cell, as: field)
            if let code = row.inputs.code, WeatherCode.find(code) == nil { reader.note(.unrecognized, .unknownValue) }
        }
    }
}
