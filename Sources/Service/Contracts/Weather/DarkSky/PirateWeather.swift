import CivilDates
import API
import JSONText
import Records

extension ForecastDialect {
    /// Pirate Weather, the successor of Dark Sky: the same path, with the key in the header field `apikey`.
    ///
    /// The upstream ignores the path segment that held the key, but it must not be empty. Version 2 adds fields, and
    /// `include` and `extraVars` add the optional ones. Dark Sky's `uk2` is `uk` here. Errors are `{"detail":"…"}`,
    /// `{"message":"…"}` or HTML.
    /// Source: https://github.com/Pirate-Weather/pirateweather/blob/main/docs/API.md.
    public static let pirateWeather = ForecastDialect(
        name: "pirateWeather",
        keyLocation: .header("apikey"),
        limitedHosts: ["api.pirateweather.net"],
        sites: [.history: "https://timemachine.pirateweather.net"],
        coverage: PirateWeather.coverage,
        target: { query, site, now in
            var query = query
            // Norwegian has no other name there (Pirate-Weather/translations).
            if query.language == "nb" { query.language = "no" }
            let units = query.units == .uk2 ? UnitSystem.uk : query.units
            let name = query.unitsAreAutomatic ? "auto" : units.rawValue
            return query.darkSkyTarget(key: "apikey", units: name, writeTime: PirateWeather.time)
                + PirateWeather.extras
                + (site == .history || query.isNear(now) ? "&tmextra=1" : "")
        },
        read: { node, _, defaults, forecast throws(ContractError) in
            let drift = try forecast.read(darkSky: node, defaults, ukIsUK2: true)
            if forecast.flags?.units == .known(.uk) { forecast.flags?.units = .known(.uk2) }
            if forecast.units == .us { forecast.elevation = forecast.elevation.map { PirateWeather.metres($0) } }
            return drift
        },
        correct: PirateWeather.correct,
        upstreamError: { body in
            ["detail", "message", "error"].lazy.compactMap { body[$0]?.string }.first
        },
        simplerTarget: { $0.contains(PirateWeather.extras) ? $0.replacing(PirateWeather.extras, with: "") : nil },
        expected: ExpectedField.darkSky, blocks: ExpectedBlock.darkSky,
        asksForClientUnits: true)
}

/// The namespace of what only Pirate Weather needs.
private enum PirateWeather {
    /// The parameters that ask for more than Dark Sky had.
    static let extras = "&version=2&include=day_night_forecast,airqualitydetails&extraVars=stationPressure"

    /// Heights of `us` are in feet (`API/request/preprocess.py`, `_setup_units`).
    static let metres = Conversion.Step(scale: 0.3048, places: 1)

    /// Corrects the fields that mean something else than in the contract.
    static func correct(_ forecast: inout Forecast, _ drift: inout DriftReport) {
        forecast.currently?.correctPirateWeather()
        forecast.forEachBlock { block, _ in
            for index in block?.data?.indices ?? 0..<0 { block?.data?[index].correctPirateWeather() }
        }
        // The gusts are those of the hours between two midnights.
        forecast.correctDays(&drift)
        drift.note(.approximated, .mean, correctGusts(of: &forecast), "daily.data[].windGust")
    }

    /// Replaces the gust of each day that the hours cover by their maximum; the upstream's is a mean (`windGust` in
    /// `API/daily/builder.py`).
    ///
    /// Returns the indices of the days whose gust stays a mean.
    static func correctGusts(of forecast: inout Forecast) -> [Int] {
        let days = forecast.daily?.data ?? [], hours = forecast.hourly?.data ?? []
        // Two weeks at most: a hostile document has thousands of days and hours.
        return days.indices.filter { index in
            guard days[index].windGust != nil else { return false }
            guard index < 14, index + 1 < days.count else { return true }
            let (start, end) = (days[index].time, days[index + 1].time)
            let gusts = hours.filter { start <= $0.time && $0.time < end }.compactMap(\.windGust)
            guard let greatest = gusts.max(), 23...25 ~= gusts.count,
                Double(gusts.count) >= (end.seconds - start.seconds) / 3600
            else { return true }
            forecast.daily?.data?[index].windGust = greatest
            return false
        }
    }

    /// Returns the times that `site` is asked about, in unix seconds.
    ///
    /// `api.` refuses times more than 25 hours ago, both refuse those more than an hour ahead
    /// (Pirate-Weather/pirate-weather-code, `API/request/preprocess.py`, `_validate_time`).
    static func coverage(of site: ForecastSite, now: Int64) -> ClosedRange<Int64> {
        if site == .own { return Int64.min...Int64.max }
        let now = max(0, min(253_402_300_799, now))
        return (site == .current ? now - 24 * 3600 : -946_771_200)...now + 3600
    }

    /// Returns the text for a time that would be read as relative to now (`parse_request_time` of the same file).
    static func time(_ seconds: Int64) -> String? {
        guard (-100_000...0).contains(seconds) else { return nil }
        return ISO8601Timestamp.format(wholeSeconds: Double(seconds))
    }
}

extension DataPoint {
    /// Turns rates of snow into water and the accumulation into snow alone, and removes the times of a sun that does not
    /// rise or does not set.
    ///
    /// Rates of snow are ten times those of water (`API/hourly/block.py`). The accumulation is the sum of rain, snow and
    /// ice; where version 1 has no depth of snow, it is kept unless something else falls. Near the poles, sunrise is a second after
    /// the start of the day or two before its end, and sunset a second before its end (`API/utils/solar.py`).
    fileprivate mutating func correctPirateWeather() {
        let tenth = Conversion.Step(scale: 0.1, places: 4)
        snowIntensity = snowIntensity.map { tenth($0) }
        snowIntensityMax = snowIntensityMax.map { tenth($0) }
        wholeAccumulation = precipAccumulation
        let isSnow = precipType == nil || precipType == .known(.snow)
        if let sum = precipAccumulation, sum != 0, snowAccumulation != nil || !isSnow {
            precipAccumulation = snowAccumulation
        }
        guard let sunrise = sunriseTime, let sunset = sunsetTime, sunset.seconds - time.seconds == 86_399,
            [1, 86_398].contains(sunrise.seconds - time.seconds)
        else { return }
        (sunriseTime, sunsetTime, dawnTime, duskTime) = (nil, nil, nil, nil)
    }
}
