import Foundation
import TestSupport
import Testing

/// Third-party Dark Sky clients: the package python-forecastio, and models of clients in other languages.
@Suite(.timeLimit(.minutes(10)))
struct DarkSkyClientTests {
    private static let package = "python-forecastio==1.4.0"

    /// A user's program, with the service's address instead of Dark Sky's.
    private static let program = """
        import sys, time, forecastio
        base = sys.argv[1]
        forecast = forecastio.manual(base + "/forecast/0123456789abcdef/37.8267,-122.4233?units=us&lang=en")
        now = forecast.currently()
        assert abs(now.utime - time.time()) < 3600, now.utime
        assert now.icon == "cloudy" and now.temperature == 51.61, now.d
        hourly = forecast.hourly()
        assert hourly.icon == "rain" and len(hourly.data) == 49, len(hourly.data)
        assert all(isinstance(hour.temperature, float) and hour.time for hour in hourly.data)
        daily = forecast.daily()
        assert len(daily.data) == 8 and all(day.sunriseTime < day.sunsetTime for day in daily.data)
        assert all(day.temperatureHigh > day.temperatureLow for day in daily.data)
        assert len(forecast.minutely().data) == 61
        alerts = forecast.alerts()
        assert [alert.title for alert in alerts] == ["Coastal Gust Advisory", "Low Street Flood Watch"], alerts
        assert alerts[0].expires > alerts[0].time and alerts[0].uri.startswith("https://")
        assert forecast.offset() in (-8, -7)
        assert forecast.json["flags"]["nearest-station"] == 1.839, forecast.json["flags"]
        assert int(forecast.http_headers["X-Forecast-API-Calls"]) > 0
        assert forecast.http_headers["X-Response-Time"].endswith("ms")
        assert forecast.http_headers["Content-Encoding"] == "gzip"
        # It fetches excluded blocks on access.
        url = base + "/forecast/k/37.8267,-122.4233?units=us&exclude=minutely,currently,hourly,daily,alerts,flags"
        lazy = forecastio.manual(url)
        assert set(lazy.json) == {"latitude", "longitude", "timezone", "offset"}, lazy.json.keys()
        assert len(lazy.daily().data) == 8
        try:
            forecastio.manual(base + "/forecast/k/91,0")
            raise AssertionError("no error")
        except forecastio.api.requests.exceptions.HTTPError as error:
            assert error.response.status_code == 400 and error.response.json()["code"] == 400
        print("read")
        """

    /// Targets behind the place.
    private static let requests = ["", "?units=si", "?units=ca&extend=hourly", "?units=uk2", ",1508630400?units=auto"]

    @Test(
        "Strict clients and Dark Sky's schema accept the answers of every sample",
        arguments: ["darkSky", "pirateWeather", "openMeteo", "weatherKit"])
    func strictClientsReadTheDropInRoute(_ dialect: String) throws {
        let schema = try JSONSchema(file: "\(Checkout.root)/Tests/Schemas/darkSky.json")
        let folder = "\(Checkout.root)/Config/samples/\(dialect)"
        let weir = try WeirProcess.serve(configuration([folder], dialect: dialect))
        defer { weir.kill() }
        let client = try weir.client()
        for request in Self.requests {
            let answer = try client.get("/forecast/any/37.8267,-122.4233\(request)")
            #expect(answer.status == 200)
            let faults = try schema.faults(in: answer.body)
            #expect(faults == [], "\(request)")
            let body = Data(answer.body)
            let clients: [any Decodable.Type] = [
                DarkSkyClientModels.Strict<DarkSkyClientModels.Detrous>.self,
                DarkSkyClientModels.Strict<DarkSkyClientModels.DarkSkyCore>.self, DarkSkyClientModels.UtilityStats.self,
                DarkSkyClientModels.AlertReader.self, DarkSkyClientModels.SourceReader.self,
                DarkSkyClientModels.Documented.self,
            ]
            for model in clients {
                #expect(throws: Never.self, "\(model) \(request)") { try JSONDecoder().decode(model, from: body) }
            }
        }
        // The other fields are there for clients that ask for them, and only for those.
        let extended = try client.get("/forecast/any/37.8267,-122.4233?version=2").body
        #expect(throws: Never.self) {
            try JSONDecoder().decode(DarkSkyClientModels.HomeAssistant.self, from: Data(extended))
        }
        if dialect != "darkSky" { #expect(try !schema.faults(in: extended).isEmpty) }
    }

    @Test func pythonForecastioReadsTheDropInRoute() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let python = folder.path("environment/bin/python")
        let made = try Tool.run(["python3", "-m", "venv", folder.path("environment")])
        let installed = try made.status == 0 ? Tool.run([python, "-m", "pip", "install", "-q", Self.package]) : made
        guard installed.status == 0 else {
            print("not run, as pip cannot install \(Self.package) here: \(installed.errors.prefix(200))")
            return
        }
        let weir = try WeirProcess.darkSkySample()
        defer { weir.kill() }
        let program = try folder.write(Self.program, to: "client.py")
        let result = try Tool.run([python, program, "http://\(weir.address())"])
        #expect(result.text == "read\n", "\(result.errors)")
    }
}
