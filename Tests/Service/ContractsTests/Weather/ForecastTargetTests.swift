import Contracts
import Records
import Testing

@Suite("Targets of Dark Sky and Pirate Weather")
struct ForecastTargetTests {
    /// The parameters of every request to Pirate Weather.
    private static let own = "&version=2&include=day_night_forecast,airqualitydetails&extraVars=stationPressure"

    @Test(
        "Coordinates are decimals without an exponent",
        arguments: [
            (37.8267, -122.4233, "37.8267,-122.4233"), (0, -0.0, "0,0"), (-90, 180, "-90,180"),
            (0.0000001, -0.00000001, "0.0000001,0"), (-0.5, 1e-5, "-0.5,0.00001"),
            (51.99999996, -179.9999999, "52,-179.9999999"),
        ] as [(Double, Double, String)])
    func coordinates(latitude: Double, longitude: Double, expected: String) {
        let query = ForecastQuery(latitude: latitude, longitude: longitude)
        #expect(ForecastDialect.darkSky.target(for: query, now: 0) == "/forecast/{key}/\(expected)?units=si")
        #expect(
            ForecastDialect.pirateWeather.target(for: query, now: 0)
                == "/forecast/apikey/\(expected)?units=si\(Self.own)")
    }

    @Test(
        "A target always names the units, as the upstream spells them",
        arguments: [
            (UnitSystem.si, "si", "si"), (.ca, "ca", "ca"), (.uk2, "uk2", "uk"), (.uk, "uk2", "uk"), (.us, "us", "us"),
        ])
    func units(_ units: UnitSystem, darkSky: String, pirateWeather: String) {
        var query = ForecastQuery(latitude: 1, longitude: 2)
        query.units = units
        #expect(ForecastDialect.darkSky.target(for: query, now: 0) == "/forecast/{key}/1,2?units=\(darkSky)")
        #expect(
            ForecastDialect.pirateWeather.target(for: query, now: 0)
                == "/forecast/apikey/1,2?units=\(pirateWeather)\(Self.own)"
        )
    }

    @Test("Pirate Weather chooses the units of the country if the client leaves them to it, and Norwegian is no there")
    func ownNames() {
        var query = ForecastQuery(latitude: 1, longitude: 2)
        query.unitsAreAutomatic = true
        query.language = "nb"
        #expect(
            ForecastDialect.pirateWeather.target(for: query, now: 0)
                == "/forecast/apikey/1,2?units=auto&lang=no\(Self.own)")
        #expect(ForecastDialect.darkSky.target(for: query, now: 0) == "/forecast/{key}/1,2?units=si&lang=nb")
    }

    @Test(
        "A moment follows the coordinates, and its text cannot leave the path segment",
        arguments: [
            (.unix(1_509_993_277), ",1509993277"), (.unix(-100_001), ",-100001"),
            (.unix(.min), ",-9223372036854775808"),
            (.local("2026-02-06T12:30:00"), ",2026-02-06T12:30:00"),
            (.local("1/?units=us&a#b{key}"), ",1%2F%3Funits%3Dus%26a%23b%7Bkey%7D"),
            (.local("é +\n"), ",%C3%A9%20%2B%0A"), (.local(""), ","),
        ] as [(ForecastQuery.Moment, String)])
    func time(_ time: ForecastQuery.Moment, expected: String) {
        var query = ForecastQuery(latitude: 1, longitude: 2)
        query.time = time
        #expect(ForecastDialect.darkSky.target(for: query, now: 0) == "/forecast/{key}/1,2\(expected)?units=si")
        #expect(
            ForecastDialect.pirateWeather.target(for: query, now: 0)
                == "/forecast/apikey/1,2\(expected)?units=si\(Self.own)")
    }

    @Test(
        "Pirate Weather gets a moment that it would read as relative to now as text",
        arguments: [
            (-100_001, "-100001"), (-100_000, "1969-12-30T20:13:20Z"), (-1, "1969-12-31T23:59:59Z"),
            (0, "1970-01-01T00:00:00Z"), (1, "1"),
        ] as [(Int64, String)])
    func relativeTime(seconds: Int64, expected: String) {
        var query = ForecastQuery(latitude: 1, longitude: 2)
        query.time = .unix(seconds)
        #expect(
            ForecastDialect.pirateWeather.target(for: query, now: 1_000_000)
                == "/forecast/apikey/1,2,\(expected)?units=si\(Self.own)")
        #expect(ForecastDialect.darkSky.target(for: query, now: 0) == "/forecast/{key}/1,2,\(seconds)?units=si")
    }

    @Test(
        "The language and the extended hourly block are requested only if the query has them",
        arguments: [
            ("de", false, "&lang=de"), ("x-pig-latin", true, "&lang=x-pig-latin&extend=hourly"),
            ("zh-tw", false, "&lang=zh-tw"), ("a&b=c", false, "&lang=a%26b%3Dc"), (nil, true, "&extend=hourly"),
        ] as [(String?, Bool, String)])
    func languages(_ language: String?, extendsHourly: Bool, expected: String) {
        var query = ForecastQuery(latitude: 1, longitude: 2)
        query.language = language
        query.extendsHourly = extendsHourly
        #expect(ForecastDialect.darkSky.target(for: query, now: 0) == "/forecast/{key}/1,2?units=si\(expected)")
        #expect(
            ForecastDialect.pirateWeather.target(for: query, now: 0)
                == "/forecast/apikey/1,2?units=si\(expected)\(Self.own)")
    }
}
