import LenientCoding

extension WeatherKit {
    /// The weather now or in an hour, in the contract's fields but Apple's units.
    struct Weather: Record {
        var point = DataPoint()
        var condition: OpenEnum<Condition>?, kind: OpenEnum<Kind>?, daylight: Bool?
        /// Water and snow (mm), and their rates (mm/h).
        var amount: Double?, intensity: Double?, snowAmount: Double?, snowIntensity: Double?

        static let schema = Schema<Weather>(.absent(-999), .absent("")) {
            Field("conditionCode", \.condition, .exact)
            Field("precipitationType", \.kind, .exact)
            Field("daylight", \.daylight)
            Field("precipitationAmount", \.amount, .plausible(0...3000))
            Field("precipitationIntensity", \.intensity, .plausible(0...3000))
            Field("snowfallAmount", \.snowAmount, .plausible(0...50_000))
            Field("snowfallIntensity", \.snowIntensity, .plausible(0...50_000))
            Field("precipitationChance", \.point.precipProbability, .plausible(0...1))
            Field("temperature", \.point.temperature, .plausible(-100...70))
            Field("temperatureApparent", \.point.apparentTemperature, .plausible(-130...100))
            Field("temperatureDewPoint", \.point.dewPoint, .plausible(-100...70))
            Field("humidity", \.point.humidity, .plausible(0...1))
            Field("pressure", \.point.pressure, .plausible(800...1100))
            Field("windSpeed", \.point.windSpeed, .plausible(0...540))
            Field("windGust", \.point.windGust, .plausible(0...540))
            Field("windDirection", \.point.windBearing, .plausible(0...360))
            Field("cloudCover", \.point.cloudCover, .plausible(0...1))
            Field("uvIndex", \.point.uvIndex, .plausible(0...50))
            Field("visibility", \.point.visibility, .plausible(0...1_000_000))
            Ignored(
                "cloudCoverHighAltPct", "cloudCoverLowAltPct", "cloudCoverMidAltPct", "perceivedPrecipitationIntensity",
                "precipitationAmount1h", "precipitationAmount24h", "precipitationAmount6h", "precipitationAmountByType",
                "precipitationAmountNext1h", "precipitationAmountNext1hByType", "precipitationAmountNext24h",
                "precipitationAmountNext24hByType", "precipitationAmountNext6h", "precipitationAmountNext6hByType",
                "precipitationAmountPrevious1hByType", "precipitationAmountPrevious24hByType",
                "precipitationAmountPrevious6hByType", "pressureTrend", "snowfallAmount1h", "snowfallAmount24h",
                "snowfallAmount6h", "snowfallAmountNext1h", "snowfallAmountNext24h", "snowfallAmountNext6h",
                "temperatureApparentMax", "temperatureApparentMin")
        }

        /// Returns the weather in the contract's units; `isSpan` says whether it is that of an hour.
        func row(at time: UnixSeconds, isSpan: Bool) -> OpenMeteo.Row {
            var row = OpenMeteo.Row(at: time)
            row.point = point
            row.point.time = time
            row.point.convert()
            row.point.describe(condition)
            row.inputs.isDay = daylight.map { $0 ? 1 : 0 }
            // In an hour, a rate is the depth that falls.
            let precipitation = Precipitation(
                kind, condition, water: isSpan ? amount ?? intensity : intensity,
                snow: isSpan ? snowAmount ?? snowIntensity : snowIntensity)
            precipitation.setRates(of: &row.point)
            if isSpan { precipitation.setDepths(of: &row) }
            return row
        }
    }

    /// An hour.
    struct Hour: Record {
        var start = ISODate(time: UnixSeconds(0))
        var weather = Weather()

        static let schema = Schema<Hour> {
            Field("forecastStart", \.start)
            Included(\.weather)
            Ignored("forecastEnd")
        }

        var row: OpenMeteo.Row { weather.row(at: start.time, isSpan: true) }
    }
}

extension DataPoint {
    /// Turns km/h into m/s, and metres into kilometres.
    mutating func convert() {
        let speed = Conversion.Step(scale: 1 / 3.6, places: 2), distance = Conversion.Step(scale: 0.001, places: 3)
        windSpeed = windSpeed.map { speed($0) }
        windGust = windGust.map { speed($0) }
        visibility = visibility.map { distance($0) }
    }

    /// Sets the weather in words, and its icon by day; an unknown condition passes as it came.
    mutating func describe(_ condition: OpenEnum<WeatherKit.Condition>?) {
        switch condition {
        case .known(let condition)?:
            summary = condition.summary
            icon = .known(condition.icon)
        case .unknown(let text)?: summary = text
        case nil: break
        }
    }
}
