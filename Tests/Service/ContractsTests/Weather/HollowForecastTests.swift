import API
import Contracts
import Records
import Testing

@Suite("Answers without values")
struct HollowForecastTests {
    private static let place = #""latitude":1,"longitude":-60,"timezone":"Etc/GMT+4""#

    @Test(
        "An answer to a query whose points have no value, or without any point, is an error",
        arguments: [
            ("weatherKit", #"{"forecastHourly":{"hours":[{"forecastStart":"2024-01-01T00:00:00Z"}]}}"#),
            ("weatherKit", #"{"forecastHourly":{"hours":[]},"forecastDaily":{"days":[]}}"#),
            ("weatherKit", #"{"currentWeather":{"asOf":"2024-01-01T00:00:00Z"}}"#),
            ("darkSky", "{\(place)}"),
            ("darkSky", #"{\#(place),"hourly":{"data":[]},"daily":{"data":[]},"flags":{"units":"si"}}"#),
            ("pirateWeather", #"{\#(place),"currently":{"time":1700000000},"flags":{"units":"si"}}"#),
            ("openMeteo", "{\(place)}"),
            ("openMeteo", #"{\#(place),"hourly":{"time":[],"temperature_2m":[]}}"#),
        ])
    func hollow(_ name: String, _ text: String) throws {
        let dialect = try #require(ForecastDialect.named(name))
        #expect(throws: ContractError.self) {
            try dialect.normalize(Array(text.utf8), answering: ForecastQuery(latitude: 1, longitude: -60))
        }
    }

    @Test("Hours with a time alone beside days with values are dropped, and reported")
    func besides() throws {
        let text =
            #"{\#(Self.place),"hourly":{"data":[{"time":1700000000},{"time":1700003600}]},"#
            + #""daily":{"data":[{"time":1700000000,"temperatureMax":3}]},"flags":{"units":"si"}}"#
        let query = ForecastQuery(latitude: 1, longitude: -60)
        let document = try ForecastDialect.darkSky.normalize(Array(text.utf8), answering: query)
        #expect(document.forecast.hourly == nil && document.forecast.daily?.data?.count == 1)
        #expect(document.drift.entries.map { "\($0.kind) \($0.path)" }.first == "dropped hourly")
    }

    @Test("A past answer of Open-Meteo without the rows of the requested day is an error that names the time")
    func before() throws {
        let times = (0..<24).map { -946_771_200 + 4 * 3600 + $0 * 3600 }
        let text = """
            {\(Self.place),"utc_offset_seconds":-14400,"hourly":{"time":\(times),"temperature_2m":\(times.map { _ in 1.5 })}}
            """
        var query = ForecastQuery(latitude: 1, longitude: -60)
        query.time = .unix(-946_771_200)
        let error = #expect(throws: ContractError.self) {
            try ForecastDialect.openMeteo.normalize(Array(text.utf8), answering: query)
        }
        #expect(error.map { "\($0)".contains("of the requested time") } == true)
        query.time = .unix(-946_771_200 + 4 * 3600)
        #expect(try ForecastDialect.openMeteo.normalize(Array(text.utf8), answering: query).forecast.currently != nil)
    }

    @Test("A document's own place stays, also in a grid, and an answer to a query has that of the query")
    func ownPlace() throws {
        let text = Array(#"{\#(Self.place),"current_weather":{"time":1700000000,"temperature":1.5}}"#.utf8)
        var defaults = AnswerDefaults()
        defaults.place = (5, 6)
        #expect(try ForecastDialect.openMeteo.normalize(text, defaults: defaults).forecast.latitude == 1)
        let query = ForecastQuery(latitude: 1.01, longitude: -60.01)
        #expect(try ForecastDialect.openMeteo.normalize(text, answering: query).forecast.latitude == 1.01)
    }
}
