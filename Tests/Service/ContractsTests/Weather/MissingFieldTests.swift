import API
import ContractsSupport
import Contracts
import JSONText
import Records
import Testing

@Suite("Fields that no point of an answer has")
struct MissingFieldTests {
    private static let query = ForecastQuery(latitude: 1, longitude: 2)

    private static func missing(_ text: String, _ dialect: ForecastDialect, _ query: ForecastQuery?) throws -> [String]
    {
        try dialect.normalize(Array(text.utf8), answering: query).drift.entries.filter { $0.kind == .missing }
            .map { "\($0.path) \($0.from ?? "-") \($0.count)" }
    }

    @Test("A requested column of Open-Meteo that the answer does not have is missing, with its place there")
    func openMeteo() throws {
        let asked = ForecastDialect.openMeteo.target(for: Self.query, now: 1_700_000_000)
        let columns = try #require(asked.split(separator: "&").first { $0.hasPrefix("hourly=") }).dropFirst(7)
            .split(separator: ",")
        func answer(_ names: [String]) -> String {
            let values = names.map { #","\#($0)":[1]"# }.joined()
            return #"{"timezone":"GMT","hourly":{"time":[1700000000]\#(values)}}"#
        }
        // The other blocks are absent.
        let blocks = ["currently current 1", "daily - 1", "minutely minutely_15 1"]
        func missing(_ names: [String]) throws -> [String] {
            try Self.missing(answer(names), .openMeteo, Self.query).filter { !blocks.contains($0) }
        }
        let all = columns.map(String.init)
        #expect(try Self.missing(answer(all), .openMeteo, Self.query).sorted() == blocks)
        #expect(try missing(all) == [])
        let renamed = all.map { $0 == "temperature_2m" ? "temperature_3m" : $0 }
        #expect(try missing(renamed) == ["hourly.data[].temperature hourly.temperature_2m 1"])
        // An older name of the column is the column.
        let older = all.map { $0 == "wind_speed_10m" ? "windspeed_10m" : $0 }
        #expect(try missing(older) == [])
        // A document that answers no request of Weir has the columns that somebody chose.
        #expect(try Self.missing(answer(["temperature_2m"]), .openMeteo, nil) == [])
    }

    @Test("A request for the past expects the columns of the archive")
    func archive() throws {
        var query = Self.query
        query.time = .unix(1_700_000_000)
        let text = #"{"timezone":"GMT","hourly":{"time":[1700000000],"temperature_2m":[1]}}"#
        let missing = try Self.missing(text, .openMeteo, query)
        #expect(missing.contains("hourly.data[].precipIntensity hourly.precipitation 1"))
        #expect(!missing.contains { $0.contains("visibility") })
    }

    @Test("A field of Dark Sky is missing if no point has it, and not if one has, or if it was dropped")
    func darkSky() throws {
        let rest = #""humidity":0.5,"windSpeed":1,"precipIntensity":0,"icon":"rain""#
        func answer(_ points: String...) -> String {
            let data = points.enumerated().map { #"{"time":\#(1_700_000_000 + $0 * 3600),\#($1)\#(rest)}"# }
            let others =
                #""currently":{"time":1700000000,"temperature":1,\#(rest)},"#
                + #""daily":{"data":[{"time":1700000000,"temperatureMin":1,"temperatureMax":2,"icon":"rain"}]}"#
            return #"{"latitude":1,"longitude":2,"timezone":"GMT","hourly":{"data":[\#(data.joined(separator: ","))]},"#
                + #"\#(others),"flags":{"units":"si"}}"#
        }
        #expect(
            try Self.missing(answer("", ""), .darkSky, Self.query)
                == ["hourly.data[].temperature - 1"])
        #expect(try Self.missing(answer("", #""temperature":1,"#), .darkSky, Self.query) == [])
        #expect(try Self.missing(answer(#""temperature":"warm","#), .darkSky, Self.query) == [])
        #expect(try Self.missing(answer(""), .darkSky, nil) == [])
    }

    @Test("Recorded answers of Dark Sky and Pirate Weather miss nothing")
    func recorded() {
        let faults = RecordedForecasts.complete.filter { $0.name.hasPrefix("darksky/") }.compactMap { recorded in
            let document = try? ForecastDialect.darkSky.normalize(recorded.bytes, answering: Self.query)
            let missing = document?.drift.entries.filter { $0.kind == .missing }.map(\.path) ?? []
            return missing.isEmpty ? nil : "\(recorded.name): \(missing)"
        }
        // The document is a test of its project: it has the blocks without any point.
        let name = "darksky/amweiss-dark-sky-core__BuffaloNY_MissingBlocks.json"
        #expect(faults.filter { $0 != "\(name): [\"hourly\", \"daily\"]" } == [])
    }

    @Test("Values of WeatherKit have their places in both documents")
    func weatherKit() throws {
        let text =
            #"{"currentWeather":{"asOf":"2026-02-06T00:00:00Z","conditionCode":"Clear","humidity":0.5,"windSpeed":"#
            + #""3","temperatureDewPoint":"1"}}"#
        #expect(
            try Self.missing(text, .weatherKit, Self.query) == [
                "hourly forecastHourly 1", "daily forecastDaily 1",
                "currently.temperature currentWeather.temperature 1",
            ])
        let entries = try ForecastDialect.weatherKit.normalize(Array(text.utf8)).drift.entries
        #expect(entries.map(\.path) == ["currently.windSpeed", "currently.dewPoint"])
        #expect(entries.map(\.from) == ["currentWeather.windSpeed", "currentWeather.temperatureDewPoint"])
    }
}
