import Records

/// The form in which Dark Sky sent a forecast: its fields, types, ranges and words.
///
/// Clients that were written for Dark Sky fail on other fields, on decimals in integers and on other words.
/// Source: Dark Sky's documentation, see `docs/upstreams/darkSky.md`.
public enum DarkSkyForm: String, Sendable {
    /// Only what Dark Sky sent.
    case documented
    /// All fields, icons and types of precipitation, those of Dark Sky in its form: Pirate Weather's version 2.
    case extended
    /// As `extended`, with the block of half days that Pirate Weather calls `day_night`.
    case withHalfDays

    /// The fields to write; nil for all.
    var selection: FieldSelection? { self == .documented ? Self.fields : nil }

    private static let precipitation = "precipIntensity precipIntensityError precipProbability precipType"
    private static let weather = """
        time summary icon \(precipitation) dewPoint humidity pressure windSpeed windGust windBearing cloudCover uvIndex \
        visibility ozone
        """
    /// The fields of each part, by its path.
    private static let table: [(path: String, fields: String)] = [
        ("", "latitude longitude timezone offset flags"),
        ("currently.", "\(weather) temperature apparentTemperature nearestStormDistance nearestStormBearing"),
        ("minutely.", "summary icon"), ("minutely.data.", "time \(precipitation)"),
        ("hourly.", "summary icon"),
        ("hourly.data.", "\(weather) temperature apparentTemperature precipAccumulation"),
        ("daily.", "summary icon"),
        (
            "daily.data.",
            """
            \(weather) sunriseTime sunsetTime moonPhase precipIntensityMax precipIntensityMaxTime precipAccumulation \
            temperatureHigh temperatureHighTime temperatureLow temperatureLowTime temperatureMin temperatureMinTime \
            temperatureMax temperatureMaxTime apparentTemperatureHigh apparentTemperatureHighTime \
            apparentTemperatureLow apparentTemperatureLowTime apparentTemperatureMin apparentTemperatureMinTime \
            apparentTemperatureMax apparentTemperatureMaxTime windGustTime uvIndexTime
            """
        ),
        ("alerts.", "title regions severity time expires description uri"),
    ]

    private static let fields = table.reduce(into: FieldSelection?.none) { selection, part in
        let paths = part.fields.split(separator: " ").map { part.path + $0 }
        do throws(FieldSelection.UnknownFields) {
            let fields = try FieldSelection(of: Forecast.self, paths: paths)
            selection = selection?.union(fields) ?? fields
        } catch {
            // The table is a constant of the program, so no input reaches the trap.
            preconditionFailure(error.description)
        }
    }

    /// Dark Sky's words for others.
    private static let icons: [Icon: Icon] = [.thunderstorm: .rain, .hail: .sleet, .mixed: .sleet, .tornado: .wind]
    private static let precipitationTypes: [PrecipitationType: PrecipitationType] = [
        .ice: .sleet, .mixed: .sleet, .hail: .sleet,
    ]

    /// Returns Dark Sky's word for an icon; nil for an unlisted one.
    fileprivate func word(_ icon: OpenEnum<Icon>?) -> OpenEnum<Icon>? { word(icon, Self.icons) }

    /// Returns Dark Sky's word for a type of precipitation; nil for an unlisted one.
    fileprivate func word(_ type: OpenEnum<PrecipitationType>?) -> OpenEnum<PrecipitationType>? {
        word(type, Self.precipitationTypes)
    }

    private func word<Word>(_ word: OpenEnum<Word>?, _ words: [Word: Word]) -> OpenEnum<Word>? {
        if self != .documented { return word }
        guard case .known(let known) = word else { return nil }
        return .known(words[known] ?? known)
    }
}

extension Forecast {
    /// Takes Dark Sky's form, in its own units; the client gets it in those of `target`.
    mutating func take(_ form: DarkSkyForm, for target: UnitSystem, _ drift: inout DriftReport) {
        let numbers = DarkSkyNumbers(from: units, to: target)
        let language = SummaryLanguage.named(flags?.lang), sun = Sun(daily?.data ?? [])
        drift.note(.approximated, .missing, hourly?.data?.fillGaps() ?? [], "hourly.data[]")
        currently?.take(form, numbers)
        // Only hours and days always had an icon and a summary.
        let isNight = sun.isDown(currently?.time)
        if currently?.cloudCover != nil { currently?.describe(numbers, language, isNight: isNight) }
        forEachBlock { block, name in
            let icon = block?.icon
            block?.icon = form.word(icon)
            if block?.data == nil { block?.data = [] }
            for index in block?.data?.indices ?? 0..<0 {
                block?.data?[index].take(form, numbers)
                if name == .daily { block?.data?[index].takeTimes() }
                if name == .minutely { continue }
                let isNight = name == .hourly && sun.isDown(block?.data?[index].time)
                block?.data?[index].describe(numbers, language, isNight: isNight)
                if form == .documented { continue }
                block?.data?[index].accumulateAll(numbers, hours: name == .hourly ? 1 : name == .daily ? 24 : 12)
                block?.data?[index].completeForVersion2()
            }
        }
        if form != .documented { currently?.completeForVersion2() }
        let now = currently?.time ?? [hourly, minutely, daily].lazy.compactMap { $0?.data?.first?.time }.first
        alerts = alerts?.map { $0.inForm(form, now: now) } ?? (form == .documented ? nil : [])
        flags = (flags ?? Flags()).inForm(form, units: target, distance: numbers.distance)
    }
}

