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
    /// Returns the forecast in Dark Sky's form, in its own units; the client gets it in those of `target`.
    func inForm(_ form: DarkSkyForm, for target: UnitSystem) -> Forecast {
        var forecast = self
        let numbers = DarkSkyNumbers(from: units, to: target)
        forecast.currently?.take(form, numbers)
        for block in [\Forecast.minutely, \.hourly, \.daily, \.dayNight] {
            guard var content = forecast[keyPath: block] else { continue }
            content.icon = form.word(content.icon)
            content.data = content.data ?? []
            for index in content.data?.indices ?? 0..<0 {
                content.data?[index].take(form, numbers)
                if block == \.daily { content.data?[index].takeTimes() }
            }
            forecast[keyPath: block] = content
        }
        let now = currently?.time ?? [hourly, minutely, daily].lazy.compactMap { $0?.data?.first?.time }.first
        forecast.alerts = alerts.flatMap { $0.isEmpty ? nil : $0.map { $0.inDarkSkyForm(now: now) } }
        forecast.flags = (flags ?? Flags()).inForm(form, units: target, distance: numbers.distance)
        return forecast
    }
}

/// The numbers of a forecast as a client sees them, in its units.
private struct DarkSkyNumbers {
    let distance, speed, rate, depth: Conversion.Step?
    /// The greatest visibility in the forecast's units: 10 miles.
    let visibility: Double

    init(from source: UnitSystem, to target: UnitSystem) {
        let conversion = source.conversion(to: target)
        distance = conversion?[.distance]
        speed = conversion?[.speed]
        rate = conversion?[.rate]
        depth = conversion?[.depth]
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
        if numbers.isZero(precipAccumulation, numbers.depth) { precipAccumulation = nil }
        nearestStormDistance = nearestStormDistance.map(numbers.whole)
        nearestStormBearing = nearestStormDistance == 0 ? nil : nearestStormBearing.map(numbers.bearing)
        windBearing = numbers.isZero(windSpeed, numbers.speed) ? nil : windBearing.map(numbers.bearing)
        uvIndex = uvIndex?.rounded()
        visibility = visibility.map { min($0, numbers.visibility) }
        time = time.whole
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
    fileprivate func inDarkSkyForm(now: UnixSeconds?) -> Alert {
        var alert = self
        alert.title = title ?? description.map { String($0.prefix { !$0.isNewline }) } ?? ""
        alert.description = description ?? title ?? ""
        alert.regions = regions ?? []
        alert.severity = .known(darkSkySeverity)
        alert.time = (time ?? now)?.whole
        alert.expires = (expires ?? alert.time.map { UnixSeconds($0.seconds + 86_400) })?.whole
        alert.uri = uri ?? "about:blank"
        return alert
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
