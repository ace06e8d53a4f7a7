import LenientCoding

extension WeatherKit {
    /// A day, in the contract's fields but Apple's units.
    struct Day: Record {
        private var own = DataPoint()
        private var start = ISODate(time: UnixSeconds(0))
        private var condition: OpenEnum<Condition>?, kind: OpenEnum<Kind>?
        /// Water and snow (mm).
        private var amount: Double?, snowAmount: Double?
        private var sunrise: ISODate?, sunset: ISODate?, dawn: ISODate?, dusk: ISODate?
        private var maximumTime: ISODate?, minimumTime: ISODate?

        static let schema = Schema<Day>(.absent(-999), .absent("")) {
            Field("forecastStart", \.start)
            Field("conditionCode", \.condition, .exact)
            Field("precipitationType", \.kind, .exact)
            Field("precipitationAmount", \.amount, .plausible(0...30_000))
            Field("snowfallAmount", \.snowAmount, .plausible(0...50_000))
            Field("precipitationChance", \.own.precipProbability, .plausible(0...1))
            Field("sunrise", \.sunrise)
            Field("sunset", \.sunset)
            Field("sunriseCivil", \.dawn)
            Field("sunsetCivil", \.dusk)
            Field("temperatureMax", \.own.temperatureMax, .plausible(-100...70))
            Field("temperatureMaxTime", \.maximumTime)
            Field("temperatureMin", \.own.temperatureMin, .plausible(-100...70))
            Field("temperatureMinTime", \.minimumTime)
            Field("windSpeedAvg", \.own.windSpeed, .plausible(0...540))
            Field("windGustSpeedMax", \.own.windGust, .plausible(0...540))
            Field("maxUvIndex", \.own.uvIndex, .plausible(0...50))
            // The half days are those of 7 h and 19 h, not the contract's.
            Ignored(
                "daytimeForecast", "forecastEnd", "humidityMax", "humidityMin", "moonPhase", "moonrise", "moonset",
                "overnightForecast", "precipitationAmountByType", "restOfDayForecast", "solarMidnight", "solarNoon",
                "sunriseAstronomical", "sunriseNautical", "sunsetAstronomical", "sunsetNautical", "visibilityMax",
                "visibilityMin", "windSpeedMax")
        }

        /// The day as Apple describes it, in the contract's units.
        var point: DataPoint {
            var point = own
            point.time = start.time
            point.convert()
            point.describe(condition, byNight: false)
            (point.sunriseTime, point.sunsetTime) = (sunrise?.time, sunset?.time)
            (point.dawnTime, point.duskTime) = (dawn?.time, dusk?.time)
            let precipitation = Precipitation(kind, condition, water: amount, snow: snowAmount)
            point.precipType = precipitation.type
            point.precipIntensity = amount.map { Conversion.Step(scale: 1.0 / 24, places: 4)($0) }
            precipitation.setDepths(of: &point)
            return point
        }

        /// Returns the day completed from its hours: amounts, means, and extremes with their times.
        ///
        /// `span` is nil if the day has no hours of its own.
        func completed(from hours: HourColumns, _ span: Range<Double>?, _ clock: LocalClock) -> DataPoint {
            var point = point
            point.moonPhase = MoonPhase.ofDay(from: start.time.seconds, clock)
            if let span { point.summarize(hours, in: span) }
            point.takeExtremes(of: hours, in: span, clock)
            if case .unknown(let text)? = kind { point.precipType = .unknown(text) }
            point.temperatureMaxTime = maximumTime?.time ?? point.temperatureMaxTime
            point.temperatureMinTime = minimumTime?.time ?? point.temperatureMinTime
            return point
        }
    }
}

extension WeatherKit.HourColumns {
    enum Extreme {
        case minimum, maximum
    }

    /// Completes an extreme of a day, and its time; an amount of 0 has none.
    ///
    /// A value of Apple stays. Its time is known if the hours cover the day, or if the extreme of the hours is the same
    /// value.
    fileprivate func complete(
        _ value: inout Double?, _ time: inout UnixSeconds?, _ kind: Extreme, of column: Column, in day: Window?,
        isAmount: Bool = false
    ) {
        guard let (extreme, moment, isComplete) = find(kind, of: column, in: day) else { return }
        if isComplete {
            value = value ?? extreme
        } else if value != extreme {
            return
        }
        if !isAmount || extreme > 0 { time = moment }
    }

    /// Completes the greatest of a day's amounts, and its time.
    fileprivate func completePeak(
        _ value: inout Double?, _ time: inout UnixSeconds?, of column: Column, in day: Window?
    ) {
        complete(&value, &time, .maximum, of: column, in: day, isAmount: true)
    }

