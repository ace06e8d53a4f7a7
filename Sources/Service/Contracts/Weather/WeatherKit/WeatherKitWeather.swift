import API
import JSONText
import Records

extension WeatherKit {
    /// The weather in one word: a value of `conditionCode`, whose letters may have any case, as Swift's names do.
    struct Condition: RawRepresentable, CaseIterable, Hashable, Sendable {
        let rawValue: String
        /// The number of `WeatherCode`.
        let code: Int

        init?(rawValue: String) {
            guard let code = WeatherCode.code(ofCondition: rawValue) else { return nil }
            (self.rawValue, self.code) = (rawValue, code)
        }

        static let allCases = WeatherCode.conditions.compactMap(Condition.init)
    }

    /// Apple's types of precipitation.
    enum Kind: String, CaseIterable, Sendable {
        /// None.
        case clear
        /// Precipitation of an unknown type.
        case precipitation
        /// Rain or freezing rain.
        case rain
        case snow
        /// Sleet or ice pellets.
        case sleet
        case hail
        /// Rain with snow.
        case mixed
    }

    /// What a row of any span says of the weather: in words, by its type, its water (mm) and its snow (mm).
    struct Description {
        var condition: OpenEnum<Condition>?, kind: OpenEnum<Kind>?, water: Double?, snow: Double?

        /// Sets the weather, the type of precipitation, its rates if `hasRates`, and its depths if `hasDepths`.
        func set(_ row: Int, of series: inout Series, hasRates: Bool, hasDepths: Bool) {
            let type = setKind(row, of: &series)
            if let parts = parts(type) {
                if hasRates {
                    series[.rainRate, row] = parts.rain
                    series[.snowRate, row] = parts.snow
                    series[.iceRate, row] = parts.ice
                }
                if hasDepths { (series[.rain, row], series[.ice, row]) = (rounded(parts.rain), rounded(parts.ice)) }
            }
            if hasDepths, let snow { series[.snow, row] = rounded(snow) }
            if hasRates { series[.precipIntensity, row] = water ?? .nan }
            switch condition {
            case .known(let condition)?: series[.code, row] = Double(condition.code)
            case .unknown(let name)?:
                series.unlistedWeather[row] = WeatherCode.words(of: name)
                series[.code, row] = series.measuredCode(row).map(Double.init) ?? .nan
            case nil: series[.code, row] = series.measuredCode(row).map(Double.init) ?? .nan
            }
        }

        /// Sets the type of precipitation, and returns it; none if it is not known, or if nothing falls.
        private func setKind(_ row: Int, of series: inout Series) -> PrecipitationType? {
            if water == 0, snow ?? 0 == 0 { return nil }
            var named: PrecipitationType?
            if case .known(let condition)? = condition { named = WeatherCode.find(condition.code)?.precipitation }
            let type: PrecipitationType?
            switch kind {
            case .known(.clear)?: type = nil
            case .known(.precipitation)?, nil: type = named
            // Only the condition tells freezing rain from rain.
            case .known(.rain)?: type = named == .sleet ? .sleet : .rain
            case .known(let kind)?: type = PrecipitationType(rawValue: kind.rawValue)
            case .unknown(let name)?:
                series.unlistedKinds[row] = name
                type = nil
            }
            series[.kind, row] = Series.index(of: type)
            return type
        }

        /// Returns the water in rain, in snow and in ice; nil if the water is not known.
        ///
        /// Apple does not divide it. Snow that falls with something else counts as a tenth of its depth.
        private func parts(_ type: PrecipitationType?) -> (rain: Double, snow: Double, ice: Double)? {
            guard let water else { return nil }
            if type == .snow { return (0, water, 0) }
            let frozen = min(water, (snow ?? 0) / 10)
            return type == .sleet ? (0, frozen, water - frozen) : (water - frozen, frozen, 0)
        }

        /// Returns the depth in centimetres with four decimals; most are 0.
        private func rounded(_ depth: Double) -> Double {
            depth == 0 ? 0 : Conversion.Step(scale: 0.1, places: 4)(depth)
        }
    }

    private static let speed = Conversion.Step(scale: 1 / 3.6, places: 2)
    private static let distance = Conversion.Step(scale: 0.001, places: 3)

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