extension [DataPoint] {
    /// Gives hours that lack a number that of the nearest hour, because clients compute with them; returns their indices.
    ///
    /// A number that more hours of a row lack than a day has stays absent. Open-Meteo's probabilities end hours before its
    /// other columns.
    fileprivate mutating func fillGaps() -> [Int] {
        var hasGaps = false
        for index in indices { self[index].forEachNumber { if $0 == nil { hasGaps = true } } }
        guard hasGaps else { return [] }
        var rows: [[Double?]] = []
        for index in indices {
            var row: [Double?] = []
            self[index].forEachNumber { row.append($0) }
            rows.append(row)
        }
        var filled: Set<Int> = []
        for column in rows[0].indices {
            var start = 0
            while let first = rows[start...].firstIndex(where: { $0[column] == nil }) {
                let end = rows[first...].firstIndex { $0[column] != nil } ?? count
                let before = first > 0 ? rows[first - 1][column] : nil, after = end < count ? rows[end][column] : nil
                if end - first <= 24, before != nil || after != nil {
                    for index in first..<end {
                        rows[index][column] = index - first < end - index ? before ?? after : after ?? before
                    }
                    filled.formUnion(first..<end)
                }
                start = end
            }
        }
        for index in filled {
            var row = rows[index][...]
            self[index].forEachNumber { $0 = row.removeFirst() }
        }
        return filled.sorted()
    }
}

/// When the sun rises and sets on the days of a forecast.
private struct Sun {
    private let days: [(start: UnixSeconds, rise: UnixSeconds, set: UnixSeconds)]

    init(_ days: [DataPoint]) {
        self.days = days.indices.compactMap { index in
            guard let rise = days[index].sunriseTime, let set = days[index].sunsetTime else { return nil }
            return (days[index].time, rise, set)
        }
    }

    /// Whether the sun is down at a moment; false if the day of the moment is not known.
    func isDown(_ moment: UnixSeconds?) -> Bool {
        guard let moment, let day = days.last(where: { $0.start <= moment }),
            moment.seconds < day.start.seconds + 90_000
        else { return false }
        return moment < day.rise || day.set <= moment
    }
}

/// The numbers of a forecast as a client sees them, in its units.
private struct DarkSkyNumbers {
    let distance, speed, rate, depth: Conversion.Step?
    /// The rates of the forecast in mm/h, and its temperatures in °C; nil if they are.
    let metricRate, celsius: Conversion.Step?
    /// The depth in the forecast's unit that falls in an hour at a rate of 1.
    let depthOfRate: Double
    /// The greatest visibility in the forecast's units: 10 miles.
    let visibility: Double

    init(from source: UnitSystem, to target: UnitSystem) {
        let conversion = source.conversion(to: target)
        distance = conversion?[.distance]
        speed = conversion?[.speed]
        rate = conversion?[.rate]
        depth = conversion?[.depth]
        let metric = source.conversion(to: .si)
        (metricRate, celsius) = (metric?[.rate], metric?[.temperature])
        depthOfRate = source == .us ? 1 : 0.1
        visibility = [.us, .uk2].contains(source) ? 10 : 16.09
    }

    /// Whether the client sees zero.
    func isZero(_ value: Double?, _ step: Conversion.Step?) -> Bool { value.map { step?($0) ?? $0 } == 0 }

    /// Returns the distance that the client sees as a whole number.
    func whole(_ value: Double) -> Double {
        guard let distance else { return value.rounded() }
        // Back with all decimals: the writer's conversion gives the whole number again.
        return distance(value).rounded() / distance.scale
    }

    /// Returns whole degrees from 0 to 359.
    func bearing(_ degrees: Double) -> Double {
        let whole = degrees.rounded()
        return whole == 360 ? 0 : whole
    }
}

extension DataPoint {
    /// Changes words and numbers to those that Dark Sky could have sent.
    fileprivate mutating func take(_ form: DarkSkyForm, _ numbers: DarkSkyNumbers) {
        icon = form.word(icon)
        precipType = numbers.isZero(precipIntensity, numbers.rate) ? nil : form.word(precipType)
        if form == .documented {
            if numbers.isZero(precipAccumulation, numbers.depth) { precipAccumulation = nil }
            if numbers.isZero(windSpeed, numbers.speed) { windBearing = nil }
        }
        nearestStormDistance = nearestStormDistance.map(numbers.whole)
        nearestStormBearing = nearestStormDistance == 0 ? nil : nearestStormBearing.map(numbers.bearing)
        windBearing = windBearing.map(numbers.bearing)
        uvIndex = uvIndex?.rounded()
        visibility = visibility.map { min($0, numbers.visibility) }
        time = time.whole
    }

