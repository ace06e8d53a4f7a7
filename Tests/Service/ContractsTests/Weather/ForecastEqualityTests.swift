import API
import ContractsSupport
import Contracts
import Records
import TestSupport
import Testing

/// The same days in every dialect give the same answers; `docs/contracts.md` lists what cannot be equal.
@Suite("Equal answers of all dialects")
struct ForecastEqualityTests {
    /// A dialect's document about the synthetic days, and the fields that its upstream does not have.
    struct Source: Sendable, CustomStringConvertible {
        let dialect: ForecastDialect
        let document: String
        var lacks: Set<String> = []

        var description: String { dialect.name }
    }

    /// The dialects of forecasts: another one needs its document in `SyntheticAtmosphere`, and a line here.
    private static let sources = [
        Source(
            dialect: .darkSky, document: SyntheticAtmosphere.darkSky,
            lacks: ["rainIntensity", "snowIntensity", "liquidAccumulation", "snowAccumulation"]),
        Source(dialect: .pirateWeather, document: SyntheticAtmosphere.pirateWeather),
        Source(dialect: .openMeteo, document: SyntheticAtmosphere.openMeteo),
        // The mean direction of a day is computed, and not the one that the atmosphere gives to the others.
        Source(dialect: .weatherKit, document: SyntheticAtmosphere.weatherKit, lacks: ["windBearing"]),
    ]

    private static func answer(_ source: Source, _ form: DarkSkyForm? = nil) throws -> JSONValue {
        var shaping = Shaping()
        shaping.units = .system(.si)
        shaping.darkSky = form
        return try #require(
            JSONValue(parsing: try source.dialect.normalize(Array(source.document.utf8)).shaped(shaping).body))
    }

    /// Checks every field of a point; an amount of zero may also be absent.
    private static func expect(
        _ point: JSONValue?, _ values: [String: Double], in source: Source, _ name: String
    ) {
        for (field, expected) in values where !source.lacks.contains(field) {
            let isAmount = expected == 0 && (field.hasSuffix("Accumulation") || field.hasSuffix("Intensity"))
            let value = point?[field]?.doubleValue ?? (isAmount ? 0 : .nan)
            #expect(abs(value - expected) < 0.006, "\(name).\(field) is \(value), not \(expected)")
        }
    }

    @Test("Every hour has the values of the atmosphere", arguments: sources)
    func hours(source: Source) throws {
        let hours = try #require(Self.answer(source)["hourly"]?["data"]?.elements)
        #expect(hours.count == SyntheticAtmosphere.hours.count)
        // Open-Meteo's last hour has no end.
        for (hour, point) in zip(SyntheticAtmosphere.hours, hours).dropLast() {
            var values = SyntheticAtmosphere.hour(hour)
            // Only snow counts.
            values["precipAccumulation"] = values["snowAccumulation"]
            Self.expect(point, values, in: source, "hourly[\(hour)]")
            let type = SyntheticAtmosphere.precipitation(values["liquidAccumulation"], values["snowAccumulation"])
            #expect(point["precipType"]?.stringValue == type, "hour \(hour)")
        }
    }

    @Test("Every day has the values of the atmosphere", arguments: sources)
    func days(source: Source) throws {
        let days = try #require(Self.answer(source)["daily"]?["data"]?.elements)
        // The last day has no night.
        for day in 0..<2 {
            var values = SyntheticAtmosphere.day(day)
            values["precipAccumulation"] = values["snowAccumulation"]
            Self.expect(days[day], values, in: source, "daily[\(day)]")
            #expect(days[day]["precipType"]?.stringValue == ["rain", "snow"][day])
        }
    }

    @Test("A storm at 14:20 is in the hour 14:00, and rain for clients of Dark Sky", arguments: sources)
    func storm(source: Source) throws {
        for form in [nil, DarkSkyForm.documented] {
            let hours = try #require(Self.answer(source, form)["hourly"]?["data"]?.elements)
            let storm = SyntheticAtmosphere.start + 14 * 3600
            #expect(hours.filter { $0["precipIntensity"]?.doubleValue == 7.5 }.map { $0["time"]?.intValue } == [storm])
            let icon = hours[14]["icon"]?.stringValue
            #expect(icon == (form == nil && source.dialect.name != "darkSky" ? "thunderstorm" : "rain"))
        }
    }

    @Test("The documents list the fields that cannot be equal")
    func documented() throws {
        let text = try Checkout.text("docs/contracts.md")
        let start = try #require(text.firstRange(of: "### Fields that cannot be equal")).upperBound
        // The tables behind it name every field.
        let end = try #require(text[start...].firstRange(of: "\n### ")).lowerBound
        for field in Self.sources.flatMap(\.lacks) + ["icon", "summary", "windGust", "precipType"] {
            #expect(text[start..<end].contains("`\(field)`"), "\(field)")
        }
    }
}