    /// Completes an extreme of a part of the day, which is that of the `whole` day if the hours do not cover the part.
    fileprivate func complete(
        _ value: inout Double?, _ time: inout UnixSeconds?, _ kind: Extreme, of column: Column, in part: Window?,
        orElse whole: Double?
    ) {
        if let (extreme, moment, isComplete) = find(kind, of: column, in: part), isComplete {
            (value, time) = (extreme, moment)
        } else {
            value = whole
        }
    }

    /// Returns an extreme, its time, and whether every hour has a value; nil if none has one.
    private func find(
        _ kind: Extreme, of column: Column, in window: Window?
    ) -> (value: Double, time: UnixSeconds, isComplete: Bool)? {
        guard let window, case let found = statistics(column, in: window), found.count > 0 else { return nil }
        let isComplete = found.covers(window.span)
        switch kind {
        case .minimum: return (found.least, time(ofRow: found.leastRow), isComplete)
        case .maximum: return (found.greatest, time(ofRow: found.greatestRow), isComplete)
        }
    }
}

extension DataPoint {
    /// Completes the extremes of a day from its hours; `span` is nil if the day has no hours of its own.
    fileprivate mutating func takeExtremes(
        of hours: WeatherKit.HourColumns, in span: Range<Double>?, _ clock: LocalClock
    ) {
        func window(_ window: DayWindow) -> WeatherKit.HourColumns.Window? {
            span.map { hours.window(window.range(in: $0, clock)) }
        }
        let (day, daytime, night) = (window(.day), window(.daytime), window(.night))
        var none: UnixSeconds?
        hours.complete(&temperatureMax, &temperatureMaxTime, .maximum, of: .temperature, in: day)
        hours.complete(&temperatureMin, &temperatureMinTime, .minimum, of: .temperature, in: day)
        hours.complete(
            &temperatureHigh, &temperatureHighTime, .maximum, of: .temperature, in: daytime, orElse: temperatureMax)
        hours.complete(
            &temperatureLow, &temperatureLowTime, .minimum, of: .temperature, in: night, orElse: temperatureMin)
        hours.complete(
            &apparentTemperatureMax, &apparentTemperatureMaxTime, .maximum, of: .apparentTemperature, in: day)
        hours.complete(
            &apparentTemperatureMin, &apparentTemperatureMinTime, .minimum, of: .apparentTemperature, in: day)
        hours.complete(
            &apparentTemperatureHigh, &apparentTemperatureHighTime, .maximum, of: .apparentTemperature, in: daytime,
            orElse: apparentTemperatureMax)
        hours.complete(
            &apparentTemperatureLow, &apparentTemperatureLowTime, .minimum, of: .apparentTemperature, in: night,
            orElse: apparentTemperatureMin)
        hours.completePeak(&precipIntensityMax, &precipIntensityMaxTime, of: .precipIntensity, in: day)
        hours.completePeak(&rainIntensityMax, &none, of: .rainIntensity, in: day)
        hours.completePeak(&snowIntensityMax, &none, of: .snowIntensity, in: day)
        hours.completePeak(&iceIntensityMax, &none, of: .iceIntensity, in: day)
        hours.completePeak(&windGust, &windGustTime, of: .windGust, in: day)
        hours.completePeak(&uvIndex, &uvIndexTime, of: .uvIndex, in: day)
    }

    /// Takes the amounts of the hours in `span`, if they cover it, and their means.
    fileprivate mutating func summarize(_ hours: WeatherKit.HourColumns, in span: Range<Double>) {
        let day = hours.window(span)
        func statistics(_ column: WeatherKit.HourColumns.Column) -> ColumnStatistics {
            hours.statistics(column, in: day)
        }
        func sum(_ column: WeatherKit.HourColumns.Column, scale: Double = 1) -> Double? {
            let found = statistics(column)
            return found.covers(span) ? Conversion.Step(scale: scale, places: 4)(found.sum) : nil
        }
        liquidAccumulation = sum(.liquidAccumulation) ?? liquidAccumulation
        snowAccumulation = sum(.snowAccumulation) ?? snowAccumulation
        precipAccumulation = snowAccumulation.flatMap { $0 > 0 ? $0 : nil }
        let probability = statistics(.precipProbability)
        if probability.covers(span) { precipProbability = precipProbability ?? probability.greatest }
        if let intensity = sum(.precipIntensity, scale: 3600 / (span.upperBound - span.lowerBound)) {
            precipIntensity = intensity
            precipType = hours.largestType(in: day)
        }
        dewPoint = dewPoint ?? statistics(.dewPoint).mean
        humidity = humidity ?? statistics(.humidity).mean
        pressure = pressure ?? statistics(.pressure).mean
        cloudCover = cloudCover ?? statistics(.cloudCover).mean
        visibility = statistics(.visibility).mean
        windSpeed = windSpeed ?? statistics(.windSpeed).mean
        windBearing = hours.meanBearing(in: day)
    }
}
