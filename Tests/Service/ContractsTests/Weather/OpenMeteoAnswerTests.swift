import API
import ContractsSupport
import Contracts
import JSONText
import Records
import Testing

@Suite("Answers of Open-Meteo to a request")
struct OpenMeteoAnswerTests {
    private static func answer(_ document: String, _ query: ForecastQuery?) throws -> JSONValue {
        let body = try ForecastDialect.openMeteo.normalize(Array(document.utf8), answering: query).shaped().body
        return try #require(JSONValue(parsing: body))
    }

    @Test("An answer has the requested coordinates, not those of the grid cell")
    func coordinates() throws {
        let document =
            #"{"latitude":48.125,"longitude":11.5625,"timezone":"GMT","current_weather":{"time":0,"temperature":1}}"#
        let answer = try Self.answer(document, ForecastQuery(latitude: 48.1374, longitude: 11.5755))
        #expect(answer["latitude"]?.doubleValue == 48.1374 && answer["longitude"]?.doubleValue == 11.5755)
        #expect(try Self.answer(document, nil)["latitude"]?.doubleValue == 48.125)
    }

    @Test(
        "Code 96 is hail if the request names an ICON model, and 99 is hail always",
        arguments: [
            (nil, 96, "thunderstorm", "Thunderstorm"), ("icon_d2", 96, "hail", "Thunderstorm with Hail"),
            ("dwd_icon_eu", 96, "hail", "Thunderstorm with Hail"), ("gfs_seamless", 96, "thunderstorm", "Thunderstorm"),
            ("meteofrance_seamless", 99, "hail", "Thunderstorm with Heavy Hail"),
            (nil, 99, "hail", "Thunderstorm with Heavy Hail"), ("icon_d2", 95, "thunderstorm", "Thunderstorm"),
        ] as [(String?, Int, String, String)])
    func hail(model: String?, code: Int, icon: String, summary: String) throws {
        var query = ForecastQuery(latitude: 1, longitude: 2)
        query.model = model
        let document =
            #"{"latitude":1,"longitude":2,"timezone":"GMT","current":{"time":0,"weather_code":\#(code)}}"#
        let now = try Self.answer(document, query)["currently"]
        #expect(now?["icon"]?.stringValue == icon && now?["summary"]?.stringValue == summary)
    }

    /// The quarters of an hour around 12:15, with the sums of the quarter before each, and two hours.
    private static let quarters = """
        {"latitude":1,"longitude":2,"timezone":"GMT","utc_offset_seconds":0,
        "current_units":{"interval":"seconds"},"current":{"time":44100,"interval":900,"cloud_cover":80},
        "minutely_15_units":{"precipitation":"mm","snowfall":"cm"},
        "minutely_15":{"time":[44100,45000,45900,46800,47700,48600],"precipitation":[0.5,0,0.25,1,0.1,9],
        "snowfall":[0,0,0,0.7,0.07,0],"weather_code":[61,3,66,73,71,65]},
        "hourly":{"time":[43200,46800,50400],"precipitation_probability":[0,40,70]}}
        """

    @Test("The minutes of the next hour have the rates of their quarters of an hour, which the flags say")
    func minutes() throws {
        let answer = try Self.answer(Self.quarters, ForecastQuery(latitude: 1, longitude: 2))
        let minutes = answer["minutely"]?["data"]?.elements ?? []
        #expect(minutes.map { $0["time"]?.intValue } == (0...60).map { 44100 + $0 * 60 })
        func every(_ field: String) -> [JSONValue?] { stride(from: 0, through: 60, by: 15).map { minutes[$0][field] } }
        #expect(every("precipIntensity").map { $0?.doubleValue } == [0, 1, 4, 0.4, 36])
        #expect(every("precipType").map { $0?.stringValue } == [nil, "sleet", "snow", "snow", "rain"])
        #expect(every("precipProbability").map { $0?.doubleValue } == [0.4, 0.4, 0.4, 0.7, 0.7])
        #expect(minutes[14]["precipIntensity"]?.doubleValue == 0 && minutes[44]["precipType"]?.stringValue == "snow")
        #expect(answer["minutely"]?["icon"]?.stringValue == "sleet")
        #expect(answer["minutely"]?["summary"]?.stringValue == "Light Freezing Rain")
        #expect(answer["flags"]?["minutelyStep"]?.intValue == 15)
    }

    @Test("What the current weather lacks is that of the quarter of an hour before it, and of its hour")
    func currentFromQuarters() throws {
        let now = try Self.answer(Self.quarters, ForecastQuery(latitude: 1, longitude: 2))["currently"]
        #expect(now?["precipIntensity"]?.doubleValue == 2 && now?["rainIntensity"]?.doubleValue == 2)
        #expect(now?["precipType"]?.stringValue == "rain" && now?["summary"]?.stringValue == "Light Rain")
        #expect(now?["precipProbability"]?.doubleValue == 0.4)
    }

    @Test("An answer about a time whose quarters of an hour are known has minutes from then on")
    func minutesOfTime() throws {
        var query = ForecastQuery(latitude: 1, longitude: 2)
        query.time = .unix(44130)
        let minutes = try #require(try Self.answer(Self.quarters, query)["minutely"]?["data"]?.elements)
        #expect(minutes.count == 61 && minutes[0]["time"]?.intValue == 44100)
    }

    @Test("An answer about another time, and one without quarters of an hour, has no minutes")
    func withoutMinutes() throws {
        var query = ForecastQuery(latitude: 1, longitude: 2)
        query.time = .unix(30000)
        let past = try Self.answer(Self.quarters, query)
        #expect(past["minutely"] == nil && past["flags"]?["minutelyStep"] == nil)
        let empty = Self.quarters.replacing("[0.5,0,0.25,1,0.1,9]", with: "[null,null]")
        #expect(try Self.answer(empty, nil)["minutely"] == nil)
    }
}
