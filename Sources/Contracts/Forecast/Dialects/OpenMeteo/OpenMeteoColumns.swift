import JSONText
import LenientCoding

extension OpenMeteo {
    typealias PointNumber = any WritableKeyPath<DataPoint, Double?> & Sendable
    typealias PointMoment = any WritableKeyPath<DataPoint, UnixSeconds?> & Sendable
    typealias SkyNumber = any WritableKeyPath<Sky, Double?> & Sendable

    /// One column: its names, the newest first, and where its cells go.
    struct Column: Sendable {
        /// The field of a row that a cell goes to, and the field of the contract by whose rules it is read.
        enum Target: Sendable {
            case point(PointNumber, SchemaField<Double>)
            case moment(PointMoment, SchemaField<UnixSeconds>)
            case amount(SkyNumber, SchemaField<Double>)
            case code(SchemaField<Int>)
            case isDay(SchemaField<Int>)
        }

        let names: [String]
        let target: Target
        var measure = Measure.plain
        /// Whether it is asked for.
        var isAsked = true

        private init(_ names: [String], _ target: Target, _ measure: Measure = .plain, isAsked: Bool = true) {
            self.names = names
            self.target = target
            self.measure = measure
            self.isAsked = isAsked
        }

        fileprivate static func point(
            _ names: String..., as field: PointNumber, in measure: Measure = .plain,
            isAsked: Bool = true
        ) -> Column {
            Column(names, .point(field, DataPoint.schema.field(field)), measure, isAsked: isAsked)
        }

        fileprivate static func moment(
            _ names: String..., as field: PointMoment
        ) -> Column {
            Column(names, .moment(field, DataPoint.schema.field(field)))
        }

        fileprivate static func amount(
            _ names: String..., as field: SkyNumber,
            like rules: PointNumber, in measure: Measure
        ) -> Column {
            Column(names, .amount(field, DataPoint.schema.field(rules)), measure)
        }

        fileprivate static func code(_ names: String...) -> Column { Column(names, .code(Sky.schema.field(\.code))) }

        fileprivate static func isDay(_ name: String) -> Column { Column([name], .isDay(Sky.schema.field(\.isDay))) }
    }

    /// The columns that a block can have.
    struct ColumnTable: Sendable {
        let columns: [Column]
        private let indices: [String: Int]

        init(_ columns: [Column]) {
            self.columns = columns
            indices = Dictionary(
                uniqueKeysWithValues: columns.enumerated().flatMap { index, column in column.names.map { ($0, index) } }
            )
        }

        /// The index of the column that `key` names, or nil.
        func index(of key: JSONNode) -> Int? { key.string.flatMap { indices[$0] } }

        /// The columns to ask for, by their newest names.
        var askedNames: [String] { columns.filter(\.isAsked).compactMap(\.names.first) }
    }

    /// Of a moment or an hour.
    static let moments = ColumnTable([
        .point("temperature_2m", "temperature", as: \.temperature, in: .temperature),
        .point("apparent_temperature", as: \.apparentTemperature, in: .temperature),
        .point("dew_point_2m", "dewpoint_2m", as: \.dewPoint, in: .temperature),
        .point("relative_humidity_2m", "relativehumidity_2m", as: \.humidity, in: .fraction),
        .point("precipitation", as: \.precipIntensity, in: .rate),
        .point("precipitation_probability", as: \.precipProbability, in: .fraction),
        .amount("rain", as: \.rain, like: \.liquidAccumulation, in: .water),
        .amount("showers", as: \.showers, like: \.liquidAccumulation, in: .water),
        .amount("snowfall", as: \.snow, like: \.snowAccumulation, in: .snow),
        .code("weather_code", "weathercode"),
        .isDay("is_day"),
        .point("cloud_cover", "cloudcover", as: \.cloudCover, in: .fraction),
        .point("pressure_msl", as: \.pressure, in: .pressure),
        .point("surface_pressure", as: \.stationPressure, in: .pressure),
        .point("wind_speed_10m", "windspeed_10m", "windspeed", as: \.windSpeed, in: .speed),
        .point("wind_direction_10m", "winddirection_10m", "winddirection", as: \.windBearing, in: .direction),
        .point("wind_gusts_10m", "windgusts_10m", as: \.windGust, in: .speed),
        .point("visibility", as: \.visibility, in: .distance),
        .point("uv_index", as: \.uvIndex),
        .point("shortwave_radiation", as: \.solar, in: .radiation),
        .point("cape", as: \.cape, in: .energy),
    ])

    /// Of a day.
    ///
    /// Means are not asked for: they are worked out from the hours.
    static let days = ColumnTable([
        .code("weather_code", "weathercode"),
        .moment("sunrise", as: \.sunriseTime),
        .moment("sunset", as: \.sunsetTime),
        .point("temperature_2m_max", as: \.temperatureMax, in: .temperature),
        .point("temperature_2m_min", as: \.temperatureMin, in: .temperature),
        .point("apparent_temperature_max", as: \.apparentTemperatureMax, in: .temperature),
        .point("apparent_temperature_min", as: \.apparentTemperatureMin, in: .temperature),
        .point("precipitation_sum", as: \.precipIntensity, in: .rate),
        .point("precipitation_probability_max", as: \.precipProbability, in: .fraction),
        .amount("rain_sum", as: \.rain, like: \.liquidAccumulation, in: .water),
        .amount("showers_sum", as: \.showers, like: \.liquidAccumulation, in: .water),
        .amount("snowfall_sum", as: \.snow, like: \.snowAccumulation, in: .snow),
        .point("wind_speed_10m_max", "windspeed_10m_max", as: \.windSpeed, in: .speed),
        .point("wind_direction_10m_dominant", "winddirection_10m_dominant", as: \.windBearing, in: .direction),
        .point("wind_gusts_10m_max", "windgusts_10m_max", as: \.windGust, in: .speed),
        .point("uv_index_max", as: \.uvIndex),
        .point("cape_max", as: \.capeMax, in: .energy, isAsked: false),
        .point("dew_point_2m_mean", "dewpoint_2m_mean", as: \.dewPoint, in: .temperature, isAsked: false),
        .point("relative_humidity_2m_mean", "relativehumidity_2m_mean", as: \.humidity, in: .fraction, isAsked: false),
        .point("pressure_msl_mean", as: \.pressure, in: .pressure, isAsked: false),
        .point("surface_pressure_mean", as: \.stationPressure, in: .pressure, isAsked: false),
        .point("cloud_cover_mean", "cloudcover_mean", as: \.cloudCover, in: .fraction, isAsked: false),
        .point("visibility_mean", as: \.visibility, in: .distance, isAsked: false),
    ])
}
