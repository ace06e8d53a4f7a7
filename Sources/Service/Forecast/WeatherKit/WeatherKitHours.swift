import Contracts
import JSONText
import Records

extension WeatherKit {
    /// The weather now or in an hour, in Apple's units.
    struct Weather: Record {
        var condition: OpenEnum<Condition>?, kind: OpenEnum<Kind>?, daylight: Bool?
        /// Water and snow (mm), and their rates (mm/h).
        var amount: Double?, intensity: Double?, snowAmount: Double?, snowIntensity: Double?, chance: Double?
        var temperature: Double?, apparentTemperature: Double?, dewPoint: Double?, humidity: Double?, pressure: Double?
        /// Wind (km/h, degrees) and visibility (m).
        var windSpeed: Double?, windGust: Double?, windBearing: Double?, visibility: Double?
        var cloudCover: Double?, uvIndex: Double?

        static let schema = Schema<Weather>(.absent(-999), .absent("")) {
            Field("conditionCode", \.condition, .exact)
            Field("precipitationType", \.kind, .exact)
            Field("daylight", \.daylight)
            Field("precipitationAmount", \.amount, .plausible(0...3000))
            Field("precipitationIntensity", \.intensity, .plausible(0...3000))
            Field("snowfallAmount", \.snowAmount, .plausible(0...50_000))
            Field("snowfallIntensity", \.snowIntensity, .plausible(0...50_000))
            Field("precipitationChance", \.chance, .plausible(0...1))
            Field("temperature", \.temperature, .plausible(-100...70))
            Field("temperatureApparent", \.apparentTemperature, .plausible(-130...100))
            Field("temperatureDewPoint", \.dewPoint, .plausible(-100...70))
            Field("humidity", \.humidity, .plausible(0...1))
            Field("pressure", \.pressure, .plausible(800...1100))
            Field("windSpeed", \.windSpeed, .plausible(0...540))
            Field("windGust", \.windGust, .plausible(0...540))
            Field("windDirection", \.windBearing, .plausible(0...360))
            Field("cloudCover", \.cloudCover, .plausible(0...1))
            Field("uvIndex", \.uvIndex, .plausible(0...50))
            Field("visibility", \.visibility, .plausible(0...1_000_000))
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

        /// Sets the fields of a blank point in the contract's units, with the icon by day unless the weather is said to be
        /// that of a night; `isSpan` says whether it is that of an hour.
        func set(_ point: inout DataPoint, at time: UnixSeconds, isSpan: Bool) {
            point.time = time
            point.precipProbability = chance
            point.temperature = temperature
            point.apparentTemperature = apparentTemperature
            point.dewPoint = dewPoint
            point.humidity = humidity
            point.pressure = pressure
            point.windSpeed = windSpeed
            point.windGust = windGust
            point.windBearing = windBearing
            point.cloudCover = cloudCover
            point.uvIndex = uvIndex
            point.visibility = visibility
            point.convert()
            point.describe(condition, byNight: daylight == false)
            // In an hour, a rate is the depth that falls.
            let precipitation = Precipitation(
                kind, condition, water: isSpan ? amount ?? intensity : intensity,
                snow: isSpan ? snowAmount ?? snowIntensity : snowIntensity)
            precipitation.setRates(of: &point)
            if case .unknown? = condition { point.setMeasuredIcon(byNight: daylight == false) }
            if isSpan { precipitation.setDepths(of: &point) }
        }
    }

    /// The hours of an answer, each of which is converted in its place.
    ///
    /// An array of records beside that of the points takes 100 KB and 5 % more instructions.
    struct Hours: WireValue {
        var points: [DataPoint]
        /// The indices of the hours that do not say whether it is day.
        var undecided: [Int]

        static var expectation: String { [Hour].expectation }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Hours? {
            var undecided: [Int] = [], count = 0
            let points = reader.fillElements(of: node, rules, expected: Hour.expectation, blank: DataPoint.init) {
                var hour = Hour()
                guard $2.fill(&hour, from: $0) else { return false }
                hour.weather.set(&$1, at: hour.start.time, isSpan: true)
                if hour.weather.daylight == nil { undecided.append(count) }
                count += 1
                return true
            }
            return points.map { Hours(points: $0, undecided: undecided) }
        }

        /// Gives the hours that do not say whether it is day the icons of the night, if the sun is down.
        mutating func decide(_ days: LocalDays) {
            for index in undecided { points[index].setNightIcon(days) }
        }
    }

    /// An hour.
    private struct Hour: Record {
        var start = ISODate(time: UnixSeconds(0))
        var weather = Weather()

        static let schema = Schema<Hour> {
            Field("forecastStart", \.start)
            Included(\.weather)
            Ignored("forecastEnd")
        }
    }
}

extension DataPoint {
    /// Sets the icon of the night, if the sun is down.
    mutating func setNightIcon(_ days: LocalDays) {
        if case .known(let icon)? = icon, days.isNight(time.seconds) { self.icon = .known(icon.atNight) }
    }

    /// Turns km/h into m/s, and metres into kilometres.
    mutating func convert() {
        let speed = Conversion.Step(scale: 1 / 3.6, places: 2), distance = Conversion.Step(scale: 0.001, places: 3)
        windSpeed = windSpeed.map { speed($0) }
        windGust = windGust.map { speed($0) }
        visibility = visibility.map { distance($0) }
    }

    /// Sets the icon of what falls, or else of the clouds; none if neither is known.
    mutating func setMeasuredIcon(byNight isNight: Bool) {
        var measured: Icon?
        if case .known(let type)? = precipType {
            measured = type.icon
        } else if let precipIntensity, precipIntensity > 0 {
            measured = snowIntensity ?? 0 > precipIntensity / 2 ? .snow : .rain
        } else {
            measured = cloudCover.flatMap { WeatherCode.find(WeatherCode.sky(cloudCover: $0)) }?.icon
        }
        icon = measured.map { .known(isNight ? $0.atNight : $0) }
    }

    /// Sets the weather in words and its icon; of an unknown condition the words of its name.
    mutating func describe(_ condition: OpenEnum<WeatherKit.Condition>?, byNight isNight: Bool) {
        switch condition {
        case .known(let condition)?:
            summary = condition.summary
            icon = .known(isNight ? condition.icon.atNight : condition.icon)
        case .unknown(let text)?: summary = WeatherKit.Condition.words(of: text)
        case nil: break
        }
    }
}
