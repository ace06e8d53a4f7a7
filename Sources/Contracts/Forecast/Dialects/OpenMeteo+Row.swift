import LenientCoding

extension OpenMeteo {
    /// What stands in one line across the columns: a point of the contract, and what it is worked out from.
    struct Row {
        var point = DataPoint()
        var sky = Sky()
    }

    /// What the contract has no field for.
    struct Sky: Record {
        /// A WMO code of the weather.
        var code: Int?
        /// Whether the sun is up: 1 or 0.
        var isDay: Int?
        /// How many seconds the sums of a moment are over.
        var interval: Double?
        /// What fell over the span, in centimetres: rain, rain of showers, and snow as it lies.
        var rain: Double?, showers: Double?, snow: Double?

        static let schema = Schema<Sky>(.absent(-999), .absent("", "none")) {
            Field(\.code)
            Field(\.isDay, .plausible(0...1))
            Field(\.interval, .plausible(1...86400))
            Field(\.rain)
            Field(\.showers)
            Field(\.snow)
        }
    }
}

extension OpenMeteo.Sky {
    /// How many hours the sums of a moment are over.
    var hours: Double { (interval ?? 3600) / 3600 }

    /// All the water that fell as rain.
    var liquid: Double? {
        if rain == nil, showers == nil { return nil }
        return (rain ?? 0) + (showers ?? 0)
    }
}

extension OpenMeteo.Row {
    /// The row of a block with what follows from its cells: what falls and how it looks.
    func told(as block: OpenMeteo.Block, under sun: OpenMeteo.Sun) -> OpenMeteo.Row {
        var row = self
        if block != .daily { row.tellIntensities() }
        if block == .hourly || block == .daily { row.tellAccumulations() }
        row.tellWeather(isNight: block != .daily && sun.isDown(in: self))
        return row
    }

    /// How much rain and snow falls in an hour; of snow, the water in it.
    ///
    /// By Open-Meteo's own measure, 7 cm of snow are 10 mm of water.
    private mutating func tellIntensities() {
        point.rainIntensity = sky.liquid.flatMap { Self.amount($0 * 10 / sky.hours, as: Self.rainIntensity) }
        point.snowIntensity = sky.snow.flatMap { Self.amount($0 / 0.7 / sky.hours, as: Self.snowIntensity) }
    }

    /// How much lies after the span.
    ///
    /// Dark Sky's own accumulation is that of snow, and is told only where there is some.
    private mutating func tellAccumulations() {
        point.liquidAccumulation = sky.liquid.flatMap { Self.amount($0, as: Self.liquidAccumulation) }
        point.snowAccumulation = sky.snow
        if let snow = sky.snow, snow > 0 { point.precipAccumulation = snow }
    }

    private static let rainIntensity = DataPoint.schema.field(\.rainIntensity)
    private static let snowIntensity = DataPoint.schema.field(\.snowIntensity)
    private static let liquidAccumulation = DataPoint.schema.field(\.liquidAccumulation)

    /// An amount that was worked out, to four decimals; nil where the field cannot be that.
    private static func amount(_ value: Double, as field: SchemaField<Double>) -> Double? {
        let amount = Conversion.Step(scale: 1, places: 4)(value)
        return field.accepts(amount) ? amount : nil
    }

    /// What falls, and the weather in words and as a picture.
    ///
    /// A code that is not known says nothing.
    private mutating func tellWeather(isNight: Bool) {
        let weather = sky.code.flatMap(WeatherCode.find)
        point.precipType = precipitation(weather).map { .known($0) }
        guard let weather else { return }
        point.summary = weather.summary
        point.icon = .known(isNight ? weather.nightIcon ?? weather.icon : weather.icon)
    }

    /// What falls, by the amounts of rain and snow; by the code where only the sum of both is known.
    ///
    /// Rain with snow, and rain that freezes, are sleet, as they were for Dark Sky: its sleet is freezing rain, ice
    /// pellets and wintry mix.
    private func precipitation(_ weather: WeatherCode?) -> PrecipitationType? {
        let rains = (sky.liquid ?? 0) > 0
        let snows = (sky.snow ?? 0) > 0
        if rains, snows || weather?.precipitation == .sleet { return .sleet }
        if rains { return .rain }
        if snows { return .snow }
        return (point.precipIntensity ?? 0) > 0 ? weather?.precipitation : nil
    }
}
