import Contracts
import Records

/// A field that every good answer of a dialect has in a block, if the answer has the block at all.
///
/// The recorded answers of Dark Sky and Pirate Weather have all fields of the list; fields that depend on the place, the
/// season or the model, such as sunrise and UV index, are not expected.
struct ExpectedField: Sendable {
    private let block: ForecastBlock
    /// The pattern of the path in answers, and in the upstream's documents.
    private let path: String, from: String
    private let isPresent: @Sendable (DataPoint) -> Bool

    /// A field of a block, which an upstream has at `from`; nil if that is the path in answers.
    private init<Value>(
        _ block: ForecastBlock, _ property: any KeyPath<DataPoint, Value?> & Sendable, from: String? = nil
    ) {
        let place = block == .currently ? "currently" : "\(block.rawValue).data[]"
        let path = "\(place).\(DataPoint.schema.path(of: property))"
        (self.block, self.path, self.from) = (block, path, from ?? path)
        isPresent = { $0[keyPath: property] != nil }
    }

    /// The fields of Dark Sky and Pirate Weather.
    static let darkSky: [ExpectedField] =
        [.currently, .hourly].flatMap { block in
            [
                ExpectedField(block, \.temperature), ExpectedField(block, \.humidity),
                ExpectedField(block, \.windSpeed), ExpectedField(block, \.precipIntensity),
                ExpectedField(block, \.icon),
            ]
        } + [
            ExpectedField(.minutely, \.precipIntensity), ExpectedField(.daily, \.temperatureMax),
            ExpectedField(.daily, \.temperatureMin), ExpectedField(.daily, \.icon),
        ]

    /// The fields of WeatherKit.
    ///
    /// Extremes of days are none of them, because Weir computes absent ones from the hours.
    static let weatherKit: [ExpectedField] =
        [(ForecastBlock.currently, "currentWeather"), (.hourly, "forecastHourly.hours[]")].flatMap { block, place in
            [
                ExpectedField(block, \.temperature, from: "\(place).temperature"),
                ExpectedField(block, \.humidity, from: "\(place).humidity"),
                ExpectedField(block, \.windSpeed, from: "\(place).windSpeed"),
                ExpectedField(block, \.icon, from: "\(place).conditionCode"),
            ]
        } + [ExpectedField(.daily, \.icon, from: "forecastDaily.days[].conditionCode")]

    /// Notes the field as missing if the forecast has the block, and no point of the block has the field; a field that was
    /// left out for another reason is in the report already.
    func check(_ forecast: Forecast, _ drift: inout DriftReport) {
        if block == .currently {
            guard let point = forecast.currently, !isPresent(point) else { return }
        } else {
            guard let points = forecast.points(of: block), !points.isEmpty, !points.contains(where: isPresent) else {
                return
            }
        }
        if !drift.entries.contains(where: { $0.path == path }) { drift.noteMissing(path, from: from) }
    }
}

extension Forecast {
    /// Returns the points of a block; nil for the current weather and what has no points.
    func points(of block: ForecastBlock) -> [DataPoint]? {
        switch block {
        case .minutely: minutely?.data
        case .hourly: hourly?.data
        case .daily: daily?.data
        case .dayNight: dayNight?.data
        case .currently, .alerts, .flags: nil
        }
    }
}