        /// Sets the numbers of a row in the contract's units; `isSpan` says whether it is that of an hour.
        func set(_ row: Int, of series: inout Series, isSpan: Bool) {
            series[.isDay, row] = daylight.map { $0 ? 1 : 0 } ?? .nan
            series[.precipProbability, row] = chance ?? .nan
            series[.temperature, row] = temperature ?? .nan
            series[.apparentTemperature, row] = apparentTemperature ?? .nan
            series[.dewPoint, row] = dewPoint ?? .nan
            series[.humidity, row] = humidity ?? .nan
            series[.pressure, row] = pressure ?? .nan
            series[.windSpeed, row] = windSpeed.map { WeatherKit.speed($0) } ?? .nan
            series[.windGust, row] = windGust.map { WeatherKit.speed($0) } ?? .nan
            series[.windBearing, row] = windBearing ?? .nan
            series[.cloudCover, row] = cloudCover ?? .nan
            series[.uvIndex, row] = uvIndex ?? .nan
            series[.visibility, row] = visibility.map { WeatherKit.distance($0) } ?? .nan
            // In an hour, a rate is the depth that falls.
            let (water, snow) = isSpan ? (amount ?? intensity, snowAmount ?? snowIntensity) : (intensity, snowIntensity)
            Description(condition: condition, kind: kind, water: water, snow: snow)
                .set(row, of: &series, hasRates: true, hasDepths: isSpan)
        }
    }

    /// The hours of an answer, each of which is converted to its row as soon as it is read.
    struct Hours: WireValue {
        let series: Series
        /// Whether some hour names its condition.
        let hasConditions: Bool

        static var expectation: String { [Hour].expectation }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Hours? {
            let capacity = node.kind == .array ? min(node.count, rules.maximumElements) : 0
            var series = Series(
                times: [Double](repeating: .nan, count: capacity), variables: Variable.ofMoments, hours: 1)
            var count = 0, hasConditions = false
            let read: [Void]? = reader.readElements(of: node, rules, expected: Hour.expectation) {
                node, reader -> Void? in
                var hour = Hour()
                guard reader.fill(&hour, from: node) else { return nil }
                series.times[count] = hour.start.time.seconds
                hour.weather.set(count, of: &series, isSpan: true)
                if hour.weather.condition != nil { hasConditions = true }
                count += 1
                return ()
            }
            if count < capacity { series = series.taking(Array(0..<count)) }
            return read.map { _ in Hours(series: series, hasConditions: hasConditions) }
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

    /// A day, in Apple's units.
    struct Day: Record {
        private var start = ISODate(time: UnixSeconds(0))
        private var condition: OpenEnum<Condition>?, kind: OpenEnum<Kind>?
        /// Water and snow (mm).
        private var amount: Double?, snowAmount: Double?, chance: Double?
        private var sunrise: ISODate?, sunset: ISODate?, dawn: ISODate?, dusk: ISODate?
        private var maximum: Double?, maximumTime: ISODate?, minimum: Double?, minimumTime: ISODate?
        private var windSpeed: Double?, windGust: Double?, uvIndex: Double?

        static let schema = Schema<Day>(.absent(-999), .absent("")) {
            Field("forecastStart", \.start)
            Field("conditionCode", \.condition, .exact)
            Field("precipitationType", \.kind, .exact)
            Field("precipitationAmount", \.amount, .plausible(0...30_000))
            Field("snowfallAmount", \.snowAmount, .plausible(0...50_000))
            Field("precipitationChance", \.chance, .plausible(0...1))
            Field("sunrise", \.sunrise)
            Field("sunset", \.sunset)
            Field("sunriseCivil", \.dawn)
            Field("sunsetCivil", \.dusk)
            Field("temperatureMax", \.maximum, .plausible(-100...70))
            Field("temperatureMaxTime", \.maximumTime)
            Field("temperatureMin", \.minimum, .plausible(-100...70))
            Field("temperatureMinTime", \.minimumTime)
            Field("windSpeedAvg", \.windSpeed, .plausible(0...540))
            Field("windGustSpeedMax", \.windGust, .plausible(0...540))
            Field("maxUvIndex", \.uvIndex, .plausible(0...50))
            // The half days are those of 7 h and 19 h, not the contract's.
            Ignored(
                "daytimeForecast", "forecastEnd", "humidityMax", "humidityMin", "moonPhase", "moonrise", "moonset",
                "overnightForecast", "precipitationAmountByType", "restOfDayForecast", "solarMidnight", "solarNoon",
                "sunriseAstronomical", "sunriseNautical", "sunsetAstronomical", "sunsetNautical", "visibilityMax",
                "visibilityMin", "windSpeedMax")
        }

        var hasCondition: Bool { condition != nil }

        /// Returns the days as Apple describes them, in the contract's units.
        static func series(_ days: [Day]) -> Series {
            var series = Series(times: days.map(\.start.time.seconds), variables: Variable.ofDays, hours: 24)
            for (row, day) in days.enumerated() {
                series[.sunrise, row] = day.sunrise?.time.seconds ?? .nan
                series[.sunset, row] = day.sunset?.time.seconds ?? .nan
                series[.dawn, row] = day.dawn?.time.seconds ?? .nan
                series[.dusk, row] = day.dusk?.time.seconds ?? .nan
                series[.precipProbability, row] = day.chance ?? .nan
                series[.temperatureMax, row] = day.maximum ?? .nan
                series[timeOf: .temperatureMax, row] = day.maximumTime?.time.seconds ?? .nan
                series[.temperatureMin, row] = day.minimum ?? .nan
                series[timeOf: .temperatureMin, row] = day.minimumTime?.time.seconds ?? .nan
                series[.windSpeed, row] = day.windSpeed.map { WeatherKit.speed($0) } ?? .nan
                series[.windGust, row] = day.windGust.map { WeatherKit.speed($0) } ?? .nan
                series[.uvIndex, row] = day.uvIndex ?? .nan
                series[.precipIntensity, row] =
                    day.amount.map { Conversion.Step(scale: 1.0 / 24, places: 4)($0) } ?? .nan
                Description(condition: day.condition, kind: day.kind, water: day.amount, snow: day.snowAmount)
                    .set(row, of: &series, hasRates: false, hasDepths: true)
            }
            return series
        }

        /// Gives each day the weather in Apple's words again, in place of that of its hours; if its words are unknown or absent,
        /// the other values tell the icon.
        static func setWeather(_ days: [Day], of series: inout Series) {
            for (row, day) in days.enumerated() {
                if case .known(let condition)? = day.condition {
                    series[.code, row] = Double(condition.code)
                } else if day.hasCondition || series.weather(row) == nil {
                    series[.code, row] = series.measuredCode(row).map(Double.init) ?? .nan
                }
            }
        }
    }
}