    /// Passes the numbers that every hour of Dark Sky had.
    @inline(__always)
    fileprivate mutating func forEachNumber(_ body: (inout Double?) -> Void) {
        body(&temperature)
        body(&apparentTemperature)
        body(&dewPoint)
        body(&humidity)
        body(&pressure)
        body(&windSpeed)
        body(&windGust)
        body(&cloudCover)
        body(&uvIndex)
        body(&visibility)
        body(&precipProbability)
    }

    /// Sets an icon and a summary that are absent: those of the precipitation, or else of the clouds.
    ///
    /// Without both, a sky that is partly cloudy is the nearest to any.
    fileprivate mutating func describe(_ numbers: DarkSkyNumbers, _ language: SummaryLanguage, isNight: Bool) {
        if icon != nil, summary != nil { return }
        func metric(_ value: Double?, _ step: Conversion.Step?) -> Double { value.map { step?($0) ?? $0 } ?? .nan }
        var type: PrecipitationType?
        if case .known(let known)? = precipType { type = known }
        let rate = metric(precipIntensity, numbers.metricRate)
        var code = WeatherCode.measured(
            type, rate: rate, snowRate: metric(snowIntensity, numbers.metricRate),
            temperature: metric(temperature, numbers.celsius), cloudCover: cloudCover)
        if case .known(let icon)? = icon, code.flatMap(WeatherCode.find)?.icon != icon {
            code = WeatherCode.code(of: icon, rate: rate)
        }
        let measured = code ?? 2
        summary = summary ?? language.summary(of: measured)
        if icon == nil, let found = WeatherCode.find(measured)?.icon { icon = .known(isNight ? found.atNight : found) }
    }

    /// Makes the accumulation that of rain, snow and ice: the upstream's own sum, that of their depths, the depth of
    /// the snow, or else what falls at the mean rate in the point's hours.
    fileprivate mutating func accumulateAll(_ numbers: DarkSkyNumbers, hours: Double) {
        let parts = [liquidAccumulation, snowAccumulation, iceAccumulation].compactMap(\.self)
        if let wholeAccumulation {
            precipAccumulation = wholeAccumulation
        } else if !parts.isEmpty {
            precipAccumulation = Conversion.Step(scale: 1, places: 4)(parts.reduce(0, +))
        } else if let precipIntensity {
            let water = Conversion.Step(scale: hours * numbers.depthOfRate, places: 4)(precipIntensity)
            precipAccumulation = precipAccumulation ?? water
        }
    }

    /// Sets what Pirate Weather's clients always get: a bearing in a calm, and -999 in place of unknown ozone.
    fileprivate mutating func completeForVersion2() {
        if windSpeed != nil { windBearing = windBearing ?? 0 }
        ozone = ozone ?? -999
    }

    /// Removes the fractions from the times of a day; the greatest precipitation of a dry day is at its start.
    fileprivate mutating func takeTimes() {
        if precipIntensityMax == 0 { precipIntensityMaxTime = precipIntensityMaxTime ?? time }
        forEachTime { time, _, _ in time = time?.whole }
    }
}

extension Alert {
    /// Dark Sky's severities for the words of others (CAP 1.2, severity).
    private static let severities: [String: Severity] = [
        "extreme": .warning, "severe": .warning, "moderate": .watch, "minor": .advisory,
    ]

    /// Returns the alert with all members that Dark Sky's alerts always had; `now` is the time of the forecast.
    ///
    /// Clients unwrap the end and the address without a test. An alert without an end lasts a day, and an empty address is
    /// none (RFC 3986 §4.1).
    fileprivate func inForm(_ form: DarkSkyForm, now: UnixSeconds?) -> Alert {
        var alert = self
        alert.title = title ?? description.map { String($0.prefix { !$0.isNewline }) } ?? ""
        alert.description = description ?? title ?? ""
        alert.regions = regions ?? []
        alert.severity = .known(form == .documented ? darkSkySeverity : pirateSeverity)
        alert.time = (time ?? now)?.whole
        alert.expires = (expires ?? alert.time.map { UnixSeconds($0.seconds + 86_400) })?.whole
        alert.uri = uri ?? "about:blank"
        return alert
    }

    /// The severity in Pirate Weather's words, which are those of CAP.
    private var pirateSeverity: Severity {
        let word = severity?.rawValue.lowercased() ?? ""
        switch Severity(rawValue: word) {
        case .warning?: return .severe
        case .watch?: return .moderate
        case .advisory?: return .minor
        default: return Severity.allCases.first { $0.rawValue.lowercased() == word } ?? .unknown
        }
    }

    /// The severity in Dark Sky's words; if it is unknown, the one that the title names.
    private var darkSkySeverity: Severity {
        let word = severity?.rawValue.lowercased() ?? ""
        if let severity = Severity(rawValue: word) ?? Self.severities[word] { return severity }
        let title = title?.lowercased() ?? ""
        return Severity.allCases.reversed().first { title.contains($0.rawValue) } ?? .advisory
    }
}

extension UnixSeconds {
    fileprivate var whole: UnixSeconds { UnixSeconds(seconds.rounded(.down)) }
}
