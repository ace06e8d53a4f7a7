import TestSupport
import Testing

/// One document of an upstream in the forms that clients ask for.
@Suite(.timeLimit(.minutes(10)))
struct ShapingTests {
    private static let document = """
        {"latitude":51.5,"longitude":-0.1,"timezone":"Europe/London","offset":0,\
        "currently":{"time":1508630400,"icon":"rain","temperature":10,"windSpeed":10,"visibility":16.0934},\
        "minutely":{"data":[{"time":1508630400,"precipIntensity":2.54}]},\
        "hourly":{"data":[{"time":1508630400,"temperature":20},{"time":1508634000,"temperature":-999}]},\
        "flags":{"sources":["a"],"nearest-station":1.5,"isd-stations":["x"],"units":"si"}}
        """

    /// Serves the document and returns the answers to `targets`.
    private static func ask(_ targets: [String], weather: String = "") throws -> [Parsed] {
        let upstream = try ScriptedUpstream { _ in .answer(document) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL], weather: weather))
        defer { weir.kill() }
        return try targets.map { try weir.get($0).json() }
    }

    /// A target, and the temperature, wind speed and visibility in its units.
    @Test(arguments: [
        ("/weather?lat=1&lon=2", "si", 10.0, 10.0, 16.0934), ("/weather?lat=1&lon=2&units=us", "us", 50, 22.37, 10),
        ("/weather?lat=1&lon=2&units=ca", "ca", 10, 36, 16.0934),
        ("/weather?lat=1&lon=2&units=uk2", "uk2", 10, 22.37, 10),
        ("/weather?lat=1&lon=2&units=auto", "uk2", 10, 22.37, 10), ("/forecast/k/1,2", "us", 50, 22.37, 10),
        // Dark Sky's visibility ends at 10 miles.
        ("/forecast/k/1,2?units=si", "si", 10, 10, 16.09), ("/forecast/k/1,2?units=auto", "uk2", 10, 22.37, 10),
        ("/forecast/k/1,2?units=uk", "uk", 10, 22.37, 16.09),
    ])
    func theAnswerIsInTheRequestedUnits(
        _ target: String, _ units: String, _ temperature: Double, _ wind: Double, _ visibility: Double
    ) throws {
        let forecast = try Self.ask([target])[0]
        #expect(forecast["flags"]["units"].string == units)
        #expect(forecast["currently"]["temperature"].number == temperature)
        #expect(forecast["currently"]["windSpeed"].number == wind)
        #expect(forecast["currently"]["visibility"].number == visibility)
    }

    @Test func theConfigurationSetsTheDefaultUnits() throws {
        let targets = ["/weather?lat=1&lon=2", "/weather?lat=1&lon=2&units=si", "/forecast/k/1,2?units=ca"]
        for (setting, units) in [("us", "us"), ("auto", "uk2")] {
            let forecasts = try Self.ask(targets, weather: #", "units": "\#(setting)""#)
            #expect(forecasts.map { $0["flags"]["units"].string } == [units, "si", "ca"])
        }
    }

    @Test func flagsAreSpelledAsTheRouteDocumentsThem() throws {
        let forecasts = try Self.ask(["/weather?lat=1&lon=2", "/forecast/k/1,2"])
        #expect(Set(forecasts[0]["flags"].members.keys) == ["sources", "nearestStation", "isdStations", "units"])
        #expect(Set(forecasts[1]["flags"].members.keys) == ["sources", "nearest-station", "isd-stations", "units"])
        #expect(forecasts[1]["flags"]["isd-stations"].strings == ["x"])
    }

    @Test(arguments: ["/weather?lat=1&lon=2&exclude=minutely,flags", "/forecast/k/1,2?exclude=[minutely,flags,x]"])
    func excludedBlocksAreLeftOut(_ target: String) throws {
        let keys = try Set(Self.ask([target])[0].members.keys)
        #expect(keys == ["latitude", "longitude", "timezone", "offset", "currently", "hourly"])
    }

    @Test func onlyTheRequestedFieldsAreAnswered() throws {
        let forecast = try Self.ask(["/weather?lat=1&lon=2&fields=currently.temperature,hourly.data.time"])[0]
        #expect(
            forecast.leaves().map(\.path).sorted() == [
                "currently.temperature", "hourly.data[0].time", "hourly.data[1].time",
            ])
    }

    @Test func datesAreWrittenInTheRequestedForm() throws {
        let forecasts = try Self.ask(["/weather?lat=1&lon=2&dates=iso8601", "/weather?lat=1&lon=2&dates=unix"])
        #expect(forecasts[0]["currently"]["time"].string == "2017-10-22T00:00:00Z")
        #expect(forecasts[0]["hourly"]["data"][1]["time"].string == "2017-10-22T01:00:00Z")
        #expect(forecasts[1]["currently"]["time"].integer == 1_508_630_400)
    }

    /// A client's target, and the target of the request to the upstream.
    @Test(arguments: [
        ("/weather?lat=1&lon=2&time=1508630400", "/forecast/test-key/1,2,1508630400?units=si"),
        ("/weather?lat=1&lon=2&time=2013-05-06T12:00:00Z", "/forecast/test-key/1,2,1367841600?units=si"),
        (
            "/weather?lat=1&lon=2&time=2013-05-06T12:00:00&units=us",
            "/forecast/test-key/1,2,2013-05-06T12:00:00?units=si"
        ),
        ("/weather?lat=1&lon=2&lang=de&extend=hourly", "/forecast/test-key/1,2?units=si&lang=de&extend=hourly"),
        ("/weather?lat=1&lon=2&exclude=hourly&fields=daily&dates=iso8601", "/forecast/test-key/1,2?units=si"),
        ("/forecast/theirs/1,2,-5?lang=DE&units=us&exclude=daily", "/forecast/test-key/1,2,-5?units=si&lang=de"),
        ("/forecast/theirs/1,2,2013-05-06T12:00:00-0400", "/forecast/test-key/1,2,1367856000?units=si"),
    ])
    func theUpstreamIsAskedForTheCompleteDocument(_ target: String, _ asked: String) throws {
        let upstream = try ScriptedUpstream { _ in .answer(Self.document) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL]))
        defer { weir.kill() }
        #expect(try weir.get(target).status == 200)
        #expect(upstream.requests.first?.hasPrefix("GET \(asked) HTTP/1.1\r\n") == true, "\(upstream.requests)")
    }

    /// A client's target, and the units that Pirate Weather is asked for: its texts are in them.
    @Test(arguments: [
        ("/weather?lat=1&lon=2", "si"), ("/weather?lat=1&lon=2&units=us", "us"),
        ("/weather?lat=1&lon=2&units=uk2", "uk"), ("/weather?lat=1&lon=2&units=auto", "auto"),
        ("/forecast/k/1,2", "us"), ("/forecast/k/1,2?units=ca", "ca"),
    ])
    func pirateWeatherIsAskedForTheClientsUnits(_ target: String, _ units: String) throws {
        let upstream = try ScriptedUpstream { _ in .answer(Self.document) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL], dialect: "pirateWeather"))
        defer { weir.kill() }
        // The units in the document count, whatever was asked for.
        let answer = try weir.get(target).json()
        #expect(answer["currently"]["temperature"].number == (["us"].contains(units) ? 50 : 10))
        #expect(upstream.requests.first?.contains("?units=\(units)&") == true, "\(upstream.requests)")
    }

    @Test func anUpstreamIsAskedForUnitsOfTheSI() throws {
        let upstream = try ScriptedUpstream { _ in .answer(Self.document) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL]))
        defer { weir.kill() }
        // The units in the document count.
        #expect(try weir.get("\(weather)&units=ca").json()["currently"]["windSpeed"].number == 36)
        #expect(upstream.requests.first?.contains("?units=si ") == true)
    }
}
