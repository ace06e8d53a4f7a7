import Contracts
import Records
import Testing

@Suite("Times of points and alerts")
struct PointTimesTests {
    private static func read(_ members: String) throws -> ForecastDocument {
        let text = #"{"latitude":1,"longitude":2,"timezone":"UTC",\#(members),"flags":{"units":"si"}}"#
        return try ForecastDialect.darkSky.normalize(Array(text.utf8))
    }

    private static func drift(_ document: ForecastDocument) -> [String] {
        document.drift.entries.map { "\($0.path) \($0.kind) \($0.reason)" }.sorted()
    }

    @Test("Times of the current weather and of hours that are far from their point are read as milliseconds or dropped")
    func far() throws {
        let document = try Self.read(
            #""currently":{"time":1700000000,"temperature":1,"sunriseTime":-4,"temperatureHighTime":1700003600000},"#
                + #""hourly":{"data":[{"time":1700000000,"windGust":1,"windGustTime":-4}]}"#)
        let now = try #require(document.forecast.currently)
        #expect(now.sunriseTime == nil && now.temperatureHighTime?.seconds == 1_700_003_600)
        #expect(document.forecast.hourly?.data?[0].windGustTime == nil)
        #expect(
            Self.drift(document) == [
                "currently.sunriseTime dropped implausible", "currently.temperatureHighTime coerced milliseconds",
                "hourly.data[].windGustTime dropped implausible",
            ])
    }

    @Test("A point whose own time is far from those of the others is dropped", arguments: ["-4", "0"])
    func ownTime(_ wrong: String) throws {
        let right = #"{"time":1700000000,"temperature":1}"#
        let document = try Self.read(
            #""currently":{"time":\#(wrong),"temperature":1},"#
                + #""minutely":{"data":[{"time":1700000000,"precipIntensity":1},{"time":\#(wrong),"precipIntensity":1}]},"#
                + #""hourly":{"data":[{"time":\#(wrong),"temperature":1},\#(right),\#(right)]},"#
                + #""daily":{"data":[\#(right),{"time":\#(wrong),"temperatureMax":1,"temperatureMaxTime":1700000000}]}"#
        )
        let forecast = document.forecast
        #expect(forecast.currently == nil)
        #expect([forecast.minutely, forecast.hourly, forecast.daily].map { $0?.data?.count } == [1, 2, 1])
        #expect(
            Self.drift(document) == [
                "currently.time dropped implausible", "daily.data[].time dropped implausible",
                "hourly.data[].time dropped implausible", "minutely.data[].time dropped implausible",
            ])
    }

    @Test("Times of alerts in milliseconds are read, and those before alerts existed are dropped")
    func alerts() throws {
        let document = try Self.read(
            #""currently":{"time":1700000000,"temperature":1},"#
                + #""alerts":[{"title":"Fog","time":1700000000000,"expires":-4}]"#)
        let alert = try #require(document.forecast.alerts?.first)
        #expect(alert.time?.seconds == 1_700_000_000 && alert.expires == nil)
        #expect(Self.drift(document) == ["alerts[].expires dropped implausible", "alerts[].time coerced milliseconds"])
    }
}
